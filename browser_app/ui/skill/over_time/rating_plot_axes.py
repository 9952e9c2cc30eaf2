"""The ticks of the rating plot's axes, with calendar steps."""

import time
from collections.abc import Sequence
from datetime import date
from itertools import count
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.ui.skill.over_time.rating_plot_data import RatingPlotData
from browser_app.ui.skill.over_time.rating_plot_transform import PlotTransform, nice_values, value_range, value_ticks
from browser_app.ui.widgets.value_text import DAY_S, clock_time_text, day_and_month_text, month_name

_HOUR, _DAY, _WEEK, _MONTH, _YEAR = "hour", "day", "week", "month", "year"


class CalendarStep(NamedTuple):
    """A multiple of a calendar unit."""

    unit: str
    multiple: int
    approx_s: float
    """Approximate length in seconds."""


HOUR, DAY, WEEK, MONTH = (
    CalendarStep(_HOUR, 1, 3600.0),
    CalendarStep(_DAY, 1, DAY_S),
    CalendarStep(_WEEK, 1, 7 * DAY_S),
    CalendarStep(_MONTH, 1, 30.4 * DAY_S),
)
CALENDAR_STEPS = (
    HOUR,
    *(CalendarStep(_HOUR, n, n * 3600.0) for n in (3, 6, 12)),
    DAY,
    CalendarStep(_DAY, 2, 2 * DAY_S),
    WEEK,
    CalendarStep(_WEEK, 2, 14 * DAY_S),
    MONTH,
    *(CalendarStep(_MONTH, n, n * 30.4 * DAY_S) for n in (3, 6)),
    *(CalendarStep(_YEAR, n, n * 365.2 * DAY_S) for n in (1, 2, 5, 10, 20, 50)),
)
"""Steps of the time axis, ascending."""


def choose_calendar_step(span_s: float, max_steps: int) -> CalendarStep:
    """Return the smallest step that fits at most `max_steps` times into a span."""
    return next((step for step in CALENDAR_STEPS if span_s / step.approx_s <= max_steps), CALENDAR_STEPS[-1])


def step_times(first: float, last: float, step: CalendarStep) -> list[float]:
    """Return the step's times that enclose a span.

    They are from the latest not after `first` to the earliest not before `last`, ascending. An hour that the start of
    daylight saving skips is left out.
    """
    number = next(number for number in count(0, -1) if _step_time(first, step, number) <= first)
    times = [_step_time(first, step, number)]
    while times[-1] < last:
        number += 1
        moment = _step_time(first, step, number)
        if moment > times[-1]:
            times.append(moment)
    return times


def _step_time(first: float, step: CalendarStep, number: int) -> float:
    """Return the number-th time after the last one before `first`.

    `mktime` normalizes fields beyond their range.
    """
    local = time.localtime(first)
    year, month, day, hour = local.tm_year, local.tm_mon, local.tm_mday, 0
    offset = number * step.multiple
    if step.unit == _HOUR:
        hour = local.tm_hour // step.multiple * step.multiple + offset
    elif step.unit == _DAY:
        day += offset - _day_ordinal(local) % step.multiple
    elif step.unit == _WEEK:
        weeks = (_day_ordinal(local) - 1) // 7  # day 1 was a Monday
        day += 7 * (offset - weeks % step.multiple) - local.tm_wday
    elif step.unit == _MONTH:
        month, day = 1 + (month - 1) // step.multiple * step.multiple + offset, 1
    else:
        year, month, day = year // step.multiple * step.multiple + offset, 1, 1
    return time.mktime((year, month, day, hour, 0, 0, 0, 0, -1))


def _day_ordinal(local: time.struct_time) -> int:
    return date(local.tm_year, local.tm_mon, local.tm_mday).toordinal()


