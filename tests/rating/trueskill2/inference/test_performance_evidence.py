"""Several teams against `trueskill`, and the opponent matrix by hand."""

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest
import trueskill
from brute_force import DEATHS, KILLS, model, opponent_means
from hypothesis import given, settings
from hypothesis import strategies as st
from single_round_inference import infer_round

from browser_app.rating.trueskill2.inference.expectation_propagation import GaussianBelief
from browser_app.rating.trueskill2.inference.performance_evidence import extract_result_evidence, opponent_matrix
from browser_app.rating.trueskill2.inference.round_inference import RoundPosterior
from browser_app.rating.trueskill2.trueskill2_model import ModeModel

pytestmark = pytest.mark.slow

BETA = 25.0 / 6.0
MARGIN = 1.3

Teams = Sequence[Sequence[tuple[float, float]]]
"""Mean and standard deviation of all players."""


def package(teams: Teams, ranks: Sequence[int], weights: Sequence[Sequence[float]]) -> list[tuple[float, float]]:
    """Rate with the package.

    Its margin depends on team sizes, ours does not, and its Φ has an error of 8e-7.
    """

    def margin(_probability: float, _size: float, env: object = None) -> float:
        return MARGIN

    env = trueskill.TrueSkill(beta=BETA, tau=0.0, draw_probability=0.1, backend="mpmath")
    groups = [tuple(env.create_rating(*who) for who in team) for team in teams]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trueskill, "calc_draw_margin", margin)
        rated = env.rate(groups, ranks, [tuple(row) for row in weights], min_delta=1e-13)
    return [(rating.mu, rating.sigma) for team in rated for rating in team]


def ours(teams: Teams, ranks: Sequence[int], weights: Sequence[Sequence[float]]) -> RoundPosterior:
    players = [who for team in teams for who in team]
    shares = np.zeros((len(players), len(teams)))
    i = 0
    for k, row in enumerate(weights):
        for weight in row:
            shares[i, k] = weight
            i += 1
    scale = ModeModel(25.0, 1.0, 0.0, 0.0, BETA**2, MARGIN)
    none = [0.0] * len(players)
    mean, var = [m for m, _ in players], [s * s for _, s in players]
    return infer_round(mean, var, none, shares.tolist(), ranks, scale, [10.0] * len(players))


def assert_same(teams: Teams, ranks: Sequence[int], weights: Sequence[Sequence[float]]) -> None:
    found = ours(teams, ranks, weights)
    for (mean, sd), m, v in zip(package(teams, ranks, weights), found.mean, found.var, strict=True):
        assert m == pytest.approx(mean, abs=1e-6)
        assert math.sqrt(v) == pytest.approx(sd, abs=1e-6)


@pytest.mark.parametrize("ranks", [(0, 1, 2, 3), (2, 0, 3, 1), (0, 0, 1, 1), (1, 0, 0, 0), (0, 0, 0, 0)])
def test_free_for_all_equals_package(ranks: tuple[int, ...]) -> None:
    teams = [[(25.0, 8.3)], [(28.0, 3.0)], [(21.0, 5.0)], [(30.0, 2.0)]]
    assert_same(teams, ranks, [[1.0]] * 4)


@pytest.mark.parametrize("ranks", [(0, 1, 2), (2, 1, 0), (0, 0, 1), (0, 1, 1)])
def test_unequal_sizes_and_presence_equal_package(ranks: tuple[int, ...]) -> None:
    teams = [[(25.0, 8.3), (27.0, 4.0)], [(28.0, 3.0)], [(21.0, 5.0), (24.0, 6.0), (26.0, 1.0)]]
    assert_same(teams, ranks, [[1.0, 0.5], [1.0], [0.25, 1.0, 0.7]])


@pytest.mark.parametrize("ranks", [(0, 1), (1, 0), (0, 0)])
def test_two_teams_equal_package(ranks: tuple[int, int]) -> None:
    teams = [[(25.0, 8.3), (27.0, 4.0)], [(28.0, 3.0), (20.0, 7.0)]]
    assert_same(teams, ranks, [[1.0, 0.5], [1.0, 1.0]])


