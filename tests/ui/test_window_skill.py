"""My Skill in the window, from dropped rounds to the server list."""

import dataclasses
import json
import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from round_serializer import object_from_round
from skill_view_helpers import ME, simulated_rounds
from window_rig import Room

from browser_app.application.skill_state import WorkProgress
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.commands.screenshot_command import SKILL_PAGES as PAGES_TO_DRAW
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.ui.lists.server_list_membership import GAME_LIST_PREFIX
from browser_app.ui.main_window import SERVERS_VIEW, SKILL_VIEW
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.skill.now.now_page import NowPage
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.skill.skill_pages import NOW, OVER_TIME, SKILL_PAGES
from browser_app.ui.skill.view.empty_skill_page import EmptyReason

CTRL = Qt.KeyboardModifier.ControlModifier


def ns2_servers(room: Room, *skills: float | None) -> list[int]:
    """Turn the list's first servers into NS2 servers with these skills, and return their ids."""
    rows = room.servers()[: len(skills)]
    for row, skill in zip(rows, skills, strict=True):
        told = room.catalogue.server_info(row)
        assert told is not None
        told = dataclasses.replace(told, game="ns2", server_skill=skill, players=8, mode="ns2")
        room.live.merge_results(
            [QueryResult(room.catalogue.targets[row], QueryStatus.OK, told, None, 30.0, False, 1, 0.0)]
        )
    room.live.rescore()
    return rows


def test_shortcut_opens_view_and_status(room: Room) -> None:
    before = room.window.status_bar.shown_texts()
    assert "Live sorting" in before
    room.press(Qt.Key.Key_2, CTRL)
    assert room.window.view_switch.currentIndex() == SKILL_VIEW
    assert room.window.skill_controller.view.isVisible()
    assert not room.window.filter_field.isEnabled()
    assert not room.window.status_bar._order_widgets.isVisible()
    assert room.window.skill_controller.view.requests_widget.isVisible()
    room.press(Qt.Key.Key_L, CTRL)
    assert room.window.skill_controller.view.sidebar.is_collapsed
    assert not room.window.servers_view.sidebar.is_collapsed
    assert room.window.skill_controller.view.current_page == NOW
    room.press(Qt.Key.Key_Tab, CTRL)
    assert room.window.skill_controller.view.current_page == OVER_TIME
    QGuiApplication.clipboard().setText("mine")
    room.press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "mine"  # not a server's address
    room.press(Qt.Key.Key_1, CTRL)
    assert room.window.view_switch.currentIndex() == SERVERS_VIEW
    assert room.window.status_bar._order_widgets.isVisible()
    assert not room.window.skill_controller.view.requests_widget.isVisible()


def test_first_run_page_asks_for_identity(room: Room) -> None:
    room.window.servers_view.first_run_panel.skill_requested.emit()
    assert room.window.view_switch.currentIndex() == SKILL_VIEW
    dialog = room.window.skill_controller.identity_controller.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()


def test_escape_cancels_task(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(room.program.backend.skill_backend.model, "cancel", lambda: stopped.append(True))
    room.press(Qt.Key.Key_2, CTRL)
    room.press(Qt.Key.Key_Escape)
    assert not stopped  # no task is running
    room.program.backend.skill_backend.model.progress_changed.emit(WorkProgress("rate", 1, 2))
    room.press(Qt.Key.Key_Escape)
    assert stopped


def test_entered_skill_is_used_everywhere(room: Room) -> None:
    near, far = ns2_servers(room, 1600.0, 2600.0)
    assert room.catalogue.score_factors["skill"][[near, far]].tolist() == [1.0, 1.0]
    room.program.settings.set(OWN_SKILL, {"ns2": 1640.0})
    room.wait(lambda: room.catalogue.score_factors["skill"][far] < 0.5)
    assert room.catalogue.score_factors["skill"][near] == pytest.approx(math.exp(-0.1 * 40 * math.sqrt(7 / 12) / 100))
    assert room.model.rows(0, room.model.rowCount() - 1)[room.servers().index(far)].skill_distance == 960.0
    assert room.program.backend.scoring.play_options(frozenset()).player_skill == {"ns2": 1640.0}
    room.program.settings.set(OWN_SKILL, {})
    room.wait(lambda: room.catalogue.score_factors["skill"][far] == 1.0)


def test_list_sorted_by_skill_distance(room: Room) -> None:
    rows = ns2_servers(room, 2600.0, 1650.0, None, 1500.0)
    room.program.settings.set(OWN_SKILL, {"ns2": 1640.0})
    room.press(Qt.Key.Key_2, CTRL)
    room.window.skill_controller.view.server_list_requested.emit("ns2")
    assert room.window.view_switch.currentIndex() == SERVERS_VIEW
    assert room.window.servers_view.sidebar.current_key == GAME_LIST_PREFIX + "ns2"
    assert room.servers() == [rows[1], rows[3], rows[0], rows[2]]
    assert SERVER_COLUMNS[room.table.header._sorted].key == "skill"
    room.click_header("skill")
    assert room.servers()[0] == rows[0]


def write_rounds(folder: Path, rounds: int = 60) -> Path:
    """Write a file of NS2 rounds."""
    path = folder / "rounds.jsonl"
    lines = [json.dumps(object_from_round(match) | {"game": "ns2"}) for match in simulated_rounds(rounds)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def shown_value(room: Room) -> float | None:
    shown = room.program.backend.skill_backend.model.state
    return None if shown is None else shown.now.value


def test_dropped_rounds_are_rated_and_shown(room: Room, tmp_path: Path) -> None:
    near, far = ns2_servers(room, 0.0, 2600.0)  # new players start at 0 in this system
    room.press(Qt.Key.Key_2, CTRL)
    view, panel = room.window.skill_controller.view, room.program.backend.skill_backend.model
    assert view.empty_page.reason is EmptyReason.NO_ROUNDS
    panel.import_paths([write_rounds(tmp_path)])
    room.wait(lambda: view.empty_page.reason is EmptyReason.NO_OWN_ROUNDS)
    assert view.empty_page.title_label.text() == "60 rounds imported"
    room.program.session.identities.add(StoredIdentity("ns2", "name", ME))
    room.window.skill_controller.identity_controller.changed.emit()
    room.wait(lambda: shown_value(room) is not None)
    page = view.stack.currentWidget()
    assert isinstance(page, NowPage)
    value = shown_value(room)
    assert value is not None
    assert page.summary.rating_label.text() == format_points(value)
    room.wait(lambda: panel.own_skill_by_game().get("ns2") == value)
    assert room.program.backend.scoring.own_skill["ns2"] == value
    factor = room.catalogue.score_factors["skill"]
    assert factor[far] < factor[near] < 1.0
    assert page.usage_section.texts()[0].startswith(format_points(value))
    assert page.usage_section.texts()[0].endswith("2 NS2 servers now.")
    assert "60 rounds" in view.status_widget.texts()[0]


def test_screenshot_pages_match_skill_pages() -> None:
    assert tuple(kind.key for kind in SKILL_PAGES) == PAGES_TO_DRAW
