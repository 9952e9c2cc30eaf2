"""Prior of solved NS2 skills: Gamma for skills, normal for offsets."""

import math

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record.round_record import Floats


class SkillPrior:
    """Independent log priors of the skills, each concave.

    Skills and commander skills x ≥ 0 have (k − 1) ln x − x / θ, offsets −x² / (2 σ²), symmetric about 0.

    Args:
        k, theta: shape (≥ 1) and scale of the Gamma prior.
        offset_sd: σ.
        is_offset: which of the skills are offsets.
    """

    def __init__(self, k: float, theta: float, offset_sd: float, is_offset: NDArray[np.bool_]) -> None:
        self.k, self.theta, self._offset_sd = k, theta, offset_sd
        self.is_offset = is_offset

    def with_shape(self, k: float) -> "SkillPrior":
        """Return the prior with another shape."""
        return SkillPrior(k, self.theta, self._offset_sd, self.is_offset)

    def start(self) -> Floats:
        """Return the means, k θ and 0."""
        return np.where(self.is_offset, 0.0, self.k * self.theta)

    def value(self, x: Floats) -> float:
        """Return the log prior."""
        skills, offsets = x[~self.is_offset], x[self.is_offset]
        value = -float(skills.sum()) / self.theta - 0.5 * float(offsets @ offsets) / self._offset_sd**2
        return value + (self.k - 1.0) * float(np.log(skills).sum()) if self.k > 1.0 else value

    def gradient(self, x: Floats) -> Floats:
        """Return its gradient."""
        skill_part = self._barrier(x) - 1.0 / self.theta
        return np.where(self.is_offset, -x / self._offset_sd**2, skill_part)

    def curvature(self, x: Floats) -> Floats:
        """Return its negative second derivatives."""
        skill_part = (self.k - 1.0) / np.where(self.is_offset, 1.0, x) ** 2 if self.k > 1.0 else np.zeros_like(x)
        return np.where(self.is_offset, self._offset_sd**-2, skill_part)

    def scale(self, x: Floats) -> Floats:
        """Return the unit of a change of each skill: the skill itself, of offsets σ."""
        return np.where(self.is_offset, self._offset_sd, x)

    def lowest(self, x: Floats, share_left: float) -> Floats:
        """Return the least values after one step: with a barrier, a share of each skill."""
        skill_part = share_left * x if self.k > 1.0 else np.zeros_like(x)
        return np.where(self.is_offset, -math.inf, skill_part)

    def has_bound(self) -> NDArray[np.bool_]:
        """Return which skills may be at the bound 0 at the optimum."""
        return ~self.is_offset & (self.k == 1.0)

    def minorant_maximum(self, x: Floats, bound: Floats, likelihood_gradient: Floats) -> Floats:
        """Return the maximum over y of the prior plus a separable quadratic.

        The quadratic is likelihood_gradient · y − bound (y − x)² / 2. Of a skill it is the root ≥ 0 of h y² − b y − (k
        − 1) = 0 with b = h x + (gradient of the likelihood) − 1/θ.
        """
        rise = bound * x + likelihood_gradient
        b = rise - 1.0 / self.theta
        root = (b + np.sqrt(b * b + 4.0 * bound * (self.k - 1.0))) / (2.0 * bound)
        return np.where(self.is_offset, rise / (bound + self._offset_sd**-2), root)

    def _barrier(self, x: Floats) -> Floats:
        """Return (k − 1) / x of skills."""
        return (self.k - 1.0) / np.where(self.is_offset, 1.0, x) if self.k > 1.0 else np.zeros_like(x)
