"""Forecast of the players on a server in half an hour.

Deviations from the usual week are modelled as a first-order autoregressive process whose decay is measured from past
hours. A forecast is offered only if it predicted the server's past better than "as many as now" does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple, Self

import numpy as np

from browser_app.ranking.ranking_inputs import FloatArray, IntArray
from browser_app.ranking.score_factors import viability

FORECAST_HORIZON_S = 1800
HOUR_S = 3600
WEEK_H, DAY_H = 168, 24

MIN_WEEKS = 2.0
MIN_HOUR_PAIRS = 72
"""Pairs of consecutive hours needed to measure how deviations decay."""
MAX_ERROR_RATIO = 0.95
"""Largest mean squared error of a supported model, relative to that of repeating the last value."""
INTERVAL_80_SDS = 1.2816
"""Half width, in standard deviations, of the interval that contains 80 % of a normal distribution."""

# Weight of the coarser average (hour of the day, overall mean), as a number of observed hours.
_DAY_PRIOR_HOURS, _MEAN_PRIOR_HOURS = 2.0, 2.0


MAX_FORECAST_FACTOR = 2.0
"""As a factor of the score, a forecast at most doubles or halves it."""


@dataclass(frozen=True, slots=True)
class ForecastModel:
    """Parameters of the forecasts of n servers.

    Attributes:
        week: the usual players by hour of the week (Unix time / 3600 modulo 168), shape (n, 168).
        memory: share of a deviation from `week` that is left after an hour, 0…1, shape (n,).
        error: mean squared error of predicting the next hour, players², shape (n,).
        weeks: weeks of data, shape (n,).
    """

    week: FloatArray
    memory: FloatArray
    error: FloatArray
    weeks: FloatArray

    @classmethod
    def concatenate(cls, models: Sequence[Self]) -> Self:
        """Return one model of all servers in `models` (at least one), in this order."""
        return cls(*(np.concatenate([getattr(model, spec.name) for model in models]) for spec in fields(cls)))

    def select_server(self, index: int) -> Self:
        """Return the model of one of the servers."""
        return type(self)(*(getattr(self, spec.name)[index : index + 1] for spec in fields(self)))

    def predict(self, players: FloatArray, now: float, slots: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the expected players in `FORECAST_HORIZON_S`, and the 80 % interval.

        Args:
            players: players now; NaN where unknown, which makes the result NaN.
            now: Unix time, s.
            slots: upper bound of the result; NaN is no bound.
        """
        fades = self.memory ** (FORECAST_HORIZON_S / HOUR_S)
        likely = self._usual_players(now + FORECAST_HORIZON_S) + fades * (players - self._usual_players(now))
        # error / (1 + memory) is the squared error of half an hour, derived from that of a whole one.
        spread = INTERVAL_80_SDS * np.sqrt(self.error / (1.0 + self.memory))
        low, middle, high = (np.fmin(np.maximum(likely + each, 0.0), slots) for each in (-spread, 0.0, spread))
        unknown = np.isnan(players)
        low[unknown] = middle[unknown] = high[unknown] = np.nan
        return middle, low, high

    def _usual_players(self, moment: float) -> FloatArray:
        """Return the usual players at a Unix time, interpolated between middles of hours."""
        position = moment / HOUR_S - 0.5
        before = int(np.floor(position))
        share = position - before
        return (1.0 - share) * self.week[:, before % WEEK_H] + share * self.week[:, (before + 1) % WEEK_H]


