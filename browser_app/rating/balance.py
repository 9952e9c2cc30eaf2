"""Team balance with the fewest swaps, by the method of Natural Selection 2 itself.

First those who are on no team yet are placed, as well as possible and with sizes that differ by at most one. Then,
again and again, the one swap of two players that lowers |difference| most is made, until none lowers it.

The difference is Σ strengths on the first team − Σ strengths on the second. With the per-team skill of NS2 these are
s + o and s − o, and (s + o) + (s − o) = 2s: what a swap changes is twice the difference of the two skills, whatever
the offsets. So nobody is put on the side he is worse on for being good in general, as the article on NS2's skill asks.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.balance_choice import choices
from browser_app.rating.balance_wishes import Wishes
from browser_app.rating.record import Floats

Bools = NDArray[np.bool_]

_ROUNDING = 1e-12
"""Differences closer than this share of all strengths together are equal."""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody who is to play.

    Attributes:
        id: his own, no one else's.
        strengths: what he is worth on the first team, and on the second.
        team: where he stands, 0 or 1; None: not yet assigned.
        fixed: stays where he stands (locked, or in the commander's chair); without effect on who stands nowhere.
        prefers: the team he would like to be on.
        friends: ids of those he would like to play with; who is not there is passed over.
    """

    id: str
    strengths: tuple[float, float]
    team: int | None = None
    fixed: bool = False
    prefers: int | None = None
    friends: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Balance:
    """Two teams and how they came about.

    Attributes:
        teams: ids on the first and on the second team, in the order given.
        moved: who had to change team alone, so that the sizes fit; nobody, if those not yet assigned made up for it.
        swaps: pairs that changed places after that, in order; each was on the first team, and on the second.
        difference: Σ strengths on the first team − Σ strengths on the second.
    """

    teams: tuple[tuple[str, ...], tuple[str, ...]]
    moved: tuple[str, ...]
    swaps: tuple[tuple[str, str], ...]
    difference: float


def balance(members: Sequence[Member]) -> Balance:
    """Two teams of about equal strength and size, with as few people moved as that takes.

    Sizes differ by at most one, or by as little as the fixed allow. Where only moving somebody makes them fit, as few
    as possible move. Wishes are weighed against strength (``Wishes``); among equals fewest move.
    """
    table = _Table(members)
    first = table.place()
    moved = _ids(members, table.moved(first))
    swaps = []
    while (pair := table.best_swap(first)) is not None:
        first[list(pair)] ^= True
        swaps.append((members[pair[0]].id, members[pair[1]].id))
    return Balance((_ids(members, first), _ids(members, ~first)), moved, tuple(swaps), float(table.difference(first)))


def _ids(members: Sequence[Member], flags: Bools) -> tuple[str, ...]:
    return tuple(each.id for each, flag in zip(members, flags.tolist(), strict=True) if flag)


class _Table:
    """The members as columns. A line-up is a row of flags: who is on the first team."""

    def __init__(self, members: Sequence[Member]) -> None:
        strengths = np.array([each.strengths for each in members], np.float64).reshape(-1, 2)
        self._worth = strengths.sum(axis=1)
        """What the difference rises by when somebody goes to the first team."""
        self._all_on_second = -float(strengths[:, 1].sum())
        self._rounding = _ROUNDING * float(np.abs(strengths).sum())
        self._stood_first = np.array([each.team == 0 for each in members], np.bool_)
        self._stood_second = np.array([each.team == 1 for each in members], np.bool_)
        self._unassigned = ~(self._stood_first | self._stood_second)
        self._free = np.array([not each.fixed for each in members], np.bool_) | self._unassigned
        self._wishes = Wishes([(each.id, each.prefers, each.friends) for each in members], self._worth / 2.0)

    def difference(self, line_ups: Bools) -> Floats:
        """First team less second, of one line-up or of many."""
        difference: Floats = self._all_on_second + line_ups @ self._worth
        return difference

    def moved(self, line_ups: Bools) -> Bools:
        """Who is on another team than he stood on."""
        moved: Bools = (line_ups & self._stood_second) | (~line_ups & self._stood_first)
        return moved

    def place(self) -> Bools:
        """The line-up with everybody on a team, before any swap."""
        undecided, fixed_first, sizes = self._undecided()
        base = float(self.difference(fixed_first))
        wishes = self._wishes
        margin = self._rounding + wishes.most
        chosen = choices(base, self._worth[undecided], sizes, margin, wishes.concerned[undecided])
        line_ups = np.repeat(fixed_first[np.newaxis], len(chosen), axis=0)
        line_ups[:, undecided] = chosen
        placed: Bools = line_ups[self._best(line_ups)]
        return placed

    def _undecided(self) -> tuple[NDArray[np.int64], Bools, list[int]]:
        """Whose team is open, who of the others is on the first, and how many of the open ones may join them.

        Those are the unassigned, unless one team is still too large with all of them on the other: then as many of
        its free players as are too many have to go.
        """
        sizes = self._sizes()
        first, unassigned = int(self._stood_first.sum()), int(self._unassigned.sum())
        too_many, too_few = first - sizes[-1], sizes[0] - first - unassigned
        if too_many > 0:
            rows = self._stood_first & self._free
            return np.flatnonzero(rows), self._stood_first & ~rows, [int(rows.sum()) - too_many]
        if too_few > 0:
            rows = self._stood_second & self._free
            return np.flatnonzero(rows), self._stood_first | self._unassigned, [too_few]
        within = [size - first for size in sizes if first <= size <= first + unassigned]
        return np.flatnonzero(self._unassigned), self._stood_first, within

    def _sizes(self) -> list[int]:
        """Sizes of the first team that are as even as the fixed allow: one size or two, ascending."""
        people = len(self._worth)
        least = int((self._stood_first & ~self._free).sum())
        most = people - int((self._stood_second & ~self._free).sum())
        uneven = {size: abs(2 * size - people) for size in range(least, most + 1)}
        return [size for size, by in uneven.items() if by == min(uneven.values())]

    def best_swap(self, first: Bools) -> tuple[int, int] | None:
        """The swap that lowers the cost most, of those that lower both it and |difference|; None if none does."""
        pairs = np.argwhere((first & self._free)[:, np.newaxis] & (~first & self._free))
        difference = self.difference(first)
        after = np.abs(difference - self._worth[pairs[:, 0]] + self._worth[pairs[:, 1]])
        pairs = pairs[after < abs(difference) - self._rounding]
        line_ups = np.repeat(first[np.newaxis], len(pairs), axis=0)
        np.put_along_axis(line_ups, pairs, ~np.take_along_axis(line_ups, pairs, axis=1), axis=1)
        lowers = self._cost(line_ups) < self._cost(first[np.newaxis]) - self._rounding
        if not lowers.any():
            return None
        one, other = pairs[lowers][self._best(line_ups[lowers])].tolist()
        return one, other

    def _cost(self, line_ups: Bools) -> Floats:
        cost: Floats = np.abs(self.difference(line_ups)) - self._wishes.worth(line_ups)
        return cost

    def _best(self, line_ups: Bools) -> int:
        """The line-up of least cost; of equals, of most wishes, then of fewest people moved, then the first."""
        cost = self._cost(line_ups)
        line_up = np.flatnonzero(cost <= cost.min() + self._rounding)
        order = np.lexsort((self.moved(line_ups[line_up]).sum(axis=1), -self._wishes.met(line_ups[line_up])))
        return int(line_up[order[0]])
