"""Expectation propagation over a few one-dimensional factors of a jointly normal vector, with its full covariance.

Minka, "Expectation propagation for approximate Bayesian inference" (2001). A factor of one direction aᵀx is a rank-1
update, so between factors nothing is lost but their shape: one factor is exact, and several are far closer than with
the factorised covariance of TrueSkill 2's paper (research/rating.md §1.8: 1.9 % overconfident in one 4v4 with counts).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.factors import Fact, Factor

_TOLERANCE = 1e-10  # of a standard deviation, and of a variance
_MOST_SWEEPS = 200
_SETTLED = 1e-9  # a cavity is what a subtraction leaves; below this share of its variance too few digits are left
_LEAST = 1e-15  # share of a variance that a factor leaves; a draw with no margin would leave 0


@dataclass(slots=True)
class Site:
    """A factor of z = direction·x and what stands in for it, exp(−½·precision·z² + pull·z).

    In ``precision`` and ``pull`` z counts from its prior mean, ``origin``. ``log_scale`` is the logarithm of the
    factor's mass over its stand-in's, both against the cavity (everything but this site).
    """

    direction: Floats
    factor: Factor
    origin: float
    precision: float = 0.0
    pull: float = 0.0
    log_scale: float = 0.0

    def match(self, mean: float, var: float) -> tuple[float, float]:
        """Make cavity times stand-in have the moments of cavity times factor; returns mean and share of var left.

        The precision is kept ≥ 0 (Infer.NET's ForceProper). Only a quit's mixture asks for less, when the quit is
        best explained as unrelated; two such could leave a third without a proper cavity. The mean stays matched.
        """
        tilt = self.factor.tilt(self.origin + mean, var)
        shrink, rest = (tilt.shrink, max(tilt.rest, _LEAST)) if tilt.shrink > 0.0 else (0.0, 1.0)
        self.precision, self.pull = shrink / rest, (tilt.push + mean * shrink) / rest
        square = (var * self.pull * self.pull + (2.0 * self.pull - self.precision * mean) * mean) * rest
        self.log_scale = tilt.log_z - 0.5 * (math.log(rest) + square)
        return mean + var * tilt.push, rest


class Belief:
    """x ~ N(prior mean + shift, cov); ``log_shrunk`` is by how much log |cov| has fallen. ``cov`` changes in place."""

    def __init__(self, cov: Floats) -> None:
        self.cov = cov
        self.shift: Floats = np.zeros(len(cov))
        self.log_shrunk = 0.0

    def absorb(self, prior_mean: Floats, facts: Sequence[Fact]) -> float:
        """Learn from all facts; returns the logarithm of their mass under the belief as it was (exact for one)."""
        sites = [Site(fact.direction, fact.factor, float(fact.direction @ prior_mean)) for fact in facts]
        if len(sites) == 1:
            return self._exact(sites[0])
        order = [*sites, *reversed(sites[1:-1])]
        for _ in range(_MOST_SWEEPS):
            if max([self._visit(site) for site in order], default=0.0) < _TOLERANCE:
                break
        return self._log_mass(sites)

    def _exact(self, site: Site) -> float:
        s = self.cov @ site.direction
        mean, var = float(site.direction @ self.shift), float(site.direction @ s)
        if var <= 0.0:
            return 0.0
        tilt = site.factor.tilt(site.origin + mean, var)
        self.shift += s * tilt.push
        self.cov -= np.multiply.outer(s, s * tilt.shrink)
        return tilt.log_z

    def _visit(self, site: Site) -> float:
        """Take the site out, match its moments, put it back; returns how far that moved z."""
        s = self.cov @ site.direction
        mean, var = float(site.direction @ self.shift), float(site.direction @ s)
        left = 1.0 - site.precision * var
        if var <= 0.0 or left < _SETTLED:
            return 0.0
        cavity_var = var / left
        matched, rest = site.match((mean - var * site.pull) / left, cavity_var)
        step, scale = matched - mean, cavity_var * rest / var
        self.shift += s * (step / var)
        self.cov -= np.multiply.outer(s, s * ((1.0 - scale) / var))
        self.log_shrunk -= math.log(scale)
        return max(abs(step) / math.sqrt(var * scale), abs(1.0 - scale))

    def _log_mass(self, sites: Sequence[Site]) -> float:
        """EP's evidence (Rasmussen & Williams, "Gaussian Processes for Machine Learning", eq. 3.65)."""
        pulls = math.fsum(site.log_scale + 0.5 * site.pull * float(site.direction @ self.shift) for site in sites)
        return pulls - 0.5 * self.log_shrunk
