"""Inference of many teams from their ranking alone.

Without counts and quits the performances of the teams are independent Gaussians, and each factor links two neighbours
in rank. The teams then form a chain, and messages along it give the same fixed point as the full covariance, as the
cavity of a factor is that of two independent teams.
"""

import math
from collections.abc import Sequence
from functools import lru_cache

from browser_app.rating.trueskill2.inference.truncated_normal import truncate_above_zero, truncate_to_margin

_SQRT_HALF = math.sqrt(0.5)
_SQRT_TWO_OVER_PI = math.sqrt(2.0 / math.pi)
_MIN_DIRECT = -5.0  # 1 − w has enough digits above
_TOLERANCE = 1e-9  # of a standard deviation, and of a variance; one more sweep moves less than a tenth of it
_MAX_SWEEPS = 200
_MIN_VARIANCE_LEFT = 1e-15  # least share of a variance that a factor leaves; a draw with no margin would leave 0


class RankingSites:
    """Gaussian approximations of the factors between adjacent ranks.

    They are exp(−½·precision·z² + precision_mean·z); z is the difference of two performances less its prior mean,
    `gap`. Sites can be used again as the starting point when only the prior has changed.
    """

    __slots__ = ("gap", "precision", "precision_mean")

    def __init__(self, factors: int) -> None:
        self.gap = [0.0] * factors
        self.precision = [0.0] * factors
        self.precision_mean = [0.0] * factors

    def move_to(self, mean: Sequence[float]) -> None:
        """Express the sites about another prior mean of the teams."""
        for k, old in enumerate(self.gap):
            self.gap[k] = gap = mean[k] - mean[k + 1]
            self.precision_mean[k] -= self.precision[k] * (gap - old)


def ranking_derivatives(
    mean: Sequence[float],
    var: Sequence[float],
    ties: Sequence[bool],
    margin: float,
    sites: RankingSites | None = None,
    max_sweeps: int | None = None,
) -> tuple[list[float], list[float]]:
    """Return first and negative second derivatives of log P(ranking) by each mean.

    Args:
        mean: of the teams' performances, best rank first; at least two.
        var: of the same, more than 0.
        ties: whether each team but the last is level with the next one.
        margin: ε, the draw margin.
        sites: where to start, changed to the result; those of no knowledge by default.
        max_sweeps: sweeps there and back along the chain; None until nothing moves.
    """
    if sites is None:
        sites = RankingSites(len(ties))
    sites.move_to(mean)
    messages = _TeamMessages(var, sites)
    for _ in range(max_sweeps or _MAX_SWEEPS):
        if messages.sweep(ties, margin) < _TOLERANCE:
            break
    return messages.derivatives()


@lru_cache(maxsize=64)
def _sweep_order(factors: int) -> tuple[tuple[int, bool], ...]:
    """Return the factors of one sweep, there and back, and whether it goes forward."""
    forward = [(k, True) for k in range(factors - 1)]
    return (*forward, *((k, False) for k in range(factors - 1, 0 if forward else -1, -1)))


class _TeamMessages:
    """Messages to the teams, with their priors: mean less prior mean, and variance."""

    __slots__ = ("_from_left", "_from_right", "_prior", "_sites", "_var_from_left", "_var_from_right")

    def __init__(self, var: Sequence[float], sites: RankingSites) -> None:
        self._prior, self._sites = var, sites
        self._from_left, self._var_from_left = [0.0] * len(var), list(var)
        self._from_right, self._var_from_right = [0.0] * len(var), list(var)
        for k in range(len(var) - 2, -1, -1):
            self._pass_left(k)

    def sweep(self, ties: Sequence[bool], margin: float) -> float:
        """Match the moments of all factors; return the largest relative movement."""
        sites, left, var_left = self._sites, self._from_left, self._var_from_left
        right, var_right, prior = self._from_right, self._var_from_right, self._prior
        gap, precisions, precision_means = sites.gap, sites.precision, sites.precision_mean
        sqrt, exp, erfc = math.sqrt, math.exp, math.erfc
        largest = 0.0
        for k, is_forward in _sweep_order(len(gap)):
            mean, var = left[k] - right[k + 1], var_left[k] + var_right[k + 1]
            c = sqrt(var)
            x = (gap[k] + mean - margin) / c
            if ties[k]:
                cut = truncate_to_margin((gap[k] + mean) / c, margin / c)
                v, rest = cut.v, max(cut.variance_left, _MIN_VARIANCE_LEFT)
            elif x > _MIN_DIRECT:  # `truncate_above_zero` inlined for speed
                v = _SQRT_TWO_OVER_PI * exp(-0.5 * x * x) / erfc(-x * _SQRT_HALF)
                rest = 1.0 - v * (v + x)
            else:
                cut = truncate_above_zero(x)
                v, rest = cut.v, max(cut.variance_left, _MIN_VARIANCE_LEFT)
            curvature = (1.0 - rest) / var
            precision, precision_mean = curvature / rest, (v / c + mean * curvature) / rest
            change = precision - precisions[k]
            moved = abs(precision_mean - precision_means[k] - change * (mean + c * v)) * sqrt(var * rest)
            largest = max(largest, moved, abs(change) * var * rest)
            precisions[k], precision_means[k] = precision, precision_mean
            if is_forward:
                share, own = 1.0 + precision * var_left[k], prior[k + 1]
                whole = share + own * precision
                left[k + 1] = own * (precision * left[k] - precision_mean) / whole
                var_left[k + 1] = own * share / whole
            else:
                self._pass_left(k)
        return largest

    def derivatives(self) -> tuple[list[float], list[float]]:
        """Return first and negative second derivatives of all factors by each mean."""
        sites, teams = self._sites, len(self._prior)
        precision, precision_mean = [0.0] * teams, [0.0] * teams
        mean, var = 0.0, self._prior[0]
        for k, (site, site_precision_mean) in enumerate(zip(sites.precision, sites.precision_mean, strict=True)):
            share = 1.0 + site * var
            precision[k + 1], precision_mean[k + 1] = site / share, (site * mean - site_precision_mean) / share
            own = self._prior[k + 1]
            whole = 1.0 + own * precision[k + 1]
            mean, var = own * precision_mean[k + 1] / whole, own / whole
        for k in range(teams - 2, -1, -1):
            self._pass_left(k)
            share = 1.0 + sites.precision[k] * self._var_from_right[k + 1]
            precision[k] += sites.precision[k] / share
            precision_mean[k] += (sites.precision_mean[k] + sites.precision[k] * self._from_right[k + 1]) / share
        left = [1.0 + own * p for own, p in zip(self._prior, precision, strict=True)]
        return (
            [h / rest for h, rest in zip(precision_mean, left, strict=True)],
            [p / rest for p, rest in zip(precision, left, strict=True)],
        )

    def _pass_left(self, k: int) -> None:
        """Pass the site of factor k to the team before it."""
        precision, own = self._sites.precision[k], self._prior[k]
        mean, var = self._from_right[k + 1], self._var_from_right[k + 1]
        share = 1.0 + precision * var
        whole = share + own * precision
        self._from_right[k] = own * (precision * mean + self._sites.precision_mean[k]) / whole
        self._var_from_right[k] = own * share / whole
