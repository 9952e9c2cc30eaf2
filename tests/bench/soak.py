"""Soak test: the whole window on a living demo network, in use for hours.

`packaging/dev.py soak [--minutes 15] [--servers 2000]`. One server stays selected, in sight, in a scrolled list that
keeps itself fresh. Minutes of use and of idleness alternate: in the first the list is painted whole at 60 frames a
second, which is more than scrolling costs, and every few seconds a user's action is performed. Memory, frames,
packets, CPU time and the selection are watched; the exit status is 1 when a budget is broken.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path

import memory
from bench_report import Budget, Cell, Report, Table, cell_text, machine, quantile
from measured_window import HEIGHT, WIDTH
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from browser_app.app import start_demo
from browser_app.application.app_context import AppContext, SourceOptions, WindowOptions
from browser_app.engine.refresh_schedule import PLAYERS_PACKETS
from browser_app.games import load_games, load_presets
from browser_app.paths import UserPaths, resource_folder
from browser_app.storage.setting_declarations import LIST_REFRESH_MIN, VISIBLE_REFRESH_S
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.inspector.inspector_pages import INSPECTOR_PAGES
from browser_app.window_app import WindowProgram
from browser_app.window_app.qt_application import create_application

FRAME_MS = 16
ACTION_MS = 4_000
REFRESH_MS = 870_000
"""Between two refreshes by hand, which are left out in idle minutes."""
MINUTE_MS = 60_000
WARM_MINUTES = 2
"""Caches fill in this time; growth is counted from then on."""
SCROLLED_TO, SELECTED = 40, 50
"""Rows of the list: the first in sight, and the selected one."""

PACKET_TOLERANCE = 1.1
"""Servers that were queried together once are not spread evenly at once."""

COLUMNS = ("minute", "memory MB", "frames/s", "gap p50 ms", "p99", "max", "answers", "packets/s", "CPU %")


@dataclass
class Minute:
    """Figures of one minute."""

    is_idle: bool
    gap_p50_ms: float | None = None
    gap_p99_ms: float | None = None
    gap_max_ms: float | None = None
    frames_per_s: float | None = None
    answers: int = 0
    memory_mb: float = 0.0
    packets_per_s: float = 0.0
    """Packets of the automatic refresh."""
    cpu_percent: float = 0.0

    def row(self, number: int) -> list[Cell]:
        """Return row `number` of the table; an idle minute has no frames."""
        title = f"{number} idle" if self.is_idle else number
        frames = (self.frames_per_s, self.gap_p50_ms, self.gap_p99_ms, self.gap_max_ms)
        return [title, self.memory_mb, *frames, self.answers, self.packets_per_s, self.cpu_percent]

    def read_gaps(self, gaps_ms: Sequence[float]) -> None:
        """Compute the figures of the gaps between frames."""
        if gaps_ms:
            self.frames_per_s = 1e3 * len(gaps_ms) / sum(gaps_ms)
            self.gap_p50_ms, self.gap_p99_ms = quantile(gaps_ms, 0.5), quantile(gaps_ms, 0.99)
            self.gap_max_ms = max(gaps_ms)


class Soak:
    """Uses the window and watches it."""

    def __init__(self, program: WindowProgram, refresh_ms: int = REFRESH_MS) -> None:
        self._program, self._view = program, program.window.servers_view
        self._refresher = program.backend.list_refresher
        self._table = self._view.table
        self._refresh_ms = refresh_ms
        self._server = -1
        self._top: int | None = None
        self.minutes = [Minute(is_idle=False)]
        self._gaps_ms: list[float] = []
        """Between the frames of this minute."""
        self.gap_tenths_ms: Counter[int] = Counter()
        """How often each gap came, warm minutes only; all gaps would be part of the memory that is watched."""
        self.lost = self.moved = self.actions = 0
        """How often the selection was another server; how often it moved by itself; how many actions were performed."""
        self._actions = cycle(self._list_actions())
        self._use_timers: list[QTimer] = []
        self._began = self._counters()
        self._last_frame: float | None = None
        program.backend.server_list.results_received.connect(self._count)

    def run(self, minutes: float) -> None:
        """Use the window for a time, from the first complete list on."""
        self._settle()
        self._began = self._counters()
        self._use_timers = [_timer(FRAME_MS, self._frame), _timer(ACTION_MS, self._perform_action)]
        others = [
            _timer(MINUTE_MS, self._minute_over),
            _timer(self._refresh_ms, self._refresh),
        ]
        _wait(minutes * MINUTE_MS)
        if self._counters()[0] - self._began[0] > MINUTE_MS / 2e3:
            self._minute_over()
        self.minutes.pop()  # the one that has just begun
        for timer in (*self._use_timers, *others):
            timer.stop()

    @property
    def packet_limit(self) -> float:
        """Return the packets per second that a refresh needs if all servers have players."""
        rates = len(self._view.server_list.catalogue) / (60 * LIST_REFRESH_MIN.default)
        rates += len(self._view.rows_in_sight()) / VISIBLE_REFRESH_S.default
        return PACKET_TOLERANCE * PLAYERS_PACKETS * rates

    def _counters(self) -> tuple[float, float, int]:
        return time.perf_counter(), time.process_time(), self._refresher.packets.sent

    def _settle(self) -> None:
        loop = QEventLoop()
        self._program.backend.server_list.running_changed.connect(lambda running: None if running else loop.quit())
        loop.exec()
        self._table.verticalScrollBar().setValue(SCROLLED_TO * self._table.verticalHeader().defaultSectionSize())
        self._table.setCurrentIndex(self._table.model().index(SELECTED, 0))
        self._server, self._top = self._table.selected_server(), self._place()
        self._view.server_order.order_changed.connect(self._watch, Qt.ConnectionType.QueuedConnection)

    def _list_actions(self) -> list[Callable[[], object]]:
        window, inspector = self._program.window, self._view.inspector
        return [
            lambda: window.filter_field.set_text("players>=2"),
            lambda: window.filter_field.set_text(""),
            lambda: self._view.server_order.set_sort_column("ping"),
            lambda: self._view.server_order.set_sort_column("name"),
            lambda: self._view.server_order.set_sort_column("score"),
            *(
                partial(inspector.show_page, page)
                for page in (*(spec.key for spec in INSPECTOR_PAGES[1:]), INSPECTOR_PAGES[0].key)
            ),
            lambda: window.view_switch.setCurrentIndex(1),
            lambda: window.view_switch.setCurrentIndex(0),
        ]

    def _perform_action(self) -> None:
        next(self._actions)()
        self.actions += 1
        self._table.scrollTo(self._table.currentIndex())
        self._top = self._place()

    def _watch(self) -> None:
        """Check the selection after a new order: same server, same place.

        It need not be selected while it does not pass the filter just typed, as its players have left. It may move if
        it was not in sight before, and if the list has come to its end: the second best cannot have ten rows above it.
        """
        passes = self._view.server_order.matching_rows(self._view.server_list.catalogue)[self._server]
        selected = self._table.selected_server()
        if passes and selected != self._server:
            self.lost += 1
            sys.stderr.write(f"server {selected} is selected instead of {self._server}, after {self.actions} actions\n")
        top, self._top = self._top, self._place()
        bar = self._table.verticalScrollBar()
        if None not in (top, self._top) and top != self._top and bar.minimum() < bar.value() < bar.maximum():
            self.moved += 1
            sys.stderr.write(f"the selection moved from {top} to {self._top} px, the list is at {bar.value()} px\n")

    def _place(self) -> int | None:
        """Return the top of the selected row, None if there is none in sight."""
        row = self._table.visualRect(self._table.currentIndex())
        return row.top() if row.intersects(self._table.viewport().rect()) else None

    def _frame(self) -> None:
        self._table.viewport().repaint()
        now = time.perf_counter()
        if self._last_frame is not None:
            self._gaps_ms.append((now - self._last_frame) * 1e3)
        self._last_frame = now

    def _refresh(self) -> None:
        if not self.minutes[-1].is_idle:
            self._program.backend.server_list.refresh()

    def _minute_over(self) -> None:
        """End the minute and print its figures at once, before anything can fail."""
        minute, number, now = self.minutes[-1], len(self.minutes), self._counters()
        wall_s, cpu_s, packets = (after - before for before, after in zip(self._began, now, strict=True))
        minute.memory_mb = memory.resident_mb()
        minute.read_gaps(self._gaps_ms)
        if number > WARM_MINUTES:
            self.gap_tenths_ms.update(round(10 * gap) for gap in self._gaps_ms)
        self._gaps_ms.clear()
        minute.packets_per_s, minute.cpu_percent = packets / wall_s, 100 * cpu_s / wall_s
        shown = zip(COLUMNS, minute.row(number), strict=True)
        sys.stderr.write(", ".join(f"{name} {cell_text(cell)}" for name, cell in shown) + "\n")
        self.minutes.append(Minute(is_idle=not minute.is_idle))
        self._last_frame = None
        for timer in self._use_timers:
            timer.stop() if self.minutes[-1].is_idle else timer.start()
        self._began = self._counters()

    def _count(self, answers: list[object]) -> None:
        self.minutes[-1].answers += len(answers)


def report(soak: Soak, servers: int) -> Report:
    """Return a table with a row per minute, and the budgets."""
    title = f"{servers:,} servers, {soak.actions} actions, selection lost {soak.lost} and moved {soak.moved} times"
    table = Table(title, COLUMNS, [minute.row(number) for number, minute in enumerate(soak.minutes, 1)])
    warm = soak.minutes[WARM_MINUTES:] or soak.minutes[-1:]
    idle = [minute.cpu_percent for minute in warm if minute.is_idle]
    gaps = [tenths / 10 for tenths in soak.gap_tenths_ms.elements()]
    budgets = [
        Budget("memory, the most", max(minute.memory_mb for minute in soak.minutes), 350, "MB"),
        Budget(f"growth after minute {WARM_MINUTES}", warm[-1].memory_mb - warm[0].memory_mb, 10, "MB"),
        Budget("frames", 1e3 * len(gaps) / sum(gaps) if gaps else float("nan"), 55, "/s", is_minimum=True),
        Budget("frame gap p99", quantile(gaps, 0.99), 25, "ms"),
        Budget("packets of the refresh, the most", max(each.packets_per_s for each in warm), soak.packet_limit, "/s"),
        Budget("CPU while idle, mean", statistics.fmean(idle) if idle else float("nan"), 2, "%"),
        Budget("selection lost", soak.lost, 0, "times"),
        Budget("selection moved by itself", soak.moved, 0, "times"),
    ]
    return Report([table], budgets)


def main() -> int:
    """Run the soak test and print its figures."""
    parser = argparse.ArgumentParser(description="Watch the whole window on a living demo network for a long time.")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--servers", type=int, default=2000)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with ExitStack() as ends:
        os.environ["READY_ROOM_HOME"] = ends.enter_context(tempfile.TemporaryDirectory())
        app = create_application()
        program = ends.enter_context(demo_program(app, Path(os.environ["READY_ROOM_HOME"]), options.servers))
        program.window.resize(WIDTH, HEIGHT)
        soak = Soak(program)
        program.show()
        soak.run(options.minutes)
    found = report(soak, options.servers)
    sys.stdout.write(f"\n{machine()}\n\n{found.text()}\n")
    return 0 if all(budget.kept for budget in found.budgets) else 1


def demo_program(app: QApplication, home: Path, servers: int) -> WindowProgram:
    """Return the whole program with a demo network of its own."""
    paths = UserPaths(home / "settings", home / "data", home / "cache")
    games, presets = load_games(resource_folder() / "games"), load_presets(resource_folder() / "ranking")
    context = AppContext(games, presets, lambda *, demo: UserStorage(paths), start_demo, lambda _: 0, lambda _: None)
    sources = SourceOptions(demo_servers=servers)
    return WindowProgram(WindowOptions(sources), context, app, "light")


def _timer(interval_ms: int, work: Callable[[], object]) -> QTimer:
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(interval_ms)
    timer.timeout.connect(work)
    timer.start()
    return timer


def _wait(milliseconds: float) -> None:
    loop = QEventLoop()
    QTimer.singleShot(int(milliseconds), loop.quit)
    loop.exec()


if __name__ == "__main__":
    sys.exit(main())
