"""The page Rounds: expanding, sorting, filtering and importing."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from rounds_helpers import FakeRoundsModel, simulated_record

from browser_app import language
from browser_app.paths import resource_folder
from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON, outcome_text
from browser_app.ui.skill.rounds.rounds_page import RoundsPage
from browser_app.ui.skill.rounds.rounds_table_columns import MARKER_WIDTH, ROUND_COLUMNS
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING
from browser_app.ui.widgets.tables.row_table import ROW_HEIGHT
from browser_app.ui.widgets.theme import Theme

RECORD = simulated_record(60)
COLUMN_INDEX = {column.key: place for place, column in reversed(list(enumerate(ROUND_COLUMNS)))}


@pytest.fixture
def skill_model(qapp: QApplication) -> FakeRoundsModel:
    return FakeRoundsModel(RECORD)


@pytest.fixture
def page(qtbot: QtBot, qapp: QApplication, skill_model: FakeRoundsModel) -> Iterator[RoundsPage]:
    page = RoundsPage(Theme(qapp, "light"), skill_model)
    controls = page.header_controls()
    qtbot.addWidget(page)
    qtbot.addWidget(controls)
    page.resize(1080, 640)
    page.show_data(skill_model.state)
    controls.show()
    page.show()
    qtbot.waitExposed(page)
    yield page
    page.show_data(None)


def texts(page: RoundsPage, key: str) -> list[str]:
    model = page.model
    return [model.cell_text(place, COLUMN_INDEX[key]) for place in range(model.rowCount())]


def click(page: RoundsPage, place: int) -> None:
    where = QPoint(300, page.table.rowViewportPosition(place) + ROW_HEIGHT // 2)
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)


def test_click_toggles_explanation(page: RoundsPage, skill_model: FakeRoundsModel) -> None:
    assert skill_model.state is not None
    click(page, 2)
    number = page.table.expanded_round
    assert skill_model.explained_ids == [skill_model.state.history.ids[number]]
    assert page.explanation_panel.isVisible()
    assert page.explanation_panel.y() == page.table.rowViewportPosition(2) + ROW_HEIGHT
    assert page.table.rowHeight(2) == ROW_HEIGHT + page.explanation_panel.height()
    assert page.explanation_panel.plain_text.startswith(
        "38\u00a0% win chance, won, present for 71\u00a0% of the weighted time: +8.6"
    )
    assert page.explanation_panel.plain_text in page.model.row_accessible_text(2)
    click(page, 2)
    assert "38\u00a0% win chance" not in page.model.row_accessible_text(2)
    assert page.table.expanded_round == -1
    assert not page.explanation_panel.isVisible()
    assert page.table.rowHeight(2) == ROW_HEIGHT


def test_double_click_toggles_once(page: RoundsPage) -> None:
    where = QPoint(300, ROW_HEIGHT // 2)
    viewport = page.table.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    QTest.mouseDClick(viewport, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where)
    assert page.explanation_panel.isVisible()


def test_keyboard_control(page: RoundsPage) -> None:
    page.table.setFocus()
    QTest.keyClick(page.table, Qt.Key.Key_Down)
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    assert page.table.expanded_round == int(page.model.order[1])
    QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith(page.model.cell_text(1, 0))
    assert "50 points × rate 4.17 × surprise 0.620 × your share 0.0668 = +8.6" in copied
    QTest.keyClick(page.table, Qt.Key.Key_Escape)
    assert page.table.expanded_round == -1


def test_expanded_row_follows_its_round(page: RoundsPage) -> None:
    click(page, 3)
    number = page.table.expanded_round
    page.sort_by("change")
    place = page.model.row_of(number)
    assert place is not None
    assert page.table.expanded_round == number
    heights = [page.table.rowHeight(row) for row in range(page.model.rowCount())]
    assert [row for row, height in enumerate(heights) if height != ROW_HEIGHT] == [place]
    assert page.explanation_panel.y() == page.table.rowViewportPosition(place) + ROW_HEIGHT
    won = page.model.row(place).outcome == 1.0
    page._on_filter_edited("lost" if won else "won")
    assert page.table.expanded_round == -1
    assert not page.explanation_panel.isVisible()
    assert {page.table.rowHeight(row) for row in range(page.model.rowCount())} == {ROW_HEIGHT}


def test_scrolling_moves_explanation(page: RoundsPage) -> None:
    click(page, 5)
    before = page.explanation_panel.y()
    page.table.verticalScrollBar().setValue(page.table.verticalScrollBar().value() + 40)
    assert page.explanation_panel.y() == before - 40


def test_narrow_explanation_stacks_teams(page: RoundsPage, qtbot: QtBot) -> None:
    click(page, 1)
    wide = page.explanation_panel.height()
    page.resize(640, 640)
    qtbot.waitUntil(lambda: page.explanation_panel.height() > wide)
    assert page.explanation_panel.width() == page.table.viewport().width()
    assert page.table.rowHeight(1) == ROW_HEIGHT + page.explanation_panel.height()
    assert page.table.isColumnHidden(COLUMN_INDEX["server"])
    assert not page.table.isColumnHidden(COLUMN_INDEX["chance"])


@pytest.mark.parametrize("words", ["en", "de"])
def test_results_fit_their_column(qtbot: QtBot, qapp: QApplication, skill_model: FakeRoundsModel, words: str) -> None:
    language.set_language(resource_folder() / "languages", words)
    try:
        page = RoundsPage(Theme(qapp, "light"), skill_model)
        qtbot.addWidget(page)
        page.resize(1080, 640)
        page.show_data(skill_model.state)
        plain = QFontMetrics(Theme(qapp, "light").font(13))
        longest = max(plain.horizontalAdvance(outcome_text(outcome)) for outcome in (WON, LOST, DRAWN))
        assert page.table.columnWidth(COLUMN_INDEX["result"]) >= CELL_PADDING + MARKER_WIDTH + longest
        page.show_data(None)
    finally:
        language.set_language(resource_folder() / "languages", language.ENGLISH)


def test_header_click_sorts_and_reverses(page: RoundsPage) -> None:
    header = page.table.header
    x = header.sectionViewportPosition(COLUMN_INDEX["map"]) + 20
    for expected in (False, True):
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, 12))
        maps = texts(page, "map")
        assert maps == sorted(maps, reverse=expected)


def test_filter_summary_and_errors(page: RoundsPage, qtbot: QtBot) -> None:
    page.filter_field.set_text("lost map:veil")
    qtbot.waitUntil(lambda: set(texts(page, "map")) == {"ns2_veil"})
    assert set(texts(page, "result")) == {"lost"}
    assert page.summary_label.text().startswith(f"{page.model.rowCount()} of ")
    shown = page.model.rowCount()
    page.filter_field.set_text("lots:5")
    qtbot.waitUntil(lambda: page.filter_field.error is not None)
    assert "lots" in page.summary_label.text()
    assert page.model.rowCount() == shown
    page.filter_field.set_text("")
    qtbot.waitUntil(lambda: page.filter_field.error is None and not page.summary_label.isVisible())


def test_show_round_clears_filter(page: RoundsPage, skill_model: FakeRoundsModel) -> None:
    assert skill_model.state is not None
    page.filter_field.set_text("won")
    page._on_filter_edited("won")
    lost = next(k for k, outcome in enumerate(skill_model.state.history.outcome.tolist()) if outcome == 0.0)
    assert page.show_round(skill_model.state.history.ids[lost])
    assert page.table.expanded_round == lost
    assert page.explanation_panel.geometry().bottom() <= page.table.viewport().height()
    assert not page.show_round("nobody's")


def test_new_data_keeps_expanded_round(page: RoundsPage, skill_model: FakeRoundsModel) -> None:
    click(page, 4)
    number = page.table.expanded_round
    page.show_data(FakeRoundsModel(RECORD, "elo-blog").state)
    assert page.table.expanded_round == number
    assert page.explanation_panel.isVisible()


def test_columns_share_free_width(page: RoundsPage) -> None:
    table, server = page.table, COLUMN_INDEX["server"]
    wide = [table.columnWidth(place) for place in range(len(ROUND_COLUMNS))]
    page.resize(840, 560)
    shown = table.visible_columns()
    assert server not in shown
    spare = [table.columnWidth(place) - table.default_width(place) for place in shown]
    assert min(spare) > 0
    assert max(spare) - min(spare) <= 1
    assert sum(map(table.columnWidth, shown)) == table.viewport().width()
    page.resize(1080, 640)
    assert [table.columnWidth(place) for place in range(len(ROUND_COLUMNS))] == wide
