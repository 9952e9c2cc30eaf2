"""Step and window likelihoods along one direction of the performances.

All evidence of a round that is not Gaussian is one of two: a step (a win, a count of 0, quitting or finishing) or a
window (a draw).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from browser_app.rating.record.round_record import Floats
from browser_app.rating.trueskill2.inference.truncated_normal import (
    truncate_above_zero,
    truncate_all_above_zero,
    truncate_to_margin,
)


class TiltedMoments(NamedTuple):
    """Z = ∫ f(z) N(z; mean, var) dz and its derivatives.

    Attributes:
        log_z: log Z.
        gradient: ∂ log Z/∂mean; the mean moves by var·gradient.
        curvature: −∂² log Z/∂mean².
        variance_left: 1 − var·curvature > 0, the share of the variance that is left, without cancellation.
    """

    log_z: float
    gradient: float
    curvature: float
    variance_left: float


@dataclass(frozen=True, slots=True)
class StepFactor:
    """f(z) = floor + height·Φ((z − margin)/√noise); without noise Φ is 1 or 0.

    `is_single_site`: floor and step are approximated together, not as two branches, which is faster and less exact.
    """

    margin: float
    noise: float = 0.0
    floor: float = 0.0
    height: float = 1.0
    is_single_site: bool = False

    def tilted_moments(self, mean: float, var: float) -> TiltedMoments:
        """Return the moments of f times N(mean, var)."""
        c2 = var + self.noise
        c = math.sqrt(c2)
        cut = truncate_above_zero((mean - self.margin) / c)
        tilt = TiltedMoments(
            cut.log_z, cut.v / c, (1.0 - cut.variance_left) / c2, (self.noise + var * cut.variance_left) / c2
        )
        return tilt if self.floor == 0.0 and self.height == 1.0 else self._mix_with_floor(tilt, var)

    def tilted_moments_of(self, means: Floats, var: float) -> tuple[Floats, Floats, Floats]:
        """Return log Z, its gradients and curvatures at several means.

        The factor has a floor of 0.
        """
        c2 = var + self.noise
        c = math.sqrt(c2)
        v, variance_left, log_z = truncate_all_above_zero((means - self.margin) / c)
        return log_z + math.log(self.height), v / c, (1.0 - variance_left) / c2

    def _mix_with_floor(self, step: TiltedMoments, var: float) -> TiltedMoments:
        """Return the mixture of the step with a constant; `share` is the step's in Z.

        With a floor log Z is no longer concave: the variance may grow, curvature < 0.
        """
        log_step = step.log_z + math.log(self.height)
        if self.floor == 0.0:
            return step._replace(log_z=log_step)
        log_floor = math.log(self.floor)
        log_z = max(log_step, log_floor) + math.log1p(math.exp(-abs(log_step - log_floor)))
        share, other = math.exp(log_step - log_z), math.exp(log_floor - log_z)
        spread = share * other * step.gradient * step.gradient
        rest = share * step.variance_left + other + var * spread
        return TiltedMoments(log_z, share * step.gradient, share * step.curvature - spread, rest)


@dataclass(frozen=True, slots=True)
class WindowFactor:
    """f(z) = P(abs(z + e) ≤ margin) for e ~ N(shift, noise), by default 0."""

    margin: float
    shift: float = 0.0
    noise: float = 0.0

    def tilted_moments(self, mean: float, var: float) -> TiltedMoments:
        """Return the moments of f times N(mean, var)."""
        c2 = var + self.noise
        c = math.sqrt(c2)
        cut = truncate_to_margin((mean + self.shift) / c, self.margin / c)
        left = (self.noise + var * cut.variance_left) / c2
        return TiltedMoments(cut.log_z, cut.v / c, (1.0 - cut.variance_left) / c2, left)


Factor: TypeAlias = StepFactor | WindowFactor


class DirectedFactor(NamedTuple):
    """A factor of direction·x, where x are the performances in a round."""

    direction: Floats
    factor: Factor
