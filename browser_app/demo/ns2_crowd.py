"""The people of the demo player's Natural Selection 2: their true skills, and who plays a round with whom.

Sides are made about as even as a server's shuffle makes them; some come late, some leave early, one on each side
commands. The player himself, number 0, has learnt, forgotten and learnt again.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from browser_app.rating.record import Floats, Ints
from browser_app.rating.simulator import LineUp, Played, Spell
from browser_app.rating.simulator_ns2 import NS2Truth, NS2World

_TRUTH = NS2Truth(k=12.0, theta=2.5, offset=2.0, drift=0.05, bias=0.25, draws=0.02)
_ACTIVITY = 0.2
"""How often somebody comes falls as 1 / his rank to this power."""
_HERE = 34
"""So many come in an evening."""
_SIDE_SIZE, _SIZE_SPREAD, _SIZES = 7.3, 1.3, (5, 10)
_SHUFFLE = 6.0
"""How far servers misjudge people when they make the sides even: standard deviation in units of s."""
_ODD, _LATE, _EARLY, _CHANGES = 0.2, 0.14, 0.14, 0.02
"""Chances: that one side has one more; that somebody comes late, leaves early, changes sides."""
_SHORTEST_S = 30
_DAYS_AGO: Final = (133.0, 79.0, 56.0, 40.0, 0.0)
_LEARNT: Final = (29.5, 32.0, 31.0, 29.5, 34.0)
"""The player's skill (units of s) so many days before this week; between them, straight lines."""
_SIDE, _CHAIR = -1.1, 26.0
"""What he is better as a marine, and his skill in the chair, in units of s."""


class Crowd:
    """`people` who play on `maps`, by number."""

    def __init__(self, people: int, maps: int, rng: np.random.Generator) -> None:
        self._rng = rng
        self._world = NS2World(people, maps, _TRUTH, rng)
        self._world.offset[0], self._world.commander[0] = _SIDE, _CHAIR
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
        side_size = int(np.clip(round(rng.normal(_SIDE_SIZE, _SIZE_SPREAD)), *_SIZES))
        player = rng.permutation(here)[: 2 * side_size + int(rng.random() < _ODD)]
        if mine:
            player[0] = 0
        team = self._shuffled(self._world.skill[player])
        stays = [spell for seat in range(len(player)) for spell in self._stays(seat, int(team[seat]), length)]
        alone = np.full(len(player), -1, np.int32)
        return LineUp(0.0, length, 0, game_map, 2, player, team, alone, stays, self._chairs(player, team, stays))

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

    def _stays(self, seat: int, team: int, length: float) -> list[Spell]:
        """In whole seconds."""
        rng = self._rng
        enter = float(rng.integers(0, int(0.7 * length))) if rng.random() < _LATE else 0.0
        leave = float(rng.integers(int(enter) + _SHORTEST_S, int(length))) if rng.random() < _EARLY else length
        if rng.random() >= _CHANGES:
            return [Spell(seat, team, enter, leave)]
        change = float(rng.integers(int(enter) + 1, int(leave)))
        return [Spell(seat, team, enter, change), Spell(seat, 1 - team, change, leave)]

    def _chairs(self, player: Ints, team: Ints, stays: Sequence[Spell]) -> list[Spell]:
        """One of each side takes the chair soon and keeps it for more than half of his first stay."""
        chairs = []
        for side in range(2):
            seats = np.flatnonzero(team == side)
            likes = self._likes_chair[player[seats]]
            seat = int(self._rng.choice(seats, p=likes / likes.sum()))
            stay = next(spell for spell in stays if spell.seat == seat)
            share = self._rng.uniform((0.0, 0.6), (0.02, 1.0)) * (stay.leave - stay.enter)
            enter, leave = (stay.enter + np.floor(share)).tolist()
            chairs.append(stay._replace(enter=enter, leave=leave))
        return chairs
