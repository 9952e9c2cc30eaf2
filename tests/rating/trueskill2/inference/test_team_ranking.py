"""Messages along a ranking against expectation propagation with full covariance."""

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browser_app.rating.trueskill2.inference.expectation_propagation import GaussianBelief
from browser_app.rating.trueskill2.inference.likelihood_factors import DirectedFactor, StepFactor, WindowFactor
from browser_app.rating.trueskill2.inference.team_ranking import RankingSites, ranking_derivatives
from browser_app.rating.trueskill2.team_chances import result_derivatives


def full_covariance(
    mean: Sequence[float], var: Sequence[float], ties: Sequence[bool], margin: float
) -> tuple[list[float], list[float]]:
    belief, units = GaussianBelief(np.array(mean), np.diag(np.array(var))), np.eye(len(mean))
    factors = [WindowFactor(margin) if tie else StepFactor(margin) for tie in ties]
    belief.apply_factors([DirectedFactor(units[k] - units[k + 1], factor) for k, factor in enumerate(factors)])
    return belief.mean.tolist(), belief.cov.diagonal().tolist()


@pytest.mark.parametrize("teams", [2, 3, 8, 16])
def test_ranking_equals_full_covariance(teams: int) -> None:
    rng = random.Random(teams)
    for margin in (1e-3, 0.1, 0.7):
        mean = [rng.gauss(0.0, rng.choice((1.0, 10.0))) for _ in range(teams)]
        var = [rng.choice((0.3, 1.4, 2.0, 5.0)) for _ in range(teams)]
        ties = [rng.random() < 0.2 for _ in range(teams - 1)]
        gradient, curvature = ranking_derivatives(mean, var, ties, margin)
        expected_mean, expected_var = full_covariance(mean, var, ties, margin)
        assert [m + v * p for m, v, p in zip(mean, var, gradient, strict=True)] == pytest.approx(
            expected_mean, abs=1e-9
        )
        assert [v - v * v * s for v, s in zip(var, curvature, strict=True)] == pytest.approx(expected_var, rel=1e-9)


def test_two_teams_equal_closed_form() -> None:
    gradient, curvature = ranking_derivatives([1.2, 0.8], [1.4, 2.0], [False], 0.1)
    expected, curve = result_derivatives(0.4, 3.4, 0.1, 1)
    assert gradient == pytest.approx([expected, -expected], rel=1e-14)
    assert curvature == pytest.approx([curve, curve], rel=1e-12)


def test_sites_of_other_prior_lead_to_same_result() -> None:
    var, ties, sites = [1.4, 2.0, 0.9, 1.1], [False, True, False], RankingSites(3)
    ranking_derivatives([3.0, -1.0, 0.5, 0.2], var, ties, 0.1, sites)
    gradient, curvature = ranking_derivatives([1.0, 0.0, 0.4, 0.9], [2.0 * v for v in var], ties, 0.1, sites)
    fresh_gradient, fresh_curvature = ranking_derivatives([1.0, 0.0, 0.4, 0.9], [2.0 * v for v in var], ties, 0.1)
    assert gradient == pytest.approx(fresh_gradient, abs=1e-9)
    assert curvature == pytest.approx(fresh_curvature, abs=1e-9)


@settings(max_examples=25)
@given(st.permutations([0, 1, 2, 3]), st.floats(1.0, 1e8), st.lists(st.booleans(), min_size=3, max_size=3))
def test_any_order_at_any_gap_stays_finite(order: list[int], gap: float, ties: list[bool]) -> None:
    mean = [gap * k for k in order]
    gradient, curvature = ranking_derivatives(mean, [1.4] * 4, ties, 1e-3)
    assert all(map(math.isfinite, (*gradient, *curvature)))
    assert all(0.0 <= 1.4 * s <= 1.0 for s in curvature)
