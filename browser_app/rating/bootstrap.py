"""Whether one system is better than another, or was lucky with the rounds: the bootstrap on differences of log loss."""

from typing import NamedTuple

import numpy as np

from browser_app.rating.record import Floats, Ints, Offsets

_REPLICATES = 2000
_DRAWN_AT_ONCE = 1 << 18
_SEED = 2018
_TAIL = 0.025
_LEAST_BLOCKS = 6
"""Fewer all lean to one side by luck alone more often than one time in twenty (of six: 2 · 2⁻⁶), and then whatever is
drawn from them leans there too: an interval would call that sure."""


class Difference(NamedTuple):
    """Mean log loss of one less that of the other (below 0: the one is better), with its 95 % interval.

    ``low`` and ``high`` are None where there are too few rounds to tell; where no pair differs both are 0.
    """

    pairs: int
    mean: float | None
    low: float | None
    high: float | None


def difference(one: Floats, other: Floats, rounds: Ints) -> Difference:
    """Compare losses, pair by pair, where both have one; ``rounds`` is the round of each pair, ascending.

    Pairs of one round, and rounds that follow each other and share players, are not independent, so blocks of ∛n
    consecutive rounds are drawn (H. R. Künsch 1989; the length after P. Hall, J. L. Horowitz and B.-Y. Jing 1995).
    Percentile interval, fixed seed.
    """
    both = ~(np.isnan(one) | np.isnan(other))
    with np.errstate(invalid="ignore"):
        gap = one[both] - other[both]
    n = len(gap)
    if not n or not np.isfinite(gap).all():
        return Difference(n, None, None, None)
    if not gap.any():
        return Difference(n, 0.0, 0.0, 0.0)
    begins = np.unique(rounds[both], return_index=True)[1]
    edges = begins[:: max(1, round(len(begins) ** (1 / 3)))]
    if len(edges) < _LEAST_BLOCKS:
        return Difference(n, float(gap.mean()), None, None)
    means = _drawn_means(np.add.reduceat(gap, edges), np.diff(edges, append=n))
    low, high = np.quantile(means, (_TAIL, 1.0 - _TAIL))
    return Difference(n, float(gap.mean()), float(low), float(high))


def _drawn_means(sums: Floats, counts: Offsets) -> Floats:
    """Means over as many blocks as there are, drawn with replacement."""
    drawn = np.random.default_rng(_SEED)
    at_once = max(1, _DRAWN_AT_ONCE // len(sums))
    means = []
    for done in range(0, _REPLICATES, at_once):
        rows = drawn.integers(0, len(sums), (min(at_once, _REPLICATES - done), len(sums)))
        means.append(sums[rows].sum(axis=1) / counts[rows].sum(axis=1))
    return np.concatenate(means)
