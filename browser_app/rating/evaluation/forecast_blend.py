"""Blend of all forecasts, weighted by how well they predicted earlier rounds.

`best` is no rating system: it pools chances (a weighted mean of log-odds), and a mean of ratings on different scales,
some of them per mode, would rate nobody. So it forecasts, in `evaluate` and `predict`, and has no ratings to explain,
to balance by or to show.

Every forecast, and the mean of every two, is a candidate at several scales: below 1 for forecasts that are too bold,
above 1 for too cautious ones. The weights are the mean of the candidates' by their chances given all earlier rounds
(Bayes). With few rounds the mean is better than the most probable candidate, which follows the luck of a few outcomes.
The prior favours systems that allow for their uncertainty: with few rounds it decides most of the weights. Rounds that
parameters were fitted to count less: there, a forecast looks better and should be bolder than it really is.
"""

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from browser_app.rating.evaluation.decided_pairs import DecidedPairs
from browser_app.rating.record.round_record import Floats, Ints
from browser_app.rating.round_prediction import Prediction
from browser_app.rating.translatable import N_

BLEND = "best"
BLEND_TITLE = N_("Blend of all")

HALF_LIFE_ROUNDS = 1500
"""Age at which a round counts half."""
FITTED_PRIOR_ROUNDS = 900
"""Each of n rounds that parameters were fitted to counts n / (n + this): a longer fit gains no more by luck."""
CAREFUL_PRIOR, PLAIN_PRIOR, BASELINE_PRIOR = 1.0, 0.3, 0.03
"""Prior chances, up to a factor, of a system that allows for its uncertainty, of another system, and of a baseline.

Of a mean of two, the geometric mean of theirs.
"""
_LOG2_SCALES = np.arange(-1.5, 2.0, 0.5)
"""Binary logarithms of the scales."""
_LOG2_SCALES_SD = 0.3
"""Their prior standard deviation."""
_UPDATE_SHARE = 0.03  # the weights are computed again when there are more pairs by this share
_MAX_PAIRS_AT_ONCE = 1024  # bounds memory
_MAX_LOG_ODDS = 35.0  # beyond, the chance is 0 or 1 to all digits


class Blend(NamedTuple):
    """Forecasts of the blend.

    Attributes:
        log_odds: of each pair, with weights from earlier rounds only; NaN where nothing has a forecast.
        weights: after all rounds, of all that have a forecast of any; their sum is the scale.
    """

    log_odds: Floats
    weights: dict[str, float]


def blend_forecasts(
    log_odds: Mapping[str, Floats], prior: Mapping[str, float], pairs: DecidedPairs, fitted_rounds: int = 0
) -> Blend:
    """Blend the forecasts of systems and baselines by name, one per pair.

    The weight of an absent forecast (NaN) is shared among the others. The first `fitted_rounds` are those that
    parameters were fitted to.
    """
    count = len(pairs.round)
    names = [name for name, odds in log_odds.items() if not count or not np.isnan(odds).all()]
    if not names:
        return Blend(np.full(count, np.nan), {})
    candidates = _Candidates.create(np.array([prior[name] for name in names]))
    evidence, pooled = np.zeros(len(candidates.weights)), np.full(count, np.nan)
    table = _ForecastTable.create([log_odds[name] for name in names], pairs, fitted_rounds)
    done = 0
    while done < count:
        last = min(done + max(1, min(int(_UPDATE_SHARE * done), _MAX_PAIRS_AT_ONCE)), count) - 1
        rows = slice(done, int(np.searchsorted(pairs.round, pairs.round[last], "right")))
        block = table.select(rows)
        pooled[rows] = block.pool(candidates.mean_weights(evidence)[None, :])[:, 0]
        if done:
            evidence *= _discount(pairs.round[done - 1], pairs.round[last])
        evidence -= _discount(block.round, pairs.round[last]) @ block.losses(candidates.weights, pooled[rows])
        done = rows.stop
    return Blend(pooled, dict(zip(names, candidates.mean_weights(evidence).tolist(), strict=True)))


def _discount(rounds: Ints, now: Ints) -> Floats:
    discount: Floats = 0.5 ** ((now - rounds) / HALF_LIFE_ROUNDS)
    return discount


