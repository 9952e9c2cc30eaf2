"""Controller of the server list: polls, merges results, rescores.

The catalogue is accessed in the GUI thread only. No timer of the controller runs while nothing is queried.
"""

import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app import runtime_tuning
from browser_app.bridge.listing_updater import ListingUpdater
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.list_descriptions import merge_descriptions, merge_listed, merge_steam_counts
from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, SavedServer
from browser_app.engine.master_results import MasterResults
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.masters.outage import Outage
from browser_app.engine.network.host_resolver import has_unknown_address
from browser_app.engine.query.scan import Scan
from browser_app.engine.server_poll import ServerPoll
from browser_app.games.game_profile import RankingConstants
from browser_app.protocols.address import Address
from browser_app.startup_timing import mark_startup

_log = logging.getLogger(__name__)


DRAIN_MS = 50
DRAIN_BATCH_SIZE = 500
DRAINED_PLAYERS = 6_000
"""Listed players after which a batch ends: merging 255 takes ten times as long as a usual reply."""
RESCORE_DELAY_MS = 330
FRAME_MS = 17
RETRY_DELAY_MS = 10_000
"""Delay of the automatic poll after one that ended without a network, or without any list."""
MAX_RETRY_DOUBLINGS = 6
"""While there is a network, each further poll without any list doubles the delay: up to 11 minutes."""


@dataclass(frozen=True)
class CarriedOverList:
    """The list of a window that another one replaces, as after its last poll."""

    catalogue: Catalogue
    poll: ServerPoll
    master_results: MasterResults
    last_result_s: Mapping[int, float]
    """By server: when its last answer was merged, on the monotonic clock."""


def _answered_by_name(
    results: Sequence[QueryResult], resolved_targets: Mapping[Address, QueryTarget]
) -> dict[Address, QueryTarget]:
    """Return those servers found by host names that have just answered."""
    answered = {result.target.address for result in results if result.info is not None} if resolved_targets else ()
    return {named: target for named, target in resolved_targets.items() if target.address in answered}


