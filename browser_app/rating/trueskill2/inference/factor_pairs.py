"""Exact posterior of a Gaussian and two factors, by quadrature.

The quadrature is along the first factor's direction; given its value, the second factor is a single one. Of a result
and one zero count, or one player who quit, expectation propagation is up to 0.04 off in a mean or standard deviation
(β = 1).
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.inference.likelihood_factors import (
    DirectedFactor,
    Factor,
    StepFactor,
    TiltedMoments,
    WindowFactor,
)

_NODES, _WEIGHTS = (values.tolist() for values in np.polynomial.legendre.leggauss(20))
_LOG_DROP = 17.0
"""Where a density is below e^-17 of its maximum it is cut off, which moves means and deviations by 3e-7."""
_MODE_PRECISION, _END_PRECISION = 0.1, 0.2
"""Of the distance from where the search starts."""
_MAX_DOUBLINGS = 60
_MIN_WIDTH = 1e-9
"""Least width of the range as a share of its distance from 0: below, points and densities have too few digits."""
_STEP_WIDTHS = 4.0
"""Half the width of a panel around a factor's step, in standard deviations of the step."""
_LOG_SQRT_TWO_PI = 0.5 * math.log(2.0 * math.pi)
_NO_EVIDENCE = TiltedMoments(0.0, 0.0, 0.0, 1.0)


class PairPosterior(NamedTuple):
    """Moments of x given two factors, and the logarithm of their mass."""

    mean: Floats
    cov: Floats
    log_mass: float


def is_integrable_pair(first: Factor, second: Factor) -> bool:
    """Return whether `apply_factor_pair` can combine the factors.

    The second must be smooth and both log-concave. Two steps without noise, as in a result of three teams, are not.
    """
    if not isinstance(second, StepFactor) or second.noise <= 0.0 or second.floor > 0.0:
        return False
    return first.margin > 0.0 if isinstance(first, WindowFactor) else first.floor == 0.0


def apply_factor_pair(mean: Floats, cov: Floats, first: DirectedFactor, second: DirectedFactor) -> PairPosterior | None:
    """Return the posterior of x ~ N(mean, cov) given two factors.

    `is_integrable_pair` accepts them. None if the first direction is certain, or the range that has mass too narrow
    or not to be found.
    """
    s = cov @ first.direction
    var = float(first.direction @ s)
    if var <= 0.0:
        return None
    spread, along = math.sqrt(var), s / math.sqrt(var)
    slope = float(second.direction @ along)
    rest = cov @ second.direction - along * slope
    density = _PairDensity(
        first.factor,
        second.factor,
        float(first.direction @ mean),
        spread,
        float(second.direction @ mean),
        slope,
        max(float(second.direction @ rest), 0.0),
    )
    nodes = density.integrate()
    if nodes is None:
        return None
    (z, gradient), (z_var, both, gradient_var), curvature, log_mass = nodes
    moved = np.multiply.outer(along, rest)
    return PairPosterior(
        mean + along * z + rest * gradient,
        cov
        + np.multiply.outer(along, along * (z_var - 1.0))
        + (moved + moved.T) * both
        + np.multiply.outer(rest, rest * (gradient_var - curvature)),
        log_mass,
    )


class _PairMoments(NamedTuple):
    """Moments of z and of the second factor's gradient.

    With them come its mean curvature and the logarithm of the mass.
    """

    means: tuple[float, float]
    covariances: tuple[float, float, float]
    curvature: float
    log_mass: float


