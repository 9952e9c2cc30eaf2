"""Exact posterior of a Gaussian and two factors, by quadrature.

The quadrature is along the first factor's direction; given its value, the second factor is a single one. Of a result
and one zero count, or one player who quit, expectation propagation is up to 0.04 off in a mean or standard deviation
(β = 1).
"""

import math
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

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_LOG_DROP = 17.0
"""Where a density is below e^-17 of its maximum it is cut off, which moves means and deviations by 3e-7."""
_MAX_DISTANCE = math.sqrt(2.0 * _LOG_DROP)
"""From the mode to there: both factors are log-concave, so the density falls at least as that of N(0, 1)."""
_MODE_PRECISION = 0.1
_END_PRECISION = 0.2
"""As a share of the distance from the mode."""
_MAX_STEPS = 50  # of Newton's method
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
    if var <= 0.0 or not isinstance(second.factor, StepFactor):
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
    second: StepFactor
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
        ends = np.array(self._panel_ends(*span))
        half = 0.5 * np.diff(ends)[:, None]
        points = (ends[:-1, None] + half * (_NODES + 1.0)).ravel()
        logs, gradients, curvatures = self.second.tilted_moments_of(
            self.second_middle + self.slope * points, self.second_var
        )
        logs = logs - 0.5 * points * points + self._first_logs(points)
        top = float(logs.max())
        weights = np.exp(logs - top) * (half * _WEIGHTS).ravel()
        total = float(weights.sum())
        weights /= total
        z_mean, gradient_mean = float(weights @ points), float(weights @ gradients)
        ahead, steeper = points - z_mean, gradients - gradient_mean
        return _PairMoments(
            (z_mean, gradient_mean),
            (float(weights @ ahead**2), float(weights @ (ahead * steeper)), float(weights @ steeper**2)),
            float(weights @ curvatures),
            top + math.log(total) - _LOG_SQRT_TWO_PI,
        )

    def _second_moments(self, z: float) -> TiltedMoments:
        return self.second.tilted_moments(self.second_middle + self.slope * z, self.second_var)

    def _first_moments(self, z: float) -> TiltedMoments:
        if self.first.noise <= 0.0:  # 1 within the bounds
            return _NO_EVIDENCE
        return self.first.tilted_moments(self.middle + self.spread * z, 0.0)

    def _first_logs(self, points: Floats) -> Floats:
        if self.first.noise > 0.0 and isinstance(self.first, StepFactor):
            return self.first.tilted_moments_of(self.middle + self.spread * points, 0.0)[0]
        return np.array([self._first_moments(z).log_z for z in points.tolist()])

    def _log_density(self, z: float) -> float:
        return self._first_moments(z).log_z + self._second_moments(z).log_z - 0.5 * z * z

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
        mode = self._find_mode(low, high)
        if mode is None:
            return None
        least = self._log_density(mode) - _LOG_DROP
        left = self._find_end(mode, max(low, mode - _MAX_DISTANCE), least)
        right = self._find_end(mode, min(high, mode + _MAX_DISTANCE), least)
        return (left, right) if right - left > _MIN_WIDTH * max(abs(left), abs(right)) else None

    def _find_mode(self, low: float, high: float) -> float | None:
        """Return the mode between bounds by Newton's method; None if it is not found."""
        mode = min(max(0.0, low), high)
        for _ in range(_MAX_STEPS):
            first, second = self._first_moments(mode), self._second_moments(mode)
            gradient = first.gradient * self.spread + second.gradient * self.slope - mode
            curvature = first.curvature * self.spread**2 + second.curvature * self.slope**2 + 1.0
            before, mode = mode, min(max(mode + gradient / curvature, low), high)
            if abs(mode - before) <= _MODE_PRECISION:
                return mode
        return None

    def _find_end(self, mode: float, limit: float, least: float) -> float:
        """Return where the log density falls to `least`, or the limit."""
        inside, outside = mode, limit
        if self._log_density(limit) >= least:
            return limit
        while abs(outside - inside) > _END_PRECISION * abs(outside - mode):
            middle = 0.5 * (inside + outside)
            if middle in (inside, outside):
                break
            inside, outside = (middle, outside) if self._log_density(middle) > least else (inside, middle)
        return outside

    def _panel_ends(self, low: float, high: float) -> list[float]:
        """Return the ends of panels; steep steps have panels of their own."""
        steps = []
        if self.slope != 0.0:
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
