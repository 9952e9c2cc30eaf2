"""Where moments and values lie on a picture, and which values an axis names."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from browser_app.player.sampled_course import SampledCourse
from browser_app.rating.record import Floats
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.over_time.trace import Trace

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_REACH_PX = 30.0
"""Points so near in time are told apart by their values."""
_TOUCH_PX = 8.0
"""So near to a line one points at it."""
_ROOM = 0.06
"""What is left free above and below, as a share of the values' range."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A span of time and a range of values on a rectangle; neither is empty."""

    first: float
    last: float
    low: float
    high: float
    box: QRectF

    @property
    def second_px(self) -> float:
        """How wide a second is."""
        return self.box.width() / (self.last - self.first)

    def left(self, time: Floats | float) -> Floats:
        """Where moments are."""
        return np.asarray(self.box.left() + (np.asarray(time) - self.first) * self.second_px)

    def top(self, value: Floats | float) -> Floats:
        """Where values are; the greater, the higher."""
        share = (np.asarray(value) - self.low) / (self.high - self.low)
        return np.asarray(self.box.bottom() - share * self.box.height())


def step_of(span: float, most: int) -> float:
    """The least round step of which not more than `most` fit into a range."""
    magnitude = 10.0 ** math.floor(math.log10(span / most))
    return magnitude * next(step for step in _STEPS if span / (magnitude * step) <= most * (1 + 1e-9))


def round_values(low: float, high: float, most: int) -> list[float]:
    """Round values within a range, ascending."""
    step = step_of(high - low, most)
    return [number * step for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def named(values: Sequence[float]) -> list[tuple[float, str]]:
    """Round values with as many decimals as tell them apart."""
    decimals = next((n for n in range(6) if np.allclose(np.round(values, n), values, rtol=0, atol=1e-9)), 6)
    return [(value, points_words(value, decimals)) for value in values]


def point_near(trace: Trace, scale: Scale, where: QPointF) -> int:
    """The point in sight that is nearest to a spot, -1 where none is in sight.

    Of those about the spot's moment the nearest on the picture; where there are none, the one before or after.
    """
    seen = trace.span(scale.first, scale.last)
    if seen.start == seen.stop:
        return -1
    moment = scale.first + (where.x() - scale.box.left()) / scale.second_px
    about = trace.span(moment - _REACH_PX / scale.second_px, moment + _REACH_PX / scale.second_px)
    begin, end = max(about.start, seen.start), min(about.stop, seen.stop)
    if begin >= end:
        begin = min(max(about.start - 1, seen.start), seen.stop - 1)
        end = min(begin + 2, seen.stop)
    away = np.hypot(scale.left(trace.time[begin:end]) - where.x(), scale.top(trace.value[begin:end]) - where.y())
    return int(begin + away.argmin())


def lies_on(trace: Trace, scale: Scale, point: int, where: QPointF) -> bool:
    """Whether a spot is on the sign of a point, which may be -1 for none."""
    if point < 0:
        return False
    away = np.hypot(scale.left(trace.time[point]) - where.x(), scale.top(trace.value[point]) - where.y())
    return bool(away <= _TOUCH_PX)


def sample_near(course: SampledCourse, scale: Scale, where: QPointF) -> int:
    """The value whose line is under a spot, or nearly; -1 where none is."""
    moment = scale.first + (where.x() - scale.box.left()) / scale.second_px
    reach = _TOUCH_PX / scale.second_px
    near, least = -1, _TOUCH_PX
    for number in range(*course.span(moment - reach, moment + reach).indices(len(course))):
        away = abs(float(scale.top(course.points[number])) - where.y())
        if away <= least:
            near, least = number, away
    return near


def value_range(courses: Sequence[Trace | SampledCourse], first: float, last: float) -> tuple[float, float] | None:
    """From which value to which to show what lies in a span of time; None where nothing does.

    The ends are round, so that the range holds still while the span moves a little.
    """
    reaches = [reach for course in courses if (reach := course.reach(first, last)) is not None]
    if not reaches:
        return None
    low, high = min(low for low, _high in reaches), max(high for _low, high in reaches)
    room = max((high - low) * _ROOM, abs(high) * 1e-3, 1e-6)
    step = step_of(high - low + 2 * room, 10)
    return math.floor((low - room) / step) * step, math.ceil((high + room) / step) * step
