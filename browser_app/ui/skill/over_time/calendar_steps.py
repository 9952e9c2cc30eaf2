"""Round moments of the user's own calendar: midnights, Mondays, first days of months and years."""

import time
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.ui.plots.moments import DAY_S, clock_time, date_text, month_name

_HOUR, _DAY, _WEEK, _MONTH, _YEAR = "hour", "day", "week", "month", "year"


class Step(NamedTuple):
    """So many units of the calendar."""

    unit: str
    number: int
    about_s: float
    """How long it is, about."""


HOUR, DAY, WEEK, MONTH = (
    Step(_HOUR, 1, 3600.0),
    Step(_DAY, 1, DAY_S),
    Step(_WEEK, 1, 7 * DAY_S),
    Step(_MONTH, 1, 30.4 * DAY_S),
)
STEPS = (
    HOUR,
    *(Step(_HOUR, n, n * 3600.0) for n in (3, 6, 12)),
    DAY,
    Step(_DAY, 2, 2 * DAY_S),
    WEEK,
    Step(_WEEK, 2, 14 * DAY_S),
    MONTH,
    *(Step(_MONTH, n, n * 30.4 * DAY_S) for n in (3, 6)),
    *(Step(_YEAR, n, n * 365.2 * DAY_S) for n in (1, 2, 5, 10, 20, 50)),
)
"""What axes are divided by, ascending."""


def step_for(span_s: float, most: int) -> Step:
    """The least step of which not more than `most` fit into a span."""
    return next((step for step in STEPS if span_s / step.about_s <= most), STEPS[-1])


def moments(first: float, last: float, step: Step) -> list[float]:
    """The step's moments from the latest one not after `first` to the earliest one not before `last`."""
    found = [_moment(first, step, 0)]
    while found[-1] < last:
        found.append(_moment(first, step, len(found)))
    return found


def _moment(first: float, step: Step, number: int) -> float:
    """The number-th moment after the last one before `first`. Fields may run over: the library sorts that out."""
    local = time.localtime(first)
    year, month, day, hour = local.tm_year, local.tm_mon, local.tm_mday, 0
    ahead = number * step.number
    if step.unit == _HOUR:
        hour = local.tm_hour // step.number * step.number + ahead
    elif step.unit == _DAY:
        day += ahead - _ordinal(local) % step.number
    elif step.unit == _WEEK:
        weeks = (_ordinal(local) - 1) // 7  # day 1 was a Monday
        day += 7 * (ahead - weeks % step.number) - local.tm_wday
    elif step.unit == _MONTH:
        month, day = 1 + (month - 1) // step.number * step.number + ahead, 1
    else:
        year, month, day = year // step.number * step.number + ahead, 1, 1
    return time.mktime((year, month, day, hour, 0, 0, 0, 0, -1))


def _ordinal(local: time.struct_time) -> int:
    return date(local.tm_year, local.tm_mon, local.tm_mday).toordinal()


def tick_words(moment: float, step: Step) -> str:
    """`14:00`, `26 Apr`, `Apr` or `2026`; where a longer unit begins, that one's words."""
    local = time.localtime(moment)
    if step.unit == _HOUR and local.tm_hour:
        return clock_time(moment)
    if step.unit in (_HOUR, _DAY, _WEEK):
        return date_text(moment)
    if step.unit == _MONTH and local.tm_mon > 1:
        return month_name(local.tm_mon)
    return str(local.tm_year)


def ticks(first: float, last: float, most: int) -> list[tuple[float, str]]:
    """Not more than about `most` moments within a span, with their words."""
    step = step_for(last - first, most)
    return [(moment, tick_words(moment, step)) for moment in moments(first, last, step) if first <= moment <= last]


def bar_edges(first: float, last: float) -> tuple[str, Sequence[float]]:
    """What rounds are counted by, in words, and the edges: weeks, in short spans days or hours, in long ones months."""
    span = last - first
    if span <= 3 * DAY_S:
        return _("rounds\nan hour"), moments(first, last, HOUR)
    if span <= 45 * DAY_S:
        return _("rounds\na day"), moments(first, last, DAY)
    if span <= 1200 * DAY_S:
        return _("rounds\na week"), moments(first, last, WEEK)
    return _("rounds\na month"), moments(first, last, MONTH)
