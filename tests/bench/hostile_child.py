"""Child: a new window refreshes its list and measures its masters' cost."""

import os
import tempfile
import time
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

import memory
from bench_child import answer_parent
from hostile_masters import REMOTE
from hostile_result import ObservedRefresh
from measured_window import HEIGHT, WIDTH
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from browser_app.app import start_demo
from browser_app.application.app_context import AppContext, SourceOptions, WindowOptions
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.engine.masters import udp_master_client
from browser_app.engine.network import http_client
from browser_app.engine.network.address_rules import NetworkScope, network_scope
from browser_app.games import load_games, load_presets
from browser_app.paths import UserPaths, resource_folder
from browser_app.storage.setting_declarations import SCAN_PACE
from browser_app.storage.user_storage import UserStorage
from browser_app.window_app import WindowProgram
from browser_app.window_app.qt_application import create_application

FRAME_MS = 16
_SCHEDULE = Path("/proc/self/schedstat")
"""Scheduler statistics of the main thread."""
LEAST_MS = 5_000
"""Frames are counted for at least this long."""
_SETTLE_MS = 3_000
"""Between two refreshes: after its first poll the window loads My Skill, which is not the masters' doing."""


class RefreshMonitor:
    """Paints the list every 16 ms and records when answers and frames come."""

    def __init__(self, program: WindowProgram) -> None:
        self.refresh = ObservedRefresh()
        self._live = program.backend.server_list
        self._table = program.window.servers_view.table
        self._loop = QEventLoop()
        self._last: tuple[float, float, float] | None = None
        self._began_s = self._began_processor_s = 0.0
        self._live.running_changed.connect(self._on_running)
        self._live.results_received.connect(self._on_results)

    def run(self, limit_ms: int) -> ObservedRefresh:
        """Observe one refresh that has begun or is about to, for at most `limit_ms`."""
        self.refresh, self._last = ObservedRefresh(), None
        self._began_s, self._began_processor_s = time.perf_counter(), time.process_time()
        clock = QTimer(timerType=Qt.TimerType.PreciseTimer, interval=FRAME_MS)
        clock.timeout.connect(self._frame)
        clock.start()
        limit = QTimer(singleShot=True, interval=limit_ms)
        limit.timeout.connect(self._loop.quit)
        limit.start()
        self._loop.exec()
        clock.stop()
        limit.stop()
        found, poll = self.refresh, self._live.poll
        found.processor_s = time.process_time() - self._began_processor_s
        found.peak_mb = memory.peak_mb()
        if poll is not None:
            found.sent = poll.progress.sent
            found.masters = {each.url: f"{each.servers} {each.error or ''}" for each in poll.master_states}
        return found

    def _on_running(self, running: bool) -> None:
        if not running:
            self.refresh.poll_s = self._elapsed_s()
            QTimer.singleShot(max(0, LEAST_MS - int(self._elapsed_s() * 1e3)), self._loop.quit)

    def _elapsed_s(self) -> float:
        return time.perf_counter() - self._began_s

    def _on_results(self, results: list[QueryResult]) -> None:
        now_s = self._elapsed_s()
        for result in results:
            if result.status is QueryStatus.OK:
                self.refresh.answered.setdefault(str(result.target.address), now_s)

    def _frame(self) -> None:
        self._table.viewport().repaint()
        now, before = (time.perf_counter(), time.process_time(), _waited_s()), self._last
        self._last = now
        if before is not None:
            gap_ms, used_ms, waited_ms = ((end - begin) * 1e3 for begin, end in zip(before, now, strict=True))
            self.refresh.gaps_ms.append(gap_ms)
            self.refresh.own_gaps_ms.append(min(gap_ms - waited_ms, used_ms))
        is_open = self._live.is_running and self.refresh.masters_s != self.refresh.masters_s
        if is_open and (poll := self._live.poll) is not None and all(state.is_done for state in poll.master_states):
            self.refresh.masters_s = self._elapsed_s()


def _waited_s() -> float:
    """Return how long Linux kept the window's ready thread waiting for a processor, s."""
    return int(_SCHEDULE.read_text(encoding="ascii").split()[1]) / 1e9


def measure(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Poll `masters`, with `again` twice, each time for `limit_ms` at most.

    Those at `REMOTE` may list public servers only.
    """

    def scope(host: str) -> NetworkScope:
        return NetworkScope.INTERNET if host == REMOTE else network_scope(host)

    with ExitStack() as ends:
        home = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"READY_ROOM_HOME": str(home), "READY_ROOM_STEAM_KEY": request["key"]}
        for module in (http_client, udp_master_client):
            ends.enter_context(patch.object(module, "network_scope", scope))
        app = create_application()
        program = ends.enter_context(_program(app, home, request["masters"]))
        program.storage.settings.set(SCAN_PACE, "fast")
        program.window.resize(WIDTH, HEIGHT)
        monitor = RefreshMonitor(program)
        program.show()
        refreshes = [monitor.run(request["limit_ms"])]
        if request["again"]:
            settled = QEventLoop()
            QTimer.singleShot(_SETTLE_MS, settled.quit)
            settled.exec()
            program.backend.server_list.refresh()
            refreshes.append(monitor.run(request["limit_ms"]))
    return [asdict(refresh) for refresh in refreshes]


def _program(app: QApplication, home: Path, masters: list[str]) -> WindowProgram:
    paths = UserPaths(home / "settings", home / "data", home / "cache")
    games, presets = load_games(resource_folder() / "games"), load_presets(resource_folder() / "ranking")
    context = AppContext(games, presets, lambda *, demo: UserStorage(paths), start_demo, lambda _: 0, lambda _: None)
    return WindowProgram(WindowOptions(SourceOptions(masters=masters)), context, app, "light")


if __name__ == "__main__":
    answer_parent(measure)
