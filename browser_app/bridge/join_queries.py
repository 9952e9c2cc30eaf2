"""Queries for joining: recheck before launch and wait for a slot."""

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.server_info import QueryResult, ServerIdentity
from browser_app.engine import slot_monitor
from browser_app.engine.query.query_timing import PACES, QueryTiming
from browser_app.engine.query.scanner import Scanner
from browser_app.protocols.query_session import QueryParts

if TYPE_CHECKING:
    from browser_app.engine.query.scan import Scan
    from browser_app.protocols.address import Address

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SlotMonitorTiming:
    """Query interval and the longest silence of a server before monitoring ends, s."""

    interval_s: float = slot_monitor.SLOT_CHECK_INTERVAL_S
    silence_limit_s: float = slot_monitor.SLOT_SILENCE_LIMIT_S


class SlotMonitorRunner(QObject):
    """Runs a slot monitor in a thread, for one server at a time.

    Signals (in the GUI thread; none after `close`):
        slot_checked: a `SlotCheck`, after its result was merged into the server list.
        monitor_finished: the `SlotMonitorOutcome`.
    """

    slot_checked = Signal(object)
    monitor_finished = Signal(object)
    _monitor_reported = Signal(object, object)

    def __init__(
        self, server_list: ServerListController, scanner: Scanner, timing: SlotMonitorTiming | None = None
    ) -> None:
        super().__init__(server_list)
        self.timing = timing or SlotMonitorTiming()
        self._server_list, self._scanner = server_list, scanner
        self._monitor: slot_monitor.SlotMonitor | None = None
        self._thread: threading.Thread | None = None
        self._monitor_reported.connect(self._handle_report, Qt.ConnectionType.QueuedConnection)

    def start(self, server: int, first_delay_s: float = 0.0) -> None:
        """Monitor a server in place of the one monitored so far."""
        self.close()
        monitor = slot_monitor.SlotMonitor(
            self._scanner,
            self._server_list.catalogue.targets[server],
            lambda check: self._monitor_reported.emit(monitor, check),
            interval_s=self.timing.interval_s,
            silence_limit_s=self.timing.silence_limit_s,
        )
        self._monitor = monitor
        self._thread = threading.Thread(target=self._run_in_thread, args=(monitor, first_delay_s), name="slot monitor")
        self._thread.start()

    def close(self) -> None:
        """Stop monitoring; that ends at once, even between two queries."""
        monitor, self._monitor = self._monitor, None
        thread, self._thread = self._thread, None
        if monitor is not None:
            monitor.cancel()
        if thread is not None:
            thread.join()

    def _run_in_thread(self, monitor: slot_monitor.SlotMonitor, first_delay_s: float) -> None:
        outcome = slot_monitor.SlotMonitorOutcome.CANCELLED
        try:
            outcome = monitor.run(first_delay_s)
        finally:
            self._monitor_reported.emit(monitor, outcome)

    def _handle_report(
        self, monitor: slot_monitor.SlotMonitor, report: slot_monitor.SlotCheck | slot_monitor.SlotMonitorOutcome
    ) -> None:
        if monitor is not self._monitor:  # sent before the monitor was stopped
            return
        if isinstance(report, slot_monitor.SlotCheck):
            self._server_list.merge_results([report.result])
            self.slot_checked.emit(report)
        else:
            _log.info("Waiting for a slot ended: %s", report.value)
            self.close()
            self.monitor_finished.emit(report)


RECHECK_POLL_MS = 20
RECHECK_TIMING = QueryTiming(waits_s=(0.5, 0.5, 0.5))


class ServerRecheck(QObject):
    """Queries one server shortly before a launch; one at a time.

    An answer to another query may be forged by whoever knows the port of that query, so only those that arrived on a
    port of their own count, also those of other checks.
    """

    def __init__(self, server_list: ServerListController, scanner: Scanner) -> None:
        super().__init__(server_list)
        self._server_list, self._scanner = server_list, scanner
        self._checks: dict[Address, tuple[float, ServerIdentity]] = {}
        """When a server last answered on a port of its own, s on the monotonic clock, and as what."""
        server_list.results_received.connect(self._record_checks)
        self._scan: Scan | None = None
        self._callback: Callable[[bool], object] = bool
        self._deadline_s = 0.0
        self._timer = QTimer(self, interval=RECHECK_POLL_MS)
        self._timer.timeout.connect(self._check_scan)

    def start(self, server: int, within_s: float, callback: Callable[[bool], object]) -> None:
        """Query a server and call `callback` with whether it answered.

        The call comes after `within_s` at the latest, and never after `close`. The answer is merged into the server
        list first. A query in progress is dropped without a call of its callback.
        """
        self.close()
        target = self._server_list.catalogue.targets[server]
        self._scan = self._scanner.scan(
            [target], pace=PACES["normal"], parts=QueryParts.INFO, timing=RECHECK_TIMING, urgent=True, own_ports=True
        )
        self._scan.seal()
        self._callback, self._deadline_s = callback, time.monotonic() + within_s
        self._timer.start()

    def close(self) -> None:
        """Stop querying."""
        self._timer.stop()
        if self._scan is not None:
            self._scan.cancel()
            self._scan = None

    def seconds_since_check(self, server: int) -> float:
        """Return the time since a server last answered on a port of its own, s.

        Infinite if it never did, or if a later answer contradicts that one.
        """
        catalogue = self._server_list.catalogue
        info, check = catalogue.server_info(server), self._checks.get(catalogue.targets[server].address)
        if info is None or check is None or check[1] != info.identity:
            return math.inf
        return time.monotonic() - check[0]

    def _record_checks(self, results: Sequence[QueryResult]) -> None:
        now_s = time.monotonic()
        for result in results:
            if result.own_port and result.info is not None:
                self._checks[result.target.address] = now_s, result.info.identity

    def _check_scan(self) -> None:
        if self._scan is None:
            return
        is_over = self._scan.finished.is_set() or time.monotonic() >= self._deadline_s
        results = [self._scan.results.popleft() for _ in range(len(self._scan.results))]
        self._server_list.merge_results(results)
        has_answered = any(result.info is not None for result in results)
        if has_answered or is_over:
            self.close()
            self._callback(has_answered)
