"""Displayed points, confidence and tiers against the game's own tables."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ns2_helpers import full_round, player_field, run_of

from browser_app.rating.ns2.ns2_points import (
    NS2Tier,
    compute_confident_points,
    compute_shown_chance,
    find_ns2_tier,
    is_rookie_level,
    to_points,
)


def test_tier_of_real_player() -> None:
    """693 points, adagrad sum 0.0093877: 258 less, so a Frontiersman."""
    assert compute_confident_points(693.0, 0.00938774528901076) == pytest.approx(435.0, abs=0.5)
    assert find_ns2_tier(693.0, 0.00938774528901076) is NS2Tier.FRONTIERSMAN
    assert find_ns2_tier(693.0) is NS2Tier.FRONTIERSMAN
    assert find_ns2_tier(693.0, 0.0) is NS2Tier.RECRUIT


@pytest.mark.parametrize(
    ("highest", "name"),
    [
        (300, "RECRUIT"),
        (750, "FRONTIERSMAN"),
        (1400, "SQUAD_LEADER"),
        (2100, "VETERAN"),
        (2900, "COMMANDANT"),
        (4100, "SPECIAL_OPS"),
    ],
)
def test_tier_limits_are_inclusive(highest: float, name: str) -> None:
    assert find_ns2_tier(highest).name == name
    assert find_ns2_tier(math.nextafter(highest, math.inf)) == find_ns2_tier(highest) + 1


def test_checks_in_order_of_game() -> None:
    assert find_ns2_tier(None, is_bot=True, is_rookie=True) is NS2Tier.BOT
    assert find_ns2_tier(5000.0, is_rookie=True) is NS2Tier.ROOKIE
    assert find_ns2_tier(None) is find_ns2_tier(-1.0, 1.0) is NS2Tier.UNKNOWN
    assert find_ns2_tier(0.0) is NS2Tier.RECRUIT
    assert find_ns2_tier(9999.0, 1e6) is NS2Tier.SANJI_SURVIVOR
    assert [is_rookie_level(10), is_rookie_level(11)] == [True, False]


def test_confident_points_are_not_negative() -> None:
    assert compute_confident_points(1000.0, 0.0) == compute_confident_points(1000.0, -1.0) == 0.0
    assert compute_confident_points(10.0, 0.01) == 0.0


def test_100_points_difference_is_one_logit() -> None:
    assert compute_shown_chance([1100.0, 1300.0], [1000.0, 1200.0, 1100.0]) == pytest.approx(
        1.0 / (1.0 + math.exp(-1.0))
    )
    assert compute_shown_chance([], [1000.0]) is None
    assert compute_shown_chance([1e9], [0.0]) == 1.0


@given(st.lists(st.tuples(st.floats(-20, 20), st.floats(-20, 20)), min_size=1, max_size=12))
def test_shown_chance_equals_model_if_even(skills: list[tuple[float, float]]) -> None:
    """Σ T s / 2n = (mean₁ − mean₂) / 2, so 50 points for one unit of s."""
    first, second = zip(*skills, strict=True)
    logit = (sum(first) - sum(second)) / (2 * len(skills))
    shown = compute_shown_chance([to_points(s) for s in first], [to_points(s) for s in second])
    assert shown == pytest.approx(1.0 / (1.0 + math.exp(-logit)), rel=1e-12)


def test_gradient_sums_are_in_game_units() -> None:
    """22 rounds of 20 players at about 0.5/20 each make about 0.014, beside 0.0094 recorded."""
    history = [full_round("abcdefghij", "klmnopqrst", k % 2, number=k) for k in range(22)]
    assert player_field(run_of(history, "in-game"), "a", "adagrad_sum") == pytest.approx(0.014, rel=0.1)
