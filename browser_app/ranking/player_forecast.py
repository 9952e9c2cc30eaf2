"""Forecast of the players on a server in half an hour.

Deviations from the usual week are taken for a first-order process that forgets with a rate measured from the hours
before. A forecast is offered only where it has told that server's past better than "as many as now" does.
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
"""So many hours followed by the next one are needed to measure how deviations fade."""
MAX_ERROR_RATIO = 0.95
"""Least improvement of the mean squared error over holding the last value."""
INTERVAL_80_SDS = 1.2816
"""Standard deviations on each side that eight of ten outcomes lie within."""

_DAY_PRIOR_HOURS, _MEAN_PRIOR_HOURS = 2.0, 2.0  # so many hours' worth of the coarser habit


MAX_FORECAST_FACTOR = 2.0
"""As a factor of the score a forecast doubles or halves at most."""


@dataclass(frozen=True, slots=True)
class PlayerForecast:
    """Humans likely to play, with the range that holds eight times of ten, and the weeks it was learnt from."""

    players: float
    low: float
    high: float
    weeks: float


@dataclass(frozen=True, slots=True)
class ForecastModel:
    """What their pasts tell of n servers; every forecast is made from this.

    Attributes:
        week: the usual players by hour of the week (Unix time / 3600 modulo 168), shape (n, 168).
        memory: what is left of a deviation from that after an hour, 0…1, shape (n,).
        error: mean squared error of the next hour, players², shape (n,).
        weeks: how long the past is, shape (n,).
    """

    week: FloatArray
    memory: FloatArray
    error: FloatArray
    weeks: FloatArray

    @classmethod
    def concatenate(cls, models: Sequence[Self]) -> Self:
        """Of all these servers, in this order; there must be one."""
        return cls(*(np.concatenate([getattr(habits, spec.name) for habits in models]) for spec in fields(cls)))

    def predict(self, players: FloatArray, now: float, slots: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Players `FORECAST_HORIZON_S` after `now` (Unix time, s) when so many play now, and the range from low to
        high.

        NaN where the players are unknown; unknown slots bound nothing.
        """
        fades = self.memory ** (FORECAST_HORIZON_S / HOUR_S)
        likely = self._usual_players(now + FORECAST_HORIZON_S) + fades * (players - self._usual_players(now))
        spread = INTERVAL_80_SDS * np.sqrt(self.error / (1.0 + self.memory))  # of half a step, see the process
        low, middle, high = (np.fmin(np.maximum(likely + each, 0.0), slots) for each in (-spread, 0.0, spread))
        unknown = np.isnan(players)
        low[unknown] = middle[unknown] = high[unknown] = np.nan
        return middle, low, high

    def _usual_players(self, moment: float) -> FloatArray:
        """The usual players at a moment: hours stand for their middle, straight lines between."""
        place = moment / HOUR_S - 0.5
        before = int(np.floor(place))
        share = place - before
        return (1.0 - share) * self.week[:, before % WEEK_H] + share * self.week[:, (before + 1) % WEEK_H]


def forecast_factor(
    players: FloatArray, forecast_players: FloatArray, constants: Mapping[str, FloatArray]
) -> FloatArray:
    """The forecast as a factor of the score: the life of a full game that is likely, by the life there is now.

    At most `MOST`, at least 1 / `MOST`; NaN where either is unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = viability(forecast_players, constants) / viability(players, constants)
    return np.asarray(np.clip(ratio, 1.0 / MAX_FORECAST_FACTOR, MAX_FORECAST_FACTOR))


class Forecaster:
    """What one server's hours tell of its next half hour.

    Attributes:
        supported: whether the past is long enough and was told better than by holding the last value.
        weeks: how long it is.
        error, holding_error: mean squared error of the next hour, of the model and of holding, players².
    """

    def __init__(self, hours: FloatArray, players: FloatArray) -> None:
        """Learn from hours (Unix time, s, ascending, whole hours) and the mean players in each."""
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
        self.is_supported = (
            self.weeks >= MIN_WEEKS
            and len(follows) >= MIN_HOUR_PAIRS
            and self.error <= MAX_ERROR_RATIO * self.persistence_error
        )

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
        """What was usual at each hour by all the others: an hour must not vouch for itself."""
        total = self._sum[self._hours_of_week] - self._players + _DAY_PRIOR_HOURS * self._day[self._hours_of_day]
        usual: FloatArray = total / (self._count[self._hours_of_week] - 1 + _DAY_PRIOR_HOURS)
        return usual

    @property
    def model(self) -> ForecastModel:
        """What is left when the past itself is forgotten: one server's."""
        numbers = (np.array([each]) for each in (self._memory, self.error, self.weeks))
        return ForecastModel(self._week.reshape(1, WEEK_H), *numbers)

    def forecast(self, players: float, now: float, slots: float = float("inf")) -> PlayerForecast | None:
        """The likely players `FORECAST_HORIZON_S` after `now` (Unix time, s) when so many play now; None if not
        supported.
        """
        if not self.is_supported:
            return None
        likely, low, high = self.model.predict(np.array([players]), now, np.array([slots]))
        return PlayerForecast(float(likely[0]), float(low[0]), float(high[0]), self.weeks)
