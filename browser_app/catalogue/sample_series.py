"""Samples of one server over time, and its typical week by hour."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from browser_app.catalogue.catalogue_columns import Bools, Floats, RowIds
from browser_app.ranking.player_forecast import HOUR_S


@dataclass(frozen=True, slots=True)
class SampleSeries:
    """Samples of one server in ascending order.

    Each covers the span that begins at `time`.

    Attributes:
        time: Unix time, s.
        span: s; newer samples have shorter spans.
        answered: share of the queries that were answered, 0…1.
        players, low, high: mean and range of the humans playing in the span; NaN if no query was answered.
        bots, ping_ms: means; NaN where unknown.
    """

    time: Floats
    span: Floats
    answered: Floats
    players: Floats
    low: Floats
    high: Floats
    bots: Floats
    ping_ms: Floats

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.time)

    @property
    def days(self) -> float:
        """Days from the start of the first sample to the end of the last."""
        return float(self.time[-1] + self.span[-1] - self.time[0]) / 86400 if len(self) else 0.0

    def resampled(self, since: float, span_s: float) -> Self:
        """Return the samples since a time, combined into spans of `span_s`.

        Longer ones are left out.
        """
        kept = (self.time >= since) & (self.span <= span_s)
        starts, bins = np.unique(self.time[kept] // span_s, return_inverse=True)
        bin_count = len(starts)
        asked = np.bincount(bins, minlength=bin_count)
        low, high = np.full(bin_count, np.nan), np.full(bin_count, np.nan)
        np.fmin.at(low, bins, self.low[kept])
        np.fmax.at(high, bins, self.high[kept])
        columns = (self.players, self.bots, self.ping_ms)
        players, bots, ping_ms = (_bin_means(bins, bin_count, each[kept]) for each in columns)
        answered = np.bincount(bins, self.answered[kept], bin_count) / asked
        spans = np.full(bin_count, float(span_s))
        return type(self)(starts * span_s, spans, answered, players, low, high, bots, ping_ms)

    @classmethod
    def from_rows(cls, rows: "list[tuple[float | None, ...]]") -> "SampleSeries":
        """Create a series from rows of the database; None is unknown.

        A row has (time, span, answered, players, low, high, bots, ping_ms).
        """
        columns = np.array(rows, np.float64).reshape(-1, 8).T  # None becomes NaN
        return cls(*columns)


def _bin_means(bins: RowIds, bin_count: int, values: Floats) -> Floats:
    """Return the mean of the known values in each of `bin_count` bins.

    NaN where there are none.
    """
    known = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.bincount(bins[known], values[known], bin_count) / np.bincount(bins[known], minlength=bin_count)


ToLocalTime = Callable[[float], time.struct_time]


@dataclass(frozen=True, slots=True)
class WeekProfile:
    """Typical week by weekday from Monday and local hour, shape (7, 24).

    Attributes:
        players: mean of the humans playing; NaN without data.
        active_share: share of the hours with enough players; NaN without data.
        hour_count: number of such hours with data.
    """

    players: Floats
    active_share: Floats
    hour_count: Floats

    @property
    def mostly_active(self) -> Bools:
        """True where more than half of at least two hours were active."""
        return np.greater(np.nan_to_num(self.active_share), 0.5) & (self.hour_count >= 2)


def week_profile(series: SampleSeries, min_players: float, to_local_time: ToLocalTime = time.localtime) -> WeekProfile:
    """Return the typical week.

    An hour is active if at least `min_players` humans played on average. Samples longer than an hour are ignored.
    """
    hours, players = hourly_means(series)
    cells = [(moment.tm_wday, moment.tm_hour) for moment in map(to_local_time, hours.tolist())]
    bins = np.array([day * 24 + hour for day, hour in cells], np.intp)
    seen = np.bincount(bins, minlength=168).astype(np.float64)
    total = np.bincount(bins, players, 168)
    alive = np.bincount(bins, players >= min_players, 168)
    with np.errstate(invalid="ignore"):
        return WeekProfile((total / seen).reshape(7, 24), (alive / seen).reshape(7, 24), seen.reshape(7, 24))


def hourly_means(series: SampleSeries) -> tuple[Floats, Floats]:
    """Return the hours with an answered query and the mean players in each.

    Hours are Unix times, s, ascending.
    """
    kept = (series.span <= HOUR_S) & ~np.isnan(series.players)
    hour = series.time[kept] // HOUR_S
    hours, bins = np.unique(hour, return_inverse=True)
    mean = np.bincount(bins, series.players[kept], len(hours)) / np.bincount(bins, minlength=len(hours))
    return hours * HOUR_S, mean


def hour_ranges(is_active: Bools) -> list[tuple[int, int]]:
    """Return runs of active hours of one day as (first, end), end exclusive.

    `is_active` has shape (24,).
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([0], is_active.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
