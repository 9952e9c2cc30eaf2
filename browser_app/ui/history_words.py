"""Sentences about a server's history: how full it is now and soon, and when it is mostly alive."""

from collections.abc import Sequence

import numpy as np

from browser_app.catalogue.week import Week, hour_ranges
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.plots.moments import weekday

Ranges = Sequence[tuple[int, int]]
_ALIKE_H = 1
"""Days whose hours begin and end at most so far apart are told together."""


def now_words(players: int | None, likely: tuple[float, float, float, float] | None, *, dotted: bool) -> str:
    """How many play now, and in half an hour: `likely` is players, low, high and weeks; `dotted`: so it is drawn."""
    if players is None:
        return _("How many play now is unknown.")
    if likely is None:
        return _("Now {players}. No forecast: too little is known of its habits.").format(players=players)
    _likely, low, high, weeks = likely
    words = ngettext(
        "Now {players}. In 30 min {range}: same hour, {n} week.",
        "Now {players}. In 30 min {range}: same hour, {n} weeks.",
        round(weeks),
    )
    expected = _("{range} (dotted)").format(range=_range(low, high)) if dotted else _range(low, high)
    return words.format(players=players, range=expected, n=round(weeks))


def likely_words(low: float, high: float, weeks: float) -> str:
    """`Likely in 30 minutes: 15 to 20 players (from 6 weeks).`; empty where nothing is known."""
    if np.isnan(low):
        return ""
    words = ngettext(
        "Likely in 30 minutes: {range} players (from {n} week).",
        "Likely in 30 minutes: {range} players (from {n} weeks).",
        round(weeks),
    )
    return words.format(range=_range(low, high), n=round(weeks))


def _range(low: float, high: float) -> str:
    if round(low) == round(high):
        return str(round(low))
    return _("{low} to {high}").format(low=round(low), high=round(high))


def kept_words(days: float) -> str:
    """`42 days kept`."""
    if not days:
        return _("nothing kept yet")
    whole = max(1, round(days))
    return ngettext("{n} day kept", "{n} days kept", whole).format(n=whole)


def alive_words(week: Week) -> str:
    """`Mostly alive Mon to Fri 19–23 h, Sat and Sun 15–24 h.`, or why that cannot be said."""
    if not (week.seen >= 2).any():
        return _("When it is usually alive shows after two weeks.")
    parts = [_part(first, last, ranges) for first, last, ranges in _alike_days(week) if ranges]
    if not parts:
        return _("At no hour mostly alive.")
    return _("Mostly alive {when}. Cells with a bar: more than half of the days.").format(when=", ".join(parts))


def _alike_days(week: Week) -> list[tuple[int, int, Ranges]]:
    """Runs of days with about the same hours: first day, last day, the hours as the median of their edges."""
    runs: list[tuple[int, list[Ranges]]] = []
    for day, mostly in enumerate(week.mostly_alive):
        ranges = hour_ranges(mostly)
        if runs and _alike(runs[-1][1][0], ranges):
            runs[-1][1].append(ranges)
        else:
            runs.append((day, [ranges]))
    return [(first, first + len(days) - 1, _middle(days)) for first, days in runs]


def _alike(one: Ranges, other: Ranges) -> bool:
    near = (abs(a - b) <= _ALIKE_H for x, y in zip(one, other, strict=False) for a, b in zip(x, y, strict=True))
    return len(one) == len(other) and all(near)


def _middle(days: Sequence[Ranges]) -> Ranges:
    edges = np.floor(np.median(np.array(days, np.float64).reshape(len(days), -1, 2), axis=0)).astype(int)
    return [(int(first), int(last)) for first, last in edges]


def _part(first: int, last: int, ranges: Ranges) -> str:
    hours = _(" and ").join(_("{first}–{last}").format(first=a, last=b) for a, b in ranges)
    return _("{days} {hours} h").format(days=_days(first, last), hours=hours)


def _days(first: int, last: int) -> str:
    if (first, last) == (0, 6):
        return _("every day")
    if first == last:
        return weekday(first)
    words = _("{first} and {last}") if last == first + 1 else _("{first} to {last}")
    return words.format(first=weekday(first), last=weekday(last))
