"""Play Now run in a thread, with access to the catalogue."""

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.server_info import QueryResult
from browser_app.engine.cancel_token import CancelToken
from browser_app.engine.catalogue_snapshot import CatalogueSnapshot, PlayOptions, build_snapshot
from browser_app.engine.play_now_run import VERIFY_COUNT, PlayNowOutcome, PlayNowRun
from browser_app.engine.query.query_timing import Pace
from browser_app.engine.query.scanner import Scanner

_log = logging.getLogger(__name__)


class PlayNowRunner(QObject):
    """Runs Play Now in a thread, one run at a time.

    Signals (in the GUI thread):
        step_reached: a step of the run.
        run_finished: its `PlayNowOutcome`.
    """

    step_reached = Signal(object)
    run_finished = Signal(object)
    _gui_call_requested = Signal(object)
    _run_reported = Signal(object, object)

    def __init__(self, server_list: ServerListController, scanner: Scanner, pace: Callable[[], Pace]) -> None:
        super().__init__(server_list)
        self._server_list, self._scanner, self._pace = server_list, scanner, pace
        self._run: PlayNowRun | None = None
        self._is_cancelled = False
        self._thread: threading.Thread | None = None
        self._pending_call: Future[Any] | None = None
        self._gui_call_requested.connect(self._run_gui_call, Qt.ConnectionType.QueuedConnection)
        self._run_reported.connect(self._handle_report, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        """Whether a run is in progress."""
        return self._run is not None

    @property
    def is_choosing(self) -> bool:
        """Whether a run is in progress that was not cancelled."""
        return self._run is not None and not self._is_cancelled

    def start(self, options: PlayOptions) -> None:
        """Start a run unless one is in progress."""
        if self._run is not None:
            return
        directory = _GuiThreadDirectory(self, self._server_list, options)
        run = PlayNowRun(
            self._scanner,
            directory,
            pace=self._pace(),
            report=lambda step: self._run_reported.emit(run, step),
            verify_count=1 if self._server_list.queries_on_request else VERIFY_COUNT,
        )
        self._run, self._is_cancelled = run, False
        self._thread = threading.Thread(target=self._run_in_thread, args=(run,), name="Play Now")
        self._thread.start()

    def cancel(self) -> None:
        """Request the end of the run; `run_finished` still follows."""
        if self._run is not None:
            self._is_cancelled = True
            self._run.cancel()

    def close(self) -> None:
        """End the run now; no signal follows."""
        self.cancel()
        self._run = None
        thread, self._thread = self._thread, None
        while thread is not None and thread.is_alive():
            if self._pending_call is not None:
                self._pending_call.cancel()
            thread.join(0.01)

    def call_in_gui_thread(self, work: Callable[[], Any]) -> Any:
        """Call `work` in the GUI thread from the run's thread, and return its result.

        Raises:
            CancelledError: the window is closing.
        """
        future: Future[Any] = Future()
        self._pending_call = future
        self._gui_call_requested.emit((work, future))
        return future.result()

    def _run_gui_call(self, call: tuple[Callable[[], Any], Future[Any]]) -> None:
        work, future = call
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 (raised again in the waiting thread)
                future.set_exception(error)

    def _run_in_thread(self, run: PlayNowRun) -> None:
        outcome = PlayNowOutcome(None, (), (), {}, 0)
        try:
            with suppress(CancelledError):
                outcome = run.run()
        finally:
            self._run_reported.emit(run, outcome)

    def _handle_report(self, run: PlayNowRun, report: object) -> None:
        if run is not self._run:  # sent before the window closed
            return
        if isinstance(report, PlayNowOutcome):
            self._run = None
            result = "chose no server" if report.chosen is None else "chose a server"
            excluded = {str(reason): number for reason, number in report.excluded_counts.items() if number}
            _log.info("Play Now %s; excluded: %s", "cancelled" if self._is_cancelled else result, excluded)
            if self._is_cancelled:  # the run may have chosen a server before it saw the cancellation
                report = replace(report, chosen=None, reason=())
            self.run_finished.emit(report)
        elif not self._is_cancelled:
            self.step_reached.emit(report)


class _GuiThreadDirectory:
    """The known servers, accessed from the run's thread."""

    def __init__(self, runner: PlayNowRunner, server_list: ServerListController, options: PlayOptions) -> None:
        self._runner, self._server_list, self._options = runner, server_list, options

    def snapshot(self) -> CatalogueSnapshot:
        """Return a copy made in the GUI thread."""
        catalogue = self._server_list.catalogue
        snapshot: CatalogueSnapshot = self._runner.call_in_gui_thread(lambda: build_snapshot(catalogue, self._options))
        return snapshot

    def merge_results(self, results: Sequence[QueryResult]) -> None:
        """Merge results and update scores and lists in the GUI thread."""

        def merge() -> None:
            self._server_list.merge_results(results)
            self._server_list.rescore()

        self._runner.call_in_gui_thread(merge)

    def refresh(self, cancel_token: CancelToken) -> None:
        """Refresh the server list and wait for the end."""
        refreshed = threading.Event()
        self._runner.call_in_gui_thread(lambda: self._server_list.refresh_then(refreshed.set))
        with cancel_token.calling_on_cancel(refreshed.set):
            refreshed.wait()
