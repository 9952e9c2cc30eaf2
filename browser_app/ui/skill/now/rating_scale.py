"""The scale of tiers or quarters with the user's rating on it."""

import math
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.language import gettext as _
from browser_app.player.ns2_tiers import SKILL_TIERS
from browser_app.player.skill_summary import SkillSummary
from browser_app.ui.skill.now.now_text import quarter_index, quarter_titles
from browser_app.ui.skill.rating_format import estimate_mark, format_points, rating_decimals
from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.plots.tick_steps import nice_tick_step
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

_TIER_SCALE_END = 4600.0
"""The highest tier has no upper bound; the scale ends here, or at a higher rating."""
_TICK_COUNT = 24


class RatingBand(NamedTuple):
    """A tier or quarter; `is_own` if the rating counts as being in it."""

    title: str
    low: float
    high: float
    is_own: bool


class RatingScale(NamedTuple):
    """Data of a scale, in the system's displayed units.

    Attributes:
        low, high: ends of the scale.
        bands: adjacent, from the lowest to the highest.
        value: the rating.
        range_low, range_high: its 90 % interval, None if unknown.
        confident_value: the value that counts for the tier if it is in another band than `value`, else None.
        tick_step: distance of two ticks.
        decimals: of displayed numbers.
        has_estimated_range: whether the interval is an estimate.
    """

    low: float
    high: float
    bands: tuple[RatingBand, ...]
    value: float
    range_low: float | None
    range_high: float | None
    confident_value: float | None
    tick_step: float
    decimals: int
    has_estimated_range: bool

    def position(self, value: float) -> float:
        """Return where a value is between the ends, 0…1."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))

    @property
    def accessible_text(self) -> str:
        """The scale as text."""
        mine = next((band for band in self.bands if band.is_own), None)
        parts = [format_points(self.value, self.decimals)]
        if mine is not None:
            low, high = (format_points(each, self.decimals) for each in (mine.low, mine.high))
            parts.append(_("{band}, from {low} to {high}").format(band=mine.title, low=low, high=high))
        if self.range_low is not None and self.range_high is not None:
            mark = estimate_mark(self.has_estimated_range)
            low, high = (mark + format_points(each, self.decimals) for each in (self.range_low, self.range_high))
            parts.append(_("90 % range {low} to {high}").format(low=low, high=high))
        return "; ".join(parts)


def create_rating_scale(now: SkillSummary, system: str) -> RatingScale | None:
    """Return the scale of a rating, None if there are neither tiers nor other players."""
    if now.value is None:
        return None
    if now.tier is not None:
        return _tier_scale(now, now.value)
    return _quarter_scale(now, now.value, rating_decimals(system)) if len(now.quantiles) == 5 else None


def _tier_scale(now: SkillSummary, value: float) -> RatingScale:
    far = max(value, now.high or value)
    low, high, step = 0.0, _TIER_SCALE_END if far <= _TIER_SCALE_END else math.ceil(far / 200) * 200.0, 200.0
    bands = tuple(
        RatingBand(
            _(tier.name), low if tier.above is None else tier.above, high if tier.up_to is None else tier.up_to, False
        )
        for tier in SKILL_TIERS
    )
    number = (now.tier.number if now.tier else 1) - 1
    shown = tuple(band._replace(is_own=index == number) for index, band in enumerate(bands))
    apart = now.confident_points is not None and not shown[number].low < value <= shown[number].high
    confident_points = now.confident_points if apart else None
    return RatingScale(low, high, shown, value, now.low, now.high, confident_points, step, 0, now.has_estimated_sd)


def _quarter_scale(now: SkillSummary, value: float, decimals: int) -> RatingScale:
    points = [each for each in (*now.quantiles, value, now.low, now.high) if each is not None]
    step = nice_tick_step((max(points) - min(points)) / _TICK_COUNT)
    low, high = math.floor(min(points) / step) * step, math.ceil(max(points) / step) * step
    inner = now.quantiles[1:-1]
    mine = quarter_index(value, now.quantiles)
    bands = tuple(
        RatingBand(title, left, right, index == mine)
        for index, (title, (left, right)) in enumerate(
            zip(quarter_titles(), pairwise((low, *inner, max(high, low + step))), strict=True)
        )
    )
    high = max(high, low + step)
    return RatingScale(low, high, bands, value, now.low, now.high, None, step, decimals, now.has_estimated_sd)


SCALE_HEIGHT, STRIP_TOP, STRIP_HEIGHT, SCALE_MARGIN = 100, 44, 10, 10
"""The strip's top and height, and the margin at both ends, in pixels."""
_BOUNDS_BASELINE, _TITLES_BASELINE, _VALUE_BASELINE = 32, 50, -21
"""Baselines of the texts, in pixels from the strip's top."""
_TITLE_GAP = 8
"""Smallest distance of two titles, in pixels."""


def title_start(middle: float, width: float, end: float) -> float | None:
    """Return where a band's title begins after the one that ends at `end`, in pixels.

    It is centred or moved to the right; None if it would begin after the band's middle.
    """
    left = max(middle - width / 2, end)
    return left if left <= middle else None


