"""Rebuilding the window after a change of language or size."""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from join_helpers import FakeArenaServer, game_on_path, open_app_with
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver, OpenApp

from browser_app import language
from browser_app.application.poll_session import QueryService
from browser_app.bridge.list_refresher import RefreshState
from browser_app.paths import resource_folder
from browser_app.storage.own_skill.round_insertion import RoundInsertCounts
from browser_app.storage.own_skill.round_store import RoundStore
from browser_app.storage.setting_declarations import LANGUAGE, UI_SCALE
from browser_app.ui.inspector.inspector_pages import NOTES_PAGE
from browser_app.ui.window_shortcuts import SKILL_VIEW
from browser_app.ui.window_state import WindowState
from browser_app.window_app import window_program

_PROGRAM = """
import json, sys
from PySide6.QtCore import QTimer
from browser_app import app
from browser_app.storage.setting_declarations import LANGUAGE, UI_SCALE
from browser_app.ui.skill.over_time import rating_plot  # its library draws too
from browser_app.window_app import window_program

window_program.RESTART_DELAY_MS = 1
show, steps = window_program.WindowProgram.show, [(LANGUAGE, "de"), (UI_SCALE, 200.0), None]

def show_and_step(self, state=None):
    show(self, state)
    window, step = self.window, steps.pop(0)
    if state is None:
        window.settings_controller.open_settings()
    def go_on():
        button = window.play_now_bar.button
        said = button.accessibleName(), window.devicePixelRatio(), window.settings_controller.is_open
        print(json.dumps([*said, window.grab().width() // window.width()]), flush=True)
        window.close() if step is None else self.settings.set(*step)
    QTimer.singleShot(100, window, go_on)

window_program.WindowProgram.show = show_and_step
sys.exit(app.run_program(["--server=a2s://127.0.0.1:9"]))
"""


def test_language_and_scale_apply_at_once(home: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "READY_ROOM_HOME": str(home)}
    environment.pop("QT_SCALE_FACTOR", None)
    command = [sys.executable, "-c", _PROGRAM]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, [line for line in ran.stderr.splitlines() if "propagateSizeHints" not in line]) == (0, [])
    assert [json.loads(line) for line in ran.stdout.splitlines()] == [
        ["Play Now", 1.0, True, 1],
        ["Jetzt spielen", 1.0, True, 1],
        ["Jetzt spielen", 2.0, True, 2],
    ]


def window_state_at(app: AppDriver, setting: object, value: object) -> WindowState:
    with app.bot.waitSignal(app.program.restart_monitor.restart_requested) as received:
        app.program.settings.set(setting, value)  # type: ignore[arg-type]
    assert received.args is not None
    (state,) = received.args
    assert isinstance(state, WindowState)
    return state


def test_rebuilt_window_restores_state(open_app: OpenApp) -> None:
    app = open_app()
    window = app.window
    app.filter("players>0")
    selected = app.servers()[3]
    app.table.select_server(selected)
    window.servers_view.inspector.show_page(NOTES_PAGE)
    app.press(Qt.Key.Key_Escape)
    app.table.setFocus()
    app.press(Qt.Key.Key_Space)
    window.settings_controller.open_settings()
    window.view_switch.setCurrentIndex(SKILL_VIEW)
    address = app.catalogue.targets[selected].address
    try:
        state = window_state_at(app, LANGUAGE, "de")
        app.end()
        again = open_app(shown=False)
        again.program.show(state)
        again.wait(lambda: again.window.servers_view.inspector_controller.server == again.catalogue.row_of(address))
        assert again.window.servers_view.inspector.current_page == NOTES_PAGE
        assert again.window.servers_view.is_paused
        assert again.window.view_switch.currentIndex() == SKILL_VIEW
        assert again.window.settings_controller.is_open
        assert again.window.play_now_bar.button.accessibleName() == "Jetzt spielen"
    finally:
        language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_new_language_queries_no_server_anew(open_app: OpenApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_app()
    app.table.select_server(app.servers()[3])
    app.settle()
    before, players = app.servers(), app.catalogue.player_lists.copy()
    selected = app.table.selected_server()
    try:
        state = window_state_at(app, LANGUAGE, "de")
        app.end()
        monkeypatch.setattr(QueryService, "start_poll", lambda *_: pytest.fail("the list is polled"))
        again = open_app(shown=False, carried_over=state.server_list)
        again.program.show(state)
        assert again.servers() == before
        assert again.table.selected_server() == selected
        assert again.catalogue.player_lists == players
        assert again.program.backend.list_refresher.state is RefreshState.LIVE
        assert again.window.play_now_bar.button.accessibleName() == "Jetzt spielen"
    finally:
        language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_list_that_is_being_polled_is_not_continued(open_app: OpenApp) -> None:
    app = open_app()
    assert app.live.list_to_carry_over() is not None
    app.live.refresh()
    assert app.live.list_to_carry_over() is None


def test_unchanged_settings_do_not_rebuild(app: AppDriver) -> None:
    wanted: list[object] = []
    app.program.restart_monitor.restart_requested.connect(wanted.append)
    app.program.settings.set(UI_SCALE, 150.0)
    app.program.settings.set(UI_SCALE, 120.0)
    app.wait(lambda: wanted)
    assert len(wanted) == 1
    assert isinstance(wanted[0], WindowState)
    assert wanted[0].open_setting == ""


def test_rebuild_waits_while_busy(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window_program, "RESTART_DELAY_MS", 1)
    in_hand = iter([True, True, False])
    watch = window_program.RestartMonitor(app.program.settings, app.window, lambda: next(in_hand))
    with app.bot.waitSignal(watch.restart_requested):
        app.program.settings.set(UI_SCALE, 150.0)
    assert next(in_hand, None) is None


def test_import_delays_rebuild(app: AppDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    goes_on, busy = Event(), app.program.restart_monitor.is_busy

    def take(*_given: object, **_named: object) -> RoundInsertCounts:
        goes_on.wait()
        return RoundInsertCounts(0, 0)

    monkeypatch.setattr(RoundStore, "add_file", take)
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_text("{}\n")
    assert not busy()
    app.program.backend.skill_backend.importer.import_paths([rounds])
    try:
        assert busy()
    finally:
        goes_on.set()
    app.wait(lambda: not busy())


def test_dialog_or_hidden_window_delays_rebuild(app: AppDriver) -> None:
    busy = app.program.restart_monitor.is_busy
    app.window.settings_controller.open_settings()
    assert not busy()  # it is opened again
    alerts = app.window.user_lists_controller.alerts_controller
    alerts.open_dialog()
    assert busy()
    alerts.close_dialog()
    assert not busy()
    app.window.hide()
    assert busy()
    app.window.show()
    assert not busy()


def test_join_delays_rebuild(qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        game_on_path(tmp_path / "bin", monkeypatch),
        open_app_with(qtbot, qapp, FakeArenaServer("Calm"), countdown_s=9.0) as app,
    ):
        busy = app.program.restart_monitor.is_busy
        app.bot.mouseClick(app.play_now_bar.button, Qt.MouseButton.LeftButton)
        assert busy()
        app.wait(lambda: app.play_now_bar.is_counting_down)
        assert not app.program.backend.play_now.is_running
        assert busy()
        app.press(Qt.Key.Key_Escape)
        assert not busy()
        app.window.join_controller.ask_about_second_game(app.window.join_controller.cancel)
        assert busy()
        app.press(Qt.Key.Key_Escape)
        assert not busy()
