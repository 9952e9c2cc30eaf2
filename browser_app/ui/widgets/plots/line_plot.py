"""A painted plot of one line over time, with a range and a forecast."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from browser_app.catalogue.catalogue_columns import Floats, RowIds
from browser_app.number_text import integer_text
from browser_app.ui.widgets.plots.painted_plot import PaintedPlot
from browser_app.ui.widgets.theme import Theme

LINE_PLOT_LEFT, LINE_PLOT_RIGHT, LINE_PLOT_TOP = 28, 6, 6
_TICKS_HEIGHT, _NO_TICKS_HEIGHT = 16, 5
"""Space below the axis with and without tick labels, px."""
_STROKE_WIDTH, _DOT_RADIUS = 1.5, 2.5
_FILL_ALPHA, _BAND_ALPHA = 36, 64


def _no_values() -> Floats:
    return np.empty(0)


@dataclass(frozen=True, slots=True)
class ForecastPoint:
    """A forecast, drawn from the last known point to `x`."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PlotDot:
    """A dot on the curve, filled or as a ring."""

    x: float
    y: float
    is_filled: bool = True


@dataclass(frozen=True, slots=True)
class PlotCurve:
    """Content of a `LinePlot`.

    Arrays of equal length, ascending in `x`, NaN in `y` where unknown.
    """

    first_x: float
    last_x: float
    """First and last value of the horizontal axis, in most plots the time."""
    max_value: float
    """Upper end of the value axis, which starts at 0."""
    x: Floats = field(default_factory=_no_values)
    y: Floats = field(default_factory=_no_values)
    low: Floats = field(default_factory=_no_values)
    high: Floats = field(default_factory=_no_values)
    max_gap: float = 0.0
    """Known points further apart are not connected."""
    upper_bound: float | None = None
    """Drawn as a dashed line, e.g. the number of slots."""
    labels: Sequence[float] = ()
    """Labelled values of the value axis."""
    label_text: Callable[[float], str] = integer_text
    """Returns the label of a value."""
    ticks: Sequence[tuple[float, str]] = ()
    """Labels of the horizontal axis."""
    centres_ticks: bool = False
    """Centre each label at its `x`, instead of starting it there."""
    lines_at_ticks: bool = False
    forecast: ForecastPoint | None = None
    dots: Sequence[PlotDot] | None = None
    """None: the last known point."""
    focus_point: int = -1
    """The point that becomes current when the plot gets the focus, -1 for the last one."""
    point_text: Callable[[int], str] = str
    """Returns the description of a point."""
    heading: str = ""
    """First line of copied values: column titles separated by tabs."""
    values_row: Callable[[int], str] = str
    """Returns a point's line of copied values."""


