"""Forecast of the players on a server in half an hour.

Deviations from the usual week are modelled as a first-order autoregressive process whose decay is measured from past
hours. A forecast is offered only if it predicted the server's past better than "as many as now" does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np

from browser_app.ranking.ranking_inputs import FloatArray
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
    """Forecast parameters of n servers.

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

    def predict(self, players: FloatArray, now: float, slots: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return the expected players `FORECAST_HORIZON_S` from now, and the low and high end of the 80 % interval.

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
        """Return the usual players at a moment, interpolated linearly between the middles of the hours."""
        place = moment / HOUR_S - 0.5
        before = int(np.floor(place))
        share = place - before
        return (1.0 - share) * self.week[:, before % WEEK_H] + share * self.week[:, (before + 1) % WEEK_H]


def forecast_factor(
    players: FloatArray, forecast_players: FloatArray, constants: Mapping[str, FloatArray]
) -> FloatArray:
    """Return the forecast as a factor of the score: expected viability divided by the viability now.

    Limited to 1 / `MAX_FORECAST_FACTOR` … `MAX_FORECAST_FACTOR`; NaN where either is unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = viability(forecast_players, constants) / viability(players, constants)
    return np.asarray(np.clip(ratio, 1.0 / MAX_FORECAST_FACTOR, MAX_FORECAST_FACTOR))


class Forecaster:
    """A forecast model fitted to the hours of one server.

    Attributes:
        is_supported: True if there is enough data and the model beats repeating the last value.
        weeks: weeks of data.
        error, persistence_error: mean squared error of predicting the next hour, players², by the model and by
            repeating the last value.
    """

    def __init__(self, hours: FloatArray, players: FloatArray) -> None:
        """Fit to `hours` (Unix time, s, ascending, whole hours) and the mean players in each."""
        slot = np.round(hours / HOUR_S).astype(np.int64)
        self.weeks = float(slot[-1] - slot[0] + 1) / WEEK_H if len(slot) else 0.0
        self._players = players
        self._hours_of_week, self._hours_of_day = slot % WEEK_H, slot % DAY_H
        self._learn_week()
        usual = self._leave_one_out_means()
        follows = np.flatnonzero(np.diff(slot) == 1)
        now, then = (players - usual)[follows], (players - usual)[follows + 1]
        power = float(now @ now)
        self._memory = min(1.0, max(0.0, float(now @ then) / power)) if power else 0.0
        left = then - self._memory * now
        self.error = float(np.mean(left**2)) if len(follows) else float("nan")
        self.persistence_error = float(np.mean(np.diff(players)[follows] ** 2)) if len(follows) else float("nan")
        has_enough = self.weeks >= MIN_WEEKS and len(follows) >= MIN_HOUR_PAIRS
        self.is_supported = has_enough and self.error <= MAX_ERROR_RATIO * self.persistence_error

    def _learn_week(self) -> None:
        mean = float(self._players.mean()) if len(self._players) else 0.0
        self._day_count = np.bincount(self._hours_of_day, minlength=DAY_H)
        self._day_sum = np.bincount(self._hours_of_day, self._players, DAY_H)
        self._day = (self._day_sum + _MEAN_PRIOR_HOURS * mean) / (self._day_count + _MEAN_PRIOR_HOURS)
        self._count = np.bincount(self._hours_of_week, minlength=WEEK_H)
        self._sum = np.bincount(self._hours_of_week, self._players, WEEK_H)
        day = np.tile(self._day, WEEK_H // DAY_H)
        self._week = (self._sum + _DAY_PRIOR_HOURS * day) / (self._count + _DAY_PRIOR_HOURS)

    def _leave_one_out_means(self) -> FloatArray:
        """Return the usual players at each hour, computed from all other hours."""
        total = self._sum[self._hours_of_week] - self._players + _DAY_PRIOR_HOURS * self._day[self._hours_of_day]
        usual: FloatArray = total / (self._count[self._hours_of_week] - 1 + _DAY_PRIOR_HOURS)
        return usual

    @property
    def model(self) -> ForecastModel:
        """Forecast parameters, which do not need the past data any more."""
        numbers = (np.array([each]) for each in (self._memory, self.error, self.weeks))
        return ForecastModel(self._week.reshape(1, WEEK_H), *numbers)
