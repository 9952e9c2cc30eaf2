"""Who of some people to choose so that a sum comes nearest to zero: exact for twenty, dealt out beyond."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.record import Floats

EXACT = 20
"""So many are decided at once: 2^20 sums are made in some ten milliseconds, each more doubles that."""


def choices(
    base: float, weights: Floats, sizes: Sequence[int], margin: float, last: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """All ways to choose whose |base + Σ chosen weights| is within a margin of the least possible.

    Beyond ``EXACT`` weights, the largest are first dealt out one by one, each to where it brings the sum nearer to
    zero, as when captains pick; what is within the margin is then exact for the others only.

    Args:
        base: the sum with nothing chosen.
        weights: what each adds to it.
        sizes: how many may be chosen; each is 0 to the number of weights.
        margin: 0 or more; rounding alone needs some.
        last: flags of those who are dealt out only when nobody else is left.

    Returns:
        Flags, one row a way and one column a weight; at least one row.
    """
    order = np.lexsort((-np.abs(weights), last))
    surplus = max(0, len(weights) - EXACT)
    dealt, open_ = order[:surplus], np.sort(order[surplus:])
    chosen = np.zeros(len(weights), np.bool_)
    _deal(base, weights, dealt, sizes, chosen)
    base += float(weights[chosen].sum())
    left = [size - int(chosen.sum()) for size in sizes]
    sums, counts = _all_sums(weights[open_])
    apart = np.where(np.isin(counts, left), np.abs(base + sums), np.inf)
    ways = np.flatnonzero(apart <= apart.min() + margin)
    rows = np.repeat(chosen[np.newaxis], len(ways), axis=0)
    rows[:, open_] = (ways[:, np.newaxis] >> np.arange(len(open_))) & 1
    return rows


def _deal(
    base: float, weights: Floats, dealt: NDArray[np.int64], sizes: Sequence[int], chosen: NDArray[np.bool_]
) -> None:
    """Choose among the dealt, with every open weight counted half: it may go either way."""
    middle = base + float(weights.sum()) / 2.0
    count, left = 0, len(weights)
    for one in dealt.tolist():
        left -= 1
        half = float(weights[one]) / 2.0
        may_take = any(count + 1 <= size for size in sizes)
        may_leave = any(size <= count + left for size in sizes)
        take = may_take and (not may_leave or abs(middle + half) < abs(middle - half))
        middle += half if take else -half
        chosen[one] = take
        count += take


def _all_sums(weights: Floats) -> tuple[Floats, NDArray[np.int8]]:
    """Sum and number of every subset: that of bit pattern m stands in row m."""
    sums, counts = np.zeros(1), np.zeros(1, np.int8)
    for weight in weights.tolist():
        sums = np.concatenate([sums, sums + weight])
        counts = np.concatenate([counts, counts + np.int8(1)])
    return sums, counts
