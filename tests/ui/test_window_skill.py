"""My skill in the window: from rounds that are dropped to the list that follows, by mouse and by keys."""

import dataclasses
import json
import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from skill_view_rig import ME, matches
from window_rig import Room

from browser_app.bridge.skill.shown import Work
from browser_app.catalogue.facts import Answer, Status
from browser_app.commands.screenshot import PAGES as PAGES_TO_DRAW
from browser_app.rounds.writing import object_of
from browser_app.storage.declared import MY_SKILL
from browser_app.storage.identities import KeptIdentity
from browser_app.ui.columns import COLUMNS
from browser_app.ui.lists import GAME
from browser_app.ui.skill.empty import Lack
from browser_app.ui.skill.now_page import NowPage
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.pages import NOW, OVER_TIME, PAGES
from browser_app.ui.window import SERVERS, SKILL

CTRL = Qt.KeyboardModifier.ControlModifier


def ns2_servers(room: Room, *skills: float | None) -> list[int]:
    """Have the list's first servers be of NS2 with these skills; their numbers."""
    rows = room.servers()[: len(skills)]
    for row, skill in zip(rows, skills, strict=True):
        told = room.catalogue.facts(row)
        assert told is not None
        told = dataclasses.replace(told, game="ns2", server_skill=skill, players=8, mode="ns2")
        room.live.take([Answer(room.catalogue.targets[row], Status.OK, told, None, 30.0, False, 1, 0.0)])
    room.live.rescore()
    return rows


def test_the_view_is_reached_by_key_and_the_status_line_goes_with_it(room: Room) -> None:
    before = room.window.status.texts()
    assert "Order live" in before
    room.press(Qt.Key.Key_2, CTRL)
    assert room.window.switch.currentIndex() == SKILL
    assert room.window.skill.view.isVisible()
    assert not room.window.filter_field.isEnabled()
    assert not room.window.status._ordering.isVisible()
    assert room.window.skill.view.asked.isVisible()
    room.press(Qt.Key.Key_L, CTRL)
    assert room.window.skill.view.side.narrow
    assert not room.window.servers.side.narrow
    assert room.window.skill.view.page == NOW
    room.press(Qt.Key.Key_Tab, CTRL)
    assert room.window.skill.view.page == OVER_TIME
    QGuiApplication.clipboard().setText("mine")
    room.press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "mine"  # not a server's address
    room.press(Qt.Key.Key_1, CTRL)
    assert room.window.switch.currentIndex() == SERVERS
    assert room.window.status._ordering.isVisible()
    assert not room.window.skill.view.asked.isVisible()


def test_the_first_run_page_asks_who_the_user_is(room: Room) -> None:
    room.window.servers.first_run.skill_wanted.emit()
    assert room.window.switch.currentIndex() == SKILL
    dialog = room.window.skill.who.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()


def test_escape_stops_what_is_worked_out(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(room.program.skill.panel, "cancel", lambda: stopped.append(True))
    room.press(Qt.Key.Key_2, CTRL)
    room.press(Qt.Key.Key_Escape)
    assert not stopped  # nothing is worked out
    room.program.skill.panel.progressed.emit(Work("rate", 1, 2))
    room.press(Qt.Key.Key_Escape)
    assert stopped


def test_a_number_typed_in_is_in_the_list_its_explanation_and_play_now_at_once(room: Room) -> None:
    near, far = ns2_servers(room, 1600.0, 2600.0)
    assert room.catalogue.factor_columns["skill"][[near, far]].tolist() == [1.0, 1.0]
    room.program.settings.set(MY_SKILL, {"ns2": 1640.0})
    room.wait(lambda: room.catalogue.factor_columns["skill"][far] < 0.5)
    assert room.catalogue.factor_columns["skill"][near] == pytest.approx(math.exp(-0.1 * 40 * math.sqrt(7 / 12) / 100))
    assert room.model.rows(0, room.model.rowCount() - 1)[room.servers().index(far)].skill_distance == 960.0
    assert room.program.scoring.play_options(frozenset()).player_skill == {"ns2": 1640.0}
    room.program.settings.set(MY_SKILL, {})
    room.wait(lambda: room.catalogue.factor_columns["skill"][far] == 1.0)


def test_the_list_opens_by_the_distance_to_the_users_skill(room: Room) -> None:
    rows = ns2_servers(room, 2600.0, 1650.0, None, 1500.0)
    room.program.settings.set(MY_SKILL, {"ns2": 1640.0})
    room.press(Qt.Key.Key_2, CTRL)
    room.window.skill.view.list_wanted.emit("ns2")
    assert room.window.switch.currentIndex() == SERVERS
    assert room.window.servers.side.current == GAME + "ns2"
    assert room.servers() == [rows[1], rows[3], rows[0], rows[2]]
    assert COLUMNS[room.table.header._sorted].key == "skill"
    room.click_header("skill")
    assert room.servers()[0] == rows[0]


def write_rounds(folder: Path, rounds: int = 60) -> Path:
    """A file of rounds of NS2."""
    path = folder / "rounds.jsonl"
    lines = [json.dumps(object_of(match) | {"game": "ns2"}) for match in matches(rounds)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def shown_value(room: Room) -> float | None:
    shown = room.program.skill.panel.shown
    return None if shown is None else shown.now.value


def test_dropped_rounds_are_rated_shown_and_counted_in_the_list(room: Room, tmp_path: Path) -> None:
    near, far = ns2_servers(room, 0.0, 2600.0)  # of a system where newcomers begin at 0
    room.press(Qt.Key.Key_2, CTRL)
    view, panel = room.window.skill.view, room.program.skill.panel
    assert view.empty.lack is Lack.ROUNDS
    panel.import_paths([write_rounds(tmp_path)])
    room.wait(lambda: view.empty.lack is Lack.SELF)
    assert view.empty.what.text() == "60 rounds are known"
    room.program.session.identities.add(KeptIdentity("ns2", "name", ME))
    room.window.skill.who.changed.emit()
    room.wait(lambda: shown_value(room) is not None)
    page = view.stack.currentWidget()
    assert isinstance(page, NowPage)
    value = shown_value(room)
    assert value is not None
    assert page.head.rating.text() == points_words(value)
    room.wait(lambda: panel.points_for_list().get("ns2") == value)
    assert room.program.scoring.skill["ns2"] == value
    factor = room.catalogue.factor_columns["skill"]
    assert factor[far] < factor[near] < 1.0
    assert page.use.texts()[0].startswith(points_words(value))
    assert page.use.texts()[0].endswith("feeds the skill factor of 2 NS2 servers now.")
    assert "60 rounds" in view.status.texts()[0]


def test_the_pages_that_can_be_drawn_are_those_there_are() -> None:
    assert tuple(kind.key for kind in PAGES) == PAGES_TO_DRAW
