"""Team balancing with the fewest moves and swaps.

First, players without a team are placed as well as possible, with team sizes that differ by at most one. Then the swap
of two players that lowers |difference| most is made, again and again, until none lowers it.

The difference is Σ strengths on the first team − Σ strengths on the second. With the per-team skill of NS2 the
strengths are s + o and s − o, and (s + o) + (s − o) = 2s: a swap changes the difference by twice the difference of the
two skills, whatever the offsets. So a strong player is not put on their weaker side, as the article on NS2's skill
demands.

A system that rates commanders averages them apart from the field players, so that a commander counts like (field
players / commanders) field players: a difference of 0 is an even chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats

PREFERENCE_WEIGHT = 0.1
"""Value of one fulfilled preference, in standard deviations of the field players' strengths.

Strength comes first: in NS2's model with six against six and strengths with a standard deviation of one unit, one
preference moves the chance of a win by 0.2 %. Without preferences nothing is weighed.
"""


class BalancePreferences:
    """Preferences of some players, and how well line-ups fulfil them.

    A line-up is a row of flags: who is on the first team. Each player has up to two. The preferred team counts 1 if
    fulfilled; friends count the share of those present who are on the same team, so that naming many adds no weight.

    Attributes:
        max_value: total value if all preferences are fulfilled.
        is_involved: flags of players who have a preference or are named as a friend.
    """

    def __init__(
        self, preferences: Sequence[tuple[str, int | None, Sequence[str]]], strengths: NDArray[np.float64]
    ) -> None:
        rows = {name: row for row, (name, _, _) in enumerate(preferences)}
        self._first = np.array([float(prefers == 0) for _, prefers, _ in preferences])
        self._second = np.array([float(prefers == 1) for _, prefers, _ in preferences])
        self._pairs: list[tuple[int, int, float]] = []
        for row, (name, _, friends) in enumerate(preferences):
            present = {rows[friend] for friend in friends if friend in rows and friend != name}
            self._pairs.extend((row, friend, 1.0 / len(present)) for friend in sorted(present))
        self.is_involved = (self._first + self._second) > 0.0
        self.is_involved[[row for pair in self._pairs for row in pair[:2]]] = True
        self._value = PREFERENCE_WEIGHT * float(np.std(strengths)) if len(strengths) else 0.0
        preferring_count = self._first.sum() + self._second.sum() + len({row for row, _, _ in self._pairs})
        self.max_value = self._value * float(preferring_count)

    def count_fulfilled(self, lineups: NDArray[np.bool_]) -> Floats:
        """Return how many preferences each line-up (row) fulfils."""
        met: Floats = self._second.sum() + lineups @ (self._first - self._second)
        for row, friend, share in self._pairs:
            met += share * (lineups[:, row] == lineups[:, friend])
        return met

    def weighted_value(self, lineups: NDArray[np.bool_]) -> Floats:
        """Return the value of the fulfilled preferences in units of strength."""
        return self._value * self.count_fulfilled(lineups)


MAX_EXACT = 20
"""Most weights decided exactly: 2^20 sums take some ten milliseconds, each further weight doubles that."""


def choose_subsets(
    base: float, weights: Floats, sizes: Sequence[int], margin: float, fixed_last: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return all subsets with |base + Σ chosen weights| within a margin of the least.

    Beyond `MAX_EXACT` weights, the largest are first assigned greedily, each so that the sum comes nearer to zero;
    the margin then applies to the remaining ones only.

    Args:
        base: the sum with nothing chosen.
        weights: what each adds to it.
        sizes: allowed numbers of chosen weights, each from 0 to the number of weights.
        margin: 0 or more; rounding alone needs some.
        fixed_last: flags of weights that are assigned greedily only after all others.

    Returns:
        Flags, one row per subset and one column per weight; at least one row.
    """
    order = np.lexsort((-np.abs(weights), fixed_last))
    surplus = max(0, len(weights) - MAX_EXACT)
    greedy, undecided = order[:surplus], np.sort(order[surplus:])
    chosen = np.zeros(len(weights), np.bool_)
    _assign_greedily(base, weights, greedy, sizes, chosen)
    base += float(weights[chosen].sum())
    left = [size - int(chosen.sum()) for size in sizes]
    sums, counts = _all_sums(weights[undecided])
    apart = np.where(np.isin(counts, left), np.abs(base + sums), np.inf)
    subsets = np.flatnonzero(apart <= apart.min() + margin)
    rows = np.repeat(chosen[np.newaxis], len(subsets), axis=0)
    rows[:, undecided] = (subsets[:, np.newaxis] >> np.arange(len(undecided))) & 1
    return rows


