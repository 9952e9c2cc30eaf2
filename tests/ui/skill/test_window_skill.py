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
from window_helpers import AppDriver

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.catalogue.server_info import QueryResult, QueryStatus
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL
from browser_app.ui.lists.server_list_membership import GAME_LIST_PREFIX
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.skill.now.now_page import NowPage
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.skill.skill_pages import NOW, OVER_TIME
from browser_app.ui.skill.view.empty_skill_page import EmptyReason
from browser_app.ui.window_shortcuts import SERVERS_VIEW, SKILL_VIEW

CTRL = Qt.KeyboardModifier.ControlModifier


def ns2_servers(app: AppDriver, *skills: float | None) -> list[int]:
    """Turn the list's first servers into NS2 servers with these skills.

    Return their ids.
    """
    rows = app.servers()[: len(skills)]
    for row, skill in zip(rows, skills, strict=True):
        info = app.catalogue.server_info(row)
        assert info is not None
        info = dataclasses.replace(info, game="ns2", server_skill=skill, players=8, mode="ns2")
        app.live.merge_results(
            [QueryResult(app.catalogue.targets[row], QueryStatus.OK, info, None, 30.0, False, 1, 0.0)]
        )
    app.live.rescore()
    return rows


def test_shortcut_opens_view_and_status(app: AppDriver) -> None:
    before = app.window.status_bar.shown_texts()
    assert "Live sorting" in before
    app.press(Qt.Key.Key_2, CTRL)
    assert app.window.view_switch.currentIndex() == SKILL_VIEW
    assert app.window.skill_controller.view.isVisible()
    assert not app.window.filter_field.isEnabled()
    assert not app.window.status_bar._order_widgets.isVisible()
    assert app.window.skill_controller.view.requests_widget.isVisible()
    app.press(Qt.Key.Key_L, CTRL)
    assert app.window.skill_controller.view.sidebar.is_collapsed
    assert not app.window.servers_view.sidebar.is_collapsed
    assert app.window.skill_controller.view.current_page == NOW
    app.press(Qt.Key.Key_Tab, CTRL)
    assert app.window.skill_controller.view.current_page == OVER_TIME
    QGuiApplication.clipboard().setText("mine")
    app.press(Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "mine"  # not a server's address
    app.press(Qt.Key.Key_1, CTRL)
    assert app.window.view_switch.currentIndex() == SERVERS_VIEW
    assert app.window.status_bar._order_widgets.isVisible()
    assert not app.window.skill_controller.view.requests_widget.isVisible()


def test_escape_cancels_task(app: AppDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(app.program.backend.skill_backend.model, "cancel", lambda: stopped.append(True))
    app.press(Qt.Key.Key_2, CTRL)
    app.press(Qt.Key.Key_Escape)
    assert not stopped  # no task is running
    app.program.backend.skill_backend.model.progress_changed.emit(WorkProgress("rate", 1, 2))
    app.press(Qt.Key.Key_Escape)
    assert stopped


def test_entered_skill_is_used_everywhere(app: AppDriver) -> None:
    near, far = ns2_servers(app, 1600.0, 2600.0)
    assert app.catalogue.score_factors["skill"][[near, far]].tolist() == [1.0, 1.0]
    app.program.settings.set(OWN_SKILL, {"ns2": 1640.0})
    app.wait(lambda: app.catalogue.score_factors["skill"][far] < 0.5)
    assert app.catalogue.score_factors["skill"][near] == pytest.approx(math.exp(-0.1 * 40 * math.sqrt(7 / 12) / 100))
    assert app.model.rows(0, app.model.rowCount() - 1)[app.servers().index(far)].skill_distance == 960.0
    assert app.program.backend.scoring.play_options().player_skill == {"ns2": 1640.0}
    app.program.settings.set(OWN_SKILL, {})
    app.wait(lambda: app.catalogue.score_factors["skill"][far] == 1.0)


def test_list_sorted_by_skill_distance(app: AppDriver) -> None:
    rows = ns2_servers(app, 2600.0, 1650.0, None, 1500.0)
    app.program.settings.set(OWN_SKILL, {"ns2": 1640.0})
    app.press(Qt.Key.Key_2, CTRL)
    app.window.skill_controller.view.server_list_requested.emit("ns2")
    assert app.window.view_switch.currentIndex() == SERVERS_VIEW
    assert app.window.servers_view.sidebar.current_key == GAME_LIST_PREFIX + "ns2"
    assert app.servers() == [rows[1], rows[3], rows[0], rows[2]]
    assert SERVER_COLUMNS[app.table.header._sorted].key == "skill"
    app.click_header("skill")
    assert app.servers()[0] == rows[0]


def write_rounds(folder: Path, rounds: int = 60) -> Path:
    """Write a file of NS2 rounds."""
    path = folder / "rounds.jsonl"
    lines = [json.dumps(object_from_round(match) | {"game": "ns2"}) for match in simulated_rounds(rounds)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def shown_value(app: AppDriver) -> float | None:
    shown = app.program.backend.skill_backend.model.state
    return None if shown is None else shown.now.value


def test_dropped_rounds_are_rated_and_shown(app: AppDriver, tmp_path: Path) -> None:
    near, far = ns2_servers(app, 0.0, 2600.0)  # new players start at 0 in this system
    app.press(Qt.Key.Key_2, CTRL)
    view, panel = app.window.skill_controller.view, app.program.backend.skill_backend.model
    assert view.empty_page.reason is EmptyReason.NO_ROUNDS
    panel.import_paths([write_rounds(tmp_path)])
    app.wait(lambda: view.empty_page.reason is EmptyReason.NO_OWN_ROUNDS)
    assert view.empty_page.title_label.text() == "60 rounds imported"
    app.program.storage.identities.add(StoredIdentity("ns2", "name", ME))
    app.window.skill_controller.identity_controller.identities_changed.emit()
    app.wait(lambda: shown_value(app) is not None)
    page = view.stack.currentWidget()
    assert isinstance(page, NowPage)
    value = shown_value(app)
    assert value is not None
    assert page.summary.rating_label.text() == format_points(value)
    app.wait(lambda: panel.own_skill_by_game().get("ns2") == value)
    assert app.program.backend.scoring.own_skill["ns2"] == value
    factor = app.catalogue.score_factors["skill"]
    assert factor[far] < factor[near] < 1.0
    assert page.usage_section.texts()[0].startswith(format_points(value))
    assert page.usage_section.texts()[0].endswith(" 2 servers of Natural Selection 2 now.")
    assert "60 rounds" in view.status_widget.texts()[0]
