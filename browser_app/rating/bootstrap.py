"""Whether one system is better than another, or was lucky with the rounds: the bootstrap on differences of log loss."""

from typing import NamedTuple

import numpy as np

from browser_app.rating.record import Floats

_REPLICATES = 2000
_SEED = 2018
_TAIL = 0.025


class Difference(NamedTuple):
    """Mean log loss of one less that of the other (below 0: the one is better), with its 95 % interval.

    ``low`` and ``high`` are None where there are too few pairs to tell.
    """

    pairs: int
    mean: float | None
    low: float | None
    high: float | None


def difference(one: Floats, other: Floats) -> Difference:
    """Compare losses, pair by pair in the order of time, where both have one.

    Rounds that follow each other share players and are not independent, so blocks of ∛n consecutive pairs are drawn
    (H. R. Künsch 1989; the length after P. Hall, J. L. Horowitz and B.-Y. Jing 1995), percentile interval, fixed seed.
    """
    both = ~(np.isnan(one) | np.isnan(other))
    with np.errstate(invalid="ignore"):
        gap = one[both] - other[both]
    n = len(gap)
    if not n or not np.isfinite(gap).all():
        return Difference(n, None, None, None)
    length = max(1, round(n ** (1 / 3)))
    edges = np.arange(0, n, length)
    sums, counts = np.add.reduceat(gap, edges), np.diff(edges, append=n)
    if len(edges) < 2:
        return Difference(n, float(gap.mean()), None, None)
    drawn = np.random.default_rng(_SEED)
    means = np.empty(_REPLICATES)
    for i in range(_REPLICATES):
        rows = drawn.integers(0, len(edges), len(edges))
        means[i] = sums[rows].sum() / counts[rows].sum()
    low, high = np.quantile(means, (_TAIL, 1.0 - _TAIL))
    return Difference(n, float(gap.mean()), float(low), float(high))
