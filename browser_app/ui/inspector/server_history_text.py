"""Texts about a server's history and its forecast."""

from collections.abc import Sequence

import numpy as np

from browser_app.catalogue.sample_series import WeekProfile, hour_ranges
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.widgets.value_text import hour_range_text, list_text, weekday_name

HourRanges = Sequence[tuple[int, int]]
_SIMILAR_HOURS = 1
"""Days are described together if their hours start and end within this many hours of each other."""


def current_players_text(players: int | None, forecast: tuple[float, float, float, float] | None) -> str:
    """Return how many players are there now and in half an hour.

    Args:
        players: how many there are now, None if unknown.
        forecast: expected players, low and high end of their range, weeks of history it is based on.
    """
    if players is None:
        return _("The current player count is unknown.")
    now = ngettext("{n} player now.", "{n} players now.", players).format(n=players)
    later = _("No forecast: not enough history.") if forecast is None else forecast_text(*forecast[1:])
    return f"{now} {later}"


def forecast_text(low: float, high: float, weeks: float) -> str:
    """Return the forecast for half an hour from now and what it is based on.

    Empty if `low` is NaN.
    """
    if np.isnan(low):
        return ""
    first, last = round(low), round(high)
    if first == last:
        expected = ngettext("Expected in 30 minutes: {n} player.", "Expected in 30 minutes: {n} players.", first)
    else:
        expected = _("Expected in 30 minutes: {low} to {high} players.")
    basis = ngettext("Based on {n} week of history.", "Based on {n} weeks of history.", round(weeks))
    return f"{expected.format(n=first, low=first, high=last)} {basis.format(n=round(weeks))}"


def stored_days_text(days: float) -> str:
    """Return the age of the history, such as `42 days of history`."""
    if not days:
        return _("no history yet")
    whole = max(1, round(days))
    return ngettext("{n} day of history", "{n} days of history", whole).format(n=whole)


def active_times_text(week: WeekProfile) -> str:
    """Return on which days and hours a server is usually active, or why not.

    No such times are known before there are two weeks of samples.
    """
    if not (week.hour_count >= 2).any():
        return _("Usual activity is shown after two weeks.")
    parts = [_days_and_hours_text(first, last, ranges) for first, last, ranges in _similar_day_runs(week) if ranges]
    if not parts:
        return _("No hour is usually active.")
    return _("Usually active {when}. Cells with a bar: on more than half of the days.").format(when=list_text(parts))


def _similar_day_runs(week: WeekProfile) -> list[tuple[int, int, HourRanges]]:
    """Return runs of days with similar hours.

    Each is the first day, the last day and the medians of the hours.
    """
    runs: list[tuple[int, list[HourRanges]]] = []
    for day, mostly in enumerate(week.mostly_active):
        ranges = hour_ranges(mostly)
        if runs and _are_similar(runs[-1][1][0], ranges):
            runs[-1][1].append(ranges)
        else:
            runs.append((day, [ranges]))
    return [(first, first + len(days) - 1, _median_ranges(days)) for first, days in runs]


def _are_similar(one: HourRanges, other: HourRanges) -> bool:
    near = (abs(a - b) <= _SIMILAR_HOURS for x, y in zip(one, other, strict=False) for a, b in zip(x, y, strict=True))
    return len(one) == len(other) and all(near)


def _median_ranges(days: Sequence[HourRanges]) -> HourRanges:
    edges = np.floor(np.median(np.array(days, np.float64).reshape(len(days), -1, 2), axis=0)).astype(int)
    return [(int(first), int(last)) for first, last in edges]


def _days_and_hours_text(first: int, last: int, ranges: HourRanges) -> str:
    hours = list_text([hour_range_text(start, end) for start, end in ranges])
    return _("{days} {hours}").format(days=_days_text(first, last), hours=hours)


def _days_text(first: int, last: int) -> str:
    if (first, last) == (0, 6):
        return _("every day")
    if first == last:
        return weekday_name(first)
    names = weekday_name(first), weekday_name(last)
    return list_text(names) if last == first + 1 else _("{first} to {last}").format(first=names[0], last=names[1])
