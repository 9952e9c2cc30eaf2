"""Inference of one round against quadrature: exact, or close where approximate."""

from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest
from brute_force import DEATHS, KILLS, QUITS, InferenceCase, exact_posterior, largest_error, model

from browser_app.rating.trueskill2.trueskill2_model import CountModel, QuitModel

pytestmark = pytest.mark.slow

Shares: TypeAlias = tuple[tuple[float, float], ...]

DUEL = ((1.0, 0.0), (0.0, 1.0))
TWO_ONE = ((1.0, 0.0), (0.8, 0.0), (0.0, 1.0))
TWO_TWO = ((1.0, 0.0), (0.6, 0.0), (0.0, 1.0), (0.0, 0.9))
COUNTED = model(kills=KILLS, deaths=DEATHS)
ALL = model(kills=KILLS, deaths=DEATHS, quits=QUITS)
RESULTS = [(1, 2), (2, 1), (1, 1)]


@pytest.mark.parametrize("ranks", RESULTS)
def test_duel_without_extras(ranks: tuple[int, int]) -> None:
    case = InferenceCase(model(), [1.2, 0.8], [0.4, 0.3], DUEL, ranks)
    true = exact_posterior(case, 0.2)
    assert largest_error(case.inferred(), true) < 1e-12


@pytest.mark.parametrize("ranks", RESULTS)
@pytest.mark.parametrize("margin", [1e-3, 0.5])
def test_positive_counts_are_exact(ranks: tuple[int, int], margin: float) -> None:
    case = InferenceCase(
        replace(COUNTED, draw_margin=margin),
        [1.2, 0.8, 1.5],
        [0.4, 0.3, 0.5],
        TWO_ONE,
        ranks,
        minutes=[10.0, 8.0, 10.0],
        shift=[0.1, 0.1, 0.0],
        kills=[6.0, 9.0, 7.0],
        deaths=[7.0, None, 3.0],
    )
    true = exact_posterior(case, 0.15)
    assert largest_error(case.inferred(), true) < 1e-10


@pytest.mark.parametrize("ranks", RESULTS)
def test_all_kinds_of_counts_are_exact(ranks: tuple[int, int]) -> None:
    counted = model(
        kills=KILLS,
        deaths=DEATHS,
        score=CountModel(8.0, -3.0, 90.0, 20.0),
        assists=CountModel(0.2, 0.1, 0.7),
        objectives=CountModel(0.1, -0.05, 0.3, 0.1),
    )
    case = InferenceCase(
        counted,
        [1.2, 0.8, 1.5],
        [0.4, 0.3, 0.5],
        TWO_ONE,
        ranks,
        kills=[6.0, 9.0, 7.0],
        deaths=[7.0, None, 3.0],
        score=[250.0, 180.0, 240.5],
        assists=[3.0, None, 1.0],
        objectives=[1.0, 2.0, None],
    )
    true = exact_posterior(case, 0.15)
    assert largest_error(case.inferred(), true) < 1e-10
    without = replace(case, score=(), assists=(), objectives=())
    assert largest_error(case.inferred(), without.inferred()) > 0.01


def test_negative_score_counts_as_zero() -> None:
    scored = model(score=CountModel(8.0, -3.0, 90.0, 20.0))
    zero, below = (
        InferenceCase(scored, [1.2, 0.8], [0.4, 0.3], DUEL, score=[lowest, 50.0]).inferred() for lowest in (0.0, -7.0)
    )
    assert zero == below


def test_counts_of_two_against_two_are_exact() -> None:
    mean, var = [1.2, 0.8, 1.5, 1.0], [0.4, 0.3, 0.5, 0.4]
    counts = {"kills": [6.0, 9.0, 7.0, 1.0], "deaths": [7.0, 11.0, None, 4.0]}
    case = InferenceCase(COUNTED, mean, var, TWO_TWO, (2, 1), minutes=[10.0, 6.0, 10.0, 9.0], **counts)  # type: ignore[arg-type]
    assert largest_error(case.inferred(), exact_posterior(case, 0.35)) < 1e-7


@pytest.mark.parametrize("ranks", RESULTS)
@pytest.mark.parametrize("var", [[0.4, 0.3, 0.5], [1.2, 0.1, 0.9]])
def test_zero_counts_within_thousandth(ranks: tuple[int, int], var: list[float]) -> None:
    zeros = {"kills": [0.0, 0.0, 7.0], "deaths": [7.0, None, 0.0]}
    case = InferenceCase(COUNTED, [1.2, 0.8, 1.5], var, TWO_ONE, ranks, minutes=[6.0, 4.0, 6.0], **zeros)  # type: ignore[arg-type]
    true = exact_posterior(case, 0.2)
    assert largest_error(case.inferred(), true) < 1e-3


