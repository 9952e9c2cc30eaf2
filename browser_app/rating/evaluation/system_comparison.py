"""Comparison of rating systems by their back-test."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.evaluation.backtest import BASELINES, Backtest
from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.evaluation.forecast_scores import CalibrationBin, ForecastScores, compare_losses
from browser_app.rating.record.round_record import Floats, Ints

_STEPS = 25
_MAX_SLOPE = 20.0
_EDGE = 1e-9


class CalibrationSlope(NamedTuple):
    """Of the log-odds of what came against those that were said (D. R. Cox, Biometrika 45, 1958): 1 is right, below 1
    they were too sure of themselves, above 1 too timid. ``sd`` is its standard error.
    """

    value: float
    sd: float


def fit_calibration_slope(chance: Floats, won: Floats) -> CalibrationSlope | None:
    """By maximum likelihood, through even chances; None where too little was said, or every outcome was foretold.

    Args:
        chance: P(first-named wins), NaN where nothing was said.
        won: 1 where it did, 0 where not.
    """
    said = ~np.isnan(chance)
    bounded = np.clip(chance[said], _EDGE, 1.0 - _EDGE)
    odds, came = np.log(bounded / (1.0 - bounded)), won[said]
    slope = 1.0
    for _ in range(_STEPS):
        expected = 0.5 + 0.5 * np.tanh(0.5 * slope * odds)
        information = float((odds * odds * expected * (1.0 - expected)).sum())
        if information < _EDGE:
            return None
        step = float((odds * (came - expected)).sum()) / information
        slope += max(-1.0, min(1.0, step))
        if abs(slope) > _MAX_SLOPE:
            return None
        if abs(step) < _EDGE:
            return CalibrationSlope(slope, information**-0.5)
    return None


ROLLING_ROUNDS = 150
"""Rounds of the rolling log loss."""
_MAX_POINTS = 1000
_MIN_SHARE = 0.5
"""A system that says something of fewer rounds than this share of the others' cannot be the best."""


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """One system or baseline; means over what it said, None where it said nothing.

    Attributes:
        name: of the system, or "size" or "constant".
        baseline: whether it knows nobody.
        rounds: scored ones.
        behind: mean log loss less that of the best, on the rounds of which both said something; 0 for the best itself.
        low, high: 95 % of ``behind`` by the bootstrap; None for the best, and where there are too few rounds.
        within_doubt: whether the interval has 0 in it: the lead of the best may be luck.
        calibration: ten bins of the chance that was said.
        slope: below 1 it is too sure of itself, above 1 too timid; None where that cannot be told.
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


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """The back-test of one record, each chance said before its round was known.

    Attributes:
        rows: systems by log loss, the best first, then the baselines; those that said nothing last.
        best: name of the system with least log loss, None where no system was scored.
        second: the next behind it among the systems, None where there is none.
        within: names of systems whose lead or lag cannot be told from luck.
        rounds: of the record. mine: whether only rounds with me were scored.
        rolling_round: scored rounds so far (1, 2, …) at each point of the curves, from 150 on; at most 1000 points.
        rolling: mean log loss of the last 150 scored rounds by name; NaN where little of them was foretold.
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
    """What a back-test says; with `rounds` (of the record), by these alone."""
    mine = rounds is not None
    if rounds is not None:
        found = _select_pairs(found, np.isin(found.pairs.round, rounds))
    scores, losses = found.scores, found.losses
    systems = [name for name in scores if name not in BASELINES]
    best = _find_best(scores, systems)
    rows = {name: _compare_with_best(found, name, best) for name in scores}
    order = sorted(rows, key=lambda name: (rows[name].log_loss is None, name in BASELINES, rows[name].log_loss or 0.0))
    said = [name for name in order if name in systems and name != best and rows[name].behind is not None]
    points, rolling = _rolling_losses(losses, len(found.pairs.round))
    return SystemComparison(
        systems=tuple(rows[name] for name in order),
        best=best,
        runner_up=min(said, key=lambda name: rows[name].behind or 0.0, default=None),
        within_uncertainty=tuple(name for name in said if rows[name].within_uncertainty),
        rounds=len(found.record),
        own_rounds_only=mine,
        rolling_round=points,
        rolling=rolling,
    )


def _select_pairs(found: Backtest, which: NDArray[np.bool_]) -> Backtest:
    rounds, a, b, won = found.pairs
    pairs = DecidedPairs(rounds[which], a[which], b[which], won[which])
    return Backtest(found.record, pairs, {name: chance[which] for name, chance in found.chances.items()})


def _find_best(scores: Mapping[str, ForecastScores], systems: list[str]) -> str | None:
    """That with least log loss, among those that say something of most rounds that any does."""
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
        slope=fit_calibration_slope(found.chances[name], found.pairs.won),
    )


def _rolling_losses(losses: Mapping[str, Floats], scored: int) -> tuple[Ints, dict[str, Floats]]:
    if scored < ROLLING_ROUNDS:
        return np.zeros(0, np.int32), {name: np.zeros(0) for name in losses}
    ends = np.unique(
        np.linspace(ROLLING_ROUNDS, scored, min(_MAX_POINTS, scored - ROLLING_ROUNDS + 1)).astype(np.int32)
    )
    return ends, {name: _rolling_means(loss, ends) for name, loss in losses.items()}


def _rolling_means(loss: Floats, ends: Ints) -> Floats:
    """Mean of the last 150 before each end; an outcome that was held to be impossible makes it infinite."""
    finite, never = np.isfinite(loss), np.isinf(loss)
    sums, counts, nevers = (
        np.concatenate([[0.0], np.cumsum(column)]) for column in (np.where(finite, loss, 0.0), finite, never)
    )
    total, count, impossible = (column[ends] - column[ends - ROLLING_ROUNDS] for column in (sums, counts, nevers))
    enough = count + impossible >= _MIN_SHARE * ROLLING_ROUNDS
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(enough, np.where(impossible > 0, np.inf, total / count), np.nan)
