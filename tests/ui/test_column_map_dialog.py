"""The user says which column of a table is which: with the keyboard alone, once for all tables like it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_view_rig import FakePanel, Kept

from browser_app.application.round_import import RoundImportResult, UnmappedTable
from browser_app.bridge.skill.round_importer import ImportCallback
from browser_app.rounds.csv_rounds import REQUIRED_KEYS, TABLE_KEYS, TablePreview
from browser_app.rounds.round_source import ColumnMap
from browser_app.ui.skill.sources.column_map_controller import ColumnMapController
from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog
from browser_app.ui.skill.sources.column_map_text import column_title
from browser_app.ui.widgets.theme import Theme

TABLE = TablePreview(
    ("match", "who", "side", "won by", "when", "secs", "<b>n&te</b>"),
    (("1", "ann", "x", "x", "2024", "600", "\u202ehi\n"), ("1", "bob", "y", "x", "2024", "600", "")),
)
GUESSED = {"id": "match", "player": "who", "team": "side", "winner": "won by", "started": "when", "duration": "secs"}


class Panel(FakePanel):
    """Takes tables in when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.taking: list[tuple[UnmappedTable, ColumnMap, ImportCallback]] = []

    def import_table(self, table: UnmappedTable, columns: ColumnMap, then: ImportCallback) -> None:
        self.taking.append((table, columns, then))


class Rig:
    """The control over a window."""

    def __init__(self, app: QApplication, window: QWidget) -> None:
        self.panel = Panel()
        self.control = ColumnMapController(Theme(app, "light"), self.panel, Kept(), window)  # type: ignore[arg-type]
        self.left: list[str] = []
        self.control.table_skipped.connect(self.left.append)

    def ask(self, *names: str, table: TablePreview = TABLE) -> None:
        self.panel.columns_requested.emit(
            [UnmappedTable(Path("/data") / name, f"{name}: no column", table) for name in names]
        )

    @property
    def dialog(self) -> ColumnMapDialog:
        assert self.control.dialog is not None
        return self.control.dialog

    def answer(self, *results: RoundImportResult) -> None:
        self.panel.taking[-1][2](results)


@pytest.fixture
def rig(qtbot: QtBot, qapp: QApplication) -> Iterator[Rig]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 800)
    window.show()
    rig = Rig(qapp, window)
    yield rig
    if rig.control.dialog is not None:
        rig.control.dialog.close()


def choose(rig: Rig, key: str, column: str | None) -> None:
    box = rig.dialog.form.combo_boxes[key]
    box.setCurrentIndex(box.findData(column))


def taken(name: str) -> RoundImportResult:
    return RoundImportResult(Path("/data") / name, "csv", 1, 1)


def test_it_shows_the_first_rows_and_likely_columns(rig: Rig) -> None:
    rig.ask("season 3.csv")
    dialog = rig.dialog
    assert "season 3.csv" in dialog.about_label.text()
    cells: list[Any] = [dialog.preview.item(0, column) for column in range(len(TABLE.columns))]
    assert [cell.text() for cell in cells[:6]] == list(TABLE.rows[0][:6])
    assert not {"\n", "\u202e"} & set(cells[6].text())
    found = {key: column for key, column in dialog.form.column_map().items() if column is not None}
    assert found == GUESSED
    assert dialog.form.column_map().keys() == set(TABLE_KEYS)
    assert list(dialog.form.combo_boxes)[: len(REQUIRED_KEYS)] == list(REQUIRED_KEYS)
    assert dialog.accept_button.isEnabled()
    assert dialog.warning_label.text() == ""


def test_what_still_lacks_is_said_at_once(rig: Rig) -> None:
    rig.ask("a.csv")
    choose(rig, "player", None)
    choose(rig, "duration", None)
    assert (
        rig.dialog.warning_label.text()
        == f"Not assigned yet: {column_title('player')}, {column_title('duration')}"
    )
    assert rig.dialog.accept_button.accessibleDescription() == rig.dialog.warning_label.text()
    assert not rig.dialog.accept_button.isEnabled()
    choose(rig, "player", "who")
    assert not rig.dialog.accept_button.isEnabled()  # of a round that was won it is asked how long it was
    choose(rig, "winner", None)
    assert rig.dialog.accept_button.isEnabled()
    assert "cannot be rated" in rig.dialog.warning_label.text()


def test_it_can_be_done_with_the_keyboard_alone(rig: Rig, qtbot: QtBot) -> None:
    rig.ask("a.csv", table=TablePreview(("a", "match", "who", "side"), ()))
    dialog = rig.dialog
    qtbot.waitUntil(dialog.isActiveWindow)
    choose(rig, "team", None)
    reached: list[QWidget | None] = []
    for _ in range(len(TABLE_KEYS) + 4):
        reached.append(dialog.focusWidget())
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert set(dialog.form.combo_boxes.values()) <= set(reached)
    assert all(widget is None or widget.accessibleName() or widget is dialog.cancel_button for widget in reached)
    box = dialog.form.combo_boxes["team"]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert box.currentData() == "side"
    dialog.accept_button.setFocus()
    qtbot.keyClick(dialog.accept_button, Qt.Key.Key_Space)
    assert rig.panel.taking[0][1]["team"] == "side"


def test_it_stays_until_the_table_is_taken(rig: Rig) -> None:
    rig.ask("a.csv")
    dialog = rig.dialog
    dialog.accept_button.click()
    assert not dialog.accept_button.isEnabled()
    rig.answer(RoundImportResult(Path("/data/a.csv"), "csv", 0, 0, "a.csv:3: when: is no time"))
    assert dialog.warning_label.text() == "a.csv:3: when: is no time"
    assert dialog.accept_button.isEnabled()
    dialog.accept_button.click()
    rig.answer()  # the user stopped it
    assert dialog.accept_button.isEnabled()
    dialog.accept_button.click()
    rig.answer(taken("a.csv"))
    assert rig.control.dialog is None
    assert rig.left == []


def test_tables_with_the_same_columns_are_asked_about_once(rig: Rig) -> None:
    other = TablePreview(("x", "y"), ())
    rig.ask("a.csv", "b.csv", table=TABLE)
    rig.ask("c.csv", table=other)
    rig.ask("d.csv", table=TablePreview(tuple(reversed(TABLE.columns)), ()))
    rig.dialog.accept_button.click()
    rig.answer(taken("a.csv"))
    assert ("import", Path("/data/b.csv"), Path("/data/d.csv")) in rig.panel.asked
    assert "c.csv" in rig.dialog.about_label.text()


def test_what_is_left_out_is_told(rig: Rig, qtbot: QtBot) -> None:
    rig.ask("a.csv", "b.csv")
    qtbot.keyClick(rig.dialog, Qt.Key.Key_Escape)
    assert rig.left == ["a.csv: no column", "b.csv: no column"]
    assert rig.control.dialog is None


def test_an_answer_after_the_dialog_was_closed_is_nobodys(rig: Rig) -> None:
    rig.ask("a.csv")
    rig.dialog.accept_button.click()
    rig.dialog.reject()
    rig.answer(taken("a.csv"))
    assert rig.control.dialog is None


def test_every_key_has_words_of_its_own() -> None:
    assert len(set(map(column_title, TABLE_KEYS))) == len(TABLE_KEYS)
