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

from browser_app.catalogue.facts import Answer, Target
from browser_app.commands.context import Context
from browser_app.engine.masters import MasterState
from browser_app.engine.poll import Poll
from browser_app.engine.progress import Progress
from browser_app.engine.scan import Scan
from browser_app.games import load_presets
from browser_app.games.games import Games
from browser_app.paths import UserPaths, resources
from browser_app.storage.session import Session
from browser_app.window_app import WindowProgram

WIDTH, HEIGHT = 1280, 800
StartPoll = Callable[[Sequence[Target]], Poll]


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


class _Program(WindowProgram):
    """The whole program, but for whom it asks."""

    def __init__(self, context: Context, app: QApplication, start_poll: StartPoll) -> None:
        self._start_poll = start_poll
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

    def _poll(self, known: Sequence[Target]) -> Poll:
        return self._start_poll(known)

    def _ask(self, _target: Target) -> Scan:
        """The selected server would be asked for its players; nothing is sent from here."""
        scan = FeedScan()
        scan.finished.set()
        return cast("Scan", scan)


class WindowScene:
    """A window, 1280 × 800, shown; `start_poll` is what its refresh does. Use as a context manager.

    `home`: where its user's files are; None: a new folder.
    """

    def __init__(self, games: Games, start_poll: StartPoll, home: Path | None = None) -> None:
        self.app = QApplication([])
        self._ends = ExitStack()
        home = home or Path(self._ends.enter_context(tempfile.TemporaryDirectory()))
        paths = UserPaths(home / "settings", home / "data", home / "cache")
        presets = load_presets(resources() / "ranking")
        context = Context(games, presets, lambda *, demo: Session(paths), lambda _: 0, lambda _: None)
        program = self._ends.enter_context(_Program(context, self.app, start_poll))
        self.catalogue, self.live, self.window = program.catalogue, program.live, program.window
        self.skill = program.skill
        self.table = self.window.servers.table
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
