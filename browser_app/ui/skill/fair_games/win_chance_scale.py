"""A scale that shows a win chance before and after balancing."""

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.language import gettext as _
from browser_app.ui.skill.rating_format import format_chance, format_share
from browser_app.ui.widgets.basic_widgets import mirrored_rect
from browser_app.ui.widgets.theme import Theme

FAIR_RANGE = (0.45, 0.55)
_HEIGHT, _STRIP_TOP, _STRIP_HEIGHT, _SIDE_MARGIN = 58, 26, 10, 6
_MIN_LABEL_DISTANCE = 56
"""Pixels that two labels need between their centres."""
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class WinChanceScale(QWidget):
    """Scale with two marked chances; the numbers are also shown as text above it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._before: float | None = None
        self._after: float | None = None
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_chances(self, before: float | None, after: float | None) -> None:
        """Mark these chances; None is not drawn."""
        self._before, self._after = before, after
        words = _("before {before}, after {after}")
        self.setAccessibleName(words.format(before=format_chance(before), after=format_chance(after)))
        self.update()

    def sizeHint(self) -> QSize:
        """Return a preferred width; the scale expands."""
        return QSize(400, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the scale, its ticks and the markers."""
        painter, colors = QPainter(self), self._theme.palette
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keeps % signs behind their numbers
        self._draw_band(painter, 0.0, 1.0, "hairline")
        self._draw_band(painter, *FAIR_RANGE, "score_low")
        painter.setFont(self._theme.font(11))
        for tick in _TICKS:
            x = self._x(tick)
            painter.fillRect(x, _STRIP_TOP + _STRIP_HEIGHT, 1, 5, colors.color("border"))
            painter.setPen(colors.color("text2"))
            self._draw_label(painter, x, 41, format_share(tick), QFontMetrics(painter.font()))
        before, after = self._before, self._after
        if before is not None and (after is None or before != after):
            apart = after is None or abs(self._x(before) - self._x(after)) >= _MIN_LABEL_DISTANCE
            self._draw_marker(painter, before, _("before"), filled=False, labelled=apart)
        if after is not None:
            self._draw_marker(painter, after, _("after"), filled=True, labelled=True)

    def _x(self, chance: float) -> int:
        inner = QRect(_SIDE_MARGIN + round(chance * (self.width() - 2 * _SIDE_MARGIN - 1)), 0, 1, 1)
        return mirrored_rect(self, inner).x()

    def _draw_band(self, painter: QPainter, low: float, high: float, role: str) -> None:
        left, right = sorted((self._x(low), self._x(high)))
        painter.fillRect(QRect(left, _STRIP_TOP, right - left + 1, _STRIP_HEIGHT), self._theme.palette.color(role))

    def _draw_label(self, painter: QPainter, x: int, top: int, text: str, metrics: QFontMetrics) -> None:
        width = metrics.horizontalAdvance(text) + 2
        left = min(max(0, x - width // 2), self.width() - width)
        painter.drawText(QRect(left, top, width, 16), int(Qt.AlignmentFlag.AlignCenter), text)

    def _draw_marker(self, painter: QPainter, chance: float, label: str, *, filled: bool, labelled: bool) -> None:
        color, x = self._theme.palette.color("text1"), float(self._x(chance)) + 0.5
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color, 1.5))
        painter.setBrush(color if filled else Qt.BrushStyle.NoBrush)
        tip, top = _STRIP_TOP - 1.0, _STRIP_TOP - 10.0
        painter.drawPolygon(QPolygonF([QPointF(x, tip), QPointF(x - 6, top), QPointF(x + 6, top)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if labelled:
            font = self._theme.font(12, QFont.Weight.DemiBold if filled else QFont.Weight.Normal)
            painter.setFont(font)
            self._draw_label(painter, round(x), 0, label, QFontMetrics(font))
