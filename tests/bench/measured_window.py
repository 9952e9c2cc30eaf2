"""The main window off screen, with its own parts and timers, to be measured."""

import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import NoReturn, Self, cast
from unittest.mock import patch

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from browser_app.application.app_context import AppContext, WindowOptions
from browser_app.application.poll_session import QueryService
from browser_app.catalogue.server_info import QueryResult, QueryTarget
from browser_app.engine.masters.master_poll import MasterState
from browser_app.engine.masters.query_sources import QuerySources
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.engine.query.host_budget import HostBudget
from browser_app.engine.query.scan import Scan, ScanProgress
from browser_app.engine.server_poll import ServerPoll
from browser_app.games import load_presets
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import UserPaths, resource_folder
from browser_app.storage.setting_declarations import AUTOMATIC_REFRESH
from browser_app.storage.user_storage import UserStorage
from browser_app.window_app import WindowProgram

WIDTH, HEIGHT = 1280, 800
StartPoll = Callable[[Sequence[QueryTarget]], ServerPoll]


class FeedScan:
    """The part of a `Scan` that the window uses; append results to deliver them."""

    def __init__(self, targets: int = 0) -> None:
        self.results: deque[QueryResult] = deque()
        self.finished = threading.Event()
        self.progress = ScanProgress(targets, 0, 0, 0, 0, {}, 0.0, is_network_down=False)

    def as_scan(self) -> Scan:
        """Return self under the type that the window expects."""
        return cast("Scan", self)

    def cancel(self) -> None:
        """End the scan."""
        self.finished.set()


class FeedPoll(ServerPoll):
    """A poll that sends nothing: its results are those of a `FeedScan`."""

    def __init__(self, scan: FeedScan) -> None:
        budget = HostBudget(EngineClock())
        super().__init__(scan.as_scan(), QuerySources(), (), lambda: None, budget, skip_known=False, query_listed=True)

    @property
    def master_states(self) -> tuple[MasterState, ...]:
        """One master that has answered."""
        return (MasterState("feed", ok=True, servers=self.progress.targets, is_done=True),)

    @property
    def is_finished(self) -> bool:
        """Whether the scan has ended."""
        return self.scan.finished.is_set()


def _no_demo(_servers: int) -> NoReturn:
    raise NotImplementedError


def _silent_scan() -> Scan:
    """Return a scan that has ended without sending anything."""
    scan = FeedScan()
    scan.finished.set()
    return scan.as_scan()


class MeasuredWindow:
    """A shown window of 1280 × 800 px; a context manager.

    `start_poll` is what its refresh by hand does.

    `home`: where its user's files are; None: a new folder.
    """

    def __init__(self, games: GameRegistry, start_poll: StartPoll, home: Path | None = None) -> None:
        self.app = QApplication([])
        self._ends = ExitStack()
        home = home or Path(self._ends.enter_context(tempfile.TemporaryDirectory()))
        paths = UserPaths(home / "settings", home / "data", home / "cache")
        presets = load_presets(resource_folder() / "ranking")
        context = AppContext(games, presets, lambda *, demo: UserStorage(paths), _no_demo, lambda _: 0, lambda _: None)
        for name, replacement in (
            ("start_poll", lambda _service, known: start_poll(known)),
            ("query_server", lambda _service, _target: _silent_scan()),
        ):
            self._ends.enter_context(patch.object(QueryService, name, replacement))
        options = WindowOptions(own_skill=1500.0)
        program = self._ends.enter_context(WindowProgram(options, context, self.app, "light"))
        program.settings.set(AUTOMATIC_REFRESH, False)
        self.catalogue, self.live, self.window = program.backend.catalogue, program.backend.server_list, program.window
        self.skill = program.backend.skill_backend
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
    """Return how long the work takes, ms."""
    began_s = time.perf_counter()
    action()
    return (time.perf_counter() - began_s) * 1e3
