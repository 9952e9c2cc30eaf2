"""The page of column maps, and offers to map tables in watched folders."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from skill_dialog_helpers import SkillDialogs, open_skill_dialogs

from browser_app.ui.skill.skill_pages import SourcesTab
from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog
from browser_app.ui.skill.sources.skill_sources_dialog import SkillSourcesDialog
from browser_app.ui.skill.view.skill_message_bars import UnmappedTablesBar
from browser_app.ui.widgets.theme import Theme

COLUMNS = ("match", "who", "side", "won by", "when", "secs")
WITHOUT_WINNER = {"id": "match", "player": "who", "team": "side", "winner": None}
ROWS = "1,ann,x,x,2024-05-01T20:00:00Z,600\n1,bob,y,x,2024-05-01T20:00:00Z,600\n"


@pytest.fixture
def dialogs(qtbot: QtBot, qapp: QApplication) -> Iterator[SkillDialogs]:
    with open_skill_dialogs(qtbot, qapp) as dialogs:
        yield dialogs


def open_dialog(dialogs: SkillDialogs, tab: SourcesTab) -> SkillSourcesDialog:
    dialogs.sources_controller.open(dialogs.window, "ns2", tab)
    assert dialogs.sources_controller.dialog is not None
    dialogs.bot.waitUntil(dialogs.sources_controller.dialog.isVisible)
    return dialogs.sources_controller.dialog


def table(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / "season.csv"
    file.write_text(f"{','.join(COLUMNS)}\n{ROWS}")
    os.utime(file, (1, 1))
    return file


def lines(dialog: SkillSourcesDialog) -> list[tuple[str, str]]:
    tree = dialog.tables_page.tree
    items = [tree.topLevelItem(place) for place in range(tree.topLevelItemCount())]
    return [(item.text(0), item.text(1)) for item in items if item is not None]


def choose_first(dialog: SkillSourcesDialog) -> None:
    item = dialog.tables_page.tree.topLevelItem(0)
    assert item is not None
    dialog.tables_page.tree.setCurrentItem(item)


def test_edited_map_reimports_table(dialogs: SkillDialogs, tmp_path: Path) -> None:
    dialogs.storage.column_maps.save(COLUMNS, WITHOUT_WINNER, "season.csv")
    with dialogs.bot.waitSignal(dialogs.importer.import_finished):
        dialogs.importer.import_paths([table(tmp_path)])
    dialog = open_dialog(dialogs, SourcesTab.TABLES)
    assert lines(dialog) == [("season.csv", "Round: match, Player ID: who, Player team: side")]
    assert not dialog.tables_page.edit_button.isEnabled()
    choose_first(dialog)
    dialog.tables_page.edit_button.click()
    (column_dialog,) = dialog.findChildren(ColumnMapDialog)
    for key, column in (("winner", "won by"), ("started", "when"), ("duration", "secs")):
        column_dialog.form.combo_boxes[key].setCurrentIndex(column_dialog.form.combo_boxes[key].findData(column))
    assert column_dialog.form.combo_boxes["player"].currentData() == "who"
    with dialogs.bot.waitSignal(dialogs.importer.import_finished):
        column_dialog.accept_button.click()
    assert not isValid(column_dialog)
    assert "Winning team: won by" in lines(dialog)[0][1]
    assert dialogs.storage.round_store.count_rounds() == {"": 1}
    assert dialogs.storage.round_store.load_rounds("").record.team_rank.tolist() == [1, 2]


def test_delete_forgets_map(dialogs: SkillDialogs) -> None:
    undos: list[Callable[[], object]] = []
    dialogs.sources_controller.change_reported.connect(lambda _text, undo: undos.append(undo))
    dialogs.storage.column_maps.save(COLUMNS, WITHOUT_WINNER, "season.csv")
    dialog = open_dialog(dialogs, SourcesTab.TABLES)
    tree = dialog.tables_page.tree
    choose_first(dialog)
    tree.setFocus()
    QTest.keyClick(tree, Qt.Key.Key_Delete)
    assert lines(dialog) == []
    assert dialogs.storage.column_maps.find_column_map(COLUMNS) == {}
    assert dialog.tables_page.about_label.text().startswith("No column assignments")
    undos.pop()()
    assert len(lines(dialog)) == 1
    assert dialogs.storage.column_maps.find_column_map(COLUMNS) == WITHOUT_WINNER


def test_unmapped_table_in_folder_is_offered(dialogs: SkillDialogs, tmp_path: Path) -> None:
    file = table(tmp_path / "rounds")
    dialog = open_dialog(dialogs, SourcesTab.FOLDERS)
    assert not dialog.folders_page.map_columns_button.isVisible()
    dialogs.folder_watcher.add(file.parent)
    dialogs.bot.waitUntil(dialog.folders_page.map_columns_button.isVisible)
    item = dialog.folders_page.tree.topLevelItem(0)
    assert item is not None
    assert item.text(2) == "1 table needs its columns assigned"
    with dialogs.bot.waitSignal(dialogs.sources_controller.column_mapping_requested) as signal:
        dialog.folders_page.map_columns_button.click()
    assert signal.args == [[file]]


def test_bar_offers_unmapped_tables(qtbot: QtBot, qapp: QApplication) -> None:
    strip = UnmappedTablesBar(Theme(qapp, "light"))
    qtbot.addWidget(strip)
    assert strip.isHidden()
    one, two = Path("/rounds/season.csv"), Path("/rounds/cup.csv")
    strip.show_tables([one])
    assert strip.text() == "season.csv in a watched folder needs its columns assigned."
    with qtbot.waitSignal(strip.column_mapping_requested) as signal:
        strip.map_columns_button.click()
    assert signal.args == [[one]]
    strip.close_button.click()
    strip.show_tables([one])
    assert strip.isHidden()
    strip.show_tables([one, two])
    assert not strip.isHidden()
    assert "2 tables" in strip.text()
    strip.show_tables([])
    assert strip.isHidden()
