"""Scores of forecasts and the confidence intervals of their differences."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.record.round_record import Floats, Ints, Offsets

Z95 = 1.959963984540054


def wilson_interval(share: float, n: int) -> tuple[float, float]:
    """Return the confidence interval (95 %) of a share (E. B. Wilson 1927), n ≥ 1.

    Unlike the normal interval it stays within 0 and 1, and is not empty at either of them.
    """
    weight = Z95 * Z95 / n
    middle = (share + weight / 2) / (1 + weight)
    half = Z95 * math.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


_REPLICATES = 2000
_MAX_DRAWS_AT_ONCE = 1 << 18
_SEED = 2018
_TAIL = 0.025
_MIN_BLOCKS = 6
"""With fewer blocks, all lean to one side by chance more often than one time in twenty (six: 2 · 2⁻⁶). All resamples
then lean there, too, and the interval would look certain.
"""


class LossDifference(NamedTuple):
    """Mean log loss of one system less that of another, with its 95 % interval.

    Negative values mean that the first system is better. `low` and `high` are None with too few rounds; where no
    pair differs both are 0.
    """

    pairs: int
    mean: float | None
    low: float | None
    high: float | None


def compare_losses(one: Floats, other: Floats, rounds: Ints) -> LossDifference:
    """Compare losses pair by pair where both have one.

    `rounds` is the round of each pair, ascending. Pairs of one round are not independent, nor are rounds that follow
    each other and share players, so blocks of ∛n consecutive rounds are drawn (H. R. Künsch 1989; the length after P.
    Hall, J. L. Horowitz and B.-Y. Jing 1995). Percentile interval, fixed seed.
    """
    both = ~(np.isnan(one) | np.isnan(other))
    with np.errstate(invalid="ignore"):
        gap = one[both] - other[both]
    n = len(gap)
    if not n or not np.isfinite(gap).all():
        return LossDifference(n, None, None, None)
    if not gap.any():
        return LossDifference(n, 0.0, 0.0, 0.0)
    begins = np.unique(rounds[both], return_index=True)[1]
    edges = begins[:: max(1, round(len(begins) ** (1 / 3)))]
    if len(edges) < _MIN_BLOCKS:
        return LossDifference(n, float(gap.mean()), None, None)
    means = _bootstrap_means(np.add.reduceat(gap, edges), np.diff(edges, append=n))
    low, high = np.quantile(means, (_TAIL, 1.0 - _TAIL))
    return LossDifference(n, float(gap.mean()), float(low), float(high))


def _bootstrap_means(sums: Floats, counts: Offsets) -> Floats:
    """Return means over as many blocks as there are, drawn with replacement."""
    drawn = np.random.default_rng(_SEED)
    at_once = max(1, _MAX_DRAWS_AT_ONCE // len(sums))
    means = []
    for done in range(0, _REPLICATES, at_once):
        rows = drawn.integers(0, len(sums), (min(at_once, _REPLICATES - done), len(sums)))
        means.append(sums[rows].sum(axis=1) / counts[rows].sum(axis=1))
    return np.concatenate(means)


CALIBRATION_BINS = 10
_EDGES = np.arange(CALIBRATION_BINS + 1) / CALIBRATION_BINS


class CalibrationBin(NamedTuple):
    """Pairs with `low` ≤ chance < `high` (the last bin includes 1).

    The means are None where n is 0.
    """

    low: float
    high: float
    n: int
    predicted: float | None
    actual: float | None


@dataclass(frozen=True, slots=True)
class ForecastScores:
    """Means over all scored pairs; None without any.

    Attributes:
        rounds: rounds with a scored pair.
        pairs: scored pairs; the same number for rounds of two teams.
        log_loss: −ln of the chance given to the outcome.
        accuracy: share of pairs in which the favourite won; a chance of ½ counts half.
        brier: mean of (chance − outcome)².
        calibration: ten bins.
    """

    rounds: int
    pairs: int
    log_loss: float | None
    accuracy: float | None
    brier: float | None
    calibration: tuple[CalibrationBin, ...]


def log_odds_to_chances(log_odds: Floats) -> Floats:
    """Return the chances of log-odds; NaN remains."""
    half: Floats = np.exp(-np.abs(log_odds))
    return np.where(log_odds >= 0.0, 1.0, half) / (1.0 + half)


def log_losses(log_odds: Floats, won: Floats) -> Floats:
    """Return −ln of the chance given to the outcome, NaN without a forecast."""
    against = np.where(won == 1.0, -log_odds, log_odds)
    loss: Floats = np.maximum(against, 0.0) + np.log1p(np.exp(-np.abs(against)))
    return loss


def score_forecasts(log_odds: Floats, pairs: DecidedPairs) -> ForecastScores:
    """Score the log-odds of a before b, without a tie; NaN is not scored."""
    is_forecast = ~np.isnan(log_odds)
    log_odds, won = log_odds[is_forecast], pairs.won[is_forecast]
    chance = log_odds_to_chances(log_odds)
    bins = compute_calibration(chance, won)
    rounds = len(np.unique(pairs.round[is_forecast]))
    if not len(chance):
        return ForecastScores(0, 0, None, None, None, bins)
    right = np.where(log_odds == 0.0, 0.5, (log_odds > 0.0) == (won == 1.0))
    brier = (chance - won) ** 2
    log_loss = float(log_losses(log_odds, won).mean())
    return ForecastScores(rounds, len(chance), log_loss, float(right.mean()), float(brier.mean()), bins)


def compute_calibration(chance: Floats, won: Floats) -> tuple[CalibrationBin, ...]:
    """Return predicted chances and actual win rates in ten bins of equal width."""
    number = np.minimum(np.searchsorted(_EDGES, chance, side="right") - 1, CALIBRATION_BINS - 1)
    counts, predicted, actual = (np.bincount(number, weights, CALIBRATION_BINS) for weights in (None, chance, won))
    return tuple(
        CalibrationBin(
            i / CALIBRATION_BINS,
            (i + 1) / CALIBRATION_BINS,
            int(n),
            float(predicted[i] / n) if n else None,
            float(actual[i] / n) if n else None,
        )
        for i, n in enumerate(counts)
    )
