"""One server asked again before its game is started: its answer goes into the live list."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from browser_app.bridge.live_list import LiveList
from browser_app.engine.pacing import PACES
from browser_app.engine.scanner import Scanner
from browser_app.engine.timing import Timing
from browser_app.protocols.conversation import Want

if TYPE_CHECKING:
    from browser_app.engine.scan import Scan

LOOK_MS = 20
TIMING = Timing(waits_s=(0.5, 0.5, 0.5))


class AskAgain(QObject):
    """Asks one server at a time."""

    def __init__(self, live: LiveList, scanner: Scanner) -> None:
        super().__init__(live)
        self._live, self._scanner = live, scanner
        self._scan: Scan | None = None
        self._then: Callable[[bool], object] = bool
        self._server, self._began_s, self._until_s = -1, 0.0, 0.0
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)

    def ask(self, server: int, within_s: float, then: Callable[[bool], object]) -> None:
        """Call `then` with whether the server answered, when the list knows what it said; `within_s` at the latest.

        An answer to somebody else's question counts too: a server is asked by one at a time.

        Not after `close`; whoever is being asked is let go without a call.
        """
        self.close()
        target = self._live.catalogue.targets[server]
        self._scan = self._scanner.scan([target], pace=PACES["normal"], want=Want.INFO, timing=TIMING, urgent=True)
        self._scan.seal()
        self._then, self._server, self._began_s = then, server, time.monotonic()
        self._until_s = self._began_s + within_s
        self._timer.start()

    def close(self) -> None:
        """Nobody is asked any more."""
        self._timer.stop()
        if self._scan is not None:
            self._scan.cancel()
            self._scan = None

    def _look(self) -> None:
        if self._scan is None:
            return
        over = self._scan.finished.is_set() or time.monotonic() >= self._until_s
        self._live.take([self._scan.answers.popleft() for _ in range(len(self._scan.answers))])
        heard = self._live.seconds_since_answer(self._server) < time.monotonic() - self._began_s
        if heard or over:
            self.close()
            self._then(heard)