class RatingScaleBar(QWidget):
    """Painted scale, whose content is also accessible text.

    In right-to-left layouts it is mirrored except for numbers.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._scale: RatingScale | None = None
        self._cached_paint = CachedPaintWidget(self, theme, self._draw)
        self.setFixedHeight(SCALE_HEIGHT)
        self.setMinimumWidth(240)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Rating on its scale"))
        theme.changed.connect(self.update)

    def show_scale(self, scale: RatingScale | None) -> None:
        """Show a scale; None hides the widget."""
        self._scale = scale
        self._cached_paint.invalidate()
        self.setVisible(scale is not None)
        if scale is not None:
            self.setAccessibleDescription(scale.accessible_text)
            lines = [
                f"{band.title}: {self._bound_text(band.low)}–{self._bound_text(band.high)}" for band in scale.bands
            ]
            self.setToolTip(plain_tool_tip("\n".join(lines)))
        self.update()

    def sizeHint(self) -> QSize:
        """Return a preferred width; the scale expands."""
        return QSize(640, SCALE_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint ticks, bands, the marker and texts."""
        self._cached_paint.draw(QPainter(self))

    def _draw(self, painter: QPainter) -> None:
        if self._scale is None:
            return
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keeps signs before their numbers
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_ticks(painter, self._scale)
        for band in self._scale.bands:
            self._draw_band(painter, self._scale, band)
        self._draw_titles(painter, self._scale)
        self._draw_value(painter, self._scale)

    def _x(self, scale: RatingScale, value: float) -> float:
        across = SCALE_MARGIN + scale.position(value) * (self.width() - 2 * SCALE_MARGIN)
        return across if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else self.width() - across

    def _bound_text(self, value: float) -> str:
        return format_points(value, self._scale.decimals if self._scale else 0)

    def _draw_ticks(self, painter: QPainter, scale: RatingScale) -> None:
        painter.setPen(QPen(self._theme.palette.color("border"), 1))
        for number in range(round((scale.high - scale.low) / scale.tick_step) + 1):
            across, length = round(self._x(scale, scale.low + number * scale.tick_step)) + 0.5, 4 if number % 5 else 7
            painter.drawLine(QPointF(across, STRIP_TOP - length), QPointF(across, STRIP_TOP - 1))

    def _draw_band(self, painter: QPainter, scale: RatingScale, band: RatingBand) -> None:
        colors, strip = self._theme.palette, self._band_rect(scale, band)
        fill = QColor(colors.accent if band.is_own else colors.score_low)
        fill.setAlphaF(1.0 if band.is_own else 0.35)
        painter.fillRect(strip, fill)
        if band is not scale.bands[0]:
            painter.setFont(self._theme.font(11))
            self._draw_text(painter, self._x(scale, band.low), _BOUNDS_BASELINE, self._bound_text(band.low), "text2")

    def _draw_titles(self, painter: QPainter, scale: RatingScale) -> None:
        """Write the titles under their bands, one after the other."""
        end = 0.0
        for band in sorted(scale.bands, key=lambda each: self._band_rect(scale, each).left()):
            painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if band.is_own else QFont.Weight.Normal))
            strip, metrics, title = self._band_rect(scale, band), painter.fontMetrics(), band.title
            left = title_start(strip.center().x(), metrics.horizontalAdvance(title), end)
            if left is None and not band.is_own:
                title = metrics.elidedText(title, Qt.TextElideMode.ElideRight, int(strip.width()))
                if len(title) <= 2:
                    continue
                left = strip.center().x() - metrics.horizontalAdvance(title) / 2
            width = float(metrics.horizontalAdvance(title))
            left = min(end if left is None else left, self.width() - width)
            painter.setPen(self._theme.palette.color("text1" if band.is_own else "text2"))
            painter.drawText(QPointF(left, STRIP_TOP + _TITLES_BASELINE), title)
            end = left + width + _TITLE_GAP

    def _band_rect(self, scale: RatingScale, band: RatingBand) -> QRectF:
        ends = sorted((self._x(scale, band.low), self._x(scale, band.high)))
        return QRectF(ends[0], STRIP_TOP, max(1.0, ends[1] - ends[0] - 2), STRIP_HEIGHT)

    def _draw_text(self, painter: QPainter, centre: float, baseline: int, text: str, role: str) -> None:
        """Draw a centred text, moved inside the widget if it would be cut off."""
        painter.setPen(self._theme.palette.color(role))
        width = painter.fontMetrics().horizontalAdvance(text)
        left = min(max(0.0, centre - width / 2), self.width() - float(width))
        painter.drawText(QPointF(left, STRIP_TOP + baseline), text)

    def _draw_value(self, painter: QPainter, scale: RatingScale) -> None:
        ink, at = self._theme.palette.color("text1"), self._x(scale, scale.value)
        if scale.range_low is not None and scale.range_high is not None:
            painter.setPen(QPen(ink, 1.5))
            left, right = (self._x(scale, each) for each in (scale.range_low, scale.range_high))
            painter.drawLine(QPointF(left, STRIP_TOP - 12), QPointF(right, STRIP_TOP - 12))
            for end in (left, right):
                painter.drawLine(QPointF(end, STRIP_TOP - 15), QPointF(end, STRIP_TOP - 9))
        painter.setPen(QPen(ink, 2))
        painter.drawLine(QPointF(at, STRIP_TOP - 16), QPointF(at, STRIP_TOP + STRIP_HEIGHT + 2))
        self._draw_pointer(painter, at, ink, ink)
        if scale.confident_value is not None:
            self._draw_pointer(
                painter, self._x(scale, scale.confident_value), self._theme.palette.color("surface"), ink
            )
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold))
        self._draw_text(painter, at, _VALUE_BASELINE, self._bound_text(scale.value), "text1")

    def _draw_pointer(self, painter: QPainter, at: float, fill: QColor, line: QColor) -> None:
        top = STRIP_TOP + STRIP_HEIGHT + 2
        painter.setPen(QPen(line, 1))
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF([QPointF(at, top), QPointF(at - 5, top + 8), QPointF(at + 5, top + 8)]))
