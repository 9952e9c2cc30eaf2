"""Schedule of automatic queries.

Decides which servers are queried next, within a packet budget. Each server has a period: `in_sight_s` in sight of the
user, `all_s` elsewhere, longer while it does not answer. It is due when its last query is about a period ago; those in
sight go first. The periods vary at random, so that servers that were queried together, as by a manual refresh, are
not queried together again.

Budget: at most `MAX_SHARE_OF_PACE` of the pace. 2,000 servers, 500 of them with players and 30 in sight,
take 18 packets/s at the default periods. The limit is 150 at "normal", enough for 19,000 such servers, and 37 at
"gentle", enough for 4,700. With more servers, player lists of those neither in sight nor preferred are left out; if
even that is too much, periods of servers out of sight grow.
"""

from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, Floats, RowIds
from browser_app.engine.query.query_timing import QueryTiming

MAX_SHARE_OF_PACE = 0.5
"""Share of the pace that automatic queries may use; the rest is for what the user does."""
INFO_PACKETS, PLAYERS_PACKETS, SILENT_PACKETS = 2, 3, len(QueryTiming().waits_s)
"""Packets of a query, at most: info with a challenge; info and players with a challenge; all attempts."""
MAX_PERIOD_DOUBLINGS = 3
"""Each failed query doubles a server's period, at most this often: dead addresses of a list are not queried forever."""
VARIATION = (0.9, 1.1)
"""A server is due after its period times a random number in this range."""
FIRST_VARIATION = (0.25, 1.0)
"""Replaces `VARIATION` after a query that did not follow the server's period."""
MAX_CATCH_UP = 2.0
"""A batch has at most this many times the servers that the periods require, or `MIN_BATCH_ROWS` if that is more."""
MIN_BATCH_ROWS = 5
_MAX_GAP_S = 10.0
"""Longer gaps between two batches are not caught up with."""
_NEVER_S = -1e9


@dataclass(frozen=True, slots=True)
class RefreshPeriods:
    """Times between two queries of one server, s."""

    in_sight_s: float
    all_s: float

    def scale(self, factor: float) -> "RefreshPeriods":
        """Return periods that are `factor` times as long."""
        return RefreshPeriods(self.in_sight_s * factor, self.all_s * factor)


@dataclass(frozen=True, slots=True)
class RefreshCandidates:
    """Properties of all rows of the catalogue."""

    queryable: Bools
    """Rows that may be queried at all."""
    in_sight: Bools
    preferred: Bools
    """Rows whose players are wanted first: favourites and servers with friends."""
    populated: Bools
    """Rows with players or bots, and those where that is unknown: an empty server has no list."""


@dataclass(frozen=True, slots=True)
class RefreshBatch:
    """Rows to query now."""

    info_rows: RowIds
    player_rows: RowIds
    """Rows to query for their players, too."""


class RefreshSchedule:
    """Times of the last queries, and the choice of the next ones.

    Times are of any monotonic clock. Not thread-safe. Rows whose players were never requested count as in sight, so
    that lists are complete soon after the start.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random = np.random.default_rng(seed)
        self._queried_s: Floats = np.empty(0)
        self._variation: Floats = np.empty(0)
        """By row: periods after which it is due."""
        self._failures = np.empty(0, np.int64)
        self._players_requested: Bools = np.empty(0, np.bool_)
        self._follows_period: Bools = np.empty(0, np.bool_)
        """By row: whether a query that followed its period is under way."""
        self._last_batch_s: float | None = None

    def record(self, rows: RowIds, failed: Bools, now_s: float) -> None:
        """Record that queries of these rows have ended, whoever made them."""
        if len(rows):
            self._grow(int(rows.max()) + 1)
        self._queried_s[rows] = now_s
        later, first = (self._random.uniform(*limits, len(rows)) for limits in (VARIATION, FIRST_VARIATION))
        self._variation[rows] = np.where(self._follows_period[rows], later, first)
        self._follows_period[rows] = False
        self._failures[rows] = np.where(failed, self._failures[rows] + 1, 0)

    def forget(self, rows: RowIds) -> None:
        """Forget the queries of rows that hold other servers now, or none."""
        rows = rows[rows < len(self._queried_s)]
        self._queried_s[rows], self._variation[rows], self._failures[rows] = _NEVER_S, 1.0, 0
        self._players_requested[rows] = self._follows_period[rows] = False

    def next_batch(
        self, candidates: RefreshCandidates, periods: RefreshPeriods, max_packets_per_s: float, now_s: float
    ) -> RefreshBatch:
        """Return the rows to query now and record them as queried.

        The first call returns none.
        """
        self._grow(len(candidates.queryable))
        elapsed_s = 0.0 if self._last_batch_s is None else min(now_s - self._last_batch_s, _MAX_GAP_S)
        self._last_batch_s = now_s
        with_players, cost = self._choose_parts(candidates, periods, max_packets_per_s)
        unlisted = with_players & ~self._players_requested[: len(with_players)]
        period_s = self._compute_periods_s(candidates.in_sight | unlisted, periods)
        age = (now_s - self._queried_s[: len(period_s)]) / (period_s * self._variation[: len(period_s)])
        due = np.flatnonzero(candidates.queryable & (age >= 1.0))
        rows = due[np.lexsort((-age[due], ~candidates.in_sight[due]))]
        rate = float(np.sum(1.0 / period_s, where=candidates.queryable))
        rows = rows[: max(MIN_BATCH_ROWS, int(MAX_CATCH_UP * rate * elapsed_s))]
        rows = rows[np.cumsum(cost[rows]) <= max_packets_per_s * elapsed_s]
        self._queried_s[rows], self._variation[rows] = now_s, VARIATION[1]
        self._follows_period[rows] = candidates.in_sight[rows] | ~unlisted[rows]
        asked = with_players[rows]
        self._players_requested[rows[asked]] = True
        return RefreshBatch(rows[~asked], rows[asked])

    def _choose_parts(
        self, candidates: RefreshCandidates, periods: RefreshPeriods, max_packets_per_s: float
    ) -> tuple[Bools, Floats]:
        """Return which rows are queried for their players, and the packets of each row."""
        wanted = candidates.populated & (candidates.in_sight | candidates.preferred)
        for with_players in (candidates.populated, wanted):
            cost = np.where(with_players, PLAYERS_PACKETS, INFO_PACKETS).astype(np.float64)
            cost[self._failures[: len(cost)] > 0] = SILENT_PACKETS
            period_s = self._compute_periods_s(candidates.in_sight, periods)
            if float(np.sum(cost / period_s, where=candidates.queryable)) <= max_packets_per_s:
                break
        return with_players, cost

    def _compute_periods_s(self, often: Bools, periods: RefreshPeriods) -> Floats:
        """Return each row's period, for which rows in `often` count as in sight."""
        period_s: Floats = np.where(often, periods.in_sight_s, periods.all_s)
        return period_s * 2.0 ** np.minimum(self._failures[: len(period_s)], MAX_PERIOD_DOUBLINGS)

    def _grow(self, size: int) -> None:
        missing = size - len(self._queried_s)
        if missing > 0:
            self._queried_s = np.append(self._queried_s, np.full(missing, _NEVER_S))
            self._variation = np.append(self._variation, np.ones(missing))
            self._failures = np.append(self._failures, np.zeros(missing, np.int64))
            self._players_requested = np.append(self._players_requested, np.zeros(missing, np.bool_))
            self._follows_period = np.append(self._follows_period, np.zeros(missing, np.bool_))
