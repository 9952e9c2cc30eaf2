"""Rows of the leaderboard: filter, ranks and sort orders over whole columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools
from browser_app.player.leaderboard import Leaderboard
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.ui.widgets.tables.sorted_table_model import RowNumbers
from browser_app.ui.widgets.value_bars import IntervalMark

BY_RANK = "rank"

PlayerPredicate = Callable[[str, str], bool]
"""Test of a player's id and name."""


class LeaderboardRow(NamedTuple):
    """One player as shown. `rank` is 0 for players with too few rounds."""

    rank: int
    name: str
    rating: float
    sd: float | None
    rounds: int
    decimals: int
    has_estimated_sd: bool
    is_own: bool
    is_friend: bool
    interval: IntervalMark


@dataclass(frozen=True)
class LeaderboardFilter:
    """Which players are shown.

    Attributes:
        min_rounds: players with fewer rated rounds have no rank and are not shown.
        text: part of the name, regardless of case; empty for all.
        friends_only: the user and friends.
    """

    min_rounds: int
    text: str = ""
    friends_only: bool = False


def ranked_mask(board: Leaderboard, min_rounds: int) -> Bools:
    """Return which players have enough rounds for a rank."""
    return np.asarray(board.rounds >= min_rounds)


def compute_ranks(board: Leaderboard, min_rounds: int) -> Ints:
    """Return ranks from 1 among the players with enough rounds, 0 for the others.

    Equal ratings have the same rank.
    """
    enough = ranked_mask(board, min_rounds)
    ascending = -board.rating[enough]
    ranks = np.zeros(len(board), np.int32)
    ranks[enough] = np.searchsorted(ascending, ascending, "left") + 1
    return ranks


def filter_players(board: Leaderboard, chosen: LeaderboardFilter, is_friend: PlayerPredicate) -> RowNumbers:
    """Return the rows that pass."""
    passes = ranked_mask(board, chosen.min_rounds)
    if text := chosen.text.strip().casefold():
        passes &= np.fromiter((text in name for name in board.search_texts), np.bool_, len(board))
    rows = np.flatnonzero(passes)
    if chosen.friends_only:
        kept = [row for row in rows.tolist() if row == board.own_row or is_friend(board.ids[row], board.names[row])]
        rows = np.array(kept, np.int64)
    return rows.astype(np.int64)


LEADERBOARD_SORT_KEYS: Mapping[str, Callable[[Leaderboard], Floats]] = {
    BY_RANK: lambda board: -board.rating,
    "name": lambda board: board.name_rank.astype(np.float64),
    "rating": lambda board: -board.rating,
    "sd": lambda board: board.sd,
    "rounds": lambda board: -board.rounds.astype(np.float64),
}
"""Key → values, smallest first."""


def sort_players(board: Leaderboard, key: str, rows: RowNumbers) -> RowNumbers:
    """Sort rows by a column, reversed with `-` before its key.

    Ties are in order of rating, the best first; unknown values come last.
    """
    values = LEADERBOARD_SORT_KEYS[key.removeprefix("-")](board)[rows]
    ordered: RowNumbers = rows[np.lexsort((rows, -values if key.startswith("-") else values))]
    return ordered


class LeaderboardRowSource:
    """Builds the rows of a board that are in sight."""

    def __init__(self, board: Leaderboard, min_rounds: int, decimals: int, is_friend: PlayerPredicate) -> None:
        self.board, self.ranks = board, compute_ranks(board, min_rounds)
        self._decimals, self._is_friend = decimals, is_friend
        self._axis = _interval_axis(board, self.ranks > 0)
        self._own_rating = float(board.rating[board.own_row]) if board.own_row >= 0 else None

    def __call__(self, rows: Sequence[int]) -> list[LeaderboardRow]:
        """Return these rows in this order."""
        return [self._row(row) for row in rows]

    def _row(self, row: int) -> LeaderboardRow:
        board = self.board
        rating = float(board.rating[row])
        sd, low, high = (
            None if np.isnan(column[row]) else float(column[row]) for column in (board.sd, board.low, board.high)
        )
        return LeaderboardRow(
            rank=int(self.ranks[row]),
            name=board.names[row],
            rating=rating,
            sd=sd,
            rounds=int(board.rounds[row]),
            decimals=self._decimals,
            has_estimated_sd=board.has_estimated_sd,
            is_own=row == board.own_row,
            is_friend=row != board.own_row and self._is_friend(board.ids[row], board.names[row]),
            interval=IntervalMark(*self._axis, rating, low, high, self._own_rating),
        )


def _interval_axis(board: Leaderboard, shown: Bools) -> tuple[float, float]:
    """Return the ends of an axis that holds the 90 % intervals of these players."""
    if not shown.any():
        return 0.0, 1.0
    rating, low, high = board.rating[shown], board.low[shown], board.high[shown]
    return float(np.fmin(rating, low).min()), float(np.fmax(rating, high).max())