def tick_label(time_s: float, step: CalendarStep) -> str:
    """Return `14:00`, `26 Apr`, `Apr` or `2026`; the larger unit where one begins."""
    local = time.localtime(time_s)
    if step.unit == _HOUR and local.tm_hour:
        return clock_time_text(time_s)
    if step.unit in (_HOUR, _DAY, _WEEK):
        return day_and_month_text(time_s)
    if step.unit == _MONTH and local.tm_mon > 1:
        return month_name(local.tm_mon)
    return str(local.tm_year)


def calendar_ticks(first: float, last: float, max_ticks: int) -> list[tuple[float, str]]:
    """Return about `max_ticks` times within a span at most, with their labels."""
    step = choose_calendar_step(last - first, max_ticks)
    return [(moment, tick_label(moment, step)) for moment in step_times(first, last, step) if first <= moment <= last]


def count_bins(first: float, last: float) -> tuple[str, Sequence[float]]:
    """Return the unit's label and edges of bins.

    The length of the span decides between hours, days, weeks and months.
    """
    span = last - first
    if span <= 3 * DAY_S:
        return _("rounds\nper hour"), step_times(first, last, HOUR)
    if span <= 45 * DAY_S:
        return _("rounds\nper day"), step_times(first, last, DAY)
    if span <= 1200 * DAY_S:
        return _("rounds\nper week"), step_times(first, last, WEEK)
    return _("rounds\nper month"), step_times(first, last, MONTH)


_MIN_TICK_DISTANCE_PX, _MIN_GRIDLINE_DISTANCE_PX = 88, 52
"""Minimum distance of ticks on the time axis and of gridlines."""
AxisTicks = Sequence[tuple[float, str]]


class RatingPlotAxes(NamedTuple):
    """Axes of one visible range.

    Attributes:
        gridlines: round values. left_ticks: their labels.
        overlay_range: visible range of an overlay with its own scale; None without such an overlay, or if nothing of it
            is visible.
        right_ticks: labels of the overlay's round values, at values of the left axis; None without such an overlay.
        time_ticks: labels of times.
        count_edges: edges of the bins in which rounds are counted. count_unit: their label.
    """

    gridlines: Sequence[float] = ()
    left_ticks: AxisTicks = ()
    overlay_range: tuple[float, float] | None = None
    right_ticks: AxisTicks | None = None
    time_ticks: AxisTicks = ()
    count_edges: Sequence[float] = ()
    count_unit: str = ""

    def overlay_transform(self, transform: PlotTransform) -> PlotTransform:
        """Return the transform of the overlay."""
        if self.overlay_range is None:
            return transform
        return PlotTransform(transform.first, transform.last, *self.overlay_range, transform.rect)


def compute_axes(plot_data: RatingPlotData, transform: PlotTransform) -> RatingPlotAxes:
    """Compute axes whose labels do not overlap."""
    max_ticks = max(2, int(transform.rect.height() / _MIN_GRIDLINE_DISTANCE_PX))
    values = nice_values(transform.low, transform.high, max_ticks)
    overlay_range, right_ticks = None, None
    if plot_data.overlay is not None and plot_data.overlay.has_own_scale:
        overlay_range = value_range([plot_data.overlay.curve], transform.first, transform.last)
        right_ticks = _overlay_ticks(transform, overlay_range, max_ticks) if overlay_range is not None else ()
    max_times = max(2, int(transform.rect.width() / _MIN_TICK_DISTANCE_PX))
    time_ticks = calendar_ticks(transform.first, transform.last, max_times)
    unit, edges = count_bins(transform.first, transform.last)
    return RatingPlotAxes(values, value_ticks(values), overlay_range, right_ticks, time_ticks, edges, unit)


def _overlay_ticks(scale: PlotTransform, overlay_range: tuple[float, float], max_ticks: int) -> AxisTicks:
    low, high = overlay_range
    stretch = (scale.high - scale.low) / (high - low)
    ticks = value_ticks(nice_values(low, high, max_ticks))
    return [(scale.low + (value - low) * stretch, words) for value, words in ticks]
