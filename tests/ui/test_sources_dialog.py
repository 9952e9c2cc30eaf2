"""Where my skill comes from: sources switched, folders watched, numbers typed, and what was asked of whom."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableWidget
from pytestqt.qtbot import QtBot
from skill_rig import SkillRig, skill_rig
from skill_services import ACCOUNT

from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.xonstat_web_api import RecentGame
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL, QUERY_STEAM_SKILL, QUERY_XONSTAT_SKILL
from browser_app.ui.skill.sources.skill_sources_dialog import (
    FOLDERS_TAB,
    REQUEST_LOG_TAB,
    TABLES_TAB,
    SkillSourcesDialog,
)
from browser_app.ui.skill.sources.skill_sources_page import SkillSourceRow


@pytest.fixture
def rig(qtbot: QtBot, qapp: QApplication) -> Iterator[SkillRig]:
    with skill_rig(qtbot, qapp) as rig:
        with qtbot.waitSignal(rig.sources.changed):
            rig.sources.start()
        yield rig


def open_dialog(rig: SkillRig, page: int = 0) -> SkillSourcesDialog:
    rig.wherefrom.open(rig.window, "ns2", page)
    assert rig.wherefrom.dialog is not None
    rig.bot.waitUntil(rig.wherefrom.dialog.isVisible)
    return rig.wherefrom.dialog


def row(dialog: SkillSourcesDialog, kind: SkillSourceKind) -> SkillSourceRow:
    return next(row for row in dialog.sources_page.rows if row.kind is kind)


def said(dialog: SkillSourcesDialog, kind: SkillSourceKind) -> str:
    return row(dialog, kind).state_label.text()


def test_each_source_says_what_it_gives_and_cannot_know(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    for each in dialog.sources_page.rows:
        assert all(each.about_label.text().split("\n"))
    assert said(dialog, SkillSourceKind.RECORD).startswith("642 rounds, 214 of them yours")
    assert said(dialog, SkillSourceKind.STEAM) == said(dialog, SkillSourceKind.XONSTAT) == "not used"
    assert not dialog.query_button.isEnabled()


def test_a_switch_asks_at_once_and_the_answer_is_shown(rig: SkillRig) -> None:
    rig.session.identities.add(StoredIdentity("ns2", "steam", ACCOUNT))
    dialog = open_dialog(rig)
    switch = row(dialog, SkillSourceKind.STEAM).checkbox
    assert switch is not None
    switch.setFocus()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert rig.settings.get(QUERY_STEAM_SKILL)
    rig.bot.waitUntil(lambda: "in-game skill 1 771" in said(dialog, SkillSourceKind.STEAM))
    assert "ago" in said(dialog, SkillSourceKind.STEAM)
    details = row(dialog, SkillSourceKind.STEAM).details_label
    assert details.text() == (
        "Marines 1\u2009557, Aliens 1\u2009985, Marine commander 2\u2009131, Alien commander 1\u2009731"
    )
    assert dialog.query_button.isEnabled()
    rig.bot.mouseClick(dialog.query_button, Qt.MouseButton.LeftButton)
    rig.bot.waitUntil(lambda: dialog.request_log_page.tree.topLevelItemCount() == 2)
    rig.settings.set(QUERY_STEAM_SKILL, False)
    assert not switch.isChecked()
    assert said(dialog, SkillSourceKind.STEAM) == "not used"


def test_what_went_wrong_is_told_beside_what_was_said_before(rig: SkillRig) -> None:
    rig.settings.set(QUERY_XONSTAT_SKILL, True)
    dialog = open_dialog(rig)
    assert "fingerprint is not known yet" in said(dialog, SkillSourceKind.XONSTAT)
    steam = row(dialog, SkillSourceKind.STEAM)
    steam.show_state(SkillSourceState(SkillSourceKind.STEAM, "ns2", True, 1700.0, read_at=1.0, error="Steam refused."))
    assert steam.state_label.text().startswith("Steam refused. · in-game skill 1\u2009700 · ")


def test_every_mode_is_told_with_its_doubt(rig: SkillRig) -> None:
    xonstat = row(open_dialog(rig), SkillSourceKind.XONSTAT)
    modes = {"duel": (1404.25, 210.5), "ctf": (1712.5, 96.0)}
    xonstat.show_state(SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", True, 1712.5, modes=modes))
    assert xonstat.details_label.text() == "ctf 1\u2009712 ± 96, duel 1\u2009404 ± 210"
    games = (RecentGame(time.mktime((2026, 11, 20, 21, 5, 0, 0, 0, -1)), "ctf", "catharsis", "Red Arena"),) * 5
    xonstat.show_state(SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", True, 1712.5, modes=modes, games=games))
    assert xonstat.details_label.text().split("\n")[1] == "Recent rounds: " + " · ".join(
        ["ctf on catharsis, 20 Nov at 21:05"] * 3
    )
    xonstat.show_state(SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", is_enabled=False, modes=modes))
    assert xonstat.details_label.isHidden()


def test_numbers_are_typed_by_game(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    rig.settings.set(OWN_SKILL, {"ns2": 1500.0})
    assert said(dialog, SkillSourceKind.TYPED) == "1\u2009500"
    assert dialog.sources_page.typed_skill_row.setting is OWN_SKILL
    table = dialog.sources_page.typed_skill_row.editor_widget
    assert isinstance(table, QTableWidget)
    cell = table.item(0, 1)
    assert cell is not None
    cell.setText("1600")
    assert rig.settings.get(OWN_SKILL) == {"ns2": 1600.0}


def test_nothing_was_asked_of_anybody(rig: SkillRig) -> None:
    dialog = open_dialog(rig, REQUEST_LOG_TAB)
    assert dialog.request_log_page.isVisible()
    assert dialog.request_log_page.summary_label.text() == "No requests made yet."
    rig.session.identities.add(StoredIdentity("ns2", "steam", ACCOUNT))
    rig.settings.set(QUERY_STEAM_SKILL, True)
    rig.bot.waitUntil(lambda: dialog.request_log_page.tree.topLevelItemCount() == 1)
    item = dialog.request_log_page.tree.topLevelItem(0)
    assert item is not None
    assert [item.text(column) for column in (1, 2, 3)] == ["127.0.0.1", f"NS2 skill of {ACCOUNT}", "skill 1771"]
    assert "newest first" in dialog.request_log_page.summary_label.text()


def test_folders_are_watched_and_let_go(rig: SkillRig, tmp_path: Path) -> None:
    folder = tmp_path / "rounds"
    folder.mkdir()
    (folder / "bad.jsonl").write_text('{"id": "a", "teams": ["x", "y"], "players": 3}\n')
    os.utime(folder / "bad.jsonl", (1, 1))
    rig.proposed = [folder]
    dialog = open_dialog(rig, FOLDERS_TAB)
    page = dialog.folders_page
    assert page.status_label.text() == "No folders watched."
    rig.bot.waitUntil(page.suggestion_button.isVisible)
    rig.bot.mouseClick(page.suggestion_button, Qt.MouseButton.LeftButton)
    assert list(rig.session.watched_folders) == [str(folder)]
    assert page.suggestion_button.isHidden()

    def trouble() -> str:
        item = page.tree.topLevelItem(0)
        return "" if item is None else item.text(2)

    rig.bot.waitUntil(lambda: trouble() == "1 file rejected")
    item = page.tree.topLevelItem(0)
    assert item is not None
    assert "bad.jsonl:1:" in item.toolTip(2)
    assert page.status_label.text().startswith("Checked ")
    page.tree.setCurrentItem(item)
    page.tree.setFocus()
    QTest.keyClick(page.tree, Qt.Key.Key_Delete)
    assert list(rig.session.watched_folders) == []
    assert page.suggestion_button.isVisible()


def test_a_folder_is_chosen_without_holding_up_the_window(rig: SkillRig, tmp_path: Path) -> None:
    dialog = open_dialog(rig, FOLDERS_TAB)
    rig.bot.mouseClick(dialog.folders_page.add_button, Qt.MouseButton.LeftButton)
    chooser = rig.wherefrom.folder_dialog
    assert chooser is not None
    assert chooser.isVisible()
    chooser.fileSelected.emit(str(tmp_path))
    chooser.close()
    assert list(rig.session.watched_folders) == [str(tmp_path)]


def test_steps_to_other_places(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    with rig.bot.waitSignals([rig.wherefrom.import_requested, rig.wherefrom.identity_requested]):
        rig.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
        rig.bot.mouseClick(dialog.identity_button, Qt.MouseButton.LeftButton)


def test_tabs_are_turned_by_keys_and_everything_has_a_name(rig: SkillRig) -> None:
    dialog = open_dialog(rig)
    dialog.tab_bar.setFocus()
    for page, shown in (
        (FOLDERS_TAB, dialog.folders_page),
        (TABLES_TAB, dialog.tables_page),
        (REQUEST_LOG_TAB, dialog.request_log_page),
    ):
        QTest.keyClick(dialog.tab_bar, Qt.Key.Key_Right)
        assert dialog.tab_bar.currentIndex() == page
        assert shown.isVisible()
    for tree in (dialog.folders_page.tree, dialog.request_log_page.tree):
        assert tree.accessibleName()
    for each in dialog.sources_page.rows:
        assert each.checkbox is None or each.checkbox.accessibleDescription()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert rig.wherefrom.dialog is None
    assert not rig.wherefrom._age_timer.isActive()
