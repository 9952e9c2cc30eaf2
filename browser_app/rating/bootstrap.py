"""Whether one system is better than another, or was lucky with the rounds: the bootstrap on differences of log loss."""

from typing import NamedTuple

import numpy as np

from browser_app.rating.record import Floats

_REPLICATES = 2000
_DRAWN_AT_ONCE = 1 << 18
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
    at_once = max(1, _DRAWN_AT_ONCE // len(edges))
    means = []
    for done in range(0, _REPLICATES, at_once):
        rows = drawn.integers(0, len(edges), (min(at_once, _REPLICATES - done), len(edges)))
        means.append(sums[rows].sum(axis=1) / counts[rows].sum(axis=1))
    low, high = np.quantile(np.concatenate(means), (_TAIL, 1.0 - _TAIL))
    return Difference(n, float(gap.mean()), float(low), float(high))
