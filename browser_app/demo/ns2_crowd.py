"""The people of the demo player's Natural Selection 2: their true skills, and who plays a round with whom.

Sides are as even as a server's shuffle makes them; who leaves early is followed by one who comes late; one on each side
commands. The player himself, number 0, has learnt, forgotten and learnt again.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from browser_app.rating.record import Floats, Ints
from browser_app.rating.simulator import LineUp, Played, Spell
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World

_TRUTH = NS2Truth(k=16.0, theta=1.875, offset=0.8, drift=0.03, bias=0.2, draws=0.02)
_CHAIRS = 1.2
"""Standard deviation of the skills in the chair, in units of s: a round hangs on two people, so they differ less."""
_ACTIVITY = 0.2
"""How often somebody comes falls as 1 / his rank to this power."""
_HERE = 34
"""So many come in an evening."""
_SIDE_SIZE, _SIZE_SPREAD, _SIZES = 7.3, 1.3, (5, 10)
_SHUFFLE = 5.0
"""How far servers misjudge people when they make the sides even: standard deviation in units of s."""
_ODD, _SHARED, _COMES_LATE = 0.15, 0.25, 0.5
"""Chance that one side has one more; share of the places that one leaves and another takes; of those that the player
has, the share that he takes later."""
_DAYS_AGO: Final = (133.0, 79.0, 56.0, 40.0, 0.0)
_LEARNT: Final = (30.0, 33.0, 32.0, 30.0, 35.0)
"""The player's skill (units of s) so many days before this week; between them, straight lines."""
_SIDE, _WORSE_CHAIR = -1.1, 1.5
"""How much better he is as a marine (he is worse), and how far behind the others in the chair, in units of s."""


class Crowd:
    """`people` who play on `maps`, by number."""

    def __init__(self, people: int, maps: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._world = NS2World(people, maps, _TRUTH, rng)
        mean = _TRUTH.k * _TRUTH.theta
        self._world.commander = mean + _CHAIRS * rng.standard_normal(people)
        self._world.offset[0], self._world.commander[0] = _SIDE, mean - _WORSE_CHAIR
        self._likes_chair = rng.gamma(0.6, 1.0, people)
        self._likes_chair[0] = 0.3
        comes = np.arange(1, people) ** -_ACTIVITY
        self._comes = comes / comes.sum()

    def who_comes(self) -> Ints:
        """Those who are about for an evening, without the player himself."""
        return 1 + self._rng.choice(len(self._comes), _HERE, replace=False, p=self._comes).astype(np.int32)

    def learn(self, days_ago: float) -> None:
        """The player is what he was so many days before this week."""
        self._world.skill[0] = np.interp(-days_ago, [-day for day in _DAYS_AGO], _LEARNT)

    def line_up(self, length: float, game_map: int, here: Ints, *, mine: bool) -> LineUp:
        """Who of those who are here plays a round on a map, on which side and when; `mine`: the player too."""
        rng = self._rng
        places = 2 * int(np.clip(round(rng.normal(_SIDE_SIZE, _SIZE_SPREAD)), *_SIZES)) + int(rng.random() < _ODD)
        order = rng.permutation(here)
        first, bench = order[:places], order[places:]
        if mine:
            first[0] = 0
        side = self._shuffled(self._world.skill[first])
        stays = [Spell(seat, int(side[seat]), 0.0, length) for seat in range(places)]
        shared = self._shared(side, len(bench))
        for number, seat in enumerate(shared):
            stays[seat], late = self._handed_over(stays[seat], places + number)
            stays.append(late)
        player = np.concatenate((first, bench[: len(shared)])).astype(np.int32)
        team = np.array([stay.team for stay in stays], np.int32)
        if mine and 0 in shared and rng.random() < _COMES_LATE:
            late_seat = places + shared.index(0)
            player[[0, late_seat]] = player[[late_seat, 0]]
        alone = np.full(len(player), -1, np.int32)
        return LineUp(0.0, length, 0, game_map, 2, player, team, alone, stays, self._chairs(player, stays))

    def play(self, line_up: LineUp) -> Played:
        """Who wins; everybody's skill drifts a little."""
        return self._world.play(line_up, self._rng)

    def _shuffled(self, skill: Floats) -> Ints:
        """Of each two who follow each other in skill, as far as the server can tell, one goes to each side."""
        order = np.argsort(skill + _SHUFFLE * self._rng.standard_normal(len(skill)))
        side = np.empty(len(skill), np.int32)
        side[order[0::2]] = self._rng.integers(0, 2, len(order[0::2]))
        side[order[1::2]] = 1 - side[order[0::2][: len(order) // 2]]
        return side

    def _shared(self, side: Ints, bench: int) -> list[int]:
        """Seats that will be handed over, as many on each side, so that neither had more people in the end."""
        on_each = min(int(self._rng.binomial(len(side) // 2, _SHARED)), bench // 2)
        return [
            int(seat) for each in range(2) for seat in self._rng.permutation(np.flatnonzero(side == each))[:on_each]
        ]

    def _handed_over(self, stay: Spell, to: int) -> tuple[Spell, Spell]:
        """Somebody leaves, and sooner or later his place is another's (a seat). In whole seconds."""
        left = float(int(stay.leave * self._rng.uniform(0.1, 0.9)))
        taken = float(int(left + (stay.leave - left) * self._rng.uniform(0.01, 0.9) ** 2))
        return stay._replace(leave=left), stay._replace(seat=to, enter=taken)

    def _chairs(self, player: Ints, stays: Sequence[Spell]) -> list[Spell]:
        """On each side one of those who stay longest from the start takes the chair soon and leaves it late."""
        chairs = []
        for side in range(2):
            longest = max(stay.leave for stay in stays if stay.team == side and not stay.enter)
            staying = [stay for stay in stays if stay.team == side and not stay.enter and stay.leave == longest]
            likes = self._likes_chair[player[[stay.seat for stay in staying]]]
            stay = staying[int(self._rng.choice(len(staying), p=likes / likes.sum()))]
            share = np.floor(self._rng.uniform((0.0, 0.9), (0.02, 1.0)) * stay.leave)
            chairs.append(stay._replace(enter=float(share[0]), leave=float(share[1])))
        return chairs
