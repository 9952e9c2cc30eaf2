"""Plackett–Luce rankings against the posterior by quadrature and sampling."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.rating.record.round_record import Floats
from browser_app.rating.xonstat.plackett_luce import plackett_luce_derivatives


def sample_derivatives(mean: Sequence[float], var: Sequence[float]) -> tuple[Floats, Floats]:
    """Return both derivatives by importance sampling of the posterior, to about 1 %."""
    rng, prior, variances = np.random.default_rng(1), np.array(mean), np.array(var)
    strengths = prior + rng.standard_normal((200_000, len(prior))) * np.sqrt(variances)
    left = np.log(np.cumsum(np.exp(strengths)[:, ::-1], axis=1)[:, ::-1])
    weights = np.exp((strengths - left).sum(axis=1))
    weights /= weights.sum()
    posterior = weights @ strengths
    posterior_var = weights @ (strengths - posterior) ** 2
    return (posterior - prior) / variances, (1.0 - posterior_var / variances) / variances


@pytest.mark.parametrize(
    ("mean", "var"),
    [
        ((0.0, 0.0), (2.0, 2.0)),
        ((0.0,) * 8, (2.0,) * 8),
        ((1.0, 0.0, -1.0, 0.0, 0.5, -0.3), (0.3, 1.0, 0.05, 2.0, 0.4, 0.1)),
        ((-1.0, 1.0, 0.0), (0.2, 0.2, 0.2)),
    ],
)
def test_derivatives_are_those_of_sampled_posterior(mean: tuple[float, ...], var: tuple[float, ...]) -> None:
    gradient, curvature = plackett_luce_derivatives(mean, var, (False,) * (len(mean) - 1))
    sampled_gradient, sampled_curvature = sample_derivatives(mean, var)
    assert gradient == pytest.approx(sampled_gradient, abs=0.03)
    assert curvature == pytest.approx(sampled_curvature, rel=0.3)  # taken at the mean, so a little too much


@pytest.mark.parametrize("gap", [-1.0, 0.0, 2.0])
def test_small_variances_give_the_chances(gap: float) -> None:
    chance = 1.0 / (1.0 + math.exp(-gap))
    gradient, curvature = plackett_luce_derivatives([gap, 0.0], [1e-6, 1e-6], [False])
    assert gradient == pytest.approx([1.0 - chance, chance - 1.0], rel=1e-5)
    assert curvature == pytest.approx([chance * (1.0 - chance)] * 2, rel=1e-5)


def test_level_players_share_their_places() -> None:
    """With equal strengths that is exact: the mean over all orders of them."""
    var = [1e-9] * 3
    one, _ = plackett_luce_derivatives([0.7, 0.7, 0.1], var, [False, False])
    level, _ = plackett_luce_derivatives([0.7, 0.7, 0.1], var, [True, False])
    mean_of_both = [(one[0] + one[1]) / 2, (one[0] + one[1]) / 2, one[2]]
    assert level == pytest.approx(mean_of_both, abs=1e-6)
    everybody, curvature = plackett_luce_derivatives([0.0] * 4, [1.0] * 4, [True] * 3)
    assert everybody == pytest.approx([0.0] * 4, abs=1e-12)
    assert min(curvature) > 0.0


@given(
    st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(1e-6, 1e4), st.booleans()), min_size=2, max_size=12),
)
def test_any_ranking_has_bounded_derivatives(players: list[tuple[float, float, bool]]) -> None:
    """Information never is negative, and leaves some of the variance."""
    mean, var, ties = zip(*players, strict=True)
    gradient, curvature = plackett_luce_derivatives(mean, var, ties[:-1])
    assert all(math.isfinite(each) for each in (*gradient, *curvature))
    assert all(0.0 <= each < 1.0 / own for each, own in zip(curvature, var, strict=True))


def test_first_moves_up_and_last_down() -> None:
    gradient, _ = plackett_luce_derivatives([0.0] * 6, [1.0] * 6, [False] * 5)
    assert all(before > after for before, after in pairwise(gradient))
    assert gradient[0] > 0.0 > gradient[-1]
