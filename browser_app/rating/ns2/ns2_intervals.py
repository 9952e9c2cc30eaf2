"""Posterior means and 90 % intervals of NS2 skills solved over the full history.

The posterior of a skill s is skewed, the more so the less is known: the most probable value lies below the mean, and
the curvature there exceeds the inverse of the variance; for k = 1 the most probable value may be the bound 0. The
posterior of u = √s is close to normal even without any round. Its maximum is that of the posterior of s under a Gamma
prior of shape k + ½, as ds/du = 2u. About that maximum, the mean of u is corrected by its third derivatives (D. V.
Lindley, "Approximate Bayesian methods", Trabajos de Estadística 31, 1980), and u is cut off at 0. How many true skills
the intervals contain is measured by `tests/bench/coverage_bench.py`.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from browser_app.rating.ns2.ns2_covariance import SkillCovariance, compute_covariance, covariance_times
from browser_app.rating.ns2.ns2_posterior import PosteriorPoint, SkillPosterior
from browser_app.rating.ns2.ns2_solver import maximise
from browser_app.rating.record.round_record import Floats

_NORMAL = NormalDist()
_TAIL = 0.05  # probability on either side of the interval


class SkillIntervals(NamedTuple):
    """Posterior mean, standard deviation and 90 % interval of every skill."""

    mean: Floats
    sd: Floats
    low: Floats
    high: Floats


def compute_intervals(posterior: SkillPosterior) -> SkillIntervals:
    """Approximate the posterior of every skill and commander skill."""
    rooted = posterior.with_shape(posterior.prior.k + 0.5)
    point = maximise(rooted, rooted.prior.start())
    covariance = compute_covariance(rooted, point)
    shift = _lindley_shift(rooted, point, covariance)
    s = np.where(rooted.prior.is_offset, np.nan, point.x)
    root = np.sqrt(s)
    return _intervals_of_squares(np.maximum(0.0, root + shift / (2.0 * root)), np.sqrt(covariance.variance / (4.0 * s)))


def compute_prior_intervals(k: float, theta: float) -> SkillIntervals:
    """Return the intervals of a skill without any round, as arrays of one element."""
    root = math.sqrt((k - 0.5) * theta)
    return _intervals_of_squares(np.array([root + theta / (8.0 * root)]), np.array([math.sqrt(theta) / 2.0]))


def _lindley_shift(posterior: SkillPosterior, point: PosteriorPoint, covariance: SkillCovariance) -> Floats:
    """Return ½ H⁻¹ h with h = Σ_ij (H⁻¹)_ij f_ijk of u = √s.

    It is 2u times the mean of u less its most probable value.
    """
    matrix, variance = posterior.matrix, covariance.variance
    is_offset = posterior.prior.is_offset
    s = np.where(is_offset, 1.0, point.x)  # an offset may be 0
    chance = posterior.outcome - point.error
    by_skewness = point.weight * (1.0 - 2.0 * chance) * covariance.log_odds_variance
    by_roots = point.weight * matrix.times(np.where(is_offset, 0.0, variance / s)) / 2.0
    prior_part = np.where(is_offset, 0.0, (1.5 * point.prior * variance - 1.0) / s)
    h = prior_part - matrix.transposed_times(by_skewness + by_roots)
    return covariance_times(posterior, point, h) / 2.0


def _intervals_of_squares(mean: Floats, sd: Floats) -> SkillIntervals:
    """Return the intervals of u², where u is normal and cut off at 0."""
    below = np.array([_NORMAL.cdf(-ratio) for ratio in (mean / sd).tolist()])
    peak = np.exp(-0.5 * (mean / sd) ** 2) / (math.sqrt(2.0 * math.pi) * (1.0 - below))
    first = mean + sd * peak
    second = mean * first + sd**2
    third = mean * second + 2.0 * sd**2 * first
    fourth = mean * third + 3.0 * sd**2 * second
    low, high = (
        mean + sd * np.array([_NORMAL.inv_cdf(share) for share in (below + tail * (1.0 - below)).tolist()])
        for tail in (_TAIL, 1.0 - _TAIL)
    )
    return SkillIntervals(second, np.sqrt(fourth - second**2), low**2, high**2)
