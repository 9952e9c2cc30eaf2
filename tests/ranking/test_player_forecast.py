"""Player forecast: better than the last value, and absent without a pattern."""

import numpy as np
import pytest
from forecast_fit import Floats, fit_forecaster

from browser_app.ranking.player_forecast import FORECAST_HORIZON_S, HOUR_S, WEEK_H, Forecaster, HourlyPlayers


def history(weeks: float, memory: float, noise: float, swing: float, seed: int = 1) -> tuple[Floats, Floats]:
    """Return half-hourly players: a daily wave of `swing`, and deviations.

    These keep `memory` of themselves per hour.
    """
    rng = np.random.default_rng(seed)
    half = np.arange(int(weeks * WEEK_H * 2)) * FORECAST_HORIZON_S
    wave = 10 + swing * np.sin(half / (24 * HOUR_S) * 2 * np.pi)
    keep = memory**0.5
    off = np.zeros(len(half))
    for i in range(1, len(half)):
        off[i] = keep * off[i - 1] + rng.normal(0, noise)
    return half.astype(np.float64), np.maximum(0.0, wave + off)


def hours_of(half: Floats, players: Floats) -> tuple[Floats, Floats]:
    return half[::2], players.reshape(-1, 2).mean(axis=1)


def predict(forecaster: Forecaster, players: float, now: float, slots: float = np.inf) -> tuple[float, float, float]:
    """Return the expected players, and the low and high end of their interval."""
    likely, low, high = forecaster.models.predict(np.array([players]), now, np.array([slots]))
    return float(likely[0]), float(low[0]), float(high[0])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_beats_persistence_and_covers_80_percent(seed: int) -> None:
    half, players = history(8, 0.5, 1.5, 6, seed)
    trained = len(half) * 3 // 4
    forecaster = fit_forecaster(*hours_of(half[:trained], players[:trained]))
    assert forecaster.is_supported
    errors, persistence, within = [], [], 0
    for i in range(trained, len(half) - 1):
        likely, low, high = predict(forecaster, players[i], half[i])
        errors.append((likely - players[i + 1]) ** 2)
        persistence.append((players[i] - players[i + 1]) ** 2)
        within += low <= players[i + 1] <= high
    assert np.mean(errors) < 0.9 * np.mean(persistence)
    assert 0.6 < within / len(errors) < 0.95


def test_random_walk_has_no_forecast() -> None:
    rng = np.random.default_rng(5)
    walk = np.abs(np.cumsum(rng.normal(0, 1, 4 * WEEK_H)))  # a random walk: repeating the last value is optimal
    assert not fit_forecaster(HOUR_S * np.arange(len(walk), dtype=np.float64), walk).is_supported


@pytest.mark.parametrize("weeks", [0.0, 0.1, 1.9])
def test_short_past_has_no_forecast(weeks: float) -> None:
    half, players = history(weeks, 0.5, 0.5, 6)
    forecaster = fit_forecaster(*hours_of(half[: len(half) // 2 * 2], players[: len(half) // 2 * 2]))
    assert not forecaster.is_supported


def test_forecast_is_between_0_and_slots() -> None:
    half, players = history(6, 0.5, 1.0, 9)
    forecaster = fit_forecaster(*hours_of(half, players))
    for now, slots in ((0.0, 4.0), (40.0, 12.0)):
        likely, low, high = predict(forecaster, now, half[-1], slots)
        assert 0 <= low <= likely <= high <= slots


def test_noise_has_no_forecast() -> None:
    rng = np.random.default_rng(7)
    noise = rng.uniform(0, 20, 3 * WEEK_H)  # no pattern, no memory: in-sample means would look like one
    forecaster = fit_forecaster(HOUR_S * np.arange(len(noise), dtype=np.float64), noise)
    assert forecaster.models.error[0] > 0.9 * noise.var()


def test_servers_are_fitted_alone() -> None:
    pasts = [hours_of(*history(weeks, 0.5, 1.5, 6, seed)) for weeks, seed in ((8, 1), (1, 2), (8, 3))]
    hours = [(start / HOUR_S).astype(np.intp) for start, _players in pasts]
    server = np.repeat([0, 2, 3], [len(each) for each in hours])  # nothing is known of the second server
    past = HourlyPlayers(server, np.concatenate(hours), np.concatenate([players for _hours, players in pasts]))
    together = Forecaster(past, 4)
    assert together.is_supported.tolist() == [True, False, False, True]
    assert together.models.weeks.tolist() == [8, 0, 1, 8]
    for index, (start, players) in zip((0, 3), (pasts[0], pasts[2]), strict=True):
        alone, model = fit_forecaster(start, players).models, together.models.select_server(index)
        np.testing.assert_allclose(model.week, alone.week)
        np.testing.assert_allclose((model.memory, model.error), (alone.memory, alone.error))
