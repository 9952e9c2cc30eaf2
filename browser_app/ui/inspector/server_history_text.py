"""Texts about a server's history and its forecast."""

from collections.abc import Sequence

import numpy as np

from browser_app.catalogue.sample_series import WeekProfile, hour_ranges
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.widgets.value_text import weekday_name

HourRanges = Sequence[tuple[int, int]]
_SIMILAR_HOURS = 1
"""Days whose hours begin and end at most so far apart are told together."""


def current_players_text(
    players: int | None, forecast: tuple[float, float, float, float] | None, *, dotted: bool
) -> str:
    """How many play now, and in half an hour: `forecast` is players, low, high and weeks; `dotted`: so it is drawn."""
    if players is None:
        return _("The current player count is unknown.")
    if forecast is None:
        return _("Now {players}. No forecast: not enough history.").format(players=players)
    _likely, low, high, weeks = forecast
    words = ngettext(
        "Now {players}. In 30 min {range}, from {n} week of history.",
        "Now {players}. In 30 min {range}, from {n} weeks of history.",
        round(weeks),
    )
    expected = _("{range} (dotted)").format(range=_range_text(low, high)) if dotted else _range_text(low, high)
    return words.format(players=players, range=expected, n=round(weeks))


def forecast_text(low: float, high: float, weeks: float) -> str:
    """`Likely in 30 minutes: 15 to 20 players (from 6 weeks).`; empty where nothing is known."""
    if np.isnan(low):
        return ""
    words = ngettext(
        "Expected in 30 minutes: {range} players (from {n} week).",
        "Expected in 30 minutes: {range} players (from {n} weeks).",
        round(weeks),
    )
    return words.format(range=_range_text(low, high), n=round(weeks))


def _range_text(low: float, high: float) -> str:
    if round(low) == round(high):
        return str(round(low))
    return _("{low} to {high}").format(low=round(low), high=round(high))


def stored_days_text(days: float) -> str:
    """`42 days kept`."""
    if not days:
        return _("no history yet")
    whole = max(1, round(days))
    return ngettext("{n} day of history", "{n} days of history", whole).format(n=whole)


def alive_times_text(week: WeekProfile) -> str:
    """`Mostly alive Mon to Fri 19–23 h, Sat and Sun 15–24 h.`, or why that cannot be said."""
    if not (week.hour_count >= 2).any():
        return _("Usual activity is shown after two weeks.")
    parts = [_days_and_hours_text(first, last, ranges) for first, last, ranges in _similar_day_runs(week) if ranges]
    if not parts:
        return _("No hour is usually active.")
    return _("Usually active {when}. Cells with a bar: on more than half of the days.").format(when=", ".join(parts))


def _similar_day_runs(week: WeekProfile) -> list[tuple[int, int, HourRanges]]:
    """Runs of days with about the same hours: first day, last day, the hours as the median of their edges."""
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
    hours = _(" and ").join(_("{first}–{last}").format(first=a, last=b) for a, b in ranges)
    return _("{days} {hours} h").format(days=_days_text(first, last), hours=hours)


def _days_text(first: int, last: int) -> str:
    if (first, last) == (0, 6):
        return _("every day")
    if first == last:
        return weekday_name(first)
    words = _("{first} and {last}") if last == first + 1 else _("{first} to {last}")
    return words.format(first=weekday_name(first), last=weekday_name(last))
