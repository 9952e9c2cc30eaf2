"""Painted plots: keys, pointer, accessible texts, copying, gaps."""

from typing import TypeVar

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from browser_app.catalogue.sample_series import WeekProfile
from browser_app.ui.inspector.week_grid_plot import WeekGridPlot
from browser_app.ui.widgets.palette import LIGHT
from browser_app.ui.widgets.plots.line_plot import LINE_PLOT_LEFT, LINE_PLOT_RIGHT, ForecastPoint, LinePlot, PlotCurve
from browser_app.ui.widgets.plots.painted_plot import PaintedPlot, PlotPanel
from browser_app.ui.widgets.theme import Theme

WIDTH = 280
_Plot = TypeVar("_Plot", bound=PaintedPlot)


def curve(values: list[float], **changes: object) -> PlotCurve:
    """Return a curve with a point every 100 s."""
    x = np.arange(len(values)) * 100.0
    y = np.array(values)
    words = {"point_text": lambda place: f"point {place}: {y[place]:g}", "heading": "time\tplayers"}
    plain = {"first_x": 0.0, "last_x": x[-1], "max_value": 16.0, "x": x, "y": y, "max_gap": 150.0}
    plain["labels"] = (0.0, 8.0, 16.0)
    row = {"values_row": lambda place: f"{x[place]:g}\t{y[place]:g}"}
    return PlotCurve(**(plain | words | row | changes))


class PlotWindows:
    """Shows plots in windows whose focus is elsewhere."""

    def __init__(self, qtbot: QtBot) -> None:
        self._bot = qtbot
        self._windows: list[QWidget] = []

    def __call__(self, plot: _Plot) -> _Plot:
        window, elsewhere = QWidget(), QPushButton("elsewhere")
        self._windows.append(window)
        self._bot.addWidget(window)
        column = QVBoxLayout(window)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(plot)
        column.addWidget(elsewhere)
        window.resize(WIDTH, 200)
        window.show()
        window.activateWindow()
        self._bot.waitExposed(window)
        elsewhere.setFocus()
        return plot


@pytest.fixture
def show(qtbot: QtBot) -> PlotWindows:
    return PlotWindows(qtbot)


@pytest.fixture
def line(show: PlotWindows, theme: Theme) -> LinePlot:
    plot = LinePlot(theme, "Players", 96)
    plot.show_curve(curve([2.0, 4.0, np.nan, 12.0, 10.0]))
    return show(plot)


def test_keys_move_between_points(qtbot: QtBot, line: LinePlot) -> None:
    received: list[str] = []
    line.point_text_changed.connect(received.append)
    line.setFocus()
    assert line.current_point == 4
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Left, Qt.Key.Key_End, Qt.Key.Key_Right):
        qtbot.keyClick(line, key)
    assert received == ["point 4: 10", "point 3: 12", "point 2: nan", "point 0: 2", "point 4: 10"]
    assert line.accessibleDescription() == "point 4: 10"
    line.clearFocus()
    assert line.current_point == -1
    assert line.accessibleDescription() == line.summary_text()


