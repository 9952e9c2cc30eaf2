"""Forecast models of single servers."""

import numpy as np
from numpy.typing import NDArray

from browser_app.ranking.player_forecast import HOUR_S, Forecaster, HourlyPlayers

Floats = NDArray[np.float64]


def fit_forecaster(hours: Floats, players: Floats) -> Forecaster:
    """Fit to the hours of one server and the mean players in each.

    Hours are Unix times, s, ascending.
    """
    hour = np.round(hours / HOUR_S).astype(np.intp)
    return Forecaster(HourlyPlayers(np.zeros(len(hour), np.intp), hour, players), 1)
