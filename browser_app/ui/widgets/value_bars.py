"""Small bars that show a value with its interval, or a signed value."""

from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.ui.widgets.basic_widgets import mirrored_rect
from browser_app.ui.widgets.theme import Theme

_DIVERGING_BAR_WIDTH, _DIVERGING_BAR_HEIGHT, _BAR_THICKNESS = 180, 12, 8


class DivergingBar(QWidget):
    """A bar for a value from −1 to 1; the number is shown beside it as text."""

    def __init__(self, theme: Theme, value: float = 0.0) -> None:
        super().__init__()
        self._theme = theme
        self.set_value(value)
        self.setMinimumSize(QSize(60, _DIVERGING_BAR_HEIGHT))
        self.setMaximumSize(QSize(_DIVERGING_BAR_WIDTH, _DIVERGING_BAR_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def set_value(self, value: float) -> None:
        """Show another value."""
        self._value = min(1.0, max(-1.0, value))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the preferred size: 180 px wide."""
        return QSize(_DIVERGING_BAR_WIDTH, _DIVERGING_BAR_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the axis, the zero line and the bar."""
        painter, colors = QPainter(self), self._theme.palette
        middle = self.width() // 2
        painter.fillRect(0, _DIVERGING_BAR_HEIGHT // 2, self.width(), 1, colors.color("hairline"))
        length = round(abs(self._value) * (middle - 2))
        left = middle if self._value > 0 else middle - length
        bar = QRect(left, (_DIVERGING_BAR_HEIGHT - _BAR_THICKNESS) // 2, length, _BAR_THICKNESS)
        painter.fillRect(mirrored_rect(self, bar), colors.color("score_mid"))
        painter.fillRect(mirrored_rect(self, QRect(middle, 0, 1, _DIVERGING_BAR_HEIGHT)), colors.color("border"))


INTERVAL_HEIGHT, INTERVAL_MARGIN = 12, 5


class IntervalMark(NamedTuple):
    """A value with its interval on an axis; None values are not drawn."""

    axis_start: float
    axis_end: float
    value: float | None
    low: float | None
    high: float | None
    reference: float | None


def draw_interval(painter: QPainter, theme: Theme, box: QRectF, interval: IntervalMark, *, mirrored: bool) -> None:
    """Draw a value and its interval into a box 12 px high."""
    colors, middle = theme.palette, box.center().y()

    def x(value: float) -> float:
        share = min(1.0, max(0.0, (value - interval.axis_start) / (interval.axis_end - interval.axis_start or 1.0)))
        across = INTERVAL_MARGIN + share * (box.width() - 2 * INTERVAL_MARGIN)
        return box.x() + (box.width() - across if mirrored else across)

    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colors.color("hairline"), 1))
    painter.drawLine(QLineF(box.left(), middle, box.right(), middle))
    if interval.reference is not None:
        pen = QPen(colors.color("border"), 1.25)
        pen.setDashPattern([2, 2])
        painter.setPen(pen)
        at = x(interval.reference)
        painter.drawLine(QLineF(at, box.top(), at, box.bottom()))
    if interval.low is not None and interval.high is not None:
        painter.setPen(QPen(colors.color("text2"), 1.5))
        painter.drawLine(QLineF(x(interval.low), middle, x(interval.high), middle))
    if interval.value is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.color("plot1"))
        painter.drawEllipse(QPointF(x(interval.value), middle), 3.5, 3.5)
    painter.restore()


class IntervalBar(QWidget):
    """A bar of one value and its interval.

    `text` describes it for tooltip and accessibility.
    """

    def __init__(self, theme: Theme, interval: IntervalMark, text: str, width: int) -> None:
        super().__init__()
        self._theme, self._interval = theme, interval
        self.setFixedSize(QSize(width, INTERVAL_HEIGHT))
        self.setAccessibleName(text)
        self.setToolTip(text)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the interval."""
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        draw_interval(QPainter(self), self._theme, QRectF(self.rect()), self._interval, mirrored=mirrored)
