"""Waiting for a slot beside the window: the watch has a thread of its own, its looks go into the live list."""

import threading
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from browser_app.bridge.live_list import LiveList
from browser_app.engine.scanner import Scanner
from browser_app.engine.slot_watch import EVERY_S, SILENT_S, Look, SlotWatch, WatchEnd


@dataclass(frozen=True)
class WatchTimes:
    """How often, and for how long without an answer, s."""

    every_s: float = EVERY_S
    silent_s: float = SILENT_S


class SlotWatchBridge(QObject):
    """Watches one server at a time.

    Signals (on the window's thread; none after `cancel` or `close`):
        looked: a `Look`, when the list has taken it in.
        ended: the `WatchEnd`.
    """

    looked = Signal(object)
    ended = Signal(object)
    _said = Signal(object, object)

    def __init__(self, live: LiveList, scanner: Scanner, times: WatchTimes | None = None) -> None:
        super().__init__(live)
        self.times = times or WatchTimes()
        self._live, self._scanner = live, scanner
        self._watch: SlotWatch | None = None
        self._thread: threading.Thread | None = None
        self._said.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def start(self, server: int, first_in_s: float = 0.0) -> None:
        """Watch a server; the one watched so far is let go."""
        self.close()
        watch = SlotWatch(
            self._scanner,
            self._live.catalogue.targets[server],
            lambda look: self._said.emit(watch, look),
            every_s=self.times.every_s,
            silent_s=self.times.silent_s,
        )
        self._watch = watch
        self._thread = threading.Thread(target=self._work, args=(watch, first_in_s), name="slot watch")
        self._thread.start()

    def close(self) -> None:
        """Watch nobody any more. A watch ends at once, wherever it waits."""
        watch, self._watch = self._watch, None
        thread, self._thread = self._thread, None
        if watch is not None:
            watch.cancel()
        if thread is not None:
            thread.join()

    def _work(self, watch: SlotWatch, first_in_s: float) -> None:
        end = WatchEnd.CANCELLED
        try:
            end = watch.run(first_in_s)
        finally:
            self._said.emit(watch, end)

    def _tell(self, watch: SlotWatch, said: Look | WatchEnd) -> None:
        if watch is not self._watch:  # what was under way when it was let go
            return
        if isinstance(said, Look):
            self._live.take([said.answer])
            self.looked.emit(said)
        else:
            self.close()
            self.ended.emit(said)
