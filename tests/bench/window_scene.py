"""The main window on a screen that nobody sees, all its parts and timers its own."""

import argparse
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from browser_app.application.app_context import AppContext
from browser_app.catalogue.server_info import QueryResult, QueryTarget
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.query.scan import Scan, ScanProgress
from browser_app.engine.server_poll import ServerPoll
from browser_app.games import load_presets
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import UserPaths, resource_folder
from browser_app.storage.user_session import UserSession
from browser_app.window_app import WindowProgram

WIDTH, HEIGHT = 1280, 800
StartPoll = Callable[[Sequence[QueryTarget]], ServerPoll]


class FeedScan:
    """As much of a `Scan` as the window uses; whoever has answers puts them in."""

    def __init__(self) -> None:
        self.answers: deque[QueryResult] = deque()
        self.finished = threading.Event()


class FeedPoll:
    """As much of a `ServerPoll` as the window uses."""

    def __init__(self, scan: FeedScan, targets: int) -> None:
        self.scan = scan
        self.masters: tuple[MasterState, ...] = (MasterState("feed", ok=True, servers=targets, is_done=True),)
        self.progress = ScanProgress(targets, 0, 0, 0, 0, {}, 0.0, is_network_down=False)
        self.refused: str | None = None

    @property
    def finished(self) -> bool:
        """Nothing more comes."""
        return self.scan.finished.is_set()

    def cancel(self) -> None:
        """Nothing more comes."""
        self.scan.finished.set()

    def as_poll(self) -> ServerPoll:
        """In the window's eyes."""
        return cast("ServerPoll", self)


def _silence(_target: QueryTarget) -> Scan:
    """The selected server is asked for its players; nothing is sent from here."""
    scan = FeedScan()
    scan.finished.set()
    return cast("Scan", scan)


class _Program(WindowProgram):
    """The whole program, but for whom it asks."""

    def __init__(self, context: AppContext, app: QApplication, start_poll: StartPoll) -> None:
        self._poll_starter = start_poll
        words: dict[str, Any] = {
            "demo": None,
            "game": [],
            "master": [],
            "server": [],
            "lan": False,
            "filter": "",
            "skill": 1500.0,
            "preset": None,
        }
        super().__init__(argparse.Namespace(**words), context, app, "light")

    def _start_poll(self, known: Sequence[QueryTarget]) -> ServerPoll:
        return self._poll_starter(known)

    def _ask(self, _target: QueryTarget) -> Scan:
        """The selected server would be asked for its players; nothing is sent from here."""
        scan = FeedScan()
        scan.finished.set()
        return cast("Scan", scan)


class WindowScene:
    """A window, 1280 × 800, shown; `start_poll` is what its refresh does. Use as a context manager.

    `home`: where its user's files are; None: a new folder.
    """

    def __init__(self, games: GameRegistry, start_poll: StartPoll, home: Path | None = None) -> None:
        self.app = QApplication([])
        self._ends = ExitStack()
        home = home or Path(self._ends.enter_context(tempfile.TemporaryDirectory()))
        paths = UserPaths(home / "settings", home / "data", home / "cache")
        presets = load_presets(resource_folder() / "ranking")
        context = AppContext(games, presets, lambda *, demo: UserSession(paths), lambda _: 0, lambda _: None)
        program = self._ends.enter_context(_Program(context, self.app, start_poll))
        self.catalogue, self.live, self.window = program.catalogue, program.server_list, program.window
        self.skill = program.skill_backend
        self.table = self.window.servers_view.table
        self.window.resize(WIDTH, HEIGHT)
        self.window.show()
        self.app.processEvents()

    def run_poll(self) -> None:
        """Refresh, and let the window work until everything has come and is shown."""
        loop = QEventLoop()
        self.live.running_changed.connect(lambda running: None if running else loop.quit())
        self.live.refresh()
        loop.exec()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()


def timed_ms(action: Callable[[], object]) -> float:
    """How long it takes."""
    began_s = time.perf_counter()
    action()
    return (time.perf_counter() - began_s) * 1e3
