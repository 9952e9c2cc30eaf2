"""A line over time: known spans joined, gaps left open, the range as a band, a bound as dashes, a forecast as dots."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from browser_app.catalogue.columns import Floats, Rows
from browser_app.ui.plots.plot import Plot
from browser_app.ui.theme import Theme

LEFT, RIGHT, TOP = 28, 6, 6
_TICKS, _NO_TICKS = 16, 5
"""Room under the axis."""
_STROKE, _DOT = 1.5, 2.5
_FILL_ALPHA, _BAND_ALPHA = 36, 64


def _nothing() -> Floats:
    return np.empty(0)


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is likely later: from the last known point to `x`."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """What a `LinePlot` shows; arrays of equal length, ascending in `x`, `y` NaN where unknown."""

    first: float
    last: float
    """The span of the axis."""
    most: float
    """Its height: the scale goes from 0 to this."""
    x: Floats = field(default_factory=_nothing)
    y: Floats = field(default_factory=_nothing)
    low: Floats = field(default_factory=_nothing)
    high: Floats = field(default_factory=_nothing)
    bridged: float = 0.0
    """Known points that are further apart are not joined."""
    bound: float | None = None
    """Drawn as a dashed line."""
    labels: Sequence[float] = ()
    """Values named beside the axis."""
    ticks: Sequence[tuple[float, str]] = ()
    """Names under the axis, beginning at their `x`."""
    lines_at_ticks: bool = False
    ahead: Ahead | None = None
    words: Callable[[int], str] = str
    """A point as text."""
    heading: str = ""
    """What the columns of the copied values are."""
    row: Callable[[int], str] = str
    """A point's copied values."""


class LinePlot(Plot):
    """Shows a `Curve`."""

    def __init__(self, theme: Theme, name: str, height: int, role: str = "plot1", *, filled: bool = True) -> None:
        super().__init__(theme, name, height)
        self._role, self._filled = role, filled
        self._curve = Curve(0.0, 1.0, 1.0)

    def show_curve(self, curve: Curve) -> None:
        """Show another one."""
        self._curve = curve
        self.changed()

    def count(self) -> int:
        """How many points there are."""
        return len(self._curve.x)

    def words(self, place: int) -> str:
        """A point as text."""
        return self._curve.words(place)

    def values(self) -> str:
        """All points as lines of values parted by tabs."""
        return "\n".join([self._curve.heading, *map(self._curve.row, range(self.count()))])

    def place_at(self, where: QPointF) -> int:
        """The point whose moment is nearest."""
        if not self.count():
            return -1
        curve = self._curve
        share = (where.x() - LEFT) / (self.width() - LEFT - RIGHT)
        return int(np.abs(curve.x - (curve.first + share * (curve.last - curve.first))).argmin())

    def draw(self, painter: QPainter, place: int) -> None:
        """Draw grid, bound, line and forecast."""
        self._draw_grid(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = self._theme.palette.color(self._role)
        last = self._draw_runs(painter, color)
        if last >= 0:
            end = self._point(self._curve.x[last], self._curve.y[last])
            if self._curve.ahead is not None:
                self._draw_ahead(painter, color, end, self._curve.ahead)
            _dot(painter, color, end)
        if place >= 0:
            self._draw_cursor(painter, color, place)

    def _draw_grid(self, painter: QPainter) -> None:
        curve, colors = self._curve, self._theme.palette
        for value in curve.labels:
            top = round(self._top(value)) + 0.5
            if value != curve.bound:
                painter.setPen(colors.color("hairline"))
                painter.drawLine(QLineF(LEFT, top, self.width() - RIGHT, top))
            self.label(painter, LEFT - 6, top + 4, f"{value:.0f}", right=True)
        for moment, text in curve.ticks:
            left = round(self._left(moment)) + 0.5
            if curve.lines_at_ticks:
                painter.setPen(colors.color("hairline"))
                painter.drawLine(QLineF(left, TOP, left, self._floor()))
            if left + painter.fontMetrics().horizontalAdvance(text) <= self.width() - RIGHT:
                self.label(painter, left + (4 if curve.lines_at_ticks else 0), self.height() - 3, text)
        if curve.bound is not None:
            pen = QPen(colors.color("full"), 1)
            pen.setDashPattern([3, 3])
            painter.setPen(pen)
            top = round(self._top(curve.bound)) + 0.5
            painter.drawLine(QLineF(LEFT, top, self.width() - RIGHT, top))

    def _draw_runs(self, painter: QPainter, color: QColor) -> int:
        """Draw what is known; the place of the last such point, -1 for none."""
        curve = self._curve
        known = np.flatnonzero(~np.isnan(curve.y))
        if not len(known):
            return -1
        for run in np.split(known, np.flatnonzero(np.diff(curve.x[known]) > curve.bridged) + 1):
            line = self._points(run, curve.y)
            painter.setPen(Qt.PenStyle.NoPen)
            if len(curve.low):
                painter.setBrush(_faint(color, _BAND_ALPHA))
                painter.drawPolygon(QPolygonF(self._points(run, curve.high) + self._points(run, curve.low)[::-1]))
            if self._filled:
                floor = self._top(0.0)
                painter.setBrush(_faint(color, _FILL_ALPHA))
                painter.drawPolygon(QPolygonF([QPointF(line[0].x(), floor), *line, QPointF(line[-1].x(), floor)]))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color, _STROKE))
            painter.drawPolyline(QPolygonF(line if len(line) > 1 else [line[0], line[0] + QPointF(0.5, 0)]))
        return int(known[-1])

    def _draw_ahead(self, painter: QPainter, color: QColor, start: QPointF, ahead: Ahead) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_faint(color, 2 * _BAND_ALPHA))
        painter.drawPolygon(QPolygonF([start, self._point(ahead.x, ahead.high), self._point(ahead.x, ahead.low)]))
        pen = QPen(color, _STROKE)
        pen.setDashPattern([1.3, 1.3])
        painter.setPen(pen)
        painter.drawLine(start, self._point(ahead.x, ahead.y))

    def _draw_cursor(self, painter: QPainter, color: QColor, place: int) -> None:
        left = self._left(self._curve.x[place])
        painter.setPen(QPen(self._theme.palette.color("border"), 1))
        painter.drawLine(QLineF(left, TOP, left, self._floor()))
        if not np.isnan(self._curve.y[place]):
            _dot(painter, color, self._point(self._curve.x[place], self._curve.y[place]))

    def _points(self, places: Rows, values: Floats) -> list[QPointF]:
        return [self._point(x, y) for x, y in zip(self._curve.x[places], values[places], strict=True)]

    def _point(self, x: float, y: float) -> QPointF:
        return QPointF(self._left(float(x)), self._top(float(y)))

    def _left(self, x: float) -> float:
        curve = self._curve
        return LEFT + (x - curve.first) / (curve.last - curve.first) * (self.width() - LEFT - RIGHT)

    def _top(self, y: float) -> float:
        return self._floor() - y / self._curve.most * (self._floor() - TOP)

    def _floor(self) -> float:
        return self.height() - (_TICKS if self._curve.ticks else _NO_TICKS)


def _faint(color: QColor, alpha: int) -> QColor:
    faint = QColor(color)
    faint.setAlpha(alpha)
    return faint


def _dot(painter: QPainter, color: QColor, centre: QPointF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(QRectF(centre.x() - _DOT, centre.y() - _DOT, 2 * _DOT, 2 * _DOT))