def _assign_greedily(
    base: float, weights: Floats, greedy: NDArray[np.int64], sizes: Sequence[int], chosen: NDArray[np.bool_]
) -> None:
    """Assign the largest weights one by one, counting every undecided weight half."""
    middle = base + float(weights.sum()) / 2.0
    count, left = 0, len(weights)
    for one in greedy.tolist():
        left -= 1
        half = float(weights[one]) / 2.0
        may_take = any(count + 1 <= size for size in sizes)
        may_leave = any(size <= count + left for size in sizes)
        take = may_take and (not may_leave or abs(middle + half) < abs(middle - half))
        middle += half if take else -half
        chosen[one] = take
        count += take


def _all_sums(weights: Floats) -> tuple[Floats, NDArray[np.int8]]:
    """Return sum and size of every subset; the row is the bit pattern of the subset."""
    sums, counts = np.zeros(1), np.zeros(1, np.int8)
    for weight in weights.tolist():
        sums = np.concatenate([sums, sums + weight])
        counts = np.concatenate([counts, counts + np.int8(1)])
    return sums, counts


Bools = NDArray[np.bool_]

_ROUNDING = 1e-12
"""Differences closer than this share of the sum of all strengths are equal."""


@dataclass(frozen=True, slots=True)
class BalancePlayer:
    """A player to be put on a team.

    Attributes:
        id: unique id.
        strengths: strength on the first and on the second team.
        team: current team, 0 or 1; None if unassigned.
        is_fixed: stays on the current team; no effect on unassigned players.
        is_commander: commands the current team and stays on it; the strengths are those of a commander.
        prefers: preferred team.
        friends: ids of players to be with; ids not present are ignored.
    """

    id: str
    strengths: tuple[float, float]
    team: int | None = None
    is_fixed: bool = False
    is_commander: bool = False
    prefers: int | None = None
    friends: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TeamBalance:
    """Two teams and the moves that led to them.

    Attributes:
        teams: ids on the first and on the second team, in the order given.
        moved: players who changed team so that the sizes fit; empty if unassigned players made up for it.
        swaps: pairs exchanged after that, in order; first the one from the first team.
        difference: Σ strengths on the first team − Σ strengths on the second.
    """

    teams: tuple[tuple[str, ...], tuple[str, ...]]
    moved: tuple[str, ...]
    swaps: tuple[tuple[str, str], ...]
    difference: float


def balance_teams(players: Sequence[BalancePlayer]) -> TeamBalance:
    """Return two teams of about equal strength and size, with few moves.

    Sizes differ by at most one, or by as little as the fixed players allow. Players are moved only if the sizes cannot
    fit otherwise. Preferences are weighed against strength (`BalancePreferences`); among equals, fewest players are
    moved.
    """
    table = _BalanceTable(players)
    first = table.assign_players()
    moved = _select_ids(players, table.has_moved(first))
    swaps = []
    while (pair := table.best_swap(first)) is not None:
        first[list(pair)] ^= True
        swaps.append((players[pair[0]].id, players[pair[1]].id))
    return TeamBalance(
        (_select_ids(players, first), _select_ids(players, ~first)), moved, tuple(swaps), float(table.difference(first))
    )


def _select_ids(members: Sequence[BalancePlayer], flags: Bools) -> tuple[str, ...]:
    return tuple(each.id for each, flag in zip(members, flags.tolist(), strict=True) if flag)


