"""Automatic refresh of the server list while the window is open.

One timer serves everything: at each tick, finished queries are merged and the next ones are started as
`RefreshSchedule` chooses them.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from enum import Enum

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.application.refresh_queries import RefreshQueries
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.server_list_controller import DRAIN_BATCH_SIZE, ServerListController
from browser_app.catalogue.catalogue_columns import Bools, ChangeSet, RowIds
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.engine.masters.master_schedule import MasterSchedule
from browser_app.engine.network.host_resolver import is_ip_address
from browser_app.engine.query.scan import PacketCounts, Scan
from browser_app.engine.refresh_schedule import RefreshCandidates, RefreshPeriods, RefreshSchedule
from browser_app.engine.server_poll import ServerPoll
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.query_session import QueryParts
from browser_app.storage.setting_declarations import (
    AUTOMATIC_REFRESH,
    LIST_REFRESH_MIN,
    MASTER_REFRESH_MIN,
    QUERY_ON_REQUEST,
    VISIBLE_REFRESH_S,
)

_log = logging.getLogger(__name__)

TICK_MS = 4_000
"""After each tick with results the window computes scores and repaints, which costs more than the queries."""
HIDDEN_FACTOR = 4.0
"""All periods are this much longer while the window is hidden or minimised."""
NETWORK_DOWN_FAILURES = 8
"""Failed queries in a row, the last of them without a network, after which the whole list is polled: the poll shows
the user that there is no network, and is repeated until there is one."""
_PROTOCOLS_WITH_PLAYERS = frozenset(
    name for name, protocol in QUERY_PROTOCOLS.items() if protocol.default_parts & QueryParts.PLAYERS
)
"""Protocols whose servers send their players without being asked for them."""


class RefreshState(Enum):
    """Whether the list is refreshed automatically."""

    LIVE = "live"
    WAITING = "not polled yet"
    PAUSED = "paused while a game runs"
    OFF = "switched off"


class ListRefresher(QObject):
    """Queries known servers again, and masters for new ones.

    Does nothing before the first poll of the list.

    Signals:
        tick_finished: time has passed: ages and `state` may have changed.
        master_poll_cancelled: no result follows of the masters that were being polled.
    """

    tick_finished = Signal()
    master_poll_cancelled = Signal()

    def __init__(
        self,
        server_list: ServerListController,
        queries: RefreshQueries,
        settings: LiveSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(server_list)
        self._server_list, self._queries, self._settings, self._clock = server_list, queries, settings, clock
        self._rows_in_sight: Callable[[], RowIds] = lambda: np.empty(0, np.intp)
        self._is_hidden: Callable[[], bool] = lambda: False
        self._schedule, self._master_schedule = RefreshSchedule(), MasterSchedule()
        self._scans: list[Scan] = []
        self._master_poll: ServerPoll | None = None
        self._requested_masters: set[str] = set()
        """Redacted URLs of masters to poll although they are not due."""
        self._failures_in_a_row = 0
        self.packets = PacketCounts()
        """Datagrams of all queries that have ended."""
        self._packets_at_poll = PacketCounts()
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self.tick)
        server_list.changed.connect(self._record_results)
        server_list.running_changed.connect(self._on_poll_changed)
        server_list.paused_changed.connect(self._on_state_changed)
        settings.changed.connect(self._on_setting_changed)

    def set_view(self, rows_in_sight: Callable[[], RowIds], is_hidden: Callable[[], bool]) -> None:
        """Set functions for the rows that the user sees and whether the window is hidden."""
        self._rows_in_sight, self._is_hidden = rows_in_sight, is_hidden

    @property
    def state(self) -> RefreshState:
        """Whether the list is refreshed at the moment; a poll counts, too."""
        if self._server_list.is_paused:
            return RefreshState.PAUSED
        if self._server_list.is_running:
            return RefreshState.LIVE
        if not self._settings.get(AUTOMATIC_REFRESH):
            return RefreshState.OFF
        return RefreshState.WAITING if self._server_list.poll is None else RefreshState.LIVE

    @property
    def packets_since_poll(self) -> PacketCounts:
        """Datagrams of the queries that have ended since the last poll began."""
        return self.packets - self._packets_at_poll

    def close(self) -> None:
        """Stop; no query follows, and no signal."""
        self._timer.stop()
        self.cancel_queries()

    def tick(self) -> None:
        """Merge what has arrived and start what is due."""
        self._merge_results()
        self._finish_master_poll()
        if self.state is RefreshState.LIVE and not self._server_list.is_running and not self._is_network_down:
            if not self._server_list.queries_on_request:
                self._query_servers()
            self._poll_masters(self._due_masters())
        elif not self._server_list.is_running:
            self._poll_masters([])
        self.tick_finished.emit()

    @property
    def _is_network_down(self) -> bool:
        """Whether the last poll found no network: it is repeated, and ends this state."""
        poll = self._server_list.poll
        return poll is not None and poll.progress.is_network_down

    def _on_poll_changed(self, running: bool) -> None:
        poll, now_s = self._server_list.poll, self._clock()
        if running:
            self.cancel_queries()  # the poll queries all servers itself
            self._packets_at_poll = self.packets
            self._timer.start()
        elif poll is not None:
            self._record_masters(poll, now_s)
        self._on_state_changed()

    def _on_setting_changed(self, key: str) -> None:
        if key == QUERY_ON_REQUEST.key and self._server_list.queries_on_request:
            self.cancel_queries()
            self._server_list.stop()
        if key in (AUTOMATIC_REFRESH.key, QUERY_ON_REQUEST.key):
            self._on_state_changed()

    def _on_state_changed(self) -> None:
        if self.state is not RefreshState.LIVE:
            self.cancel_queries()
        self.tick_finished.emit()

    def cancel_queries(self) -> None:
        """Cancel the queries under way."""
        for scan in self._scans:
            scan.cancel()
        if self._master_poll is not None:
            self._master_poll.cancel()
            self._record_masters(self._master_poll, self._clock())
            self._master_poll = None
            self.master_poll_cancelled.emit()
        self._scans = []

    # Servers

    def _record_results(self, changes: ChangeSet) -> None:
        self._schedule.forget(changes.removed)
        status = self._server_list.catalogue.status[changes.ids]
        queried = status != QueryStatus.NEVER_QUERIED
        rows = changes.ids[queried]
        self._schedule.record(rows, status[queried] != QueryStatus.OK, self._clock())

    def _query_servers(self) -> None:
        targets = self._server_list.catalogue.targets
        batch = self._schedule.next_batch(
            self._candidates(), self._periods(), self._queries.max_packets_per_s, self._clock()
        )
        for rows, parts in (
            (batch.info_rows, QueryParts.INFO),
            (batch.player_rows, QueryParts.INFO | QueryParts.PLAYERS),
        ):
            addressed = [target for row in rows.tolist() if is_ip_address((target := targets[row]).address.host)]
            if addressed:
                self._scans.append(self._queries.query_servers(addressed, parts))

    def _candidates(self) -> RefreshCandidates:
        c = self._server_list.catalogue
        in_sight: Bools = np.zeros(len(c), np.bool_)
        in_sight[self._rows_in_sight()] = True
        sends_players = c.protocol.matching_rows(_PROTOCOLS_WITH_PLAYERS.__contains__)
        is_empty = (c.players == 0) & (np.nan_to_num(c.bots) == 0)
        return RefreshCandidates(
            queryable=c.occupied & (self._queries.rows_to_query() & ~c.blocked | in_sight),
            in_sight=in_sight,
            preferred=c.favourite | (c.friends > 0),
            populated=(c.status == QueryStatus.OK) & ~is_empty & ~sends_players,
        )

    def _periods(self) -> RefreshPeriods:
        get = self._settings.get
        return RefreshPeriods(get(VISIBLE_REFRESH_S), get(LIST_REFRESH_MIN) * 60.0).scale(self._slowness)

    @property
    def _slowness(self) -> float:
        return HIDDEN_FACTOR if self._is_hidden() else 1.0

    def _merge_results(self) -> None:
        if self._master_poll is not None:
            self._server_list.merge_descriptions(self._master_poll)
        ended = [scan for scan in self._scans if scan.finished.is_set()]  # before their last results are taken
        results = [result for scan in self._open_scans() for result in _take_results(scan)]
        for first in range(0, len(results), DRAIN_BATCH_SIZE):
            self._server_list.merge_results(results[first : first + DRAIN_BATCH_SIZE])
        for result in results:
            self._failures_in_a_row = 0 if result.info is not None else self._failures_in_a_row + 1
        is_down = any(scan.progress.is_network_down for scan in self._scans)
        self.packets = sum((scan.progress.packets for scan in ended), self.packets)
        self._scans = [scan for scan in self._scans if scan not in ended]
        if is_down and self._failures_in_a_row >= NETWORK_DOWN_FAILURES:
            _log.info("No network; polling the list")
            self._server_list.refresh()

    def _open_scans(self) -> list[Scan]:
        return [*self._scans, *([self._master_poll.scan] if self._master_poll is not None else [])]

    # Masters

    def poll_master(self, url: str) -> bool:
        """Poll one master soon, whether it is due or not.

        Returns False if it is not in use.
        """
        if url not in self._queries.master_urls:
            return False
        is_running = self._server_list.is_running
        if not is_running or url not in (state.url for state in self._server_list.master_states):
            self._requested_masters.add(url)
            self._timer.start()
        if not is_running:
            self._poll_masters([])
        return True

    def _due_masters(self) -> list[str]:
        period_s = self._settings.get(MASTER_REFRESH_MIN) * 60.0 * self._slowness
        return self._master_schedule.due_urls(self._queries.master_urls, period_s, self._clock())

    def _poll_masters(self, urls: Sequence[str]) -> None:
        """Poll these masters and the requested ones, unless a poll is under way."""
        if self._master_poll is not None:
            return
        due = self._requested_masters.union(urls)
        self._requested_masters.clear()
        if due:
            c = self._server_list.catalogue
            known = [c.targets[row] for row in np.flatnonzero(c.occupied).tolist()]
            self._master_poll = self._queries.poll_masters(due, known)

    def _finish_master_poll(self) -> None:
        poll = self._master_poll
        if poll is not None and poll.is_finished and not poll.has_unread:
            self._master_poll = None
            self.packets += poll.progress.packets
            self._record_masters(poll, self._clock())
            self._server_list.finish_master_poll(poll)

    def _record_masters(self, poll: ServerPoll, now_s: float) -> None:
        """Record when the masters were polled, and which failed.

        Being cancelled is no failure.
        """
        states, results = poll.master_states, self._server_list.master_results
        failed = [each.url for each in states if results.has_failed(each) and (each.ok or not poll.is_cancelled)]
        self._master_schedule.record(states, failed, now_s)


def _take_results(scan: Scan) -> Iterator[QueryResult]:
    while scan.results:
        yield scan.results.popleft()
