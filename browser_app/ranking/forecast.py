"""How many will play in half an hour: the hour of the week, and how far it is usually off and stays off.

Deviations from the usual week are taken for a first-order process that forgets with a rate measured from the hours
before. A forecast is offered only where it has told that server's past better than "as many as now" does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Self

import numpy as np
from numpy.typing import NDArray

from browser_app.ranking.factors import viability

Floats = NDArray[np.float64]

AHEAD_S = 1800
HOUR_S = 3600
WEEK_H, DAY_H = 168, 24

LEAST_WEEKS = 2.0
LEAST_STEPS = 72
"""So many hours followed by the next one are needed to measure how deviations fade."""
BETTER_THAN_HOLDING = 0.95
"""Least improvement of the mean squared error over holding the last value."""
EIGHT_IN_TEN = 1.2816
"""Standard deviations on each side that eight of ten outcomes lie within."""

_SHRINK_TO_DAY, _SHRINK_TO_MEAN = 2.0, 2.0  # so many hours' worth of the coarser habit


MOST = 2.0
"""As a factor of the score a forecast doubles or halves at most."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """Humans likely to play, with the range that holds eight times of ten, and the weeks it was learnt from."""

    players: float
    low: float
    high: float
    weeks: float


@dataclass(frozen=True, slots=True)
class Habits:
    """What their pasts tell of n servers; every forecast is made from this.

    Attributes:
        week: the usual players by hour of the week (Unix time / 3600 modulo 168), shape (n, 168).
        memory: what is left of a deviation from that after an hour, 0…1, shape (n,).
        error: mean squared error of the next hour, players², shape (n,).
        weeks: how long the past is, shape (n,).
    """

    week: Floats
    memory: Floats
    error: Floats
    weeks: Floats

    @classmethod
    def of_all(cls, each: Sequence[Self]) -> Self:
        """Of all these servers, in this order; there must be one."""
        return cls(*(np.concatenate([getattr(habits, spec.name) for habits in each]) for spec in fields(cls)))

    def likely(self, players: Floats, now: float, slots: Floats) -> tuple[Floats, Floats, Floats]:
        """Players `AHEAD_S` after `now` (Unix time, s) when so many play now, and the range from low to high.

        NaN where the players are unknown; unknown slots bound nothing.
        """
        fades = self.memory ** (AHEAD_S / HOUR_S)
        likely = self._usual(now + AHEAD_S) + fades * (players - self._usual(now))
        spread = EIGHT_IN_TEN * np.sqrt(self.error / (1.0 + self.memory))  # of half a step, see the process
        low, middle, high = (np.fmin(np.maximum(likely + each, 0.0), slots) for each in (-spread, 0.0, spread))
        unknown = np.isnan(players)
        low[unknown] = middle[unknown] = high[unknown] = np.nan
        return middle, low, high

    def _usual(self, moment: float) -> Floats:
        """The usual players at a moment: hours stand for their middle, straight lines between."""
        place = moment / HOUR_S - 0.5
        before = int(np.floor(place))
        share = place - before
        return (1.0 - share) * self.week[:, before % WEEK_H] + share * self.week[:, (before + 1) % WEEK_H]


def multiplier(players: Floats, likely: Floats, constants: Mapping[str, Floats]) -> Floats:
    """The forecast as a factor of the score: the life of a full game that is likely, by the life there is now.

    At most `MOST`, at least 1 / `MOST`; NaN where either is unknown.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = viability(likely, constants) / viability(players, constants)
    return np.asarray(np.clip(ratio, 1.0 / MOST, MOST))


class Forecaster:
    """What one server's hours tell of its next half hour.

    Attributes:
        supported: whether the past is long enough and was told better than by holding the last value.
        weeks: how long it is.
        error, holding_error: mean squared error of the next hour, of the model and of holding, players².
    """

    def __init__(self, hours: Floats, players: Floats) -> None:
        """Learn from hours (Unix time, s, ascending, whole hours) and the mean players in each."""
        slot = np.round(hours / HOUR_S).astype(np.int64)
        self.weeks = float(slot[-1] - slot[0] + 1) / WEEK_H if len(slot) else 0.0
        self._players = players
        self._of_week, self._of_day = slot % WEEK_H, slot % DAY_H
        self._learn_week()
        usual = self._usual_without_itself()
        follows = np.flatnonzero(np.diff(slot) == 1)
        now, then = (players - usual)[follows], (players - usual)[follows + 1]
        power = float(now @ now)
        self._memory = min(1.0, max(0.0, float(now @ then) / power)) if power else 0.0
        left = then - self._memory * now
        self.error = float(np.mean(left**2)) if len(follows) else float("nan")
        self.holding_error = float(np.mean(np.diff(players)[follows] ** 2)) if len(follows) else float("nan")
        self.supported = (
            self.weeks >= LEAST_WEEKS
            and len(follows) >= LEAST_STEPS
            and self.error <= BETTER_THAN_HOLDING * self.holding_error
        )

    def _learn_week(self) -> None:
        mean = float(self._players.mean()) if len(self._players) else 0.0
        self._day_count = np.bincount(self._of_day, minlength=DAY_H)
        self._day_sum = np.bincount(self._of_day, self._players, DAY_H)
        self._day = (self._day_sum + _SHRINK_TO_MEAN * mean) / (self._day_count + _SHRINK_TO_MEAN)
        self._count = np.bincount(self._of_week, minlength=WEEK_H)
        self._sum = np.bincount(self._of_week, self._players, WEEK_H)
        day = np.tile(self._day, WEEK_H // DAY_H)
        self._week = (self._sum + _SHRINK_TO_DAY * day) / (self._count + _SHRINK_TO_DAY)

    def _usual_without_itself(self) -> Floats:
        """What was usual at each hour by all the others: an hour must not vouch for itself."""
        total = self._sum[self._of_week] - self._players + _SHRINK_TO_DAY * self._day[self._of_day]
        usual: Floats = total / (self._count[self._of_week] - 1 + _SHRINK_TO_DAY)
        return usual

    @property
    def habits(self) -> Habits:
        """What is left when the past itself is forgotten: one server's."""
        numbers = (np.array([each]) for each in (self._memory, self.error, self.weeks))
        return Habits(self._week.reshape(1, WEEK_H), *numbers)

    def forecast(self, players: float, now: float, slots: float = float("inf")) -> Forecast | None:
        """The likely players `AHEAD_S` after `now` (Unix time, s) when so many play now; None if not supported."""
        if not self.supported:
            return None
        likely, low, high = self.habits.likely(np.array([players]), now, np.array([slots]))
        return Forecast(float(likely[0]), float(low[0]), float(high[0]), self.weeks)
