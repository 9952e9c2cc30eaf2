"""Moments of a truncated normal variable.

Herbrich, Minka, Graepel, "TrueSkill: A Bayesian skill rating system" (2006) call −mean v and 1 − variance w. The update
needs v + x and 1 − w, which cancel if computed from v and w far out; here neither does. Checked against 60 digits for
|x| to 10⁶: relative errors below 1e-14 in v and 5e-13 in 1 − w.
"""

import math
from typing import NamedTuple

import numpy as np

from browser_app.rating.record.round_record import Floats

_SQRT_HALF = math.sqrt(0.5)
_SQRT_TWO_OVER_PI = math.sqrt(2.0 / math.pi)
_LOG_SQRT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_CONTINUED_FRACTION_BELOW = -3.0  # below, 1 − w loses more than three digits to the subtraction
_TERMS = 40  # enough for 16 digits from there on


class TruncatedMoments(NamedTuple):
    """Result of a truncation.

    Attributes:
        v: ∂ log_z/∂t.
        variance_left: 1 − w = 1 + ∂²log_z/∂t², in [0, 1].
        log_z: logarithm of the mass.
    """

    v: float
    variance_left: float
    log_z: float


def normal_cdf(x: Floats) -> Floats:
    """Return Φ of each element."""
    return 0.5 * np.array([math.erfc(value) for value in (x.ravel() * -_SQRT_HALF).tolist()]).reshape(x.shape)


def truncate_above_zero(x: float) -> TruncatedMoments:
    """Truncate Z ~ N(x, 1) to values above 0: v = φ(x)/Φ(x), w = v(v + x), log Φ(x)."""
    if x > _CONTINUED_FRACTION_BELOW:
        tail = math.erfc(-x * _SQRT_HALF)
        v = _SQRT_TWO_OVER_PI * math.exp(-0.5 * x * x) / tail
        log_z = math.log1p(-0.5 * math.erfc(x * _SQRT_HALF)) if x > 0.0 else math.log(0.5 * tail)
        return TruncatedMoments(v, 1.0 - v * (v + x), log_z)
    above, next_ = _continued_fraction(-x)
    v = above - x
    return TruncatedMoments(v, above * (next_ - above), -0.5 * x * x - _LOG_SQRT_TWO_PI - math.log(v))


def truncate_all_above_zero(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return v, the variance left and log Φ(x) of each element.

    They are those of `truncate_above_zero`.
    """
    above, below = 2.0 * normal_cdf(x), 2.0 * normal_cdf(-x)
    far = np.flatnonzero(x <= _CONTINUED_FRACTION_BELOW)
    above[far] = 1.0
    v = _SQRT_TWO_OVER_PI * np.exp(-0.5 * x * x) / above
    variance_left = 1.0 - v * (v + x)
    log_z = np.where(x > 0.0, np.log1p(-0.5 * np.minimum(below, 1.0)), np.log(0.5 * above))
    for i in far.tolist():
        v[i], variance_left[i], log_z[i] = truncate_above_zero(float(x[i]))
    return v, variance_left, log_z


def _continued_fraction(z: float) -> tuple[float, float]:
    """Return D = φ(z)/Φ(−z) − z = 1/(z + r) and r = 2/(z + 3/(z + …)) (Laplace).

    Then 1 − w = 1 − (z + d)d = d(r − d). Cut off at the fixed point of k/(z + r) = r, which is nearly the tail, so that
    few terms are enough.
    """
    r = 0.5 * (math.sqrt(z * z + 4.0 * _TERMS) - z)
    for k in range(_TERMS - 1, 1, -1):
        r = k / (z + r)
    return 1.0 / (z + r), r


_NODES, _WEIGHTS = (values.tolist() for values in np.polynomial.legendre.leggauss(16))


def truncate_to_margin(t: float, margin: float) -> TruncatedMoments:
    """Truncate Z ~ N(t, 1) to ± margin ≥ 0.

    A margin of 0 means z = 0 (v = −t, w = 1, log_z = −∞).
    """
    u = abs(t)
    cut = _truncate_narrow(u, margin) if margin <= 1.0 and margin * u <= 3.0 else _truncate_wide(u, margin)
    return cut if t > 0.0 else cut._replace(v=-cut.v)


def _truncate_narrow(u: float, margin: float) -> TruncatedMoments:
    """Integrate by 16 Gauss-Legendre points: exact, as the density is nearly e^(us)."""
    points = [margin * node for node in _NODES]
    densities = [w * math.exp((u - 0.5 * s) * s) for s, w in zip(points, _WEIGHTS, strict=True)]
    mass = math.fsum(densities)
    mean = math.fsum(s * p for s, p in zip(points, densities, strict=True)) / mass
    rest = math.fsum((s - mean) ** 2 * p for s, p in zip(points, densities, strict=True)) / mass
    log_z = math.log(margin * mass) - 0.5 * u * u - _LOG_SQRT_TWO_PI if margin > 0.0 else -math.inf
    return TruncatedMoments(mean - u, rest, log_z)


def _truncate_wide(u: float, margin: float) -> TruncatedMoments:
    """Subtract the part below the lower end from that below the upper end.

    The latter is a mixture of the former and the interval. The part's share is q = Φ(b)/Φ(a), from the densities' ratio
    exp(−2·margin·u): log Φ has too few digits far out.
    """
    upper, lower = truncate_above_zero(margin - u), truncate_above_zero(-margin - u)
    q = math.exp(-2.0 * margin * u) * upper.v / lower.v
    v = upper.v * math.expm1(-2.0 * margin * u) / (1.0 - q)
    rest = (upper.variance_left - q * lower.variance_left) / (1.0 - q) - q * (v + lower.v) ** 2
    return TruncatedMoments(v, rest, upper.log_z + math.log1p(-q))