def test_pointer_selects_nearest_point(qtbot: QtBot, line: LinePlot) -> None:
    room = WIDTH - LINE_PLOT_LEFT - LINE_PLOT_RIGHT
    for place in (0, 1, 3):
        qtbot.mouseMove(line, QPoint(LINE_PLOT_LEFT + room * place // 4 + 3, 40))
        assert line.current_point == place


def test_copies_all_values(qtbot: QtBot, line: LinePlot) -> None:
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert lines == ["time\tplayers", "0\t2", "100\t4", "200\tnan", "300\t12", "400\t10"]


def test_new_points_keep_current_point(qtbot: QtBot, line: LinePlot) -> None:
    line.setFocus()
    qtbot.keyClick(line, Qt.Key.Key_Home)
    line.show_curve(curve([7.0, 8.0]))
    assert line.accessibleDescription() == "point 0: 7"
    qtbot.keyClick(line, Qt.Key.Key_End)
    line.show_curve(curve([5.0]))
    assert line.accessibleDescription() == "point 0: 5"
    line.show_curve(PlotCurve(0.0, 1.0, 1.0))
    assert line.current_point == -1
    qtbot.keyClick(line, Qt.Key.Key_Left)
    qtbot.keyClick(line, Qt.Key.Key_End)
    assert line.current_point == -1


def test_unknown_span_is_not_drawn(theme: Theme, show: PlotWindows) -> None:
    plot = LinePlot(theme, "Players", 96, filled=False)
    plot.show_curve(curve([8.0, 8.0, np.nan, np.nan, 8.0, 8.0], labels=()))
    show(plot)
    picture = plot.grab().toImage()
    plain = QColor(picture.pixelColor(2, 2))

    def drawn(share: float) -> bool:
        left = LINE_PLOT_LEFT + round((WIDTH - LINE_PLOT_LEFT - LINE_PLOT_RIGHT) * share)
        return any(picture.pixelColor(left, top) != plain for top in range(6, 80))

    assert drawn(0.1)
    assert not drawn(0.5)
    assert drawn(0.9)


def test_draws_bound_and_forecast(theme: Theme, show: PlotWindows) -> None:
    plain, full = LinePlot(theme, "Players", 96), LinePlot(theme, "Players", 96)
    plain.show_curve(curve([8.0, 8.0], last_x=200.0))
    full.show_curve(curve([8.0, 8.0], last_x=200.0, upper_bound=16.0, forecast=ForecastPoint(200.0, 9.0, 4.0, 12.0)))
    pictures = [show(plot).grab().toImage() for plot in (plain, full)]
    right = range(WIDTH * 3 // 4, WIDTH - LINE_PLOT_RIGHT)
    different = {y for y in range(96) for x in right if pictures[0].pixelColor(x, y) != pictures[1].pixelColor(x, y)}
    assert {6, 40, 50} <= different
    dashes = {pictures[1].pixelColor(x, 6).name() for x in range(LINE_PLOT_LEFT, WIDTH - LINE_PLOT_RIGHT)}
    assert LIGHT.full.lower() in dashes


def test_panel_shows_current_point(theme: Theme, qtbot: QtBot) -> None:
    line = LinePlot(theme, "Players", 96)
    line.show_curve(curve([2.0, 4.0]))
    panel = PlotPanel(theme, line)
    qtbot.addWidget(panel)
    panel.set_title("Players, last 7 days")
    line.set_current_point(1)
    assert panel.point_label.text() == "point 1: 4"
    assert line.accessibleName() == panel.title_label.text() == "Players, last 7 days"


@pytest.fixture
def grid(show: PlotWindows, theme: Theme) -> WeekGridPlot:
    alive, seen = np.zeros((7, 24)), np.full((7, 24), 6.0)
    alive[3, 19:23] = 5 / 6
    alive[6], seen[6] = np.nan, 0
    plot = WeekGridPlot(theme, "Usually active")
    plot.show_week(WeekProfile(alive * 12, alive, seen))
    return show(plot)


def test_keys_move_by_hours_and_days(qtbot: QtBot, grid: WeekGridPlot) -> None:
    grid.setFocus()
    assert grid.accessibleDescription() == "Sun 23:00–24:00: no data yet"
    for key, words in (
        (Qt.Key.Key_Left, "Sun 22:00–23:00: no data yet"),
        (Qt.Key.Key_Up, "Sat 22:00–23:00: active 0 of 6 times, average 0"),
        (Qt.Key.Key_Up, "Fri 22:00–23:00: active 0 of 6 times, average 0"),
        (Qt.Key.Key_Up, "Thu 22:00–23:00: active 5 of 6 times, average 10"),
        (Qt.Key.Key_Home, "Mon 0:00–1:00: active 0 of 6 times, average 0"),
        (Qt.Key.Key_Up, "Mon 0:00–1:00: active 0 of 6 times, average 0"),
    ):
        qtbot.keyClick(grid, key)
        assert grid.accessibleDescription() == words


def test_grid_marks_active_hours(grid: WeekGridPlot) -> None:
    picture = grid.grab().toImage()

    def colors(day: int, hour: int) -> set[str]:
        cell = grid._cell_rect(day, hour).toRect().adjusted(1, 0, 0, 0)
        every = ((x, y) for x in range(cell.left(), cell.right()) for y in range(cell.top(), cell.bottom()))
        return {picture.pixelColor(*place).name() for place in every}

    assert len(colors(0, 3)) == 1
    assert len(colors(3, 20)) > 1  # the bar
    assert colors(0, 3).isdisjoint(colors(3, 20))
    empty = picture.pixelColor(2, grid.height() - 2).name()
    assert empty in colors(6, 3)


def test_copies_grid(grid: WeekGridPlot) -> None:
    grid.copy_values()
    lines = QApplication.clipboard().text().splitlines()
    assert len(lines) == 169
    assert len(lines[0].split("\t")) == 5
    assert lines[1 + 3 * 24 + 20] == "Thu\t20\t0.833\t10\t6"
    assert lines[168] == "Sun\t23\t\t\t0"


def test_accessible_summary(theme: Theme, show: PlotWindows) -> None:
    plot = show(LinePlot(theme, "Players", 80))
    assert plot.accessibleDescription() == ""
    plot.show_curve(curve([3, 5, 4]))
    assert plot.accessibleDescription() == "3 points, from point 0: 3 to point 2: 4"
    plot.set_current_point(1)
    assert plot.accessibleDescription() == "point 1: 5"
    plot.set_current_point(-1)
    assert plot.accessibleDescription().startswith("3 points")
    spoken = QAccessible.queryAccessibleInterface(plot)
    assert spoken.role() == QAccessible.Role.Graphic
    assert spoken.text(QAccessible.Text.Name) == "Players"


def test_time_axis_is_not_mirrored(theme: Theme, show: PlotWindows, qapp: QApplication) -> None:
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        plot = show(LinePlot(theme, "Players", 80))
        plot.show_curve(curve([3, 5, 4]))
        assert plot.layoutDirection() == Qt.LayoutDirection.LeftToRight
        assert plot.point_at_position(QPointF(LINE_PLOT_LEFT, 10)) == 0
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
