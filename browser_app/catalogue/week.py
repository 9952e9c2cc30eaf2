"""When a server is usually alive: its week, hour by hour, in the user's own time."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.columns import Bools, Floats
from browser_app.catalogue.series import Series

HOUR_S = 3600
LocalTime = Callable[[float], time.struct_time]


@dataclass(frozen=True, slots=True)
class Week:
    """Shape (7, 24): weekdays from Monday, hours of the day in local time.

    Attributes:
        players: mean of the humans playing; NaN where nothing was seen.
        alive: share of the hours in which enough played; NaN where nothing was seen.
        seen: how many such hours there were.
    """

    players: Floats
    alive: Floats
    seen: Floats

    @property
    def mostly_alive(self) -> Bools:
        """Where more than half of at least two hours were alive."""
        return np.greater(np.nan_to_num(self.alive), 0.5) & (self.seen >= 2)


def week_of(series: Series, enough: float, local: LocalTime = time.localtime) -> Week:
    """The week of a series: alive is an hour in which `enough` humans played on average. Whole days tell no hours."""
    hours, players = hourly(series)
    cells = [(moment.tm_wday, moment.tm_hour) for moment in map(local, hours.tolist())]
    place = np.array([day * 24 + hour for day, hour in cells], np.intp)
    seen = np.bincount(place, minlength=168).astype(np.float64)
    total = np.bincount(place, players, 168)
    alive = np.bincount(place, players >= enough, 168)
    with np.errstate(invalid="ignore"):
        return Week((total / seen).reshape(7, 24), (alive / seen).reshape(7, 24), seen.reshape(7, 24))


def hourly(series: Series) -> tuple[Floats, Floats]:
    """The hours in which the server answered (Unix time, s, ascending) and the mean players in each."""
    kept = (series.span <= HOUR_S) & ~np.isnan(series.players)
    hour = series.time[kept] // HOUR_S
    hours, place = np.unique(hour, return_inverse=True)
    mean = np.bincount(place, series.players[kept], len(hours)) / np.bincount(place, minlength=len(hours))
    return hours * HOUR_S, mean


def hour_ranges(mostly: Bools) -> list[tuple[int, int]]:
    """Runs of hours of one day, from and to (exclusive); mostly has shape (24,)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mostly.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
