"""From a server's samples to the curves of its history page."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.columns import Floats
from browser_app.catalogue.series import Series
from browser_app.language import gettext as _
from browser_app.ranking.forecast import AHEAD_S
from browser_app.ui.plots.line_plot import Ahead, Curve
from browser_app.ui.plots.moments import DAY_S, clock_time, date_text, day_text, midnights

LEAST_MS = 100.0
"""The scale of a ping goes at least so far."""


@dataclass(frozen=True, slots=True)
class Now:
    """What a server says now; None is unknown.

    `likely` is what its past says of the next half hour: players, low, high and weeks.
    """

    time: float
    players: int | None
    slots: int | None
    likely: tuple[float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class Span:
    """A length of time to look back over."""

    days: int
    grain_s: int
    """What one point stands for."""
    tick: Callable[[float], str]
    every_h: int
    """Hours between two ticks."""


DAY = Span(1, 300, clock_time, 6)
WEEK = Span(7, 3600, day_text, 24)
MONTH = Span(30, 3 * 3600, date_text, 7 * 24)


def players_curve(series: Series, now: Now, span: Span) -> Curve:
    """The players of the last days, with the slots and, over one day, what is likely next."""
    seen = series.gathered(now.time - span.days * DAY_S, span.grain_s)
    times, values, low, high = _middles(seen, now), seen.players, seen.low, seen.high
    ahead = None
    if span is DAY and now.players is not None:
        times, values, low, high = (
            np.append(column[times < now.time], value)
            for column, value in ((times, now.time), *((each, now.players) for each in (values, low, high)))
        )
        if now.likely is not None:
            ahead = Ahead(now.time + AHEAD_S, *now.likely[:3])
    most = max(now.slots or 0, float(np.nanmax(high, initial=1.0)))
    return Curve(
        first=now.time - span.days * DAY_S,
        last=now.time + (AHEAD_S if span is DAY else 0),
        most=most,
        x=times,
        y=values,
        low=low,
        high=high,
        bridged=2.5 * max(span.grain_s, 900),
        bound=None if now.slots is None else float(now.slots),
        labels=_labels(most, now.slots),
        ticks=_ticks(now, span),
        lines_at_ticks=span is not DAY,
        ahead=ahead,
        words=lambda place: _players_words(times[place], values[place], low[place], high[place], span),
        heading="\t".join((_("time"), _("players"), _("lowest"), _("highest"))),
        row=lambda place: _row(times[place], values[place], low[place], high[place]),
    )


def ping_curve(series: Series, now: Now, span: Span) -> Curve:
    """The pings of the last days."""
    seen = series.gathered(now.time - span.days * DAY_S, span.grain_s)
    times, pings = _middles(seen, now), seen.ping_ms
    most = max(LEAST_MS, float(np.ceil(np.nanmax(pings, initial=0.0) / 50) * 50))
    return Curve(
        first=now.time - span.days * DAY_S,
        last=now.time + (AHEAD_S if span is DAY else 0),
        most=most,
        x=times,
        y=pings,
        bridged=2.5 * max(span.grain_s, 900),
        labels=(0.0, most),
        words=lambda place: _ping_words(times[place], pings[place], span),
        heading="\t".join((_("time"), _("ping, ms"))),
        row=lambda place: _row(times[place], pings[place]),
    )


def _labels(most: float, slots: int | None) -> tuple[float, ...]:
    top = most if slots is None else float(slots)
    return (0.0, top / 2, top) if top % 2 == 0 else (0.0, top)


def _ticks(now: Now, span: Span) -> list[tuple[float, str]]:
    return [(moment, span.tick(moment)) for moment in midnights(now.time - span.days * DAY_S, now.time, span.every_h)]


def _middles(seen: Series, now: Now) -> Floats:
    """Spans stand for their middle; the one that goes on, for what there is of it."""
    return np.minimum(seen.time + seen.span / 2, now.time)


def _when(moment: float, span: Span) -> str:
    if span is DAY:
        return _("{day} {time}").format(day=day_text(moment), time=clock_time(moment))
    first = moment // span.grain_s * span.grain_s
    hours = [time.localtime(edge).tm_hour for edge in (first, first + span.grain_s)]
    day = day_text(first) if span is WEEK else date_text(first)
    return _("{day} {first}–{last} h").format(day=day, first=hours[0], last=hours[1] or 24)


def _players_words(moment: float, mean: float, low: float, high: float, span: Span) -> str:
    when = _when(moment, span)
    if np.isnan(mean):
        return _("{when}: no answer").format(when=when)
    if low == high:
        return _("{when}: {players} playing").format(when=when, players=round(mean))
    return _("{when}: {mean} ({low}–{high})").format(when=when, mean=f"{mean:.1f}", low=round(low), high=round(high))


def _ping_words(moment: float, ping_ms: float, span: Span) -> str:
    when = _when(moment, span)
    if np.isnan(ping_ms):
        return _("{when}: no answer").format(when=when)
    return _("{when}: {ms} ms").format(when=when, ms=round(ping_ms))


def _row(moment: float, *values: float) -> str:
    """A line of copied values: the moment in a form that other programs read, then numbers, empty where unknown."""
    stamp = np.datetime_as_string(np.datetime64(round(moment), "s"))
    return "\t".join((f"{stamp}Z", *("" if np.isnan(value) else f"{value:.4g}" for value in values)))