def test_zero_count_is_censored() -> None:
    """The worse a player is expected to be, the less evidence a zero is.

    A plain observation would be evidence.
    """
    duel = InferenceCase(
        model(kills=KILLS), [-8.0, 1.0], [0.4, 0.4], DUEL, (2, 1), minutes=[2.0, 2.0], kills=[0.0, None]
    )
    unknown = replace(duel, kills=[None, None])
    assert duel.inferred().mean[0] == pytest.approx(unknown.inferred().mean[0], abs=0.01)
    assert replace(duel, kills=[1e-9, None]).inferred().mean[0] > unknown.inferred().mean[0] + 0.2


@pytest.mark.parametrize("ranks", RESULTS)
@pytest.mark.parametrize("quits", [[True, False, False], [True, None, True], [True, True, True]])
@pytest.mark.parametrize("mean", [[1.2, 0.8, 1.5], [2.6, 0.8, 1.5]])
def test_quits_within_eight_thousandths(ranks: tuple[int, int], quits: list[bool], mean: list[float]) -> None:
    case = InferenceCase(model(quits=QUITS), mean, [0.4, 0.3, 0.5], TWO_ONE, ranks, quits=quits)
    assert largest_error(case.inferred(), exact_posterior(case, 0.3)) < 8e-3


@pytest.mark.parametrize("mean", [[1.2, 0.8, 1.5], [2.6, 0.8, 1.5]])
def test_quits_and_finishes_within_six_hundredths(mean: list[float]) -> None:
    whole = model(quits=replace(QUITS, finishing_counts=True))
    case = InferenceCase(whole, mean, [0.4, 0.3, 0.5], TWO_ONE, (1, 2), quits=[True, False, False])
    assert largest_error(case.inferred(), exact_posterior(case, 0.3)) < 6e-2


def test_duel_with_quit_is_nearly_exact() -> None:
    case = InferenceCase(ALL, [1.2, 0.8], [0.4, 0.3], DUEL, (1, 2), quits=[True, False], kills=[5.0, 0.0])
    true = exact_posterior(case, 0.1)
    assert largest_error(case.inferred(), true) < 1e-3


def test_finishing_is_no_evidence() -> None:
    case = InferenceCase(model(quits=QUITS), [1.2, 0.8], [0.4, 0.3], DUEL, quits=[False, False])
    assert case.inferred() == replace(case, quits=[]).inferred()


def test_quit_in_draw_without_margin_is_limit() -> None:
    none, small = (
        InferenceCase(model(margin, quits=QUITS), [1.2, 0.8], [0.4, 0.3], DUEL, (1, 1), quits=[True, False]).inferred()
        for margin in (0.0, 1e-9)
    )
    assert none.mean == pytest.approx(small.mean, abs=1e-9)
    assert none.var == pytest.approx(small.var, abs=1e-9)


@pytest.mark.parametrize("quitters", [6, 7])
def test_many_quits_at_once(quitters: int) -> None:
    """Seven are more than are split into branches. All are equal, and none is certain."""
    n = 2 * quitters
    share = [[1.0, 0.0]] * quitters + [[0.0, 1.0]] * quitters
    case = InferenceCase(model(quits=QUITS), [1.0] * n, [0.4] * n, share, quits=[True] * quitters + [None] * quitters)
    found, unknown = case.inferred(), replace(case, quits=[]).inferred()
    assert all(a < b for a, b in zip(found.mean[:quitters], unknown.mean[:quitters], strict=True))
    assert np.ptp(found.mean[:quitters]) < 1e-8
    assert all(0.1 < v < 0.45 for v in found.var)


@pytest.mark.parametrize("shares", [((0.3, 0.0), (0.0, 1.0)), ((1.0, 0.0), (0.0, 0.5)), DUEL])
@pytest.mark.parametrize("ranks", RESULTS)
@pytest.mark.parametrize("quits", [QuitModel(-0.6, 0.5, 0.06, 0.8), QuitModel(-1.0, 0.2, 0.01, 0.5)])
def test_one_quit_is_exact(shares: Shares, ranks: tuple[int, int], quits: QuitModel) -> None:
    """Expectation propagation would be up to 0.04 off."""
    case = InferenceCase(model(quits=quits), [3.0, 3.0], [1.6, 1.6], shares, ranks, quits=[True, None])
    assert largest_error(case.inferred(), exact_posterior(case, 0.02)) < 1e-6


@pytest.mark.parametrize("ranks", RESULTS)
def test_one_zero_count_is_exact(ranks: tuple[int, int]) -> None:
    deaths = CountModel(wp=-0.1, wo=0.1, v=0.3)
    case = InferenceCase(
        model(deaths=deaths), [1.0, 1.0], [1.0, 1.0], DUEL, ranks, minutes=[20.0, 20.0], deaths=[None, 0.0]
    )
    assert largest_error(case.inferred(), exact_posterior(case, 0.02)) < 1e-6
