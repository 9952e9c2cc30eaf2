"""The import of the plot library in steps."""

import subprocess
import sys
import threading

import pytest
from pytestqt.qtbot import QtBot
from skill_view_helpers import example_state
from window_helpers import AppDriver

from browser_app.ui.skill import plot_preloader
from browser_app.ui.skill.plot_preloader import PlotPreloader

_IMPORT_ALL = """
import gc, sys
from browser_app.ui.skill.plot_preloader import IMPORT_STEPS
*steps, freeze = IMPORT_STEPS
for step in steps:
    assert "browser_app.ui.skill.over_time.rating_plot" not in sys.modules
    step()
freeze()
print(gc.get_freeze_count(), "pyqtgraph" in sys.modules, "browser_app.ui.skill.over_time.rating_plot" in sys.modules)
gc.freeze()  # as the program does before its window opens
before, kept = gc.get_freeze_count(), [[] for _ in range(100)]
freeze()
print(gc.get_freeze_count() - before >= len(kept))
"""


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Replace the steps by two that add their thread to the returned list."""
    threads = list[threading.Thread]()

    def run() -> None:
        threads.append(threading.current_thread())

    monkeypatch.setattr(plot_preloader, "IMPORT_STEPS", (run, run))
    return threads


def test_steps_run_once_in_gui_thread(steps: list[threading.Thread], qtbot: QtBot) -> None:
    preloader = PlotPreloader()
    preloader.schedule()
    preloader.schedule()
    assert not steps  # the first paint comes before
    qtbot.waitUntil(lambda: len(steps) == 1)
    qtbot.waitUntil(lambda: len(steps) == 2)
    preloader.schedule()
    assert not preloader.is_scheduled
    assert set(steps) == {threading.main_thread()}


def test_close_leaves_out_steps(steps: list[threading.Thread], qtbot: QtBot) -> None:
    preloader = PlotPreloader()
    preloader.schedule()
    qtbot.waitUntil(lambda: bool(steps))
    preloader.close()
    assert not preloader.is_scheduled
    assert len(steps) == 1


@pytest.mark.usefixtures("steps")
def test_waits_for_view_and_data(app: AppDriver) -> None:
    skill_model, preloader = app.program.backend.skill_backend.model, app.window.skill_controller._plot_preloader
    skill_model.changed.emit()
    assert app.window.skill_controller.view is not None
    assert not preloader.is_scheduled
    skill_model.state = example_state()
    skill_model.changed.emit()
    assert preloader.is_scheduled


def test_last_steps_import_and_freeze() -> None:
    ran = subprocess.run([sys.executable, "-c", _IMPORT_ALL], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["0 True True", "True"]
