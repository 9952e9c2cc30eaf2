"""Play Now beside the window: the run has a thread of its own, the catalogue stays on the window's."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.facts import Answer
from browser_app.engine.pacing import Pace
from browser_app.engine.play_now import Outcome, PlayNow
from browser_app.engine.scanner import Scanner
from browser_app.engine.standing import PlayOptions, Standing, standing_of
from browser_app.engine.stop import Stop


class PlayNowBridge(QObject):
    """Runs Play Now, one run at a time.

    Signals (on the window's thread):
        stepped: a step of the run.
        ended: its `Outcome`.
    """

    stepped = Signal(object)
    ended = Signal(object)
    _wanted = Signal(object)
    _said = Signal(object, object)

    def __init__(self, live: LiveList, scanner: Scanner, pace: Callable[[], Pace]) -> None:
        super().__init__(live)
        self._live, self._scanner, self._pace = live, scanner, pace
        self._run: PlayNow | None = None
        self._cancelled = False
        self._thread: threading.Thread | None = None
        self._waiting: Future[Any] | None = None
        self._wanted.connect(self._serve, Qt.ConnectionType.QueuedConnection)
        self._said.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """A run is in hand."""
        return self._run is not None

    def start(self, options: PlayOptions) -> None:
        """Begin a run; nothing happens while one is in hand."""
        if self._run is not None:
            return
        directory = _WindowDirectory(self, self._live, options)
        run = PlayNow(self._scanner, directory, pace=self._pace(), report=lambda step: self._said.emit(run, step))
        self._run, self._cancelled = run, False
        self._thread = threading.Thread(target=self._work, args=(run,), name="Play Now")
        self._thread.start()

    def cancel(self) -> None:
        """End the run in hand soon; `ended` still comes."""
        if self._run is not None:
            self._cancelled = True
            self._run.cancel()

    def close(self) -> None:
        """End it now; no signal follows."""
        self.cancel()
        self._run = None
        thread, self._thread = self._thread, None
        while thread is not None and thread.is_alive():
            if self._waiting is not None:
                self._waiting.cancel()
            thread.join(0.01)

    def in_window(self, work: Callable[[], Any]) -> Any:
        """Called by the run's thread: have `work` done on the window's thread, and wait for what it returns.

        Raises:
            CancelledError: the window is closing.
        """
        future: Future[Any] = Future()
        self._waiting = future
        self._wanted.emit((work, future))
        return future.result()

    def _serve(self, wanted: tuple[Callable[[], Any], Future[Any]]) -> None:
        work, future = wanted
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except Exception as error:  # noqa: BLE001 (it belongs to the thread that waits)
                future.set_exception(error)

    def _work(self, run: PlayNow) -> None:
        outcome = Outcome(None, (), (), {}, 0, cancelled=True)
        try:
            with suppress(CancelledError):
                outcome = run.run()
        finally:
            self._said.emit(run, outcome)

    def _tell(self, run: PlayNow, said: object) -> None:
        if run is not self._run:  # what was under way when the window closed
            return
        if isinstance(said, Outcome):
            self._run = None
            if self._cancelled:  # it may have chosen before it heard of that
                said = replace(said, chosen=None, reason=(), cancelled=True)
            self.ended.emit(said)
        else:
            self.stepped.emit(said)


class _WindowDirectory:
    """The known servers, as the run's thread may see them."""

    def __init__(self, bridge: PlayNowBridge, live: LiveList, options: PlayOptions) -> None:
        self._bridge, self._live, self._options = bridge, live, options

    def standing(self) -> Standing:
        """A copy, made on the window's thread."""
        standing: Standing = self._bridge.in_window(lambda: standing_of(self._live.catalogue, self._options))
        return standing

    def take(self, answers: Sequence[Answer]) -> None:
        """Merge on the window's thread."""
        self._bridge.in_window(lambda: self._live.take(answers))

    def refresh(self, stop: Stop) -> None:
        """Have the list refreshed and wait for its end."""
        over = threading.Event()
        self._bridge.in_window(lambda: self._live.refresh_then(over.set))
        with stop.waking(over.set):
            over.wait()
