"""Five plot series that differ in colour, dashes and markers."""

from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen, QPolygonF

from browser_app.ui.widgets.palette import Palette

MARKER_RADIUS_PX = 4.0


class PlotSeries(NamedTuple):
    """Appearance of a series; `dashes` in pixels."""

    role: str
    dashes: tuple[float, ...]
    marker: str
    width: float = 1.5

    def pen(self, colors: Palette) -> QPen:
        """Return the pen of its line."""
        pen = QPen(colors.color(self.role), self.width)
        if self.dashes:
            pen.setDashPattern([length / self.width for length in self.dashes])
        return pen


PLOT_SERIES = (
    PlotSeries("plot1", (), "circle", 2.0),
    PlotSeries("plot2", (6.0, 3.0), "square"),
    PlotSeries("plot3", (2.0, 3.0), "triangle"),
    PlotSeries("plot4", (8.0, 3.0, 2.0, 3.0), "diamond"),
    PlotSeries("plot5", (1.0, 2.0), "cross"),
)


def draw_series_marker(painter: QPainter, series: PlotSeries, at: QPointF, colors: Palette) -> None:
    """Draw the series' marker at a point.

    It is filled for the first series, open for the others.
    """
    x, y, r = at.x(), at.y(), MARKER_RADIUS_PX
    painter.setPen(QPen(colors.color(series.role), 1.5))
    painter.setBrush(colors.color(series.role if series.marker == "circle" else "surface"))
    if series.marker == "circle":
        painter.drawEllipse(at, r, r)
    elif series.marker == "square":
        painter.drawRect(QRectF(x - 0.8 * r, y - 0.8 * r, 1.6 * r, 1.6 * r))
    elif series.marker == "triangle":
        painter.drawPolygon(QPolygonF([QPointF(x - r, y + 0.8 * r), QPointF(x + r, y + 0.8 * r), QPointF(x, y - r)]))
    elif series.marker == "diamond":
        corners = [QPointF(x, y - r), QPointF(x + r, y), QPointF(x, y + r), QPointF(x - r, y)]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.drawLine(QLineF(x - 0.8 * r, y - 0.8 * r, x + 0.8 * r, y + 0.8 * r))
        painter.drawLine(QLineF(x - 0.8 * r, y + 0.8 * r, x + 0.8 * r, y - 0.8 * r))


def draw_series_sample(painter: QPainter, series: PlotSeries, box: QRectF, colors: Palette) -> None:
    """Draw a piece of its line with a marker, for legends."""
    middle = box.center()
    painter.setPen(series.pen(colors))
    painter.drawLine(QLineF(box.left(), middle.y(), box.right(), middle.y()))
    draw_series_marker(painter, series, QPointF(middle), colors)
