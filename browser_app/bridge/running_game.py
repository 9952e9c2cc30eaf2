"""The games that were started from here, as long as their processes can be watched."""

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    import subprocess

LOOK_MS = 500
WORKED_S = 30.0
"""A game that ran for so long got somewhere: one that is refused is closed sooner."""


class RunningGame(QObject):
    """Looks twice a second while a game runs, and never otherwise.

    Signals:
        began: a game runs, and none did before.
        worked: a server's game has run for `WORKED_S`.
        left: a server's game has ended; how long it ran, s, and its exit status.
        ended: no game runs any more.
    """

    began = Signal()
    worked = Signal(int)
    left = Signal(int, float, int)
    ended = Signal()

    def __init__(self, parent: QObject | None = None, worked_s: float = WORKED_S) -> None:
        super().__init__(parent)
        self._worked_s = worked_s
        self._running: dict[subprocess.Popen[bytes], tuple[int, float]] = {}
        self._waiting: set[subprocess.Popen[bytes]] = set()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> bool:
        """A game that can be watched runs."""
        return bool(self._running)

    def watched(self) -> "list[tuple[subprocess.Popen[bytes], int]]":
        """The games that run, and their servers."""
        return [(process, server) for process, (server, _began_s) in self._running.items()]

    def watch(self, process: "subprocess.Popen[bytes]", server: int) -> None:
        """A server's game was started."""
        first = not self._running
        self._running[process] = (server, time.monotonic())
        self._waiting.add(process)
        self._timer.start()
        if first:
            self.began.emit()

    def close(self) -> None:
        """Games run on; nobody looks any more."""
        self._timer.stop()
        self._running.clear()
        self._waiting.clear()

    def _look(self) -> None:
        for process, (server, began_s) in list(self._running.items()):
            if process in self._waiting and time.monotonic() - began_s >= self._worked_s:
                self._waiting.discard(process)
                self.worked.emit(server)
            status = process.poll()
            if status is not None:
                del self._running[process]
                self._waiting.discard(process)
                self.left.emit(server, time.monotonic() - began_s, status)
        if not self._running:
            self._timer.stop()
            self.ended.emit()
