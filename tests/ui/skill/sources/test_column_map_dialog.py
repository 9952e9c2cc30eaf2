"""The column map dialog and its controller."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_view_helpers import FakeSkillModel, FakeUiState

from browser_app.application.round_imports.round_import import RoundImportResult, UnmappedTable
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


class FakeImportModel(FakeSkillModel):
    """A skill model that collects imports to be answered by the test."""

    def __init__(self) -> None:
        super().__init__()
        self.imports: list[tuple[UnmappedTable, ColumnMap, ImportCallback]] = []

    def import_table(self, table: UnmappedTable, columns: ColumnMap, then: ImportCallback) -> None:
        self.imports.append((table, columns, then))


class ColumnMapFixture:
    """The controller over a window."""

    def __init__(self, app: QApplication, window: QWidget) -> None:
        self.skill_model = FakeImportModel()
        self.controller = ColumnMapController(Theme(app, "light"), self.skill_model, FakeUiState(), window)  # type: ignore[arg-type]
        self.skipped: list[str] = []
        self.controller.table_skipped.connect(self.skipped.append)

    def ask(self, *names: str, table: TablePreview = TABLE) -> None:
        self.skill_model.columns_requested.emit(
            [UnmappedTable(Path("/data") / name, f"{name}: no column", table) for name in names]
        )

    @property
    def dialog(self) -> ColumnMapDialog:
        assert self.controller.dialog is not None
        return self.controller.dialog

    def answer(self, *results: RoundImportResult) -> None:
        self.skill_model.imports[-1][2](results)


@pytest.fixture
def mapping(qtbot: QtBot, qapp: QApplication) -> Iterator[ColumnMapFixture]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1000, 800)
    window.show()
    mapping = ColumnMapFixture(qapp, window)
    yield mapping
    if mapping.controller.dialog is not None:
        mapping.controller.dialog.close()


def choose(mapping: ColumnMapFixture, key: str, column: str | None) -> None:
    box = mapping.dialog.form.combo_boxes[key]
    box.setCurrentIndex(box.findData(column))


def imported(name: str) -> RoundImportResult:
    return RoundImportResult(Path("/data") / name, "csv", 1, 1)


def test_preview_and_guessed_columns(mapping: ColumnMapFixture) -> None:
    mapping.ask("season 3.csv")
    dialog = mapping.dialog
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


def test_missing_columns_are_named(mapping: ColumnMapFixture) -> None:
    mapping.ask("a.csv")
    choose(mapping, "player", None)
    choose(mapping, "duration", None)
    assert (
        mapping.dialog.warning_label.text() == f"Not assigned yet: {column_title('player')}, {column_title('duration')}"
    )
    assert mapping.dialog.accept_button.accessibleDescription() == mapping.dialog.warning_label.text()
    assert not mapping.dialog.accept_button.isEnabled()
    choose(mapping, "player", "who")
    assert not mapping.dialog.accept_button.isEnabled()  # a result needs the duration, too
    choose(mapping, "winner", None)
    assert mapping.dialog.accept_button.isEnabled()
    assert "cannot be rated" in mapping.dialog.warning_label.text()


def test_keyboard_control(mapping: ColumnMapFixture, qtbot: QtBot) -> None:
    mapping.ask("a.csv", table=TablePreview(("a", "match", "who", "side"), ()))
    dialog = mapping.dialog
    qtbot.waitUntil(dialog.isActiveWindow)
    choose(mapping, "team", None)
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
    assert mapping.skill_model.imports[0][1]["team"] == "side"


def test_dialog_stays_until_import_succeeds(mapping: ColumnMapFixture) -> None:
    mapping.ask("a.csv")
    dialog = mapping.dialog
    dialog.accept_button.click()
    assert not dialog.accept_button.isEnabled()
    mapping.answer(RoundImportResult(Path("/data/a.csv"), "csv", 0, 0, "a.csv:3: when: is no time"))
    assert dialog.warning_label.text() == "a.csv:3: when: is no time"
    assert dialog.accept_button.isEnabled()
    dialog.accept_button.click()
    mapping.answer()  # cancelled by the user
    assert dialog.accept_button.isEnabled()
    dialog.accept_button.click()
    mapping.answer(imported("a.csv"))
    assert mapping.controller.dialog is None
    assert mapping.skipped == []


def test_same_columns_are_asked_once(mapping: ColumnMapFixture) -> None:
    other = TablePreview(("x", "y"), ())
    mapping.ask("a.csv", "b.csv", table=TABLE)
    mapping.ask("c.csv", table=other)
    mapping.ask("d.csv", table=TablePreview(tuple(reversed(TABLE.columns)), ()))
    mapping.dialog.accept_button.click()
    mapping.answer(imported("a.csv"))
    assert ("import", Path("/data/b.csv"), Path("/data/d.csv")) in mapping.skill_model.calls
    assert "c.csv" in mapping.dialog.about_label.text()


def test_skipped_table_is_reported(mapping: ColumnMapFixture, qtbot: QtBot) -> None:
    mapping.ask("a.csv", "b.csv")
    qtbot.keyClick(mapping.dialog, Qt.Key.Key_Escape)
    assert mapping.skipped == ["a.csv: no column", "b.csv: no column"]
    assert mapping.controller.dialog is None


def test_late_result_is_ignored(mapping: ColumnMapFixture) -> None:
    mapping.ask("a.csv")
    mapping.dialog.accept_button.click()
    mapping.dialog.reject()
    mapping.answer(imported("a.csv"))
    assert mapping.controller.dialog is None


def test_column_titles_are_unique() -> None:
    assert len(set(map(column_title, TABLE_KEYS))) == len(TABLE_KEYS)
