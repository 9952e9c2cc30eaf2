"""Forecast models of single servers."""

import numpy as np
from numpy.typing import NDArray

from browser_app.ranking.player_forecast import HOUR_S, Forecaster, HourlyPlayers

Floats = NDArray[np.float64]


def fit_forecaster(hours: Floats, players: Floats) -> Forecaster:
    """Fit a forecast to the mean players of one server by hour (Unix times, s)."""
    hour = np.round(hours / HOUR_S).astype(np.intp)
    return Forecaster(HourlyPlayers(np.zeros(len(hour), np.intp), hour, players), 1)
