"""What is painted on pyqtgraph's view boxes, in their own pixels."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from pyqtgraph import ViewBox
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from browser_app.ui.skill.over_time import backdrop, curves, samples
from browser_app.ui.skill.over_time.axes import Axes
from browser_app.ui.skill.over_time.picture import Picture
from browser_app.ui.skill.over_time.scale import Scale
from browser_app.ui.skill.over_time.trace import Trace
from browser_app.ui.skill.over_time.words import round_words, sample_words
from browser_app.ui.theme import Theme

Draw: TypeAlias = Callable[[QPainter], None]


class Layer(QGraphicsItem):
    """Paints what a function does on all of a view box, which cuts it off at its edges."""

    def __init__(self, view: ViewBox, draw: Draw) -> None:
        super().__init__(view)
        self._view, self._draw = view, draw
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
        view.sigResized.connect(self._resized)

    def _resized(self, _view: object) -> None:
        self.prepareGeometryChange()

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        """All of the view box."""
        return QRectF(self._view.rect())

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,  # noqa: ARG002
        widget: QWidget | None = None,  # noqa: ARG002
    ) -> None:
        """Qt's hook."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._draw(painter)


def draw_course(painter: QPainter, scale: Scale, picture: Picture, axes: Axes, theme: Theme) -> None:
    """All but the round pointed at."""
    colors, trace = theme.palette, picture.trace
    points = trace.span(scale.first, scale.last)
    backdrop.draw_gaps(painter, scale, trace.gaps, theme)
    backdrop.draw_values(painter, scale, axes.values, theme)
    curves.draw_band(painter, scale, trace, points, colors.color("plot1"))
    backdrop.draw_bounds(painter, scale, picture.bounds, theme)
    if picture.overlay is not None:
        other, beside = picture.overlay.course, axes.beside(scale)
        if isinstance(other, Trace):
            curves.draw_line(painter, beside, other, other.span(scale.first, scale.last), curves.overlay_pen(colors))
        else:
            samples.draw_samples(painter, beside, other, colors)
    curves.draw_line(painter, scale, trace, points, QPen(colors.color("plot1"), 2))
    curves.draw_marks(painter, scale, trace, points, colors)


def draw_pointed(painter: QPainter, scale: Scale, picture: Picture, point: int, theme: Theme) -> None:
    """The round pointed at."""
    trace = picture.trace
    at = QPointF(float(scale.left(trace.time[point])), float(scale.top(trace.value[point])))
    backdrop.draw_cursor(painter, scale, at, round_words(picture.history, int(trace.row[point])), theme)


def draw_sample(painter: QPainter, scale: Scale, picture: Picture, axes: Axes, number: int, theme: Theme) -> None:
    """The value pointed at that a service said: at its first reading, or where it comes into sight."""
    course = picture.sampled
    if course is not None:
        left = max(float(scale.left(course.since[number])), scale.box.left())
        at = QPointF(left, float(axes.beside(scale).top(course.points[number])))
        backdrop.draw_cursor(painter, scale, at, sample_words(course, number), theme)


def draw_counts(painter: QPainter, scale: Scale, picture: Picture, edges: Sequence[float], theme: Theme) -> None:
    """A bar from each edge to the next, as high as rounds between them."""
    counts = np.histogram(picture.trace.time, edges)[0]
    left = np.clip(scale.left(np.asarray(edges)), scale.box.left(), scale.box.right())
    most = max(1, int(counts.max()))
    fill = theme.palette.color("border")
    fill.setAlphaF(0.55)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for place in np.flatnonzero(counts).tolist():
        height = scale.box.height() * int(counts[place]) / most
        width = max(1.0, float(left[place + 1] - left[place]) - 2)
        painter.fillRect(QRectF(float(left[place]) + 1, scale.box.bottom() - height, width, height), fill)
    painter.setPen(QPen(theme.palette.color("hairline"), 1))
    painter.drawLine(scale.box.bottomLeft(), scale.box.bottomRight())
