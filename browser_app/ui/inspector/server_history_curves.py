"""Curves of a server's players and ping over time."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue_columns import Floats
from browser_app.catalogue.sample_series import SampleSeries
from browser_app.language import gettext as _
from browser_app.number_text import decimal_text
from browser_app.ranking.player_forecast import FORECAST_HORIZON_S
from browser_app.ui.widgets.plots.line_plot import ForecastPoint, PlotCurve
from browser_app.ui.widgets.value_text import DAY_S, clock_time_text, day_and_month_text, hour_range_text, weekday_text

MIN_PING_RANGE_MS = 100.0
"""Minimum upper end of the ping axis."""


@dataclass(frozen=True, slots=True)
class CurrentServerState:
    """What is known about a server now; None is unknown.

    `forecast` is for half an hour from now: expected players, low, high, and weeks of history it is based on.
    """

    time: float
    players: int | None
    slots: int | None
    forecast: tuple[float, float, float, float] | None


@dataclass(frozen=True, slots=True)
class HistorySpan:
    """A time range of the plots."""

    days: int
    resolution_s: int
    """Length of time that one point stands for."""
    tick_text: Callable[[float], str]
    tick_every_h: int
    """Hours between two ticks."""


DAY_SPAN = HistorySpan(1, 300, clock_time_text, 6)
WEEK_SPAN = HistorySpan(7, 3600, weekday_text, 24)
MONTH_SPAN = HistorySpan(30, 3 * 3600, day_and_month_text, 7 * 24)


def players_curve(series: SampleSeries, now: CurrentServerState, span: HistorySpan) -> PlotCurve:
    """Return the curve of players, with the slots and, for one day, the forecast."""
    seen = series.resampled(now.time - span.days * DAY_S, span.resolution_s)
    times, values, low, high = _bucket_times(seen, now), seen.players, seen.low, seen.high
    ahead = None
    if span is DAY_SPAN and now.players is not None:
        times, values, low, high = (
            np.append(column[times < now.time], value)
            for column, value in ((times, now.time), *((each, now.players) for each in (values, low, high)))
        )
        if now.forecast is not None:
            ahead = ForecastPoint(now.time + FORECAST_HORIZON_S, *now.forecast[:3])
    most = max(now.slots or 0, float(np.nanmax(high, initial=1.0)))
    return PlotCurve(
        first_x=now.time - span.days * DAY_S,
        last_x=now.time + (FORECAST_HORIZON_S if span is DAY_SPAN else 0),
        max_value=most,
        x=times,
        y=values,
        low=low,
        high=high,
        max_gap=2.5 * max(span.resolution_s, 900),
        upper_bound=None if now.slots is None else float(now.slots),
        labels=_value_labels(most, now.slots),
        ticks=_time_ticks(now, span),
        lines_at_ticks=span is not DAY_SPAN,
        forecast=ahead,
        point_text=lambda place: _players_point_text(times[place], values[place], low[place], high[place], span),
        heading="\t".join((_("time"), _("players"), _("lowest"), _("highest"))),
        values_row=lambda place: _values_row(times[place], values[place], low[place], high[place]),
    )


def ping_curve(series: SampleSeries, now: CurrentServerState, span: HistorySpan) -> PlotCurve:
    """Return the curve of pings."""
    seen = series.resampled(now.time - span.days * DAY_S, span.resolution_s)
    times, pings = _bucket_times(seen, now), seen.ping_ms
    most = max(MIN_PING_RANGE_MS, float(np.ceil(np.nanmax(pings, initial=0.0) / 50) * 50))
    return PlotCurve(
        first_x=now.time - span.days * DAY_S,
        last_x=now.time + (FORECAST_HORIZON_S if span is DAY_SPAN else 0),
        max_value=most,
        x=times,
        y=pings,
        max_gap=2.5 * max(span.resolution_s, 900),
        labels=(0.0, most),
        point_text=lambda place: _ping_point_text(times[place], pings[place], span),
        heading="\t".join((_("time"), _("ping, ms"))),
        values_row=lambda place: _values_row(times[place], pings[place]),
    )


def _value_labels(most: float, slots: int | None) -> tuple[float, ...]:
    top = most if slots is None else float(slots)
    return (0.0, top / 2, top) if top % 2 == 0 else (0.0, top)


def _time_ticks(now: CurrentServerState, span: HistorySpan) -> list[tuple[float, str]]:
    return [
        (moment, span.tick_text(moment))
        for moment in _time_grid(now.time - span.days * DAY_S, now.time, span.tick_every_h)
    ]


def _bucket_times(seen: SampleSeries, now: CurrentServerState) -> Floats:
    """Return the middle of each bucket; for the current one, the middle of its past."""
    return np.minimum(seen.time + seen.span / 2, now.time)


def _moment_text(moment: float, span: HistorySpan) -> str:
    if span is DAY_SPAN:
        return _("{day} {time}").format(day=weekday_text(moment), time=clock_time_text(moment))
    first = moment // span.resolution_s * span.resolution_s
    hours = [time.localtime(edge).tm_hour for edge in (first, first + span.resolution_s)]
    day = weekday_text(first) if span is WEEK_SPAN else day_and_month_text(first)
    return _("{day} {time}").format(day=day, time=hour_range_text(hours[0], hours[1] or 24))


def _players_point_text(moment: float, mean: float, low: float, high: float, span: HistorySpan) -> str:
    when = _moment_text(moment, span)
    if np.isnan(mean):
        return _("{when}: no answer").format(when=when)
    if low == high:
        return _("{when}: {players} playing").format(when=when, players=round(mean))
    return _("{when}: {mean} ({low}–{high})").format(
        when=when, mean=decimal_text(mean, 1), low=round(low), high=round(high)
    )


def _ping_point_text(moment: float, ping_ms: float, span: HistorySpan) -> str:
    when = _moment_text(moment, span)
    if np.isnan(ping_ms):
        return _("{when}: no answer").format(when=when)
    return _("{when}: {ms} ms").format(when=when, ms=round(ping_ms))


def _values_row(moment: float, *values: float) -> str:
    """Return a line of copied values.

    These are the time in ISO 8601, then numbers, empty where unknown.
    """
    stamp = np.datetime_as_string(np.datetime64(round(moment), "s"))
    return "\t".join((f"{stamp}Z", *("" if np.isnan(value) else f"{value:.4g}" for value in values)))


def _time_grid(first: float, last: float, every_h: int = 24) -> Iterator[float]:
    """Yield the times of the grid's lines from `first` to `last`.

    These are local midnights, and every `every_h` hours between them.
    """
    local = time.localtime(first)
    year, month, day = local[:3]
    hour = local.tm_hour // every_h * every_h
    previous = -math.inf
    while True:
        moment = time.mktime((year, month, day, hour, 0, 0, 0, 0, -1))  # mktime normalises hours and days out of range
        if moment > last:
            return
        if moment >= first and moment > previous:  # an hour may be left out by the start of daylight saving
            yield moment
        previous = max(previous, moment)
        hour += every_h
