"""Facts that are mixtures: a quit has nothing to do with performance, or it has.

Moment matching of such a factor is the weak spot of expectation propagation: it is not log-concave, so its stand-in
would need a negative precision (errors of 3e-2 of a skill in a small match, and of 0.2 with that clamped to 0). So the
posterior is written as the mixture that it is: a branch without the step and one with it, each log-concave, weighed
by their evidence.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from browser_app.rating.record import Floats
from browser_app.rating.trueskill2.inference.factors import Fact, Step, Window
from browser_app.rating.trueskill2.inference.propagation import Belief

_MOST_SPLIT = 6  # facts, so 64 branches; of more none is split, lest it matter who is named first
_LEAST_MARGIN = 1e-100
"""Stands for none in a draw, which then has mass 0 in every branch: the weights are those of the limit."""


def absorb(mean: Floats, cov: Floats, facts: Sequence[Fact]) -> tuple[Floats, Floats, float]:
    """Means and variances of x ~ N(mean, cov) given the facts, and the logarithm of their mass."""
    mixed = [i for i, (_, factor) in enumerate(facts) if isinstance(factor, Step) and factor.floor > 0.0]
    if not 0 < len(mixed) <= _MOST_SPLIT:
        belief = Belief(mean, cov)
        log_mass = belief.absorb(facts)
        return belief.mean, belief.cov.diagonal(), log_mass
    plain = [_with_mass(fact) for i, fact in enumerate(facts) if i not in mixed]
    means, variances, logs = [], [], []
    for branch in product(*(_parts(facts[i]) for i in mixed)):
        belief = Belief(mean, cov.copy())
        log_mass = belief.absorb([*plain, *(fact for part, _ in branch for fact in part)])
        means.append(belief.mean)
        variances.append(belief.cov.diagonal())
        logs.append(log_mass + math.fsum(log_share for _, log_share in branch))
    highest = max(logs)
    weights = np.exp(np.array(logs) - highest)
    total = float(weights.sum())
    middle = weights @ np.array(means) / total
    spread = np.array(variances) + (np.array(means) - middle) ** 2
    return middle, weights @ spread / total, highest + math.log(total)


def _parts(fact: Fact) -> list[tuple[list[Fact], float]]:
    """Its constant, which tells nothing, and its step; each with the logarithm of its height."""
    step = fact.factor
    if not isinstance(step, Step):
        return [([fact], 0.0)]
    alone = Fact(fact.direction, replace(step, floor=0.0, height=1.0))
    return [([], math.log(step.floor)), ([alone], math.log(step.height))]


def _with_mass(fact: Fact) -> Fact:
    factor = fact.factor
    if not isinstance(factor, Window) or factor.margin > 0.0:
        return fact
    return fact._replace(factor=Window(_LEAST_MARGIN))
