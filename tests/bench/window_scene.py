"""The main window on a screen that nobody sees, all its parts and timers its own."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.facts import Answer, Target
from browser_app.engine.masters import MasterState
from browser_app.engine.poll import Poll
from browser_app.engine.progress import Progress
from browser_app.engine.scan import Scan
from browser_app.games.games import Games
from browser_app.ui.theme import Theme
from browser_app.ui.window import MainWindow, Services

SKILL = {"ns2": 1500.0}
WIDTH, HEIGHT = 1280, 800


class FeedScan:
    """As much of a `Scan` as the window uses; whoever has answers puts them in."""

    def __init__(self) -> None:
        self.answers: deque[Answer] = deque()
        self.finished = threading.Event()


class FeedPoll:
    """As much of a `Poll` as the window uses."""

    def __init__(self, scan: FeedScan, targets: int) -> None:
        self.scan = scan
        self.masters: tuple[MasterState, ...] = (MasterState("feed", ok=True, servers=targets, done=True),)
        self.progress = Progress(targets, 0, 0, 0, 0, {}, 0.0, network_down=False)
        self.refused: str | None = None

    @property
    def finished(self) -> bool:
        """Nothing more comes."""
        return self.scan.finished.is_set()

    def cancel(self) -> None:
        """Nothing more comes."""
        self.scan.finished.set()

    def as_poll(self) -> Poll:
        """In the window's eyes."""
        return cast("Poll", self)


def _silence(_target: Target) -> Scan:
    """The selected server is asked for its players; nothing is sent from here."""
    scan = FeedScan()
    scan.finished.set()
    return cast("Scan", scan)


class WindowScene:
    """A window, 1280 × 800, shown; `start_poll` is what its refresh does."""

    def __init__(self, games: Games, start_poll: Callable[[Sequence[Target]], Poll]) -> None:
        app = QApplication.instance()
        self.app = app if isinstance(app, QApplication) else QApplication([])
        self.catalogue = Catalogue(games)
        self.live = LiveList(self.catalogue, start_poll, _silence, lambda: SKILL, lambda: None)
        services = Services(self.live, games, lambda: SKILL, lambda: None, lambda _server: None)
        self.window = MainWindow(Theme(self.app, "light"), services)
        self.table = self.window.table
        self.window.resize(WIDTH, HEIGHT)
        self.window.show()
        self.app.processEvents()

    def fill(self, answers: list[Answer]) -> None:
        """Take answers in, score, sort, show."""
        self.live.take(answers)
        self.live.rescore()
        self.app.processEvents()

    def run_poll(self) -> None:
        """Refresh, and let the window work until everything has come and is shown."""
        loop = QEventLoop()
        self.live.running_changed.connect(lambda running: None if running else loop.quit())
        self.live.refresh()
        loop.exec()


def timed_ms(action: Callable[[], object]) -> float:
    """How long it takes."""
    began_s = time.perf_counter()
    action()
    return (time.perf_counter() - began_s) * 1e3
