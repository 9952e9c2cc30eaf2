"""The people of the demo player's Natural Selection 2: their true skills, and who plays a round with whom.

About a hundred come back evening after evening, some far more often than others; a few of those whom nobody knows pass
by. Sides are as many, and roughly as good, as a vote for a shuffle makes them; who leaves early is soon followed by
somebody else; one on each side commands. The player himself, number 0, has learnt, forgotten and learnt again.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from browser_app.rating.record import Floats, Ints
from browser_app.rating.simulator import LineUp, Played, Spell
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World

MEAN, DEVIATION = 30.0, 6.7
"""Of the regulars' true skills, in units of s: 1,500 and 335 points."""
_TRUTH = NS2Truth(
    k=(MEAN / DEVIATION) ** 2, theta=DEVIATION**2 / MEAN, offset=0.3, drift=0.02, bias=0.1, draws=0.02
)  # fmt: skip
_PASSERS_BY, _CHAIRS = 1.5, 0.4
"""Standard deviations: of the skills of those who pass by, about the same mean; of those in the chair, which differ
little, for a round hangs on two of them. In units of s."""
_ACTIVITY = 0.8
"""How often a regular comes falls as 1 / his rank to this power."""
_REGULARS_HERE, _PASSERS_BY_HERE = 18, 2
"""So many come in an evening."""
_SIDE_SIZE, _SIZE_SPREAD, _SIZES = 6.2, 0.9, (5, 8)
_SHUFFLE = 20.0
"""How far servers misjudge people when they make the sides even: standard deviation in units of s."""
_SHARED, _COMES_LATE = 0.1, 0.5
"""Share of the places that one leaves and another takes; of those that the player has, the share that he takes
later."""
_DAYS_AGO: Final = (133.0, 79.0, 56.0, 40.0, 0.0)
_LEARNT: Final = (30.0, 37.0, 36.0, 24.0, 46.0)
"""The player's skill (units of s) so many days before this week; between them, straight lines."""
_SIDE, _WORSE_CHAIR = -1.1, 1.5
"""What he is better as a marine, and how far he is behind the others in the chair, in units of s."""


class Crowd:
    """The player, then `regulars`, then `passers_by`, by number; they play on `maps`, by number too."""

    def __init__(self, regulars: int, passers_by: int, maps: int, rng: np.random.Generator) -> None:
        self._rng = rng
        people = 1 + regulars + passers_by
        self._world = NS2World(people, maps, _TRUTH, rng)
        self._world.skill[1 + regulars :] = MEAN + _PASSERS_BY * rng.standard_normal(passers_by)
        self._world.commander = MEAN + _CHAIRS * rng.standard_normal(people)
        self._world.offset[0], self._world.commander[0] = _SIDE, MEAN - _WORSE_CHAIR
        self._likes_chair = rng.gamma(0.2, 1.0, people) + 1e-6
        self._likes_chair[0] = 0.06
        comes = np.arange(1, 1 + regulars) ** -_ACTIVITY
        self._comes = comes / comes.sum()
        self._first_passer_by, self._people = 1 + regulars, people

    def who_comes(self) -> Ints:
        """Those who are about for an evening, without the player himself."""
        regulars = 1 + self._rng.choice(len(self._comes), _REGULARS_HERE, replace=False, p=self._comes)
        passers_by = self._rng.choice(np.arange(self._first_passer_by, self._people), _PASSERS_BY_HERE, replace=False)
        return np.concatenate((regulars, passers_by)).astype(np.int32)

    def learn(self, days_ago: float) -> None:
        """The player is what he was so many days before this week."""
        self._world.skill[0] = np.interp(-days_ago, [-day for day in _DAYS_AGO], _LEARNT)

    def line_up(self, length: float, game_map: int, here: Ints, *, mine: bool) -> LineUp:
        """Who of those who are here plays a round on a map, on which side and when; `mine`: the player too."""
        rng = self._rng
        places = 2 * int(np.clip(round(rng.normal(_SIDE_SIZE, _SIZE_SPREAD)), *_SIZES))
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
        """Somebody leaves, and soon his place is another's (a seat). In whole seconds."""
        left = float(int(stay.leave * self._rng.uniform(0.1, 0.9)))
        taken = float(int(left + (stay.leave - left) * self._rng.uniform(0.01, 0.5) ** 2))
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
