"""A small range on a line: a dot with its whisker, and a mark for what it is held against."""

from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from browser_app.ui.theme import Theme

HEIGHT, EDGE = 12, 5


class Range(NamedTuple):
    """What is drawn between `first` and `last`, the ends of the line; None is not drawn."""

    first: float
    last: float
    dot: float | None
    low: float | None
    high: float | None
    held_against: float | None


def draw_range(painter: QPainter, theme: Theme, box: QRectF, shown: Range, *, mirrored: bool) -> None:
    """The range in a box, 12 px high."""
    colors, middle = theme.palette, box.center().y()

    def x(value: float) -> float:
        share = min(1.0, max(0.0, (value - shown.first) / (shown.last - shown.first or 1.0)))
        across = EDGE + share * (box.width() - 2 * EDGE)
        return box.x() + (box.width() - across if mirrored else across)

    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colors.color("hairline"), 1))
    painter.drawLine(QLineF(box.left(), middle, box.right(), middle))
    if shown.held_against is not None:
        pen = QPen(colors.color("border"), 1.25)
        pen.setDashPattern([2, 2])
        painter.setPen(pen)
        at = x(shown.held_against)
        painter.drawLine(QLineF(at, box.top(), at, box.bottom()))
    if shown.low is not None and shown.high is not None:
        painter.setPen(QPen(colors.color("text2"), 1.5))
        painter.drawLine(QLineF(x(shown.low), middle, x(shown.high), middle))
    if shown.dot is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.color("plot1"))
        painter.drawEllipse(QPointF(x(shown.dot), middle), 3.5, 3.5)
    painter.restore()


class RangeBar(QWidget):
    """One range; whoever shows it says it in words."""

    def __init__(self, theme: Theme, shown: Range, words: str, width: int) -> None:
        super().__init__()
        self._theme, self._shown = theme, shown
        self.setFixedSize(QSize(width, HEIGHT))
        self.setAccessibleName(words)
        self.setToolTip(words)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw it."""
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        draw_range(QPainter(self), self._theme, QRectF(self.rect()), self._shown, mirrored=mirrored)
