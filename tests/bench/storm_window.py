"""Child: the window in a storm, used as in the soak, on a network with loss, lies of servers and of masters."""

import argparse
import os
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench_child import answer_parent
from PySide6.QtWidgets import QApplication
from soak import COLUMNS, Soak, report
from storm_child import Storm, noting
from window_scene import HEIGHT, WIDTH

from browser_app.commands.context import Context
from browser_app.games import load_games, load_presets
from browser_app.paths import UserPaths, resources
from browser_app.storage.declared import PACE
from browser_app.storage.session import Session
from browser_app.window_app import WindowProgram
from browser_app.window_app.qt_application import application


def measure(request: dict[str, Any]) -> dict[str, Any]:
    """Use it for `minutes` on `masters`; the soak's budgets, and our faults."""
    storm = Storm()
    with ExitStack() as ends:
        home = Path(ends.enter_context(tempfile.TemporaryDirectory()))
        os.environ |= {"READY_ROOM_HOME": str(home), "READY_ROOM_STEAM_KEY": request["key"]}
        ends.enter_context(noting(storm))
        app = application()
        program = ends.enter_context(_program(app, home, request["masters"]))
        program.session.settings.set(PACE, "fast")
        program.window.resize(WIDTH, HEIGHT)
        soak = Soak(program)
        program.open()
        soak.run(request["minutes"])
    found = report(soak, request["servers"])
    budgets = [(each.what, each.figure, each.limit, each.unit, each.least) for each in found.budgets]
    table = found.tables[0]
    return {
        "title": table.title,
        "columns": COLUMNS,
        "table": table.rows,
        "budgets": budgets,
        "faults": storm.faults,
    }


def _program(app: QApplication, home: Path, masters: list[str]) -> WindowProgram:
    paths = UserPaths(home / "settings", home / "data", home / "cache")
    games, presets = load_games(resources() / "games"), load_presets(resources() / "ranking")
    context = Context(games, presets, lambda *, demo: Session(paths), lambda _: 0, lambda _: None)
    words = {"demo": None, "game": [], "master": masters, "server": [], "lan": False, "filter": "", "skill": None}
    return WindowProgram(argparse.Namespace(**words, preset=None), context, app, "light")


if __name__ == "__main__":
    answer_parent(measure)
