"""Plackett–Luce rankings of normal strengths.

Each place goes to one of those left, each with a chance proportional to e^strength (R. L. Plackett, "The Analysis of
Permutations", Applied Statistics 24, 1975). That is the ranking of strengths with independent Gumbel noise.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from browser_app.rating.record.round_record import Floats

_MAX_STEPS = 3  # more change coverage by less than 0.1 %
_TOLERANCE = 0.02  # of a standard deviation


def plackett_luce_derivatives(
    mean: Sequence[float], var: Sequence[float], ties: Sequence[bool]
) -> tuple[list[float], list[float]]:
    """Return first and negative second derivatives of log P(ranking) by each mean.

    They are those of the normal distribution closest to the posterior of the strengths, in the sense of variational
    Bayes: Newton's method solves E[∇ log P(ranking | strengths)] = (x − mean) / var for its mean x, the expectation to
    second order. That of the most probable strengths alone would draw all players together: with wide posteriors it is
    nearer to the prior's mean than the posterior's mean is.

    Args:
        mean: of the strengths, best rank first; at least two.
        var: of the same, more than 0.
        ties: whether each but the last is level with the next one. Of k level ones, each is taken to have an equal
            share in each of their k places (B. Efron, "The Efficiency of Cox's Likelihood Function for Censored Data",
            JASA 72, 1977).
    """
    prior, variances, log_shares = np.array(mean), np.array(var), _log_shares_left(tuple(ties))
    precision, x, curvature = np.diag(1.0 / variances), prior, np.zeros(0)
    for _ in range(_MAX_STEPS):
        chances = x + log_shares
        chances = np.exp(chances - chances.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        placed = chances.sum(axis=0)
        covariance = np.linalg.inv(precision + np.diag(placed) - chances.T @ chances)
        own, joint = covariance.diagonal(), chances @ covariance
        skew = own - 2.0 * joint + (2.0 * joint * chances - own * chances).sum(axis=1, keepdims=True)
        gradient = 1.0 - placed - 0.5 * (chances * skew).sum(axis=0)
        step = covariance @ (gradient - (x - prior) / variances)
        x, curvature = x + step, np.maximum(0.0, (1.0 - own / variances) / variances)
        if (step * step <= _TOLERANCE**2 * own).all():
            break
    return ((x - prior) / variances).tolist(), curvature.tolist()


@lru_cache(maxsize=256)
def _log_shares_left(ties: tuple[bool, ...]) -> Floats:
    """Return log of what is left of each player (column) when a place (row) is given."""
    left = np.triu(np.ones((len(ties) + 1,) * 2))
    first = 0
    for last, goes_on in enumerate((*ties, False)):
        if not goes_on:
            level = slice(first, last + 1)
            left[level, level] = 1.0 - np.arange(last + 1 - first)[:, None] / (last + 1 - first)
            first = last + 1
    with np.errstate(divide="ignore"):
        return np.log(left)