def forecast_factor(
    players: FloatArray, forecast_players: FloatArray, constants: Mapping[str, FloatArray]
) -> FloatArray:
    """Return the forecast as a score factor: expected viability / viability now.

    Limited to 1 / `MAX_FORECAST_FACTOR` … `MAX_FORECAST_FACTOR`; NaN where either is unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = viability(forecast_players, constants) / viability(players, constants)
    return np.asarray(np.clip(ratio, 1.0 / MAX_FORECAST_FACTOR, MAX_FORECAST_FACTOR))


class HourlyPlayers(NamedTuple):
    """Players of several servers by hour.

    There is one row per server and hour with data, in ascending order of both.
    """

    server: IntArray
    """Index of the server."""
    hour: IntArray
    """Unix time / 3600."""
    players: FloatArray
    """Mean players in the hour."""


class Forecaster:
    """Forecast models fitted to the hours of n servers.

    Attributes:
        is_supported: True where there is enough data and the model beats repeating the last value, shape (n,).
        models: forecast parameters of all n servers, which do not need the past data any more.
        persistence_error: mean squared error of predicting the next hour by repeating the last value, players²,
            shape (n,); NaN where no two hours follow each other.
    """

    def __init__(self, past: HourlyPlayers, servers: int) -> None:
        """Fit to the past of `servers` servers."""
        self._past, self._servers = past, servers
        self._hour_of_week = past.server * WEEK_H + past.hour % WEEK_H
        self._hour_of_day = past.server * DAY_H + past.hour % DAY_H
        self._learn_week()
        deviations = past.players - self._leave_one_out_means()
        follows = np.flatnonzero((np.diff(past.hour) == 1) & (np.diff(past.server) == 0))
        server, now, then = past.server[follows], deviations[follows], deviations[follows + 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            memory = np.nan_to_num(self._sum_by_server(server, now * then) / self._sum_by_server(server, now**2))
            memory = np.clip(memory, 0.0, 1.0)
            pairs = np.bincount(server, minlength=servers)
            error = self._sum_by_server(server, (then - memory[server] * now) ** 2) / pairs
            self.persistence_error = self._sum_by_server(server, np.diff(past.players)[follows] ** 2) / pairs
        self.models = ForecastModel(self._week, memory, error, self._weeks_of_data())
        has_enough = (self.models.weeks >= MIN_WEEKS) & (pairs >= MIN_HOUR_PAIRS)
        self.is_supported = has_enough & (error <= MAX_ERROR_RATIO * self.persistence_error)

    def _learn_week(self) -> None:
        players, servers = self._past.players, self._servers
        hours = np.bincount(self._past.server, minlength=servers)
        mean = self._sum_by_server(self._past.server, players) / np.maximum(hours, 1)
        day_count = np.bincount(self._hour_of_day, minlength=servers * DAY_H).reshape(servers, DAY_H)
        day_sum = np.bincount(self._hour_of_day, players, servers * DAY_H).reshape(servers, DAY_H)
        self._day = (day_sum + _MEAN_PRIOR_HOURS * mean[:, np.newaxis]) / (day_count + _MEAN_PRIOR_HOURS)
        self._count = np.bincount(self._hour_of_week, minlength=servers * WEEK_H).reshape(servers, WEEK_H)
        self._sum = np.bincount(self._hour_of_week, players, servers * WEEK_H).reshape(servers, WEEK_H)
        day = np.tile(self._day, WEEK_H // DAY_H)
        self._week = (self._sum + _DAY_PRIOR_HOURS * day) / (self._count + _DAY_PRIOR_HOURS)

    def _leave_one_out_means(self) -> FloatArray:
        """Return the usual players at each hour, computed from all other hours."""
        day = self._day.ravel()[self._hour_of_day]
        total = self._sum.ravel()[self._hour_of_week] - self._past.players + _DAY_PRIOR_HOURS * day
        usual: FloatArray = total / (self._count.ravel()[self._hour_of_week] - 1 + _DAY_PRIOR_HOURS)
        return usual

    def _weeks_of_data(self) -> FloatArray:
        """Return the weeks from each server's first hour to its last, 0 without data."""
        weeks, hour = np.zeros(self._servers), self._past.hour
        found, first, hours = np.unique(self._past.server, return_index=True, return_counts=True)
        weeks[found] = (hour[first + hours - 1] - hour[first] + 1) / WEEK_H
        return weeks

    def _sum_by_server(self, server: IntArray, values: FloatArray) -> FloatArray:
        return np.bincount(server, values, self._servers).astype(np.float64, copy=False)
