"""Exact and approximate tails of the number of wins.

Compared with sums over all outcomes.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.player.habits import MAX_EXACT_ROUNDS, compute_luck, find_discoveries

chances = st.lists(st.floats(0.01, 0.99), min_size=1, max_size=9)


def compute_distribution(chances: list[float]) -> list[float]:
    """P(0 wins), P(1 win), … by enumerating all outcomes."""
    distribution = [0.0] * (len(chances) + 1)
    for outcome in itertools.product((0, 1), repeat=len(chances)):
        distribution[sum(outcome)] += math.prod(p if won else 1.0 - p for p, won in zip(chances, outcome, strict=True))
    return distribution


@given(chances, st.data())
def test_small_groups_are_exact(chances: list[float], data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, len(chances)))
    won = np.array([1.0] * wins + [0.0] * (len(chances) - wins))
    luck = compute_luck(np.zeros(len(chances), np.int32), np.array(chances), won, 1)
    each = compute_distribution(chances)
    below, above = sum(each[:wins]), sum(each[wins + 1 :])
    assert luck.expected[0] == pytest.approx(sum(chances))
    assert luck.p_value[0] == pytest.approx(min(1.0, 2.0 * min(below, above) + each[wins]), abs=1e-9)
    low, high = int(luck.low[0]), int(luck.high[0])
    assert sum(each[:low]) <= 0.05 + 1e-9
    assert sum(each[high + 1 :]) <= 0.05 + 1e-9
    assert low <= high


def test_groups_do_not_mix() -> None:
    rng = np.random.default_rng(5)
    group = rng.integers(0, 4, 200).astype(np.int32)
    chance, won = rng.uniform(0.2, 0.8, 200), rng.integers(0, 2, 200).astype(np.float64)
    together = compute_luck(group, chance, won, 4)
    for number in range(4):
        rows = group == number
        alone = compute_luck(np.zeros(int(rows.sum()), np.int32), chance[rows], won[rows], 1)
        for column, single in zip(together, alone, strict=True):
            assert column[number] == pytest.approx(single[0])


@pytest.mark.parametrize("wins", [55, 62, 70, 77, 85])
def test_large_groups_are_nearly_exact(wins: int) -> None:
    rng = np.random.default_rng(1)
    chance = rng.uniform(0.3, 0.95, 110)
    assert len(chance) > MAX_EXACT_ROUNDS
    exact = np.array([1.0])
    for p in chance:
        exact = np.convolve(exact, [1.0 - p, p])
    won = np.zeros(110)
    won[:wins] = 1.0
    luck = compute_luck(np.zeros(110, np.int32), chance, won, 1)
    expected = 2.0 * min(exact[:wins].sum(), exact[wins + 1 :].sum()) + exact[wins]
    assert luck.p_value[0] == pytest.approx(min(1.0, expected), abs=2e-3)


def test_false_discovery_rate() -> None:
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(4000, dtype=np.int32), 40)
    chance = rng.uniform(0.2, 0.8, len(group))
    won = (rng.random(len(group)) < chance).astype(np.float64)
    luck = compute_luck(group, chance, won, 4000)
    assert (luck.p_value <= 0.1).mean() == pytest.approx(0.1, abs=0.02)
    wins = np.bincount(group, won)
    assert ((wins >= luck.low) & (wins <= luck.high)).mean() >= 0.9
    assert not find_discoveries(luck.p_value, 0.1).sum() > 8  # of 4000, all of them luck


def test_discoveries_are_mostly_real() -> None:
    assert find_discoveries(np.array([0.001, 0.9, 0.03, 0.5]), 0.1).tolist() == [True, False, True, False]
    assert find_discoveries(np.array([0.04, 0.6, 0.9, 0.5]), 0.1).tolist() == [False] * 4
    assert find_discoveries(np.array([0.09]), 0.1).tolist() == [True]
    assert find_discoveries(np.zeros(0), 0.1).tolist() == []


def test_min_p_value_of_small_groups() -> None:
    luck = compute_luck(np.array([0, 0, 1] + [2] * 9, np.int32), np.full(12, 0.5), np.ones(12), 3)
    assert (luck.min_p_value > 0.1).tolist() == [True, True, False]
