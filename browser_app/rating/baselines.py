"""What a rating system has to beat: chances that know nobody, forward in time.

A rate so far is (wins + 1) / (rounds + 2), Laplace's rule of succession: ½ to begin with, never 0 or 1. Rounds of
which nothing is known yet, and pairs of equal sizes, are even.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.decided import Decided, sizes
from browser_app.rating.record import Floats, Record


def constant(record: Record, pairs: Decided) -> Floats:
    """P(first-named wins): the rate at which it has won so far; NaN where a team has nobody."""
    _, _, manned = sizes(record, pairs)
    return np.where(manned, _rate_so_far(pairs, pairs.won, manned), np.nan)


def size(record: Record, pairs: Decided) -> Floats:
    """P(first-named wins): the rate at which the team with more people has won so far; NaN where a team has nobody."""
    of_a, of_b, manned = sizes(record, pairs)
    a_larger = of_a > of_b
    larger_won = np.where(a_larger, pairs.won, 1.0 - pairs.won)
    rate = _rate_so_far(pairs, larger_won, manned & (of_a != of_b))
    chance = np.where(of_a == of_b, 0.5, np.where(a_larger, rate, 1.0 - rate))
    return np.where(manned, chance, np.nan)


def _rate_so_far(pairs: Decided, won: Floats, counts: NDArray[np.bool_]) -> Floats:
    """The rate before each pair's round: the pairs of one round know nothing of each other."""
    wins = np.concatenate([[0.0], np.cumsum(won * counts)])
    seen = np.concatenate([[0], np.cumsum(counts)])
    before = np.searchsorted(pairs.round, pairs.round, side="left")
    rate: Floats = (wins[before] + 1.0) / (seen[before] + 2.0)
    return rate


BASELINES: Mapping[str, Callable[[Record, Decided], Floats]] = {"constant": constant, "size": size}