class _Candidates(NamedTuple):
    """Candidates for the weights.

    Attributes:
        weights: one row per candidate, whose sum is its scale, and one column per source.
        log_prior: logarithm of each one's prior chance, up to a constant.
    """

    weights: Floats
    log_prior: Floats

    @classmethod
    def create(cls, prior: Floats) -> "_Candidates":
        """Return all sources and means of two at all scales."""
        one, other = np.triu_indices(len(prior))
        sources = np.eye(len(prior))
        means = (sources[one] + sources[other]) / 2.0
        log_prior = np.add.outer(-0.5 * (_LOG2_SCALES / _LOG2_SCALES_SD) ** 2, means @ np.log(prior))
        return cls(np.concatenate([scale * means for scale in 2.0**_LOG2_SCALES]), log_prior.ravel())

    def mean_weights(self, evidence: Floats) -> Floats:
        """Return the mean of the weights by their chances given some evidence.

        `evidence` has the log-likelihood of each candidate, up to a constant.
        """
        logarithms = self.log_prior + evidence
        chances = np.exp(logarithms - logarithms.max(initial=-np.inf))
        weights: Floats = chances @ self.weights / chances.sum()
        return weights


class _ForecastTable(NamedTuple):
    """Forecasts, one row per pair, one column per source.

    Attributes:
        log_odds: 0 where absent.
        present: 1 where there is a forecast, else 0.
        sign: 1 where the first of the pair was placed before the second, -1 where after.
        share: what the pair counts: n pairs of one round are not independent and count √n together, or less if
            parameters were fitted to the round.
        round: of each pair, ascending.
    """

    log_odds: Floats
    present: Floats
    sign: Floats
    share: Floats
    round: Ints

    @classmethod
    def create(cls, columns: list[Floats], pairs: DecidedPairs, fitted_rounds: int) -> "_ForecastTable":
        table = np.stack(columns, axis=1)
        bounded = np.clip(np.nan_to_num(table), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
        _, inverse, count = np.unique(pairs.round, return_inverse=True, return_counts=True)
        fitted_share = fitted_rounds / (fitted_rounds + FITTED_PRIOR_ROUNDS)
        share = np.where(pairs.round < fitted_rounds, fitted_share, 1.0) / np.sqrt(count[inverse].astype(np.float64))
        return cls(bounded, (~np.isnan(table)).astype(np.float64), 2.0 * pairs.won - 1.0, share, pairs.round)

    def select(self, rows: slice) -> "_ForecastTable":
        return _ForecastTable(
            self.log_odds[rows], self.present[rows], self.sign[rows], self.share[rows], self.round[rows]
        )

    def pool(self, weights: Floats) -> Floats:
        """Return the pooled log-odds of each pair (row) by each row of weights, or NaN.

        NaN where all sources with a weight are absent.
        """
        with np.errstate(invalid="ignore"):
            pooled: Floats = (self.log_odds @ weights.T) / (self.present @ weights.T) * weights.sum(axis=1)
        return pooled

    def losses(self, weights: Floats, blended: Floats) -> Floats:
        """Return the log loss of each pair (row) by each row of weights.

        An absent source gets the loss of the blend, which leaves its chance as it is (Y. Freund, R. Schapire,
        Y. Singer, M. Warmuth, STOC 1997: "sleeping" experts).
        """
        pooled = self.pool(weights)
        pooled = np.where(np.isnan(pooled), np.nan_to_num(blended)[:, None], pooled)
        losses: Floats = self.share[:, None] * np.logaddexp(0.0, -self.sign[:, None] * pooled)
        return losses


def blend_predictions(predictions: Mapping[str, Prediction], weights: Mapping[str, float]) -> Prediction:
    """Return the pooled prediction of one round from at least one prediction.

    Pairs are pooled by their log-odds and first places by the logarithms of their chances. The chance of a draw is the
    mean over those that know draws.

    Args:
        predictions: by name.
        weights: by name, those of a `Blend`; the sum of all is the scale.
    """
    teams = len(next(iter(predictions.values())).first_place)
    scale = math.fsum(weights.values())
    share = {name: scale * each for name, each in _shares(predictions, weights).items()}
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
