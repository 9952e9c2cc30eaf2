"""What lies under and over a rating's course: round values, spans not played, bounds of tiers, the round pointed at."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from browser_app.ui.skill.over_time.scale import Scale
from browser_app.ui.skill.over_time.words import RoundWords, gap_words
from browser_app.ui.theme import Theme

_GAP_PX = 4.0
"""Between the last point before a gap and its sign."""
_LINE, _PADDING, _AWAY, _RADIUS = 20.0, 12.0, 14.0, 4.0


class Bound(NamedTuple):
    """A value at which something begins, with its words."""

    value: float
    words: str


def draw_values(painter: QPainter, scale: Scale, values: Sequence[float], theme: Theme) -> None:
    """A hairline at each."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(theme.palette.color("hairline"), 1))
    for value in values:
        painter.drawLine(_level(scale, value))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def draw_gaps(painter: QPainter, scale: Scale, gaps: Sequence[tuple[float, float]], theme: Theme) -> None:
    """A blank span with its length in words, where there is room for them."""
    painter.setFont(theme.font(11))
    for first, last in gaps:
        left = max(float(scale.left(first)) + _GAP_PX, scale.box.left())
        right = min(float(scale.left(last)) - _GAP_PX, scale.box.right())
        span = QRectF(left, scale.box.top(), right - left, scale.box.height())
        if span.width() <= 0:
            continue
        painter.fillRect(span, theme.palette.color("window"))
        words, room = gap_words(first, last), span.adjusted(4, 6, -4, 0)
        place = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        if QFontMetricsF(painter.font()).boundingRect(room, place, words).width() <= room.width():
            painter.setPen(theme.palette.color("text2"))
            painter.drawText(room, place, words)


def draw_bounds(painter: QPainter, scale: Scale, bounds: Sequence[Bound], theme: Theme) -> None:
    """A dotted line at each that is in sight, with its words at the right end."""
    painter.setFont(theme.font(11))
    for bound in bounds:
        if not scale.low < bound.value < scale.high:
            continue
        pen = QPen(theme.palette.color("border"), 1)
        pen.setDashPattern([2, 4])
        painter.setPen(pen)
        line = _level(scale, bound.value)
        painter.drawLine(line)
        width = QFontMetricsF(painter.font()).horizontalAdvance(bound.words)
        painter.setPen(theme.palette.color("text2"))
        painter.drawText(QPointF(line.x2() - width - 4, line.y1() - 5), bound.words)


def draw_cursor(painter: QPainter, scale: Scale, at: QPointF, words: RoundWords, theme: Theme) -> None:
    """The round pointed at: a dotted line through it, a ring round it, and its words in a box beside it."""
    colors = theme.palette
    pen = QPen(colors.color("text2"), 1)
    pen.setDashPattern([1, 2])
    painter.setPen(pen)
    painter.drawLine(QLineF(at.x(), scale.box.top(), at.x(), scale.box.bottom()))
    painter.setPen(QPen(colors.color("text1"), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, 7, 7)
    _draw_box(painter, scale, at, words, theme)


def _draw_box(painter: QPainter, scale: Scale, at: QPointF, words: RoundWords, theme: Theme) -> None:
    colors = theme.palette
    bold, plain = theme.font(12, QFont.Weight.DemiBold), theme.font(12)
    texts = words.lines
    width = max(QFontMetricsF(plain if number else bold).horizontalAdvance(text) for number, text in enumerate(texts))
    width = min(width + 2 * _PADDING, scale.box.width() - 2 * _AWAY)
    box = QRectF(0, 0, width, len(texts) * _LINE + 0.8 * _PADDING)
    fits_left = at.x() - _AWAY - width >= scale.box.left()
    left = at.x() - _AWAY - width if fits_left else min(at.x() + _AWAY, scale.box.right() - width - 4)
    upper = at.y() > scale.box.center().y()
    box.moveTo(left, scale.box.top() + _AWAY if upper else scale.box.bottom() - _AWAY - box.height())
    painter.setPen(QPen(colors.color("border"), 1))
    painter.setBrush(colors.color("raised"))
    painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    for number, text in enumerate(texts):
        painter.setFont(plain if number else bold)
        painter.setPen(colors.color("text2" if text in (words.result, words.hint) else "text1"))
        line = QRectF(box.left() + _PADDING, box.top() + 5 + number * _LINE, width - 2 * _PADDING, _LINE)
        shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)


def _level(scale: Scale, value: float) -> QLineF:
    top = round(float(scale.top(value))) + 0.5
    return QLineF(scale.box.left(), top, scale.box.right(), top)
