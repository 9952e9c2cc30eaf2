"""Blend of all forecasts of a record.

They are weighed by how well they predicted earlier rounds.

``best`` is no rating system: it pools chances (a weighted mean of log-odds), and a mean of ratings on different scales,
some of them per mode, would rate nobody. So it forecasts, in `evaluate` and `predict`, and has no ratings to explain,
to balance by or to show.
"""

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.translatable import N_

BLEND = "best"
BLEND_TITLE = N_("Blend of all")

HALF_LIFE_ROUNDS = 1500
"""Age at which a round counts half."""
PRIOR_STRENGTH = 4.0
"""Nats of log loss that one nat of divergence from the prior weights is worth."""
CAREFUL_PRIOR, PLAIN_PRIOR, BASELINE_PRIOR = 1.0, 0.2, 0.1
"""Prior weights of a system that allows for its uncertainty, of another system, and of a baseline.

Without that allowance the first forecasts are too bold, and a blend starts as its prior weights say.
"""
_OLDEST_ROUNDS = 15 * HALF_LIFE_ROUNDS
_GROWTH = 0.03  # weights are estimated again when there are so many more rounds, or a half-life has passed
_MAX_LOG_ODDS = 35.0  # beyond, the chance is 0 or 1 to all digits
_MIN_WEIGHT = 1e-9
_MAX_MOVE = 30.0  # of the logarithm of a weight in one step
_MAX_STEPS, _MAX_HALVINGS, _TOLERANCE = 40, 30, 1e-4


class Blend(NamedTuple):
    """Forecasts of the blend.

    Attributes:
        log_odds: of each pair, with weights from earlier rounds only; NaN where nothing has a forecast.
        weights: after all rounds, of all that have a forecast of any; their sum is 1.
    """

    log_odds: Floats
    weights: dict[str, float]


def blend_forecasts(log_odds: Mapping[str, Floats], prior_weights: Mapping[str, float], pairs: DecidedPairs) -> Blend:
    """Blend the forecasts of systems and baselines by name, one per pair.

    NaN is absent and counts nothing.
    """
    prior = np.array([prior_weights[name] for name in log_odds])
    prior /= prior.sum()
    weights, count = prior, len(pairs.round)
    table, pooled, done = _ForecastTable.create(list(log_odds.values()), pairs), np.full(count, np.nan), 0
    while done < count:
        more = max(1, min(int(_GROWTH * done), HALF_LIFE_ROUNDS))
        end = int(np.searchsorted(pairs.round, pairs.round[min(done + more, count) - 1], "right"))
        pooled[done:end] = table.select(slice(done, end)).pool(weights)
        oldest = int(np.searchsorted(pairs.round, pairs.round[end - 1] - _OLDEST_ROUNDS))
        weights = _estimate_weights(table.select(slice(oldest, end)), prior, weights)
        done = end
    seen = table.present.any(axis=0) | (count == 0)
    shares = zip(np.array(list(log_odds))[seen].tolist(), (weights[seen] / weights[seen].sum()).tolist(), strict=True)
    return Blend(pooled, dict(shares))


class _ForecastTable(NamedTuple):
    """Forecasts, one row per pair, one column per source.

    Attributes:
        log_odds: 0 where absent.
        present: 1 where there is a forecast, else 0.
        sign: 1 where the first of the pair was placed before the second, -1 where after.
        round: of each pair, ascending.
    """

    log_odds: Floats
    present: Floats
    sign: Floats
    round: Ints

    @classmethod
    def create(cls, columns: list[Floats], pairs: DecidedPairs) -> "_ForecastTable":
        table = np.stack(columns, axis=1)
        bounded = np.clip(np.nan_to_num(table), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
        return cls(bounded, (~np.isnan(table)).astype(np.float64), 2.0 * pairs.won - 1.0, pairs.round)

    def select(self, rows: slice | NDArray[np.int64]) -> "_ForecastTable":
        return _ForecastTable(self.log_odds[rows], self.present[rows], self.sign[rows], self.round[rows])

    def pool(self, weights: Floats) -> Floats:
        with np.errstate(invalid="ignore"):
            pooled: Floats = (self.log_odds @ weights) / (self.present @ weights)
        return pooled


def _estimate_weights(table: _ForecastTable, prior: Floats, weights: Floats) -> Floats:
    """Return the weights of least discounted log loss.

    A Kullback–Leibler divergence from the prior weights is added to the loss. The search is by exponentiated gradients
    (J. Kivinen, M. K. Warmuth, Information and Computation 132, 1997), from weights near the result.
    """
    table = table.select(np.flatnonzero(table.present.any(axis=1)))
    if not len(table.round):
        return weights
    discount = 0.5 ** ((table.round[-1] - table.round) / HALF_LIFE_ROUNDS)

    def loss_at(weights: Floats) -> float:
        losses = np.logaddexp(0.0, -table.sign * table.pool(weights))
        return float(discount @ losses) + PRIOR_STRENGTH * float(weights @ np.log(weights / prior))

    def gradient_at(weights: Floats) -> Floats:
        pooled = table.pool(weights)
        slope = -discount * table.sign / (1.0 + np.exp(table.sign * pooled)) / (table.present @ weights)
        gradient: Floats = table.log_odds.T @ slope - table.present.T @ (slope * pooled)
        return gradient + PRIOR_STRENGTH * np.log(weights / prior)

    loss, step = loss_at(weights), 1.0 / (1.0 + float(discount.sum()))
    for _ in range(_MAX_STEPS):
        gradient = gradient_at(weights)
        for _ in range(_MAX_HALVINGS):
            moved = weights * np.exp(np.clip(step * (weights @ gradient - gradient), -_MAX_MOVE, _MAX_MOVE))
            moved = np.maximum(moved / moved.sum(), _MIN_WEIGHT)
            less = loss_at(moved)
            if less < loss:
                break
            step /= 2.0
        else:
            break
        gain, weights, loss, step = loss - less, moved, less, 2.0 * step
        if gain < _TOLERANCE:
            break
    return weights


def blend_predictions(predictions: Mapping[str, Prediction], weights: Mapping[str, float]) -> Prediction:
    """Return the pooled prediction of one round.

    At least one system or baseline predicts it.

    Pairs are pooled by their log-odds and first places by the logarithms of their chances. The chance of a draw is the
    mean over those that know draws.
    """
    teams = len(next(iter(predictions.values())).first_place)
    share = _shares(predictions, weights)
    pooled = [
        [math.fsum(w * predictions[name].log_odds[a][b] for name, w in share.items()) for b in range(teams)]
        for a in range(teams)
    ]
    draws = {name: each.draw for name, each in predictions.items() if each.draw > 0.0}
    draw = math.fsum(w * draws[name] for name, w in _shares(draws, weights).items())
    if teams == 2:
        return Prediction.two_teams(pooled[0][1], draw)
    first = [math.prod(predictions[name].first_place[team] ** w for name, w in share.items()) for team in range(teams)]
    whole = math.fsum(first)
    return Prediction(tuple((1.0 - draw) * chance / whole for chance in first), draw, tuple(map(tuple, pooled)))


def _shares(names: Collection[str], weights: Mapping[str, float]) -> dict[str, float]:
    whole = math.fsum(weights[name] for name in names)
    return {name: weights[name] / whole for name in names}
