"""The skill sources dialog: sources, folders, entered numbers and the request log."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_skill_services import ACCOUNT
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QTableWidget
from pytestqt.qtbot import QtBot
from skill_dialog_helpers import SkillDialogs, open_skill_dialogs

from browser_app.player.skill_sources import SkillSourceKind, SkillSourceState
from browser_app.player.xonstat_web_api import RecentGame
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.setting_declarations import OWN_SKILL, QUERY_STEAM_SKILL, QUERY_XONSTAT_SKILL
from browser_app.ui.skill.skill_pages import SourcesTab
from browser_app.ui.skill.sources.skill_sources_dialog import SkillSourcesDialog
from browser_app.ui.skill.sources.skill_sources_page import SkillSourceRow


@pytest.fixture
def dialogs(qtbot: QtBot, qapp: QApplication) -> Iterator[SkillDialogs]:
    with open_skill_dialogs(qtbot, qapp) as dialogs:
        with qtbot.waitSignal(dialogs.service_poller.changed):
            dialogs.service_poller.start()
        yield dialogs


def open_dialog(dialogs: SkillDialogs, tab: SourcesTab = SourcesTab.SOURCES) -> SkillSourcesDialog:
    dialogs.sources_controller.open(dialogs.window, "ns2", tab)
    assert dialogs.sources_controller.dialog is not None
    dialogs.bot.waitUntil(dialogs.sources_controller.dialog.isVisible)
    return dialogs.sources_controller.dialog


def row(dialog: SkillSourcesDialog, kind: SkillSourceKind) -> SkillSourceRow:
    return next(row for row in dialog.sources_page.rows if row.kind is kind)


def said(dialog: SkillSourcesDialog, kind: SkillSourceKind) -> str:
    return row(dialog, kind).state_label.text()


def test_sources_are_described(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    for each in dialog.sources_page.rows:
        assert all(each.about_label.text().split("\n"))
    assert said(dialog, SkillSourceKind.RECORD).startswith("642 rounds, 214 of them yours")
    assert said(dialog, SkillSourceKind.STEAM) == said(dialog, SkillSourceKind.XONSTAT) == "not used"
    assert not dialog.query_button.isEnabled()


def test_enabling_source_queries_it(dialogs: SkillDialogs) -> None:
    dialogs.storage.identities.add(StoredIdentity("ns2", "steam", ACCOUNT))
    dialog = open_dialog(dialogs)
    switch = row(dialog, SkillSourceKind.STEAM).checkbox
    assert switch is not None
    switch.setFocus()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert dialogs.settings.get(QUERY_STEAM_SKILL)
    dialogs.bot.waitUntil(lambda: "in-game skill 1 771" in said(dialog, SkillSourceKind.STEAM))
    assert "ago" in said(dialog, SkillSourceKind.STEAM)
    details = row(dialog, SkillSourceKind.STEAM).details_label
    assert details.text() == (
        "Marines 1\u202f557, Aliens 1\u202f985, Marine commander 2\u202f131, Alien commander 1\u202f731"
    )
    assert dialog.query_button.isEnabled()
    dialogs.bot.mouseClick(dialog.query_button, Qt.MouseButton.LeftButton)
    dialogs.bot.waitUntil(lambda: dialog.request_log_page.tree.topLevelItemCount() == 2)
    dialogs.settings.set(QUERY_STEAM_SKILL, False)
    assert not switch.isChecked()
    assert said(dialog, SkillSourceKind.STEAM) == "not used"


def test_error_is_shown_with_last_value(dialogs: SkillDialogs) -> None:
    dialogs.settings.set(QUERY_XONSTAT_SKILL, True)
    dialog = open_dialog(dialogs)
    assert "fingerprint is not set" in said(dialog, SkillSourceKind.XONSTAT)
    steam = row(dialog, SkillSourceKind.STEAM)
    steam.show_state(SkillSourceState(SkillSourceKind.STEAM, "ns2", True, 1700.0, read_at=1.0, error="Steam refused."))
    assert steam.state_label.text().startswith("Steam refused. · in-game skill 1\u202f700 · ")


def test_modes_show_uncertainty(dialogs: SkillDialogs) -> None:
    xonstat = row(open_dialog(dialogs), SkillSourceKind.XONSTAT)
    modes = {"duel": (1404.25, 210.5), "ctf": (1712.5, 96.0)}
    xonstat.show_state(SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", True, 1712.5, modes=modes))
    assert xonstat.details_label.text() == "ctf 1\u202f712\u00a0±\u00a096, duel 1\u202f404\u00a0±\u00a0210"
    games = (RecentGame(time.mktime((2026, 11, 20, 21, 5, 0, 0, 0, -1)), "ctf", "catharsis", "Red Arena"),) * 5
    xonstat.show_state(SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", True, 1712.5, modes=modes, games=games))
    assert xonstat.details_label.text().split("\n")[1] == "Recent rounds: " + " · ".join(
        ["ctf on catharsis, 20 Nov at 21:05"] * 3
    )
    xonstat.show_state(SkillSourceState(SkillSourceKind.XONSTAT, "xonotic", is_enabled=False, modes=modes))
    assert xonstat.details_label.isHidden()


def test_skill_can_be_entered_per_game(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    dialogs.settings.set(OWN_SKILL, {"ns2": 1500.0})
    assert said(dialog, SkillSourceKind.ENTERED) == "1\u202f500"
    assert dialog.sources_page.entered_skill_row.setting is OWN_SKILL
    table = dialog.sources_page.entered_skill_row.editor_widget
    assert isinstance(table, QTableWidget)
    cell = table.item(0, 1)
    assert cell is not None
    cell.setText("1600")
    assert dialogs.settings.get(OWN_SKILL) == {"ns2": 1600.0}


def test_request_log(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs, SourcesTab.REQUEST_LOG)
    assert dialog.request_log_page.isVisible()
    assert dialog.request_log_page.summary_label.text() == "No requests made yet."
    dialogs.storage.identities.add(StoredIdentity("ns2", "steam", ACCOUNT))
    dialogs.settings.set(QUERY_STEAM_SKILL, True)
    dialogs.bot.waitUntil(lambda: dialog.request_log_page.tree.topLevelItemCount() == 1)
    item = dialog.request_log_page.tree.topLevelItem(0)
    assert item is not None
    assert [item.text(column) for column in (1, 2, 3)] == ["127.0.0.1", f"NS2 skill of {ACCOUNT}", "skill 1\u202f771"]
    assert "newest first" in dialog.request_log_page.summary_label.text()


def test_folders_can_be_watched_and_removed(dialogs: SkillDialogs, tmp_path: Path) -> None:
    folder = tmp_path / "rounds"
    folder.mkdir()
    (folder / "bad.jsonl").write_text('{"id": "a", "teams": ["x", "y"], "players": 3}\n')
    os.utime(folder / "bad.jsonl", (1, 1))
    dialogs.suggested_folders = [folder]
    dialog = open_dialog(dialogs, SourcesTab.FOLDERS)
    page = dialog.folders_page
    assert page.status_label.text() == "No folders watched."
    dialogs.bot.waitUntil(page.suggestion_button.isVisible)
    dialogs.bot.mouseClick(page.suggestion_button, Qt.MouseButton.LeftButton)
    assert list(dialogs.storage.watched_folders) == [str(folder)]
    assert page.suggestion_button.isHidden()

    def error_text() -> str:
        item = page.tree.topLevelItem(0)
        return "" if item is None else item.text(2)

    dialogs.bot.waitUntil(lambda: error_text() == "1 file rejected")
    item = page.tree.topLevelItem(0)
    assert item is not None
    assert "bad.jsonl:1:" in item.toolTip(2)
    assert page.status_label.text().startswith("Checked ")
    page.tree.setCurrentItem(item)
    page.tree.setFocus()
    QTest.keyClick(page.tree, Qt.Key.Key_Delete)
    assert list(dialogs.storage.watched_folders) == []
    assert page.suggestion_button.isVisible()


def test_folder_dialog_is_non_blocking(dialogs: SkillDialogs, tmp_path: Path) -> None:
    dialog = open_dialog(dialogs, SourcesTab.FOLDERS)
    dialogs.bot.mouseClick(dialog.folders_page.add_button, Qt.MouseButton.LeftButton)
    chooser = dialog.findChild(QFileDialog)
    assert isinstance(chooser, QFileDialog)
    assert chooser.isVisible()
    chooser.fileSelected.emit(str(tmp_path))
    chooser.close()
    assert list(dialogs.storage.watched_folders) == [str(tmp_path)]


def test_links_to_other_dialogs(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    with dialogs.bot.waitSignals(
        [dialogs.sources_controller.import_requested, dialogs.sources_controller.identity_requested]
    ):
        dialogs.bot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
        dialogs.bot.mouseClick(dialog.identity_button, Qt.MouseButton.LeftButton)


def test_keyboard_tabs_and_accessible_names(dialogs: SkillDialogs) -> None:
    dialog = open_dialog(dialogs)
    dialog.tab_bar.setFocus()
    for page, shown in (
        (SourcesTab.FOLDERS, dialog.folders_page),
        (SourcesTab.TABLES, dialog.tables_page),
        (SourcesTab.REQUEST_LOG, dialog.request_log_page),
    ):
        QTest.keyClick(dialog.tab_bar, Qt.Key.Key_Right)
        assert dialog.tab_bar.currentIndex() == page
        assert shown.isVisible()
    for tree in (dialog.folders_page.tree, dialog.request_log_page.tree):
        assert tree.accessibleName()
    for each in dialog.sources_page.rows:
        assert each.checkbox is None or each.checkbox.accessibleDescription()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialogs.sources_controller.dialog is None
    assert not dialogs.sources_controller._age_timer.isActive()


def test_removed_folder_can_be_restored(dialogs: SkillDialogs, tmp_path: Path) -> None:
    undos: list[Callable[[], object]] = []
    dialogs.sources_controller.change_reported.connect(lambda _text, undo: undos.append(undo))
    page = open_dialog(dialogs, SourcesTab.FOLDERS).folders_page
    page.add_requested.emit(tmp_path)
    page.remove_requested.emit(tmp_path)
    assert not list(dialogs.storage.watched_folders)
    undos.pop()()
    assert list(dialogs.storage.watched_folders) == [str(tmp_path)]