class LinePlot(PaintedPlot):
    """A plot of one `PlotCurve`."""

    def __init__(self, theme: Theme, name: str, height: int, role: str = "plot1", *, filled: bool = True) -> None:
        super().__init__(theme, name, height)
        self._role, self._filled = role, filled
        self._curve = PlotCurve(0.0, 1.0, 1.0)

    def show_curve(self, curve: PlotCurve) -> None:
        """Show another curve."""
        self._curve = curve
        self.refresh_points()

    def point_count(self) -> int:
        """Return the number of points."""
        return len(self._curve.x)

    def focus_point(self) -> int:
        """Return the curve's focus point, by default the last one."""
        return self._curve.focus_point if self._curve.focus_point >= 0 else super().focus_point()

    def point_text(self, index: int) -> str:
        """Return the description of a point."""
        return self._curve.point_text(index)

    def values_text(self) -> str:
        """Return all points as lines of tab-separated values."""
        return "\n".join([self._curve.heading, *map(self._curve.values_row, range(self.point_count()))])

    def point_at_position(self, where: QPointF) -> int:
        """Return the point nearest in time."""
        if not self.point_count():
            return -1
        curve = self._curve
        share = (where.x() - LINE_PLOT_LEFT) / (self.width() - LINE_PLOT_LEFT - LINE_PLOT_RIGHT)
        return int(np.abs(curve.x - (curve.first_x + share * (curve.last_x - curve.first_x))).argmin())

    def draw(self, painter: QPainter, index: int) -> None:
        """Draw grid, bound, line and forecast."""
        self._draw_grid(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._theme.palette.color(self._role)
        last = self._draw_runs(painter, color)
        if last >= 0:
            end = self._point(self._curve.x[last], self._curve.y[last])
            if self._curve.forecast is not None:
                self._draw_forecast(painter, color, end, self._curve.forecast)
            dots = [PlotDot(self._curve.x[last], self._curve.y[last])] if self._curve.dots is None else self._curve.dots
            for dot in dots:
                _draw_dot(painter, color, self._point(dot.x, dot.y), is_filled=dot.is_filled)
        if index >= 0:
            self._draw_cursor(painter, color, index)

    def _draw_grid(self, painter: QPainter) -> None:
        curve, colors = self._curve, self._theme.palette
        for value in curve.labels:
            top = round(self._y_position(value)) + 0.5
            if value != curve.upper_bound:
                painter.setPen(colors.color("hairline"))
                painter.drawLine(QLineF(LINE_PLOT_LEFT, top, self.width() - LINE_PLOT_RIGHT, top))
            self.draw_label(painter, LINE_PLOT_LEFT - 6, top + 4, curve.label_text(value), right=True)
        for moment, text in curve.ticks:
            left = round(self._x_position(moment)) + 0.5
            if curve.lines_at_ticks:
                painter.setPen(colors.color("hairline"))
                painter.drawLine(QLineF(left, LINE_PLOT_TOP, left, self._baseline()))
            width = painter.fontMetrics().horizontalAdvance(text)
            start, margin = (left - width / 2, 0) if curve.centres_ticks else (left, LINE_PLOT_RIGHT)
            if start + width <= self.width() - margin:
                self.draw_label(painter, start + (4 if curve.lines_at_ticks else 0), self.height() - 3, text)
        if curve.upper_bound is not None:
            pen = QPen(colors.color("full"), 1)
            pen.setDashPattern([3, 3])
            painter.setPen(pen)
            top = round(self._y_position(curve.upper_bound)) + 0.5
            painter.drawLine(QLineF(LINE_PLOT_LEFT, top, self.width() - LINE_PLOT_RIGHT, top))

    def _draw_runs(self, painter: QPainter, color: QColor) -> int:
        """Draw the connected runs of known points.

        Returns the last known point, -1 if there is none.
        """
        curve = self._curve
        known = np.flatnonzero(~np.isnan(curve.y))
        if not len(known):
            return -1
        for run in np.split(known, np.flatnonzero(np.diff(curve.x[known]) > curve.max_gap) + 1):
            line = self._points(run, curve.y)
            painter.setPen(Qt.PenStyle.NoPen)
            if len(curve.low):
                painter.setBrush(_with_alpha(color, _BAND_ALPHA))
                painter.drawPolygon(QPolygonF(self._points(run, curve.high) + self._points(run, curve.low)[::-1]))
            if self._filled:
                floor = self._y_position(0.0)
                painter.setBrush(_with_alpha(color, _FILL_ALPHA))
                painter.drawPolygon(QPolygonF([QPointF(line[0].x(), floor), *line, QPointF(line[-1].x(), floor)]))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color, _STROKE_WIDTH))
            painter.drawPolyline(QPolygonF(line if len(line) > 1 else [line[0], line[0] + QPointF(0.5, 0)]))
        return int(known[-1])

    def _draw_forecast(self, painter: QPainter, color: QColor, start: QPointF, ahead: ForecastPoint) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_with_alpha(color, 2 * _BAND_ALPHA))
        painter.drawPolygon(QPolygonF([start, self._point(ahead.x, ahead.high), self._point(ahead.x, ahead.low)]))
        pen = QPen(color, _STROKE_WIDTH)
        pen.setDashPattern([1.3, 1.3])
        painter.setPen(pen)
        painter.drawLine(start, self._point(ahead.x, ahead.y))

    def _draw_cursor(self, painter: QPainter, color: QColor, index: int) -> None:
        left = self._x_position(self._curve.x[index])
        painter.setPen(QPen(self._theme.palette.color("border"), 1))
        painter.drawLine(QLineF(left, LINE_PLOT_TOP, left, self._baseline()))
        if not np.isnan(self._curve.y[index]):
            _draw_dot(painter, color, self._point(self._curve.x[index], self._curve.y[index]))

    def _points(self, indices: RowIds, values: Floats) -> list[QPointF]:
        return [self._point(x, y) for x, y in zip(self._curve.x[indices], values[indices], strict=True)]

    def _point(self, x: float, y: float) -> QPointF:
        return QPointF(self._x_position(float(x)), self._y_position(float(y)))

    def _x_position(self, x: float) -> float:
        curve = self._curve
        return LINE_PLOT_LEFT + (x - curve.first_x) / (curve.last_x - curve.first_x) * (
            self.width() - LINE_PLOT_LEFT - LINE_PLOT_RIGHT
        )

    def _y_position(self, y: float) -> float:
        return self._baseline() - y / self._curve.max_value * (self._baseline() - LINE_PLOT_TOP)

    def _baseline(self) -> float:
        return self.height() - (_TICKS_HEIGHT if self._curve.ticks else _NO_TICKS_HEIGHT)


def _with_alpha(color: QColor, alpha: int) -> QColor:
    faint = QColor(color)
    faint.setAlpha(alpha)
    return faint


def _draw_dot(painter: QPainter, color: QColor, centre: QPointF, *, is_filled: bool = True) -> None:
    painter.setPen(Qt.PenStyle.NoPen if is_filled else QPen(color, _STROKE_WIDTH))
    painter.setBrush(color if is_filled else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QRectF(centre.x() - _DOT_RADIUS, centre.y() - _DOT_RADIUS, 2 * _DOT_RADIUS, 2 * _DOT_RADIUS))
