"""How far luck alone goes: the number of wins in rounds of which each had a chance of its own.

That number has the Poisson-binomial distribution. Its exact probabilities come from adding one round after another;
for large groups, where that would take long, from the refined normal approximation (A. Yu. Volkova 1996; Y. Hong,
Comput. Statist. Data Anal. 59, 2013), which minds the skew and is good to some thousandths from a few dozen rounds on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from browser_app.player.now import Z90
from browser_app.rating.record import Floats, Ints

MOST_EXACT = 60
"""Groups of up to so many rounds are calculated exactly."""
TAIL = 0.05
"""Of luck to either side: 9 times in 10 it stays within."""


class Luck(NamedTuple):
    """One entry a group.

    Attributes:
        expected: mean number of wins.
        low, high: the least and the greatest that are not in a tail of 5 %.
        chance: that luck strays at least as far as the wins that came, to either side: twice the smaller tail, of the
            wins themselves half (mid-p, H. O. Lancaster 1961), at most 1.
        least: the smallest that ``chance`` could have become, had all rounds been won, or lost.
    """

    expected: Floats
    low: Floats
    high: Floats
    chance: Floats
    least: Floats


def luck(group: Ints, chance: Floats, won: Floats, groups: int) -> Luck:
    """Of rounds by group.

    Args:
        group: the group of each round, 0 to groups - 1.
        chance: of winning each, 0 to 1.
        won: 1 or 0.
        groups: how many there are; each has a round.
    """
    size = np.bincount(group, minlength=groups).astype(np.int32)
    wins = np.bincount(group, won, groups).astype(np.float64)
    found = _approximate(group, chance, wins, size)
    few = np.flatnonzero(size <= MOST_EXACT)
    few = few[np.argsort(-size[few], kind="stable")]
    if len(few):
        exact = _exact(*_padded(group, chance, size, few), wins[few].astype(np.int64))
        for column, values in zip(found[1:], exact, strict=True):
            column[few] = values
    return found


def discoveries(chance: Floats, rate: float) -> NDArray[np.bool_]:
    """Which of many small chances are no luck, when at most this share of those named may be luck after all.

    Y. Benjamini, Y. Hochberg, J. R. Stat. Soc. B 57 (1995): among n rows the k-th smallest has to be at most k/n of it.
    """
    n = len(chance)
    order = np.argsort(chance, kind="stable")
    passed = np.flatnonzero(chance[order] <= rate * np.arange(1, n + 1) / max(n, 1))
    named = np.zeros(n, np.bool_)
    if len(passed):
        named[order[: passed[-1] + 1]] = True
    return named


def _approximate(group: Ints, chance: Floats, wins: Floats, size: Ints) -> Luck:
    groups = len(size)
    spread = chance * (1.0 - chance)
    expected = np.bincount(group, chance, groups).astype(np.float64)
    sd = np.sqrt(np.maximum(np.bincount(group, spread, groups), 1e-12))
    skew = np.bincount(group, spread * (1.0 - 2.0 * chance), groups) / sd**3

    def two_sided(at: Floats) -> Floats:
        below = _below((at - expected) / sd, skew)
        return np.minimum(1.0, 2.0 * np.minimum(below, 1.0 - below))

    low = np.clip(np.round(expected - Z90 * sd), 0, size)
    high = np.clip(np.round(expected + Z90 * sd), 0, size)
    least = np.minimum(two_sided(np.zeros(groups)), two_sided(size.astype(np.float64)))
    return Luck(expected, low, high, two_sided(wins), least)


def _below(z: Floats, skew: Floats) -> Floats:
    """P(fewer) and half of P(as many), by the normal distribution with one more term for the skew."""
    density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    share: Floats = np.clip(_normal_cdf(z) + skew * (1.0 - z * z) * density / 6.0, 0.0, 1.0)
    return share


def _normal_cdf(z: Floats) -> Floats:
    """Φ, to 7.5e-8 (M. Abramowitz, I. A. Stegun 26.2.17)."""
    t = 1.0 / (1.0 + 0.2316419 * np.abs(z))
    series = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
    tail = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi) * series
    share: Floats = np.where(z > 0.0, 1.0 - tail, tail)
    return share


def _padded(group: Ints, chance: Floats, size: Ints, few: NDArray[np.intp]) -> tuple[Floats, NDArray[np.bool_]]:
    """The chances of each of these groups in a row, and which entries there are."""
    row_of = np.full(len(size), -1)
    row_of[few] = np.arange(len(few))
    rows = np.flatnonzero(row_of[group] >= 0)
    rows = rows[np.argsort(row_of[group[rows]], kind="stable")]
    row = row_of[group[rows]]
    first = np.cumsum(size[few]) - size[few]
    there = np.arange(size[few].max())[None, :] < size[few][:, None]
    chances = np.zeros(there.shape)
    chances[row, np.arange(len(rows)) - first[row]] = chance[rows]
    return chances, there


def _exact(chances: Floats, there: NDArray[np.bool_], wins: NDArray[np.int64]) -> tuple[Floats, Floats, Floats, Floats]:
    """``low, high, chance, least`` of each row; those with most entries come first."""
    rows, most = chances.shape
    probability = np.zeros((rows, most + 1))
    probability[:, 0] = 1.0
    for i, those in enumerate(there.sum(axis=0).tolist()):
        up = chances[:those, i, None] * probability[:those, : i + 1]
        probability[:those, : i + 1] -= up
        probability[:those, 1 : i + 2] += up
    cumulative = np.cumsum(probability, axis=1)
    size = there.sum(axis=1)
    each = np.arange(rows)
    low = (cumulative <= TAIL).sum(axis=1)
    high = np.minimum((cumulative < 1.0 - TAIL).sum(axis=1), size)

    def two_sided(at: NDArray[np.int64]) -> Floats:
        below = cumulative[each, at] - 0.5 * probability[each, at]
        return np.minimum(1.0, 2.0 * np.minimum(below, 1.0 - below))

    least = np.minimum(two_sided(np.zeros(rows, np.int64)), two_sided(size))
    return low.astype(np.float64), high.astype(np.float64), two_sided(wins), least
