"""Another language or size: the window is set up anew, and the user stands where they stood."""

import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest
from joining_rig import Arena, a_game, a_room
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from window_rig import OpenRoom, Room

from browser_app import language
from browser_app.paths import resources
from browser_app.storage.adding_rounds import Added
from browser_app.storage.declared import LANGUAGE, SCALE
from browser_app.storage.rounds import RoundStore
from browser_app.ui.inspector import NOTES
from browser_app.ui.window import SKILL
from browser_app.ui.window_stand import WindowStand
from browser_app.window_app import renewal

_PROGRAM = """
import json, sys
from PySide6.QtCore import QTimer
from browser_app import app
from browser_app.storage.declared import LANGUAGE, SCALE
from browser_app.ui.skill.over_time import plot  # its library draws too
from browser_app.window_app import program, renewal

renewal.REST_MS = 1
open_window, steps = program.WindowProgram.open, [(LANGUAGE, "de"), (SCALE, 200.0), None]

def opened(self, stand=None):
    open_window(self, stand)
    window, step = self.window, steps.pop(0)
    if stand is None:
        window.preferences.open()
    def go_on():
        said = window.play_bar.button.accessibleName(), window.devicePixelRatio(), window.preferences.is_open
        print(json.dumps([*said, window.grab().width() // window.width()]), flush=True)
        window.close() if step is None else self.settings.set(*step)
    QTimer.singleShot(100, window, go_on)

program.WindowProgram.open = opened
sys.exit(app.run(["--server=a2s://127.0.0.1:9"]))
"""


def test_language_and_size_hold_at_once(home: Path) -> None:
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


def stand_when(room: Room, setting: object, value: object) -> WindowStand:
    with room.bot.waitSignal(room.program.renewal.wanted) as told:
        room.program.settings.set(setting, value)  # type: ignore[arg-type]
    assert told.args is not None
    (stand,) = told.args
    assert isinstance(stand, WindowStand)
    return stand


def test_a_window_that_is_set_up_anew_goes_on_where_the_user_stood(open_room: OpenRoom) -> None:
    room = open_room()
    window = room.window
    room.filter("players>0")
    selected = room.servers()[3]
    room.table.select_server(selected)
    window.servers.inspector.turn_to(NOTES)
    room.press(Qt.Key.Key_Escape)
    room.table.setFocus()
    room.press(Qt.Key.Key_Space)
    window.preferences.open()
    window.switch.setCurrentIndex(SKILL)
    address = room.catalogue.targets[selected].address
    try:
        stand = stand_when(room, LANGUAGE, "de")
        room.end()
        again = open_room(shown=False)
        again.program.open(stand)
        again.wait(lambda: again.window.servers.details.server == again.catalogue.id_of(address))
        assert again.window.servers.inspector.page == NOTES
        assert again.window.servers.paused
        assert again.window.switch.currentIndex() == SKILL
        assert again.window.preferences.is_open
        assert again.window.play_bar.button.accessibleName() == "Jetzt spielen"
    finally:
        language.use(resources() / "languages", language.ENGLISH)


def test_settings_that_need_no_new_window_leave_it_alone(room: Room) -> None:
    wanted: list[object] = []
    room.program.renewal.wanted.connect(wanted.append)
    room.program.settings.set(SCALE, 150.0)
    room.program.settings.set(SCALE, 120.0)
    room.wait(lambda: wanted)
    assert len(wanted) == 1
    assert isinstance(wanted[0], WindowStand)
    assert wanted[0].setting == ""


def test_what_the_user_waits_for_is_not_broken_off(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renewal, "REST_MS", 1)
    in_hand = iter([True, True, False])
    watch = renewal.Renewal(room.program.settings, room.window, lambda: next(in_hand))
    with room.bot.waitSignal(watch.wanted):
        room.program.settings.set(SCALE, 150.0)
    assert next(in_hand, None) is None


def test_rounds_that_are_taken_in_are_something_to_wait_for(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, busy = Event(), room.program.renewal.busy

    def take(*_given: object, **_named: object) -> Added:
        goes_on.wait()
        return Added(0, 0)

    monkeypatch.setattr(RoundStore, "add", take)
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_text("{}\n")
    assert not busy()
    room.program.skill.imports.run([rounds])
    try:
        assert busy()
    finally:
        goes_on.set()
    room.wait(lambda: not busy())


def test_a_choice_and_a_join_are_something_to_wait_for(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_game(tmp_path / "bin", monkeypatch), a_room(qtbot, qapp, Arena("Calm"), countdown_s=9.0) as room:
        busy = room.program.renewal.busy
        room.bot.mouseClick(room.play_bar.button, Qt.MouseButton.LeftButton)
        assert busy()
        room.wait(lambda: room.play_bar.counting_down)
        assert not room.program.bridge.running
        assert busy()
        room.press(Qt.Key.Key_Escape)
        assert not busy()
