"""The mapping of times and values to pixels, and hit testing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from browser_app.player.skill_sources import SkillSampleSeries
from browser_app.rating.record.round_record import Floats
from browser_app.ui.skill.over_time.rating_curve import RatingCurve
from browser_app.ui.skill.rating_format import format_points
from browser_app.ui.widgets.plots.tick_steps import nice_tick_step

_STEP_MULTIPLES = (1.0, 2.0, 2.5, 5.0)
_NEAR_PX = 30.0
"""Of points this close in time to a position, the nearest on screen is found."""
_HIT_RADIUS_PX = 8.0
"""Maximum distance from a line at which it is hit."""
_VALUE_MARGIN = 0.06
"""Free space above and below, as a fraction of the value range."""


@dataclass(frozen=True, slots=True)
class PlotTransform:
    """Maps a time span and a value range, both not empty, to a rectangle."""

    first: float
    last: float
    low: float
    high: float
    rect: QRectF

    @property
    def px_per_second(self) -> float:
        """Horizontal pixels per second."""
        return self.rect.width() / (self.last - self.first)

    def x(self, time: Floats | float) -> Floats:
        """Return the horizontal positions of times."""
        return np.asarray(self.rect.left() + (np.asarray(time) - self.first) * self.px_per_second)

    def y(self, value: Floats | float) -> Floats:
        """Return the vertical positions of values."""
        share = (np.asarray(value) - self.low) / (self.high - self.low)
        return np.asarray(self.rect.bottom() - share * self.rect.height())


def nice_values(low: float, high: float, max_steps: int) -> list[float]:
    """Return round values within a range, ascending."""
    step = nice_tick_step((high - low) / max_steps, _STEP_MULTIPLES)
    return [number * step for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def value_ticks(values: Sequence[float]) -> list[tuple[float, str]]:
    """Return values with labels that have enough decimals to differ."""
    decimals = next((n for n in range(6) if np.allclose(np.round(values, n), values, rtol=0, atol=1e-9)), 6)
    return [(value, format_points(value, decimals)) for value in values]


def nearest_point(curve: RatingCurve, transform: PlotTransform, position: QPointF) -> int:
    """Return the visible point nearest to a position, -1 if none is visible.

    Among points near the position's time the nearest on screen counts; without such points the one before or after.
    """
    seen = curve.slice_between(transform.first, transform.last)
    if seen.start == seen.stop:
        return -1
    moment = transform.first + (position.x() - transform.rect.left()) / transform.px_per_second
    about = curve.slice_between(
        moment - _NEAR_PX / transform.px_per_second, moment + _NEAR_PX / transform.px_per_second
    )
    begin, end = max(about.start, seen.start), min(about.stop, seen.stop)
    if begin >= end:
        begin = min(max(about.start - 1, seen.start), seen.stop - 1)
        end = min(begin + 2, seen.stop)
    away = np.hypot(
        transform.x(curve.time[begin:end]) - position.x(), transform.y(curve.value[begin:end]) - position.y()
    )
    return int(begin + away.argmin())


def is_on_marker(curve: RatingCurve, transform: PlotTransform, point: int, position: QPointF) -> bool:
    """Return True if a position is on the marker of a point; False for point -1."""
    if point < 0:
        return False
    away = np.hypot(transform.x(curve.time[point]) - position.x(), transform.y(curve.value[point]) - position.y())
    return bool(away <= _HIT_RADIUS_PX)


def nearest_sample(sampled: SkillSampleSeries, transform: PlotTransform, position: QPointF) -> int:
    """Return the sample whose line is under a position, -1 if there is none."""
    moment = transform.first + (position.x() - transform.rect.left()) / transform.px_per_second
    reach = _HIT_RADIUS_PX / transform.px_per_second
    near, least = -1, _HIT_RADIUS_PX
    for number in range(*sampled.slice_between(moment - reach, moment + reach).indices(len(sampled))):
        away = abs(float(transform.y(sampled.points[number])) - position.y())
        if away <= least:
            near, least = number, away
    return near


def value_range(
    curves: Sequence[RatingCurve | SkillSampleSeries], first: float, last: float
) -> tuple[float, float] | None:
    """Return the value range to show for a time span, None if it is empty.

    Its ends are rounded, so that it does not change with every small move of the span.
    """
    ranges = [found for curve in curves if (found := curve.value_range(first, last)) is not None]
    if not ranges:
        return None
    low, high = min(low for low, _high in ranges), max(high for _low, high in ranges)
    margin = max((high - low) * _VALUE_MARGIN, abs(high) * 1e-3, 1e-6)
    step = nice_tick_step((high - low + 2 * margin) / 10, _STEP_MULTIPLES)
    return math.floor((low - margin) / step) * step, math.ceil((high + margin) / step) * step
