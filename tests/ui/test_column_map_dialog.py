"""The user says which column of a table is which: with the keyboard alone, once for all tables like it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from skill_view_rig import FakePanel, Kept

from browser_app.bridge.skill.imported import Imported, Unmapped
from browser_app.bridge.skill.imports import Then
from browser_app.rounds.source import ColumnMap
from browser_app.rounds.table import KEYS, NEEDED
from browser_app.rounds.table_head import TableHead
from browser_app.ui.skill.column_map_control import ColumnMapControl
from browser_app.ui.skill.column_map_dialog import ColumnMapDialog
from browser_app.ui.skill.column_words import title_of
from browser_app.ui.theme import Theme

TABLE = TableHead(
    ("match", "who", "side", "won by", "when", "secs", "<b>n&te</b>"),
    (("1", "ann", "x", "x", "2024", "600", "\u202ehi\n"), ("1", "bob", "y", "x", "2024", "600", "")),
)
GUESSED = {"id": "match", "player": "who", "team": "side", "winner": "won by", "started": "when", "duration": "secs"}


class Panel(FakePanel):
    """Takes tables in when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.taking: list[tuple[Unmapped, ColumnMap, Then]] = []

    def import_table(self, table: Unmapped, columns: ColumnMap, then: Then) -> None:
        self.taking.append((table, columns, then))


class Rig:
    """The control over a window."""

    def __init__(self, app: QApplication, window: QWidget) -> None:
        self.panel = Panel()
        self.control = ColumnMapControl(Theme(app, "light"), self.panel, Kept(), window)  # type: ignore[arg-type]
        self.left: list[str] = []
        self.control.left.connect(self.left.append)

    def ask(self, *names: str, table: TableHead = TABLE) -> None:
        self.panel.columns_wanted.emit([Unmapped(Path("/data") / name, f"{name}: no column", table) for name in names])

    @property
    def dialog(self) -> ColumnMapDialog:
        assert self.control.dialog is not None
        return self.control.dialog

    def answer(self, *results: Imported) -> None:
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
    box = rig.dialog.choices.boxes[key]
    box.setCurrentIndex(box.findData(column))


def taken(name: str) -> Imported:
    return Imported(Path("/data") / name, "csv", 1, 1)


def test_it_shows_the_first_rows_and_likely_columns(rig: Rig) -> None:
    rig.ask("season 3.csv")
    dialog = rig.dialog
    assert "season 3.csv" in dialog.about.text()
    cells: list[Any] = [dialog.preview.item(0, column) for column in range(len(TABLE.columns))]
    assert [cell.text() for cell in cells[:6]] == list(TABLE.rows[0][:6])
    assert not {"\n", "\u202e"} & set(cells[6].text())
    found = {key: column for key, column in dialog.choices.column_map().items() if column is not None}
    assert found == GUESSED
    assert dialog.choices.column_map().keys() == set(KEYS)
    assert list(dialog.choices.boxes)[: len(NEEDED)] == list(NEEDED)
    assert dialog.take.isEnabled()
    assert dialog.words.text() == ""


def test_what_still_lacks_is_said_at_once(rig: Rig) -> None:
    rig.ask("a.csv")
    choose(rig, "player", None)
    choose(rig, "duration", None)
    assert rig.dialog.words.text() == f"Still without a column: {title_of('player')}, {title_of('duration')}"
    assert rig.dialog.take.accessibleDescription() == rig.dialog.words.text()
    assert not rig.dialog.take.isEnabled()
    choose(rig, "player", "who")
    assert not rig.dialog.take.isEnabled()  # of a round that was won it is asked how long it was
    choose(rig, "winner", None)
    assert rig.dialog.take.isEnabled()
    assert "cannot be rated" in rig.dialog.words.text()


def test_it_can_be_done_with_the_keyboard_alone(rig: Rig, qtbot: QtBot) -> None:
    rig.ask("a.csv", table=TableHead(("a", "match", "who", "side"), ()))
    dialog = rig.dialog
    qtbot.waitUntil(dialog.isActiveWindow)
    choose(rig, "team", None)
    reached: list[QWidget | None] = []
    for _ in range(len(KEYS) + 4):
        reached.append(dialog.focusWidget())
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert set(dialog.choices.boxes.values()) <= set(reached)
    assert all(widget is None or widget.accessibleName() or widget is dialog.cancel for widget in reached)
    box = dialog.choices.boxes["team"]
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    assert box.currentData() == "side"
    dialog.take.setFocus()
    qtbot.keyClick(dialog.take, Qt.Key.Key_Space)
    assert rig.panel.taking[0][1]["team"] == "side"


def test_it_stays_until_the_table_is_taken(rig: Rig) -> None:
    rig.ask("a.csv")
    dialog = rig.dialog
    dialog.take.click()
    assert not dialog.take.isEnabled()
    rig.answer(Imported(Path("/data/a.csv"), "csv", 0, 0, "a.csv:3: when: is no time"))
    assert dialog.words.text() == "a.csv:3: when: is no time"
    assert dialog.take.isEnabled()
    dialog.take.click()
    rig.answer()  # the user stopped it
    assert dialog.take.isEnabled()
    dialog.take.click()
    rig.answer(taken("a.csv"))
    assert rig.control.dialog is None
    assert rig.left == []


def test_tables_with_the_same_columns_are_asked_about_once(rig: Rig) -> None:
    other = TableHead(("x", "y"), ())
    rig.ask("a.csv", "b.csv", table=TABLE)
    rig.ask("c.csv", table=other)
    rig.ask("d.csv", table=TableHead(tuple(reversed(TABLE.columns)), ()))
    rig.dialog.take.click()
    rig.answer(taken("a.csv"))
    assert ("import", Path("/data/b.csv"), Path("/data/d.csv")) in rig.panel.asked
    assert "c.csv" in rig.dialog.about.text()


def test_what_is_left_out_is_told(rig: Rig, qtbot: QtBot) -> None:
    rig.ask("a.csv", "b.csv")
    qtbot.keyClick(rig.dialog, Qt.Key.Key_Escape)
    assert rig.left == ["a.csv: no column", "b.csv: no column"]
    assert rig.control.dialog is None


def test_an_answer_after_the_dialog_was_closed_is_nobodys(rig: Rig) -> None:
    rig.ask("a.csv")
    rig.dialog.take.click()
    rig.dialog.reject()
    rig.answer(taken("a.csv"))
    assert rig.control.dialog is None


def test_every_key_has_words_of_its_own() -> None:
    assert len(set(map(title_of, KEYS))) == len(KEYS)
