"""What players asked for when teams are made: their side, and their friends."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record import Floats

WISH = 0.1
"""What one wish is worth, in standard deviations of the players' strengths.

Strength comes first: in six against six of NS2's model, with strengths that spread by one unit, a wish moves the chance
of a win by 0.2 %. Without wishes nothing is weighed.
"""


class Wishes:
    """Wishes of some players. A line-up is a row of flags: who is on the first team.

    Everybody has up to two: his preferred side counts 1 if he gets it; his friends count the share of those present
    that are on his team, so that nobody gains weight by naming many.

    Attributes:
        most: what all wishes together would be worth.
        concerned: flags of those who wish something, or are somebody's friends.
    """

    def __init__(self, wishes: Sequence[tuple[str, int | None, Sequence[str]]], strengths: NDArray[np.float64]) -> None:
        place = {name: row for row, (name, _, _) in enumerate(wishes)}
        self._first = np.array([float(prefers == 0) for _, prefers, _ in wishes])
        self._second = np.array([float(prefers == 1) for _, prefers, _ in wishes])
        self._pairs: list[tuple[int, int, float]] = []
        for row, (name, _, friends) in enumerate(wishes):
            present = {place[friend] for friend in friends if friend in place and friend != name}
            self._pairs.extend((row, friend, 1.0 / len(present)) for friend in sorted(present))
        self.concerned = (self._first + self._second) > 0.0
        self.concerned[[row for pair in self._pairs for row in pair[:2]]] = True
        self._value = WISH * float(np.std(strengths)) if len(strengths) else 0.0
        wishers = self._first.sum() + self._second.sum() + len({row for row, _, _ in self._pairs})
        self.most = self._value * float(wishers)

    def met(self, line_ups: NDArray[np.bool_]) -> Floats:
        """How many wishes each line-up (row) fulfils."""
        met: Floats = self._second.sum() + line_ups @ (self._first - self._second)
        for row, friend, share in self._pairs:
            met += share * (line_ups[:, row] == line_ups[:, friend])
        return met

    def worth(self, line_ups: NDArray[np.bool_]) -> Floats:
        """The same in units of strength."""
        return self._value * self.met(line_ups)
