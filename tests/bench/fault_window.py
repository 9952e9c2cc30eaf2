"""Child: the window on a faulty network, used as in the soak.

The network loses packets, and has faulty servers and masters.
"""

import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench_child import answer_parent
from fault_child import FaultObservations, recorded_errors
from measured_window import HEIGHT, WIDTH
from PySide6.QtWidgets import QApplication
from soak import COLUMNS, Soak, report

from browser_app.app import start_demo
from browser_app.application.app_context import AppContext, SourceOptions, WindowOptions
from browser_app.games import load_games, load_presets
from browser_app.paths import UserPaths, resource_folder
from browser_app.storage.setting_declarations import SCAN_PACE
from browser_app.storage.user_storage import UserStorage
from browser_app.window_app import WindowProgram
from browser_app.window_app.qt_application import create_application

REFRESH_MS = 30_000


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Use it for `minutes` on `masters`; return the soak's budgets, and errors."""
    observed = FaultObservations()
    with ExitStack() as ends:
        home = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"READY_ROOM_HOME": str(home), "READY_ROOM_STEAM_KEY": request["key"]}
        ends.enter_context(recorded_errors(observed))
        app = create_application()
        program = ends.enter_context(_program(app, home, request["masters"]))
        program.storage.settings.set(SCAN_PACE, "fast")
        program.window.resize(WIDTH, HEIGHT)
        soak = Soak(program, REFRESH_MS)
        program.show()
        soak.run(request["minutes"])
    found = report(soak, request["servers"])
    budgets = [(each.what, each.figure, each.limit, each.unit, each.is_minimum) for each in found.budgets]
    table = found.tables[0]
    return {
        "title": table.title,
        "columns": COLUMNS,
        "table": table.rows,
        "budgets": budgets,
        "errors": observed.errors,
    }


def _program(app: QApplication, home: Path, masters: list[str]) -> WindowProgram:
    paths = UserPaths(home / "settings", home / "data", home / "cache")
    games, presets = load_games(resource_folder() / "games"), load_presets(resource_folder() / "ranking")
    context = AppContext(games, presets, lambda *, demo: UserStorage(paths), start_demo, lambda _: 0, lambda _: None)
    sources = SourceOptions(masters=masters)
    return WindowProgram(WindowOptions(sources), context, app, "light")


if __name__ == "__main__":
    answer_parent(measure)