class _PairDensity(NamedTuple):
    """Density of z ~ N(0, 1) times both factors.

    The first one is of middle + spread·z, the second one of N(second_middle + slope·z, second_var).
    """

    first: Factor
    second: Factor
    middle: float
    spread: float
    second_middle: float
    slope: float
    second_var: float

    def integrate(self) -> _PairMoments | None:
        """Return the moments, by Gauss-Legendre panels over the range."""
        span = self._range()
        if span is None:
            return None
        points, logs, gradients, curvatures = list[float](), list[float](), list[float](), list[float]()
        for low, high in pairwise(self._panel_ends(*span)):
            half = 0.5 * (high - low)
            for node, weight in zip(_NODES, _WEIGHTS, strict=True):
                z = low + half * (node + 1.0)
                tilt = self._second_moments(z)
                points.append(z)
                logs.append(self._log_density(z, tilt) + math.log(half * weight))
                gradients.append(tilt.gradient)
                curvatures.append(tilt.curvature)
        top = max(logs)
        weights = np.exp(np.array(logs) - top)
        total = float(weights.sum())
        weights /= total
        z_mean, gradient_mean = float(weights @ np.array(points)), float(weights @ np.array(gradients))
        ahead, steeper = np.array(points) - z_mean, np.array(gradients) - gradient_mean
        return _PairMoments(
            (z_mean, gradient_mean),
            (float(weights @ ahead**2), float(weights @ (ahead * steeper)), float(weights @ steeper**2)),
            float(weights @ np.array(curvatures)),
            top + math.log(total) - _LOG_SQRT_TWO_PI,
        )

    def _second_moments(self, z: float) -> TiltedMoments:
        return self.second.tilted_moments(self.second_middle + self.slope * z, self.second_var)

    def _first_moments(self, z: float) -> TiltedMoments:
        if self.first.noise <= 0.0:  # 1 within the bounds
            return _NO_EVIDENCE
        return self.first.tilted_moments(self.middle + self.spread * z, 0.0)

    def _log_density(self, z: float, second: TiltedMoments | None = None) -> float:
        tilt = second or self._second_moments(z)
        return self._first_moments(z).log_z + tilt.log_z - 0.5 * z * z

    def _slope_of_log(self, z: float) -> float:
        return self._first_moments(z).gradient * self.spread + self._second_moments(z).gradient * self.slope - z

    def _bounds(self) -> tuple[float, float]:
        """Return between which z the first factor is not 0."""
        if self.first.noise > 0.0:
            return -math.inf, math.inf
        low, high = self.first.margin, math.inf
        if isinstance(self.first, WindowFactor):
            low, high = -self.first.margin - self.first.shift, self.first.margin - self.first.shift
        return (low - self.middle) / self.spread, (high - self.middle) / self.spread

    def _range(self) -> tuple[float, float] | None:
        """Return the range of z with nearly all mass, around the mode."""
        low, high = self._bounds()
        start = min(max(0.0, low), high)
        is_right = self._slope_of_log(start) > 0.0
        limit, sign = (high, 1.0) if is_right else (low, -1.0)
        mode = _last_where(lambda z: self._slope_of_log(z) * sign > 0.0, start, limit, sign, _MODE_PRECISION)
        if mode is None:
            return None
        least = self._log_density(mode) - _LOG_DROP
        ends = [
            _last_where(lambda z: self._log_density(z) > least, mode, bound, side, _END_PRECISION)
            for bound, side in ((low, -1.0), (high, 1.0))
        ]
        left, right = ends
        if left is None or right is None or right - left <= _MIN_WIDTH * max(abs(left), abs(right)):
            return None
        return left, right

    def _panel_ends(self, low: float, high: float) -> list[float]:
        """Return the ends of panels; steep steps have panels of their own."""
        steps = []
        if self.slope != 0.0 and isinstance(self.second, StepFactor):
            width = math.sqrt(self.second.noise + self.second_var) / abs(self.slope)
            steps.append(((self.second.margin - self.second_middle) / self.slope, width))
        if self.first.noise > 0.0:
            width = math.sqrt(self.first.noise) / self.spread
            at = [self.first.margin]
            if isinstance(self.first, WindowFactor):
                at = [self.first.margin - self.first.shift, -self.first.margin - self.first.shift]
            steps += [((each - self.middle) / self.spread, width) for each in at]
        inner = {
            end
            for centre, width in steps
            if 2.0 * _STEP_WIDTHS * width < high - low
            for end in (centre - _STEP_WIDTHS * width, centre, centre + _STEP_WIDTHS * width)
            if low < end < high
        }
        return [low, *sorted(inner), high]


def _last_where(
    holds: Callable[[float], bool], start: float, limit: float, sign: float, precision: float
) -> float | None:
    """Return how far from `start` a condition holds.

    The search goes in the direction of `sign`; after its end the condition does not hold again. At most `limit`; None
    if it never ends. `precision` is the error as a share of the distance.
    """
    inside, step = start, 1.0
    for _ in range(_MAX_DOUBLINGS):
        outside = start + sign * step
        if (outside - limit) * sign >= 0.0:
            outside = limit
        if not holds(outside):
            break
        if outside == limit:
            return limit
        inside, step = outside, 2.0 * step
    else:
        return None
    while abs(outside - inside) > precision * abs(outside - start):
        middle = 0.5 * (inside + outside)
        if middle in (inside, outside):
            break
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return outside
