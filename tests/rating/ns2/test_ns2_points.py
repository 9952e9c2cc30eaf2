"""Displayed points, confidence and tiers against the game's own tables."""

import math

import pytest
from ns2_helpers import full_round, player_field, run_of

from browser_app.rating.ns2.ns2_points import (
    compute_confident_points,
    find_ns2_tier,
)


def test_tier_of_real_player() -> None:
    """693 points, adagrad sum 0.0093877: 258 less, so a Frontiersman."""
    assert compute_confident_points(693.0, 0.00938774528901076) == pytest.approx(435.0, abs=0.5)
    assert find_ns2_tier(compute_confident_points(693.0, 0.00938774528901076)) == 2
    assert find_ns2_tier(compute_confident_points(693.0, 0.0)) == 1


@pytest.mark.parametrize(("highest", "tier"), [(300, 1), (750, 2), (1400, 3), (2100, 4), (2900, 5), (4100, 6)])
def test_tier_limits_are_inclusive(highest: float, tier: int) -> None:
    assert find_ns2_tier(highest) == tier
    assert find_ns2_tier(math.nextafter(highest, math.inf)) == tier + 1


def test_confident_points_are_not_negative() -> None:
    assert compute_confident_points(1000.0, 0.0) == compute_confident_points(1000.0, -1.0) == 0.0
    assert compute_confident_points(10.0, 0.01) == 0.0


def test_gradient_sums_are_in_game_units() -> None:
    """22 rounds of 20 players at about 0.5/20 each make about 0.014.

    0.0094 was recorded.
    """
    history = [full_round("abcdefghij", "klmnopqrst", k % 2, number=k) for k in range(22)]
    assert player_field(run_of(history, "in-game"), "a", "adagrad_sum") == pytest.approx(0.014, rel=0.1)
