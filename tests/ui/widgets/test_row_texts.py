"""Rows of dialogs, as a screen reader reads them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot

from browser_app.ui.widgets.accessibility import SILENT_CELL, row_texts
from browser_app.ui.widgets.dialogs import EntryTree

SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def test_first_cell_describes_the_row() -> None:
    assert row_texts(("Game", "Servers", "State"), ("Xonotic", "12", "")) == ["Xonotic, Servers 12", *2 * [SILENT_CELL]]


def test_tree_reads_rows_at_every_level(qtbot: QtBot) -> None:
    tree = EntryTree("Friends", ("Name", "Type", "Seen on"))
    qtbot.addWidget(tree)
    group = QTreeWidgetItem(tree, ["team (1)"])
    friend = QTreeWidgetItem(group, ["moth", "Name", "Copper Lanes"])
    tree.fit_columns()
    assert group.data(0, SPOKEN) == "team (1)"
    assert [friend.data(column, SPOKEN) for column in range(3)] == [
        "moth, Type Name, Seen on Copper Lanes", SILENT_CELL, SILENT_CELL
    ]  # fmt: skip
