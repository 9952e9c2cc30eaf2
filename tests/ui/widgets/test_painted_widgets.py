"""Painted widgets: whole pixels at any scale, and Enter on buttons."""

import pytest
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from window_helpers import AppDriver

from browser_app.catalogue.server_value_text import players_text
from browser_app.ui.servers.server_cells import paint_favourite_cell, paint_players_cell
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.skill.over_time.rating_plot_annotations import draw_band_ends, draw_gaps
from browser_app.ui.skill.over_time.rating_plot_transform import PlotTransform
from browser_app.ui.widgets.basic_widgets import Button, PaintedButton, draw_frame
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.menus import ChoiceMenu, MenuChoice
from browser_app.ui.widgets.palette import PALETTES
from browser_app.ui.widgets.tables.cell_painter import BAR_HEIGHT, CellPainter
from browser_app.ui.widgets.theme import Theme


def blank_image(width: int, height: int, scale: int) -> QImage:
    image = QImage(width * scale, height * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    image.fill(QColor("white"))
    return image


def painted_area(image: QImage) -> QRect:
    """Return the rectangle around all pixels that are not white, in device pixels."""
    white = QColor("white")
    places = [(x, y) for x in range(image.width()) for y in range(image.height()) if image.pixelColor(x, y) != white]
    xs, ys = zip(*places, strict=True)
    return QRect(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)


@pytest.mark.parametrize("scale", [1, 2, 3])
def test_bar_fills_its_frame_exactly(theme: Theme, scale: int) -> None:
    image = blank_image(40, 24, scale)
    painter = QPainter(image)
    cells = CellPainter(painter, theme)
    cells.begin_cell(QRect(0, 0, 40, 24))
    bar = cells.draw_bar_frame(QRect(0, 0, 40, 24), 4, 30, "text1")
    cells.fill_bar(bar, 12, "accent")
    painter.end()
    assert painted_area(image) == QRect(4 * scale, 8 * scale, 30 * scale, BAR_HEIGHT * scale)


@pytest.mark.parametrize("scale", [1, 2])
def test_frame_is_inside_its_rectangle(scale: int) -> None:
    image = blank_image(20, 20, scale)
    painter = QPainter(image)
    draw_frame(painter, QRect(3, 4, 10, 8), QColor("black"))
    painter.end()
    assert painted_area(image) == QRect(3 * scale, 4 * scale, 10 * scale, 8 * scale)
    assert image.pixelColor(4 * scale, 5 * scale) == QColor("white")


def test_favourite_keeps_mark_of_play_now(theme: Theme) -> None:
    row = ServerRow(*(None for _field in ServerRow._fields))._replace(is_favourite=True)  # type: ignore[arg-type]
    areas = []
    for chosen in (False, True):
        image = blank_image(32, 28, 1)
        painter = QPainter(image)
        cells = CellPainter(painter, theme)
        cells.begin_cell(QRect(0, 0, 32, 28))
        paint_favourite_cell(cells, QRect(0, 0, 32, 28), row, play_now_choice=chosen)
        painter.end()
        areas.append(painted_area(image))
    star, both = areas
    assert both.left() < star.left()
    assert both.right() >= star.right()


@pytest.mark.parametrize(("players", "slots"), [(8, 20), (199, 200), (1234, 2048)])
def test_number_of_players_is_whole(theme: Theme, players: int, slots: int) -> None:
    box, text = QRect(0, 0, 140, 28), players_text(players, slots)
    row = ServerRow(*(None for _field in ServerRow._fields))._replace(players=players, usable_slots=slots)  # type: ignore[arg-type]
    images = []
    for paint in (
        lambda cells: paint_players_cell(cells, box, row),
        lambda cells: cells.draw_text(box, text, "text1", cells.plain_font),
    ):
        image = blank_image(box.width(), box.height(), 1)
        painter = QPainter(image)
        cells = CellPainter(painter, theme)
        cells.begin_cell(box)
        paint(cells)
        painter.end()
        images.append(image)
    cell, number = map(painted_area, images)
    left = cell.right() - number.width() + 1
    assert images[0].copy(left - 4, 0, 3, 28) == blank_image(3, 28, 1)  # the bar is apart from it
    assert images[0].copy(left - 1, 0, 4, 28) != blank_image(4, 28, 1)


@pytest.mark.parametrize("state", ["is_full", "is_closed"])
@pytest.mark.parametrize("dimmed", [False, True])
def test_full_and_closed_servers_say_so(theme: Theme, state: str, dimmed: bool) -> None:
    """Also servers known from lists, which stay dimmed; not those that do not answer."""
    box = QRect(0, 0, 180, 28)
    nothing = ServerRow(*(None for _field in ServerRow._fields))  # type: ignore[arg-type]
    plain = nothing._replace(players=1, usable_slots=4, is_unconfirmed=dimmed)
    shown = plain._replace(**{state: True})  # type: ignore[arg-type]
    images = []
    for row in (plain, shown, plain._replace(is_unresponsive=True), shown._replace(is_unresponsive=True)):
        image = blank_image(box.width(), box.height(), 1)
        painter = QPainter(image)
        cells = CellPainter(painter, theme)
        cells.begin_cell(box)
        paint_players_cell(cells, box, row)
        painter.end()
        images.append(image)
    assert images[1] != images[0]
    assert images[3] == images[2]
    cell_end = box.right() if state == "is_full" else painted_area(images[0]).right()
    assert painted_area(images[1]).right() <= cell_end


def test_cut_band_is_marked_at_its_ends(theme: Theme) -> None:
    transform = PlotTransform(0.0, 1.0, 100.0, 200.0, QRectF(0, 0, 300, 120))
    marked = []
    for band in ((110.0, 190.0), (50.0, 190.0), (110.0, 250.0)):
        image = blank_image(300, 120, 1)
        painter = QPainter(image)
        draw_band_ends(painter, transform, band, theme)
        painter.end()
        white = QColor("white")
        columns = [[image.pixelColor(x, y) != white for x in range(300)] for y in range(120)]
        marked.append((any(map(any, columns[:40])), any(map(any, columns[80:]))))
    assert marked == [(False, False), (False, True), (True, False)]


@pytest.mark.parametrize("name", PALETTES)
def test_gap_in_a_plot_has_edges(qapp: QApplication, name: str) -> None:
    theme = Theme(qapp, name)
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(theme.palette.color("surface"))
    painter = QPainter(image)
    transform = PlotTransform(0.0, 200.0, 0.0, 1.0, QRectF(0, 0, 200, 100))
    draw_gaps(painter, transform, [(50.0, 150.0)], theme)
    painter.end()
    edges = [x for x in range(200) if image.pixelColor(x, 90) == theme.palette.color("hairline")]
    assert len(edges) == 2
    assert edges[1] - edges[0] > 80
    theme.deleteLater()


@pytest.mark.parametrize("make", [Button, LinkButton])
def test_enter_presses_focused_button(qtbot: QtBot, theme: Theme, make: type[PaintedButton]) -> None:
    button = make(theme, "Save…")  # type: ignore[call-arg]
    qtbot.addWidget(button)
    presses: list[bool] = []
    button.clicked.connect(lambda: presses.append(True))
    button.show()
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
        QTest.keyClick(button, key)
    assert len(presses) == 3


def test_header_continues_over_scroll_bar(app: AppDriver) -> None:
    app.window.resize(1280, 420)
    app.wait(app.table.verticalScrollBar().isVisible)
    image = app.table.grab().toImage()
    palette = app.program.theme.palette
    assert image.pixelColor(image.width() - 4, 5) == palette.color("window")
    assert image.pixelColor(image.width() - 4, app.table.header.height() - 1) == palette.color("hairline")


def test_menu_counts_end_at_one_place(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    choices = [MenuChoice(str(count), "Game", count, False) for count in (7, 12, 340)]
    menu = ChoiceMenu(window, choices, lambda _value, _on: None, multiple=True)
    counts = [action.text().partition("\t")[2] for action in menu.actions()]
    assert [count.strip() for count in counts] == ["7", "12", "340"]
    assert len({len(count) for count in counts}) == 1
    menu.deleteLater()
