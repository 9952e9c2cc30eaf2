"""v, 1 − w and log Z against 80 digits, at any gap."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.trueskill2.inference.truncated_normal import (
    truncate_above_zero,
    truncate_all_above_zero,
    truncate_to_margin,
)

GAPS = [*(0.5 * i for i in range(-130, 19)), *(-(10.0**e) for e in range(2, 9)), -2.999, -3.001]


@pytest.fixture(autouse=True)
def many_digits() -> Any:
    with mpmath.workdps(80):
        yield


def cdf(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


@pytest.mark.parametrize("gap", GAPS)
def test_win_is_exact_at_any_gap(gap: float) -> None:
    x = mpmath.mpf(gap)
    v = mpmath.npdf(x) / cdf(x)
    found = truncate_above_zero(gap)
    assert abs(found.v / v - 1) < 1e-14
    assert abs(found.variance_left / (1 - v * (v + x)) - 1) < 5e-13
    assert abs(found.log_z / mpmath.log(cdf(x)) - 1) < 1e-13


@pytest.mark.parametrize("margin", [1e-6, 1e-3, 0.1, 0.74, 0.999, 1.001, 2.0, 5.0, 9.0])
@pytest.mark.parametrize("t", [-7.0, -1.0, 1e-3, 0.3, 2.9, 3.1, 6.0, 30.0])
def test_draw_is_exact_at_any_gap(t: float, margin: float) -> None:
    a, b = mpmath.mpf(margin) - mpmath.mpf(t), -mpmath.mpf(margin) - mpmath.mpf(t)
    mass = cdf(a) - cdf(b)
    v = (mpmath.npdf(b) - mpmath.npdf(a)) / mass
    rest = 1 - v * v - (a * mpmath.npdf(a) - b * mpmath.npdf(b)) / mass
    log_z = mpmath.log(mass)
    found = truncate_to_margin(t, margin)
    assert abs(found.v - v) <= 1e-12 * abs(v) + 1e-16
    assert abs(found.variance_left / rest - 1) < 1e-12
    assert abs(found.log_z - log_z) <= 1e-12 * abs(log_z) + 1e-15


@pytest.mark.parametrize("far", [1e3, 457748.0, 1e7])
@pytest.mark.parametrize("product", [2.9, 3.1, 4.6, 12.0])
def test_far_draw_is_exact_for_both_methods(far: float, product: float) -> None:
    """The density over so narrow a window is e^(far·s).

    A distribution in closed form, but for far^−2.
    """
    k, margin = mpmath.mpf(product), mpmath.mpf(product / far)
    mean, var = mpmath.coth(k) - 1 / k, 1 / k**2 - mpmath.csch(k) ** 2
    found = truncate_to_margin(far, float(margin))
    assert found.v + far == pytest.approx(float(margin * mean), rel=1e-5, abs=4e-16 * far)
    assert found.variance_left == pytest.approx(float(margin**2 * var), rel=3e2 / far**2 + 1e-9)


@given(st.floats(-1e6, 1e6), st.floats(0.0, 10.0))
def test_draw_is_symmetric(t: float, margin: float) -> None:
    one, other = truncate_to_margin(t, margin), truncate_to_margin(-t, margin)
    assert one.v == -other.v
    assert one[1:] == other[1:]
    assert one.v * t <= 0.0
    assert 0.0 <= one.variance_left <= 1.0


def test_draw_without_margin_is_exact_tie() -> None:
    assert truncate_to_margin(1.25, 0.0) == (-1.25, 0.0, -math.inf)


def test_far_variance_left_is_inverse_gap() -> None:
    for gap in (1e9, 1e20, 1e100):
        found = truncate_above_zero(-gap)
        assert found.v == pytest.approx(gap, rel=1e-15)
        assert found.variance_left == pytest.approx(gap**-2, rel=1e-14)


@given(st.lists(st.floats(-1e6, 1e6) | st.floats(-10.0, 10.0), min_size=1, max_size=9))
def test_all_at_once_is_each_alone(gaps: list[float]) -> None:
    found = np.array(truncate_all_above_zero(np.array(gaps)))
    assert pytest.approx(np.array([truncate_above_zero(gap) for gap in gaps]), rel=1e-12, abs=1e-300) == found.T
