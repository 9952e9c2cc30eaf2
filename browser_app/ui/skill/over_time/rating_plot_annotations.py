"""Gridlines, gaps, tier boundaries and the cursor of the rating plot."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from browser_app.language import gettext as _
from browser_app.ui.skill.over_time.over_time_text import PlotTooltip, gap_text
from browser_app.ui.skill.over_time.rating_plot_transform import PlotTransform
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.widgets.theme import Theme

_BAND_END_MARGIN_PX = 8.0
_GAP_MARGIN_PX = 4.0
"""Distance of a marked gap from the points around it."""
_TOOLTIP_LINE_HEIGHT, _TOOLTIP_PADDING, _TOOLTIP_DISTANCE, _TOOLTIP_RADIUS = 20.0, 12.0, 14.0, 4.0


class TierBoundary(NamedTuple):
    """A rating at which a tier starts, with its label."""

    value: float
    label: str


def draw_gridlines(painter: QPainter, transform: PlotTransform, values: Sequence[float], theme: Theme) -> None:
    """Draw a horizontal line at each value."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setPen(QPen(theme.palette.color("hairline"), 1))
    for value in values:
        painter.drawLine(_horizontal_line(transform, value))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def draw_gaps(painter: QPainter, transform: PlotTransform, gaps: Sequence[tuple[float, float]], theme: Theme) -> None:
    """Mark gaps, with their length if there is space for it."""
    painter.setFont(theme.font(11))
    for first, last in gaps:
        left = max(float(transform.x(first)) + _GAP_MARGIN_PX, transform.rect.left())
        right = min(float(transform.x(last)) - _GAP_MARGIN_PX, transform.rect.right())
        span = QRectF(left, transform.rect.top(), right - left, transform.rect.height())
        if span.width() <= 0:
            continue
        painter.fillRect(span, theme.palette.color("window"))
        for edge in (span.left(), span.right() - 1):  # in high contrast, the fill is that of the plot
            painter.fillRect(QRectF(edge, span.top(), 1, span.height()), theme.palette.color("hairline"))
        words, box = gap_text(first, last), span.adjusted(4, 6, -4, 0)
        flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
        if QFontMetricsF(painter.font()).boundingRect(box, flags, words).width() <= box.width():
            painter.setPen(theme.palette.color("text2"))
            painter.drawText(box, flags, words)


def draw_band_ends(painter: QPainter, transform: PlotTransform, band: tuple[float, float], theme: Theme) -> None:
    """Draw how far the band reaches where the plot cuts it."""
    low, high = band
    box = transform.rect.adjusted(_BAND_END_MARGIN_PX, 2, -_BAND_END_MARGIN_PX, -2)
    painter.setFont(theme.font(11))
    painter.setPen(theme.palette.color("text2"))
    if high > transform.high:
        text = _("▲ 90 % range up to {value}").format(value=format_points(high))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), text)
    if low < transform.low:
        text = _("▼ 90 % range down to {value}").format(value=format_points(low))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom), text)


def draw_tier_boundaries(
    painter: QPainter, transform: PlotTransform, boundaries: Sequence[TierBoundary], theme: Theme
) -> None:
    """Draw a dotted line with its label at each visible boundary."""
    painter.setFont(theme.font(11))
    for bound in boundaries:
        if not transform.low < bound.value < transform.high:
            continue
        pen = QPen(theme.palette.color("border"), 1)
        pen.setDashPattern([2, 4])
        painter.setPen(pen)
        line = _horizontal_line(transform, bound.value)
        painter.drawLine(line)
        width = QFontMetricsF(painter.font()).horizontalAdvance(bound.label)
        painter.setPen(theme.palette.color("text2"))
        painter.drawText(QPointF(line.x2() - width - 4, line.y1() - 5), bound.label)


def draw_cursor(painter: QPainter, transform: PlotTransform, at: QPointF, tooltip: PlotTooltip, theme: Theme) -> None:
    """Draw a dotted line and a ring at the highlighted point.

    Its tooltip is beside it.
    """
    colors = theme.palette
    pen = QPen(colors.color("text2"), 1)
    pen.setDashPattern([1, 2])
    painter.setPen(pen)
    painter.drawLine(QLineF(at.x(), transform.rect.top(), at.x(), transform.rect.bottom()))
    painter.setPen(QPen(colors.color("text1"), 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(at, 7, 7)
    _draw_tooltip(painter, transform, at, tooltip, theme)


def _draw_tooltip(painter: QPainter, transform: PlotTransform, at: QPointF, tooltip: PlotTooltip, theme: Theme) -> None:
    colors = theme.palette
    bold, plain = theme.font(12, QFont.Weight.DemiBold), theme.font(12)
    texts = tooltip.lines
    width = max(QFontMetricsF(plain if number else bold).horizontalAdvance(text) for number, text in enumerate(texts))
    width = min(width + 2 * _TOOLTIP_PADDING, transform.rect.width() - 2 * _TOOLTIP_DISTANCE)
    box = QRectF(0, 0, width, len(texts) * _TOOLTIP_LINE_HEIGHT + 0.8 * _TOOLTIP_PADDING)
    fits_left = at.x() - _TOOLTIP_DISTANCE - width >= transform.rect.left()
    right = min(at.x() + _TOOLTIP_DISTANCE, transform.rect.right() - width - 4)
    box.moveLeft(at.x() - _TOOLTIP_DISTANCE - width if fits_left else right)
    if at.y() > transform.rect.center().y():
        box.moveTop(transform.rect.top() + _TOOLTIP_DISTANCE)
    else:
        box.moveBottom(transform.rect.bottom() - _TOOLTIP_DISTANCE)
    painter.setPen(QPen(colors.color("border"), 1))
    painter.setBrush(colors.color("raised"))
    painter.drawRoundedRect(box, _TOOLTIP_RADIUS, _TOOLTIP_RADIUS)
    for number, text in enumerate(texts):
        painter.setFont(plain if number else bold)
        painter.setPen(colors.color("text2" if text in (tooltip.result, tooltip.hint) else "text1"))
        top = box.top() + 5 + number * _TOOLTIP_LINE_HEIGHT
        line = QRectF(box.left() + _TOOLTIP_PADDING, top, width - 2 * _TOOLTIP_PADDING, _TOOLTIP_LINE_HEIGHT)
        shown = QFontMetricsF(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), shown)


def _horizontal_line(transform: PlotTransform, value: float) -> QLineF:
    top = round(float(transform.y(value))) + 0.5
    return QLineF(transform.rect.left(), top, transform.rect.right(), top)