class _BalanceTable:
    """The players as columns. A line-up is a row of flags: who is on the first team."""

    def __init__(self, members: Sequence[BalancePlayer]) -> None:
        strengths = np.array([each.strengths for each in members], np.float64).reshape(-1, 2)
        commands = np.array([each.is_commander for each in members], np.bool_)
        on_field = strengths[~commands].sum(axis=1) / 2.0
        if commands.any():
            strengths[commands] *= max(1, len(on_field)) / commands.sum()
        self._worth = strengths.sum(axis=1)
        """Increase of the difference when a player joins the first team."""
        self._all_on_second = -float(strengths[:, 1].sum())
        self._rounding = _ROUNDING * float(np.abs(strengths).sum())
        self._was_on_first = np.array([each.team == 0 for each in members], np.bool_)
        self._was_on_second = np.array([each.team == 1 for each in members], np.bool_)
        self._unassigned = ~(self._was_on_first | self._was_on_second)
        self._free = np.array([not each.is_fixed for each in members], np.bool_) & ~commands | self._unassigned
        preferences = [(each.id, each.prefers, each.friends) for each in members]
        self._preferences = BalancePreferences(preferences, on_field)

    def difference(self, lineups: Bools) -> Floats:
        """Return the difference of one line-up or of many."""
        difference: Floats = self._all_on_second + lineups @ self._worth
        return difference

    def has_moved(self, lineups: Bools) -> Bools:
        """Return who is not on their current team."""
        moved: Bools = (lineups & self._was_on_second) | (~lineups & self._was_on_first)
        return moved

    def assign_players(self) -> Bools:
        """Return the line-up with all players on a team, before any swap."""
        undecided, fixed_first, sizes = self._find_undecided()
        base = float(self.difference(fixed_first))
        preferences = self._preferences
        margin = self._rounding + preferences.max_value
        chosen = choose_subsets(base, self._worth[undecided], sizes, margin, preferences.is_involved[undecided])
        lineups = np.repeat(fixed_first[np.newaxis], len(chosen), axis=0)
        lineups[:, undecided] = chosen
        placed: Bools = lineups[self._find_best(lineups)]
        return placed

    def _find_undecided(self) -> tuple[NDArray[np.int64], Bools, list[int]]:
        """Return undecided players, the line-up of the others, and how many may join it.

        Undecided are the unassigned players, unless one team is still too large with all of them on the other: then
        its free players are, of whom as many as are too many have to leave.
        """
        sizes = self._find_even_sizes()
        first, unassigned = int(self._was_on_first.sum()), int(self._unassigned.sum())
        too_many, too_few = first - sizes[-1], sizes[0] - first - unassigned
        if too_many > 0:
            rows = self._was_on_first & self._free
            return np.flatnonzero(rows), self._was_on_first & ~rows, [int(rows.sum()) - too_many]
        if too_few > 0:
            rows = self._was_on_second & self._free
            return np.flatnonzero(rows), self._was_on_first | self._unassigned, [too_few]
        within = [size - first for size in sizes if first <= size <= first + unassigned]
        return np.flatnonzero(self._unassigned), self._was_on_first, within

    def _find_even_sizes(self) -> list[int]:
        """Return the one or two most even sizes of the first team, ascending.

        Fixed players limit them.
        """
        players = len(self._worth)
        least = int((self._was_on_first & ~self._free).sum())
        most = players - int((self._was_on_second & ~self._free).sum())
        uneven = {size: abs(2 * size - players) for size in range(least, most + 1)}
        return [size for size, by in uneven.items() if by == min(uneven.values())]

    def best_swap(self, first: Bools) -> tuple[int, int] | None:
        """Return the swap of lowest cost that lowers cost and abs(difference), or None."""
        pairs = np.argwhere((first & self._free)[:, np.newaxis] & (~first & self._free))
        difference = self.difference(first)
        after = np.abs(difference - self._worth[pairs[:, 0]] + self._worth[pairs[:, 1]])
        pairs = pairs[after < abs(difference) - self._rounding]
        lineups = np.repeat(first[np.newaxis], len(pairs), axis=0)
        np.put_along_axis(lineups, pairs, ~np.take_along_axis(lineups, pairs, axis=1), axis=1)
        lowers = self._cost(lineups) < self._cost(first[np.newaxis]) - self._rounding
        if not lowers.any():
            return None
        one, other = pairs[lowers][self._find_best(lineups[lowers])].tolist()
        return one, other

    def _cost(self, lineups: Bools) -> Floats:
        cost: Floats = np.abs(self.difference(lineups)) - self._preferences.weighted_value(lineups)
        return cost

    def _find_best(self, lineups: Bools) -> int:
        """Return the index of the line-up of least cost.

        If several are equal, it is the one with most fulfilled preferences, then fewest moves, then the first.
        """
        cost = self._cost(lineups)
        lineup = np.flatnonzero(cost <= cost.min() + self._rounding)
        moved = self.has_moved(lineups[lineup]).sum(axis=1)
        order = np.lexsort((moved, -self._preferences.count_fulfilled(lineups[lineup])))
        return int(lineup[order[0]])