class ServerListController(QObject):
    """Owns the catalogue, the current poll and the queries of single servers.

    Signals:
        results_received: a sequence of `QueryResult`s, before they are merged.
        changed: a `ChangeSet`, after results were merged, or servers were loaded or dropped.
        rescored: scores and factors were recomputed.
        progress_changed: the poll has advanced, or loading of saved servers began; see `poll` and `is_loading`.
        running_changed: a poll began or ended.
        masters_polled: the states of masters, after a poll.
        paused_changed: automatic queries were stopped or allowed again.
        search_requested: a server to be queried that is known by its host name alone.
        server_found: an address with a host name, and the server that answered there.
    """

    results_received = Signal(object)
    changed = Signal(object)
    rescored = Signal()
    progress_changed = Signal()
    running_changed = Signal(bool)
    masters_polled = Signal(object)
    paused_changed = Signal(bool)
    search_requested = Signal(int)
    server_found = Signal(object, int)

    def __init__(
        self,
        catalogue: Catalogue,
        start_poll: Callable[[Sequence[QueryTarget]], ServerPoll],
        query_server: Callable[[QueryTarget], Scan],
        own_skill: Callable[[], Mapping[str, float]],
        preset: Callable[[], RankingConstants | None],
        queries_on_request: Callable[[], bool] = lambda: False,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._queries_on_request = queries_on_request
        self.catalogue = catalogue
        self.poll: ServerPoll | None = None
        """The current poll or, after its end, the last one."""
        self._start_poll, self._query_server = start_poll, query_server
        self._own_skill, self._preset = own_skill, preset
        self.is_running = False
        """Whether a poll is in progress."""
        self.is_loading = False
        """Whether the saved servers are being loaded; a refresh waits for the end."""
        self.is_paused = False
        """Whether only queries that the user starts are allowed."""
        self.master_results = MasterResults()
        self._polls_without_list = 0
        """Polls in a row in which no master delivered a list."""
        self._pending_refresh: Callable[[], None] | None = None
        """The refresh that waits until the saved servers are loaded."""
        self._is_closed = False
        self._single_queries: list[Scan] = []
        self._has_results = False
        self._started_at, self._started_s = time.time(), time.monotonic()
        self._last_result_s: dict[int, float] = {}
        """By server: when its last answer of this run was merged, on the monotonic clock."""
        self._idle_callbacks: list[Callable[[], None]] = []
        self.listing_updater = ListingUpdater(catalogue, self)
        self._create_timers()
        self._connect()

    def _create_timers(self) -> None:
        self._drain_timer = QTimer(self, interval=DRAIN_MS)
        # A coarse timer would fire together with the drain timer.
        self._rescore_timer = QTimer(
            self, singleShot=True, interval=RESCORE_DELAY_MS, timerType=Qt.TimerType.PreciseTimer
        )
        # Scores, order and answers are updated in a frame each: together they would delay one.
        self._rescored_timer = QTimer(self, singleShot=True, interval=FRAME_MS)
        self.retry_timer = QTimer(self, singleShot=True, interval=RETRY_DELAY_MS)
        """Runs from the end of a poll without a network or any list to the next poll."""

    def _connect(self) -> None:
        self.listing_updater.servers_dropped.connect(self._on_dropped)
        self.listing_updater.drop_finished.connect(self.rescore)
        self._drain_timer.timeout.connect(self._drain_results)
        self._rescore_timer.timeout.connect(self._update_scores)
        self._rescored_timer.timeout.connect(self.rescored)
        self.retry_timer.timeout.connect(self.refresh)

    def begin_loading(self) -> None:
        """Expect saved servers from `add_saved_servers`."""
        self.is_loading = True
        runtime_tuning.pause_full_gc()
        self.progress_changed.emit()

    def add_saved_servers(self, servers: Sequence[SavedServer]) -> None:
        """Show saved servers, marked as such; the first ones at once.

        Does nothing after `close`.
        """
        if self._is_closed:
            return
        self.changed.emit(self.catalogue.restore(servers))
        if not self._rescore_timer.isActive():
            self._rescore_timer.start()
            self.rescore()

    def finish_loading(self) -> None:
        """End loading, and refresh if that was requested; do nothing after `close`."""
        if self._is_closed:
            return
        self.is_loading = False
        runtime_tuning.resume_full_gc()
        self.listing_updater.drop_unlisted()
        self.rescore()
        if self._pending_refresh is not None:
            self._pending_refresh()

    @property
    def queries_on_request(self) -> bool:
        """Whether servers are queried only where the user asks for it."""
        return self._queries_on_request()

    def list_to_carry_over(self) -> CarriedOverList | None:
        """Return the list for a window that replaces this one.

        None if it has to poll itself.
        """
        if self.poll is None or self.is_running or self.is_loading:
            return None
        return CarriedOverList(self.catalogue, self.poll, self.master_results, dict(self._last_result_s))

    def continue_list(self, carried_over: CarriedOverList) -> None:
        """Continue the list of an earlier window as if its poll ended now.

        The catalogue is that window's already.
        """
        self.poll, self.master_results = carried_over.poll, carried_over.master_results
        self._last_result_s = dict(carried_over.last_result_s)
        self._has_results = True
        rows = np.flatnonzero(self.catalogue.occupied)
        self.changed.emit(ChangeSet(rows, rows, frozenset()))
        self.rescore()
        runtime_tuning.pause_full_gc()
        self._set_running(True)
        self._set_running(False)
        self._plan_retry()

    def refresh(self, requested: Sequence[int] = ()) -> None:
        """Poll all masters, and the servers that they list.

        Servers that answered before and the user's own are queried at once. Where servers are queried on request, only
        the `requested` ones are. Does nothing after `close`.
        """
        if self.is_running or self._is_closed:
            return
        self._pending_refresh = partial(self.refresh, requested) if self.is_loading else None
        if self.is_loading:
            return
        self.retry_timer.stop()
        runtime_tuning.pause_full_gc()  # before the poll creates its objects
        try:
            self.poll = self._start_poll(self._known_targets(requested))
        except BaseException:
            runtime_tuning.resume_full_gc()
            raise
        _log.info(
            "Poll started: %d masters, %d known servers", len(self.poll.master_states), self.catalogue.server_count
        )
        self._set_running(True)
        self._drain_timer.start()

    def _known_targets(self, requested: Sequence[int]) -> list[QueryTarget]:
        if self.queries_on_request:
            return [self.catalogue.targets[server] for server in requested]
        return self.catalogue.rows.polled_targets()

    def refresh_then(self, callback: Callable[[], None]) -> None:
        """Refresh, or join the current refresh, and call `callback` at its end."""
        self._idle_callbacks.append(callback)
        self.refresh()

    def call_when_idle(self, callback: Callable[[], None]) -> None:
        """Call `callback` at the end of the current poll; at once where there is none."""
        if self.is_running:
            self._idle_callbacks.append(callback)
        else:
            callback()

    def stop(self) -> None:
        """Stop the poll; its results so far stay."""
        if self.poll is not None and self.is_running:
            self.poll.cancel()

    def pause(self) -> None:
        """Stop, and start only what the user asks for until `resume`.

        A game needs the connection.
        """
        self.is_paused = True
        self.retry_timer.stop()
        self.stop()
        self.paused_changed.emit(True)

    def resume(self) -> None:
        """Allow automatic queries again."""
        self.is_paused = False
        self.paused_changed.emit(False)

    def query(self, server: int) -> None:
        """Query one server for everything, including its players and rules.

        Does nothing after `close`.
        """
        if self._is_closed:
            return
        target = self.catalogue.targets[server]
        if has_unknown_address(target):
            self.search_requested.emit(server)
            return
        self._single_queries.append(self._query_server(target))
        self._drain_timer.start()

    def query_stale(self, servers: Iterable[int], fresh_s: float, limit: int | None = None) -> list[int]:
        """Query and return those of these servers without an answer for `fresh_s`.

        Servers whose host was not found yet are left out. Queries nothing during a poll, while paused, or where servers
        are queried on request. At most `limit` are queried, the first ones.
        """
        if self.is_running or self.is_paused or self.queries_on_request:
            return []
        targets = self.catalogue.targets
        stale = (
            server
            for server in servers
            if not (self.seconds_since_answer(server) < fresh_s or has_unknown_address(targets[server]))
        )
        queried = list(islice(stale, limit))
        for server in queried:
            self.query(server)
        return queried

    def close(self) -> None:
        """End all queries; no signal follows."""
        self._is_closed = True
        running = self.poll if self.is_running else None
        for _each in range(self.is_running + self.is_loading):  # each has paused it once
            runtime_tuning.resume_full_gc()
        self.is_running = self.is_loading = False
        self.listing_updater.close()
        for timer in (self._drain_timer, self._rescore_timer, self._rescored_timer, self.retry_timer):
            timer.stop()
        for each in (running, *self._single_queries):
            if each is not None:
                each.cancel()

    @property
    def master_states(self) -> tuple[MasterState, ...]:
        """State of each master in the current poll, or else as of its last poll."""
        return self.poll.master_states if self.poll is not None and self.is_running else self.master_results.states

    @property
    def outage(self) -> Outage | None:
        """Why most lists of servers are missing.

        None if they are not, or before the first poll has ended.
        """
        states = self.master_states
        if self.is_running and 2 * sum(state.ok for state in states) > len(states):
            return None
        if self.poll is not None and self.poll.progress.is_network_down:
            return Outage.NO_NETWORK
        outage = self.master_results.outage
        # Where servers are known, the master servers of their games answer: those of old games may be gone for good.
        return None if outage is Outage.FEW_MASTERS and self.catalogue.server_count else outage

    def master_failures(self) -> list[str]:
        """Return the errors of masters, a line each."""
        return self.master_results.failure_texts(self.master_states)

    def finish_master_poll(self, poll: ServerPoll) -> None:
        """Apply the lists and the states of the masters of a finished poll.

        Masters that it left out keep their states.
        """
        merge_steam_counts(self.catalogue, poll.steam_counts, time.time())
        complete_urls = self.master_results.add_poll(poll, is_full_poll=poll is self.poll)
        self.masters_polled.emit(poll.master_states)
        self.listing_updater.apply(poll, complete_urls)

    def _on_dropped(self, changes: ChangeSet) -> None:
        self._forget_rows(changes)
        self.changed.emit(changes)

    def _forget_rows(self, changes: ChangeSet) -> None:
        for row in changes.removed.tolist():
            self._last_result_s.pop(row, None)

    def merge_results(
        self, results: Sequence[QueryResult], resolved_targets: Mapping[Address, QueryTarget] | None = None
    ) -> None:
        """Merge results of any query.

        `resolved_targets` are servers found by host names, by the address with that name.
        """
        if not results:
            return
        found = _answered_by_name(results, resolved_targets or {})
        for named, target in found.items():
            self.catalogue.rows.set_found_target(named, target)
        if not self._has_results:
            self._has_results = True
            mark_startup("first_answer")
        self.results_received.emit(results)
        changes = self.catalogue.merge(results)
        self._forget_rows(changes)
        answered = changes.ids[self.catalogue.status[changes.ids] == QueryStatus.OK]
        self._last_result_s.update(dict.fromkeys(answered.tolist(), time.monotonic()))
        self.changed.emit(changes)
        for named, target in found.items():
            row = self.catalogue.row_of(target.address)
            if row is not None:  # there was a row left
                self.server_found.emit(named, row)
        if not self._rescore_timer.isActive():
            self._rescore_timer.start()

    def rescore(self) -> None:
        """Recompute all scores now."""
        self._update_scores()
        self._rescored_timer.stop()
        self.rescored.emit()

    def _update_scores(self) -> None:
        self.catalogue.rescore(self._own_skill(), self._preset())
        self._rescored_timer.start()
        if self._drain_timer.isActive():
            self._drain_timer.start()

    def merge_descriptions(self, poll: ServerPoll) -> None:
        """Merge the next server descriptions from the lists of a poll."""
        listed = [poll.listed.popleft() for _ in range(min(len(poll.listed), DRAIN_BATCH_SIZE))]
        if listed:
            self._report_listed(merge_listed(self.catalogue, listed))
        described = [poll.descriptions.popleft() for _ in range(min(len(poll.descriptions), DRAIN_BATCH_SIZE))]
        if not described:
            return
        self._report_listed(merge_descriptions(self.catalogue, described, time.time()))

    def _report_listed(self, changes: ChangeSet) -> None:
        self._forget_rows(changes)
        self.changed.emit(changes)
        if not self._rescore_timer.isActive():
            self._rescore_timer.start()

    def _drain_results(self) -> None:
        if self.poll is not None:
            self.merge_descriptions(self.poll)
        self.merge_results(self._next_batch(), self.poll.resolved_targets.copy() if self.poll is not None else None)
        self._single_queries = [scan for scan in self._single_queries if scan.results or not scan.finished.is_set()]
        if self.is_running and self.poll is not None:
            self.progress_changed.emit()
            if self.poll.is_finished and not self.poll.has_unread:
                self._finish_poll()
        if not self.is_running and not self._single_queries:
            self._drain_timer.stop()

    def _next_batch(self) -> list[QueryResult]:
        scans = [*self._single_queries, *([self.poll.scan] if self.poll is not None else [])]
        batch: list[QueryResult] = []
        players = 0
        for scan in scans:
            while scan.results and len(batch) < DRAIN_BATCH_SIZE and players < DRAINED_PLAYERS:
                batch.append(scan.results.popleft())
                players += 0 if (info := batch[-1].info) is None else len(info.player_list or ())
        return batch

    def _finish_poll(self) -> None:
        mark_startup("scan_done")
        if self.poll is not None:
            progress, states = self.poll.progress, self.poll.master_states
            _log.info(
                "Poll finished after %.1f s: %d of %d servers and %d of %d masters answered; %d servers known",
                progress.elapsed_s,
                progress.answered,
                progress.targets,
                sum(1 for state in states if state.ok),
                len(states),
                self.catalogue.server_count,
            )
            if progress.dropped:
                _log.info("Dropped packets: %s", dict(progress.dropped))
            self.finish_master_poll(self.poll)
        self.rescore()
        self._set_running(False)
        self._plan_retry()
        callbacks, self._idle_callbacks = self._idle_callbacks, []
        for callback in callbacks:
            callback()

    def _plan_retry(self) -> None:
        """Poll again soon if the poll that has ended brought no list."""
        outage = self.outage
        has_list = outage in (None, Outage.NO_NETWORK)
        self._polls_without_list = 0 if has_list else self._polls_without_list + 1
        if outage is None or self.is_paused or (self.poll is not None and self.poll.is_cancelled):
            return
        doublings = min(max(0, self._polls_without_list - 1), MAX_RETRY_DOUBLINGS)
        self.retry_timer.setInterval(RETRY_DELAY_MS << doublings)
        _log.info("%s; polling again in %d s", outage.value, self.retry_timer.interval() // 1000)
        self.retry_timer.start()

    def _set_running(self, running: bool) -> None:
        self.is_running = running
        if not running:
            runtime_tuning.resume_full_gc()
        self.running_changed.emit(running)

    def seconds_since_answer(self, server: int) -> float:
        """Return the time since a server's last answer, s, never below 0.

        NaN where it never answered.
        """
        answered_s = self._last_result_s.get(server)
        if answered_s is not None:
            return time.monotonic() - answered_s
        return self.age_s(float(self.catalogue.last_answer[server]))

    def age_s(self, timestamp: float) -> float:
        """Return the seconds since a Unix time, at least 0; NaN for NaN.

        The wall clock is read once a run, so that setting it during the run changes no age.
        """
        age_s = self._started_at - timestamp + time.monotonic() - self._started_s
        return age_s if math.isnan(age_s) else max(0.0, age_s)
