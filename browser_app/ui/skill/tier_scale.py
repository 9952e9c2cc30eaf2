"""The rating as a needle on a ruled strip, with the range that holds it 9 times in 10."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.language import gettext as _
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.scale import Band, Scale
from browser_app.ui.skill.still_picture import StillPicture
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

HEIGHT, STRIP, THICK, MARGIN = 100, 44, 10, 10
"""The strip's top and thickness, and what is left at both ends, px."""
_BOUNDS_AT, _TITLES_AT, _VALUE_AT = 32, 50, -21
"""Baselines of the texts, from the strip's top."""


class TierScale(QWidget):
    """Mirrored where the layout runs from right to left; numbers keep their order. All of it is told in words, too."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scale: Scale | None = None
        self._still = StillPicture(self, theme, self._draw)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(240)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Rating on its scale"))
        theme.changed.connect(self.update)

    def show_scale(self, scale: Scale | None) -> None:
        """Show this one; None hides the strip."""
        self._scale = scale
        self._still.forget()
        self.setVisible(scale is not None)
        if scale is not None:
            self.setAccessibleDescription(scale.spoken)
            lines = [f"{band.title}: {self._bound(band.low)}–{self._bound(band.high)}" for band in scale.bands]
            self.setToolTip(tool_tip("\n".join(lines)))
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(640, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw ticks, bands, needle and texts."""
        self._still.draw(QPainter(self))

    def _draw(self, painter: QPainter) -> None:
        if self._scale is None:
            return
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # numbers keep their order
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_ticks(painter, self._scale)
        for band in self._scale.bands:
            self._draw_band(painter, self._scale, band)
        self._draw_needle(painter, self._scale)

    def _x(self, scale: Scale, value: float) -> float:
        across = MARGIN + scale.share(value) * (self.width() - 2 * MARGIN)
        return across if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else self.width() - across

    def _bound(self, value: float) -> str:
        return points_words(value, self._scale.decimals if self._scale else 0)

    def _draw_ticks(self, painter: QPainter, scale: Scale) -> None:
        painter.setPen(QPen(self._theme.palette.color("border"), 1))
        for number in range(round((scale.high - scale.low) / scale.step) + 1):
            across, length = round(self._x(scale, scale.low + number * scale.step)) + 0.5, 4 if number % 5 else 7
            painter.drawLine(QPointF(across, STRIP - length), QPointF(across, STRIP - 1))

    def _draw_band(self, painter: QPainter, scale: Scale, band: Band) -> None:
        colors, strip = self._theme.palette, self._strip(scale, band)
        fill = QColor(colors.accent if band.mine else colors.score_low)
        fill.setAlphaF(1.0 if band.mine else 0.35)
        painter.fillRect(strip, fill)
        weight = QFont.Weight.DemiBold if band.mine else QFont.Weight.Normal
        painter.setFont(self._theme.font(12, weight))
        metrics = painter.fontMetrics()
        room = int(self.width()) if band.mine else int(strip.width())
        title = metrics.elidedText(band.title, Qt.TextElideMode.ElideRight, room)
        if len(title) > 2 or title == band.title:
            self._write(painter, strip.center().x(), _TITLES_AT, title, "text1" if band.mine else "text2")
        if band is not scale.bands[0]:
            painter.setFont(self._theme.font(11))
            self._write(painter, self._x(scale, band.low), _BOUNDS_AT, self._bound(band.low), "text2")

    def _strip(self, scale: Scale, band: Band) -> QRectF:
        ends = sorted((self._x(scale, band.low), self._x(scale, band.high)))
        return QRectF(ends[0], STRIP, max(1.0, ends[1] - ends[0] - 2), THICK)

    def _write(self, painter: QPainter, centre: float, below: int, text: str, role: str) -> None:
        """A text centred at a place, moved inside where it would be cut."""
        painter.setPen(self._theme.palette.color(role))
        width = painter.fontMetrics().horizontalAdvance(text)
        left = min(max(0.0, centre - width / 2), self.width() - float(width))
        painter.drawText(QPointF(left, STRIP + below), text)

    def _draw_needle(self, painter: QPainter, scale: Scale) -> None:
        ink, at = self._theme.palette.color("text1"), self._x(scale, scale.value)
        if scale.range_low is not None and scale.range_high is not None:
            painter.setPen(QPen(ink, 1.5))
            left, right = (self._x(scale, each) for each in (scale.range_low, scale.range_high))
            painter.drawLine(QPointF(left, STRIP - 12), QPointF(right, STRIP - 12))
            for end in (left, right):
                painter.drawLine(QPointF(end, STRIP - 15), QPointF(end, STRIP - 9))
        painter.setPen(QPen(ink, 2))
        painter.drawLine(QPointF(at, STRIP - 16), QPointF(at, STRIP + THICK + 2))
        self._draw_pointer(painter, at, ink, ink)
        if scale.counted is not None:
            self._draw_pointer(painter, self._x(scale, scale.counted), self._theme.palette.color("surface"), ink)
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold))
        self._write(painter, at, _VALUE_AT, self._bound(scale.value), "text1")

    def _draw_pointer(self, painter: QPainter, at: float, fill: QColor, line: QColor) -> None:
        top = STRIP + THICK + 2
        painter.setPen(QPen(line, 1))
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([QPointF(at, top), QPointF(at - 5, top + 8), QPointF(at + 5, top + 8)]))
