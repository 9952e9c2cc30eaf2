"""The import of the plot library in a background thread."""

import gc
import threading
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot
from skill_view_helpers import example_state
from window_helpers import AppDriver

from browser_app.ui.skill import skill_controller
from browser_app.ui.skill.skill_controller import PlotPreloader, import_plot_modules


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Return the threads in which the modules were imported."""
    threads: list[threading.Thread] = []
    monkeypatch.setattr(skill_controller, "import_plot_modules", lambda: threads.append(threading.current_thread()))
    return threads


@pytest.fixture
def unfrozen() -> Iterator[None]:
    """Unfreeze objects after a test."""
    yield
    gc.unfreeze()


def test_imports_once_in_a_thread(threads: list[threading.Thread], qtbot: QtBot) -> None:
    loaded = PlotPreloader()
    loaded.schedule()
    loaded.schedule()
    assert not threads  # the first paint comes before
    qtbot.waitUntil(lambda: bool(threads))
    loaded.schedule()
    loaded.close()
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()


@pytest.mark.usefixtures("qapp")
def test_closing_cancels_the_import(threads: list[threading.Thread]) -> None:
    loaded = PlotPreloader()
    loaded.schedule()
    loaded.close()
    assert not loaded._start_timer.isActive()
    assert not threads


@pytest.mark.usefixtures("threads")
def test_waits_for_view_and_data(app: AppDriver) -> None:
    skill_model = app.program.backend.skill_backend.model
    skill_model.changed.emit()
    assert app.window.skill_controller.view is not None
    assert not app.window.skill_controller._plot_preloader._start_timer.isActive()
    skill_model.state = example_state()
    skill_model.changed.emit()
    assert app.window.skill_controller._plot_preloader._start_timer.isActive()


@pytest.mark.usefixtures("unfrozen")
def test_freezes_only_after_frozen_start() -> None:
    import_plot_modules()
    assert gc.get_freeze_count() == 0
    gc.freeze()
    before = gc.get_freeze_count()
    kept_objects: list[list[int]] = [[] for _ in range(100)]
    import_plot_modules()
    assert gc.get_freeze_count() >= before + len(kept_objects)