def test_order_of_teams_does_not_matter() -> None:
    teams, ranks = [[(25.0, 8.0)], [(28.0, 3.0)], [(21.0, 5.0)]], (0, 1, 2)
    first = ours(teams, ranks, [[1.0]] * 3)
    for order in permutations(range(3)):
        found = ours([teams[k] for k in order], [ranks[k] for k in order], [[1.0]] * 3)
        assert found.mean == pytest.approx([first.mean[k] for k in order], abs=1e-9)


def test_draw_without_margin_equalises() -> None:
    """All three tie exactly.

    So the mean performance of each is the same, and its variance a third.
    """
    mean, var = [1.0, 1.6, 0.4], [0.5, 0.5, 0.5]
    found = infer_round(mean, var, [0.0] * 3, np.eye(3).tolist(), (1, 1, 1), model(margin=0.0), [1.0] * 3)
    gain = 0.5 / 1.5
    assert found.mean == pytest.approx([m + gain * (1.0 - m) for m in mean], abs=1e-9)
    assert found.var == pytest.approx([0.5 * (1.0 - gain) + gain**2 * 1.5 / 3.0] * 3, abs=1e-9)


def test_empty_team_is_ignored() -> None:
    present = infer_round([25.0, 20.0], [9.0, 9.0], [0.0] * 2, [[1, 0], [0, 1]], (0, 1), model(), [1.0] * 2)
    also = infer_round([25.0, 20.0], [9.0, 9.0], [0.0] * 2, [[1, 0, 0], [0, 0, 1]], (0, 1, 2), model(), [1.0] * 2)
    assert also == present


def test_evidence_of_all_orders_is_one() -> None:
    """The chances of all six orders of three sum to 1, apart from the chain's error.

    Exact ties are impossible.
    """
    orders = list(permutations((1, 2, 3)))
    evidence = extract_result_evidence(orders, np.array([np.eye(3)] * len(orders)), 0.0)
    log_chances = [
        GaussianBelief(np.array([1.0, 1.4, 0.3]), np.diag([1.4, 1.3, 1.6])).apply_factors(factors)
        for factors in evidence
    ]
    assert sum(map(math.exp, log_chances)) == pytest.approx(1.0, abs=5e-3)


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0.01, 1.0)), min_size=1, max_size=8))
def test_opponent_matrix_of_paper(people: list[tuple[int, float]]) -> None:
    shares = [[share if team == k else 0.0 for k in range(3)] for team, share in people]
    units = np.eye(len(people))
    for i, row in enumerate(opponent_matrix(np.array(shares))):
        assert row == pytest.approx(opponent_means(shares, i, list(units)))


def test_equal_teams_face_mean_of_enemies() -> None:
    against = opponent_matrix(np.array([[1.0, 0.0]] * 3 + [[0.0, 1.0]] * 3))
    assert against == pytest.approx(np.kron([[0.0, 1.0], [1.0, 0.0]], np.full((3, 3), 1.0 / 3.0)))


def test_team_changer_faces_both_teams() -> None:
    against = opponent_matrix(np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]))
    third = 1.0 / 3.0
    assert against == pytest.approx(np.array([[0.0, third, third], [0.5, 0.0, 2 * third], [0.5, 2 * third, 0.0]]))


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False), st.floats(1.0, 1e8))
def test_any_gap_stays_finite(first: int, second: int, chance: object, gap: float) -> None:
    n = first + second
    shares = [[1.0, 0.0]] * first + [[0.0, 1.0]] * second
    mean = [0.0] * first + [gap] * second
    both = model(kills=KILLS, deaths=DEATHS)
    found = infer_round(mean, [0.4] * n, [0.0] * n, shares, (1, 2), both, [10.0] * n, [0.0] * n, [3.0] * n)
    assert all(math.isfinite(value) for value in (*found.mean, *found.var))
    assert all(value > 0.0 for value in found.var)


@given(st.permutations([0, 1, 2, 3]), st.floats(1.0, 1e7))
def test_any_order_stays_finite(ranks: list[int], gap: float) -> None:
    mean = [gap * k for k in range(4)]
    found = infer_round(mean, [0.4] * 4, [0.0] * 4, np.eye(4).tolist(), ranks, model(), [10.0] * 4)
    assert all(math.isfinite(value) for value in (*found.mean, *found.var))
    assert all(value > 0.0 for value in found.var)
