"""Comparison of rating systems by their back-test."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from browser_app.rating.evaluation.backtest import BASELINES, Backtest
from browser_app.rating.evaluation.forecast_blend import BLEND
from browser_app.rating.evaluation.forecast_scores import CalibrationBin, ForecastScores, compare_losses
from browser_app.rating.record.round_record import Floats, Ints

_MAX_STEPS = 25
_MAX_SLOPE = 20.0
_TOLERANCE = 1e-9
_MAX_LOG_ODDS = 20.0  # larger ones would outweigh all others in the fit of the slope


class CalibrationSlope(NamedTuple):
    """Slope of the log-odds of outcomes against forecasts, with its standard error.

    1 is calibrated, below 1 overconfident, above 1 underconfident (D. R. Cox, Biometrika 45, 1958).
    """

    value: float
    sd: float


def fit_calibration_slope(log_odds: Floats, won: Floats) -> CalibrationSlope | None:
    """Fit the slope by maximum likelihood, with even chances fixed.

    None where there are too few forecasts or the forecasts separate the outcomes perfectly.

    Args:
        log_odds: that the first-named wins, NaN without a forecast.
        won: 1 where the first-named won, else 0.
    """
    is_forecast = ~np.isnan(log_odds)
    odds, actual = np.clip(log_odds[is_forecast], -_MAX_LOG_ODDS, _MAX_LOG_ODDS), won[is_forecast]
    slope = 1.0
    for _ in range(_MAX_STEPS):
        expected = 0.5 + 0.5 * np.tanh(0.5 * slope * odds)
        information = float((odds * odds * expected * (1.0 - expected)).sum())
        if information < _TOLERANCE:
            return None
        step = float((odds * (actual - expected)).sum()) / information
        slope += max(-1.0, min(1.0, step))
        if abs(slope) > _MAX_SLOPE:
            return None
        if abs(step) < _TOLERANCE:
            return CalibrationSlope(slope, information**-0.5)
    return None


ROLLING_ROUNDS = 150
"""Number of rounds in the rolling log loss."""
_MAX_POINTS = 1000
_MIN_SHARE = 0.5
"""A system that forecasts less than this share of the rounds that others forecast cannot be the best."""


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """Scores of a system, a baseline or the blend; means are None without forecasts.

    Attributes:
        name: of the system, or "size", "constant" or "best".
        is_baseline: whether it ignores who plays.
        rounds: number of scored rounds.
        log_loss, accuracy, brier: see `ForecastScores`.
        behind: mean log loss less that of the best system on the rounds both forecast; 0 for the best itself.
        low, high: 95 % bootstrap interval of `behind`; None for the best, and with too few rounds.
        within_uncertainty: whether the interval includes 0, so that the lead of the best may be chance.
        calibration: ten bins of the forecast chance.
        slope: below 1 overconfident, above 1 underconfident; None where it cannot be estimated.
        is_blend: whether it is the blend of all, which is no system and cannot be the best one.
    """

    name: str
    is_baseline: bool
    rounds: int
    log_loss: float | None
    accuracy: float | None
    brier: float | None
    behind: float | None
    low: float | None
    high: float | None
    within_uncertainty: bool
    calibration: tuple[CalibrationBin, ...]
    slope: CalibrationSlope | None
    is_blend: bool = False


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """Results of the back-test of one record.

    Attributes:
        systems: systems and the blend by log loss, then the baselines; those without forecasts last.
        best: name of the system with the least log loss, None where no system was scored.
        runner_up: name of the next system, None if there is none.
        within_uncertainty: names of the systems whose difference from the best may be chance.
        rounds: number of rounds in the record.
        own_rounds_only: whether only the user's rounds were scored.
        rolling_round: number of scored rounds (1, 2, …) at each point of the curves, from 150 on; at most 1000 points.
        rolling: mean log loss of the last 150 scored rounds, by name; NaN where few of them were forecast.
    """

    systems: tuple[ComparedSystem, ...]
    best: str | None
    runner_up: str | None
    within_uncertainty: tuple[str, ...]
    rounds: int
    own_rounds_only: bool
    rolling_round: Ints
    rolling: Mapping[str, Floats]


def compare_systems(found: Backtest, rounds: Ints | None = None) -> SystemComparison:
    """Compare the systems of a back-test, on some rounds only if given (indices)."""
    own = rounds is not None
    if rounds is not None:
        found = found.select(np.isin(found.pairs.round, rounds))
    scores, losses = found.scores, found.losses
    systems = [name for name in scores if name not in BASELINES and name != BLEND]
    best = _find_best(scores, systems)
    rows = {name: _compare_with_best(found, name, best) for name in scores}
    order = sorted(rows, key=lambda name: (rows[name].log_loss is None, name in BASELINES, rows[name].log_loss or 0.0))
    others = [name for name in order if name in systems and name != best and rows[name].behind is not None]
    points, rolling = _rolling_losses(losses, len(found.pairs.round))
    return SystemComparison(
        systems=tuple(rows[name] for name in order),
        best=best,
        runner_up=min(others, key=lambda name: rows[name].behind or 0.0, default=None),
        within_uncertainty=tuple(name for name in others if rows[name].within_uncertainty),
        rounds=len(found.record),
        own_rounds_only=own,
        rolling_round=points,
        rolling=rolling,
    )


def _find_best(scores: Mapping[str, ForecastScores], systems: list[str]) -> str | None:
    """Return the system with least log loss among those that forecast enough rounds."""
    most = max((scores[name].rounds for name in systems), default=0)
    able = {name: scores[name].log_loss for name in systems if scores[name].rounds >= _MIN_SHARE * most}
    losses = {name: loss for name, loss in able.items() if loss is not None}
    return min(losses, key=losses.__getitem__, default=None)


def _compare_with_best(found: Backtest, name: str, best: str | None) -> ComparedSystem:
    score, losses = found.scores[name], found.losses
    behind = low = high = None
    if name == best:
        behind = 0.0
    elif best is not None:
        _, behind, low, high = compare_losses(losses[name], losses[best], found.pairs.round)
    return ComparedSystem(
        name=name,
        is_baseline=name in BASELINES,
        rounds=score.rounds,
        log_loss=score.log_loss,
        accuracy=score.accuracy,
        brier=score.brier,
        behind=behind,
        low=low,
        high=high,
        within_uncertainty=low is not None and high is not None and low <= 0.0 <= high,
        calibration=score.calibration,
        slope=fit_calibration_slope(found.log_odds[name], found.pairs.won),
        is_blend=name == BLEND,
    )


def _rolling_losses(losses: Mapping[str, Floats], scored: int) -> tuple[Ints, dict[str, Floats]]:
    if scored < ROLLING_ROUNDS:
        return np.zeros(0, np.int32), {name: np.zeros(0) for name in losses}
    points = min(_MAX_POINTS, scored - ROLLING_ROUNDS + 1)
    ends = np.unique(np.linspace(ROLLING_ROUNDS, scored, points).astype(np.int32))
    return ends, {name: _rolling_means(loss, ends) for name, loss in losses.items()}


def _rolling_means(loss: Floats, ends: Ints) -> Floats:
    """Return the mean of the last 150 losses before each end."""
    known = np.isfinite(loss)
    sums, counts = (np.concatenate([[0.0], np.cumsum(column)]) for column in (np.where(known, loss, 0.0), known))
    total, count = (column[ends] - column[ends - ROLLING_ROUNDS] for column in (sums, counts))
    enough = count >= _MIN_SHARE * ROLLING_ROUNDS
    means: Floats = np.divide(total, count, out=np.full(len(ends), np.nan), where=enough)
    return means
