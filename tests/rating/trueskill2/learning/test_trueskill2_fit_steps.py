"""Each step of the fit against a simulation with known parameters."""

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from learning_helpers import default_parameters, played, present_player, shooter, simulate_known_model

from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.learning.count_fit import (
    MIN_COUNTS,
    CountShape,
    CountUnit,
    measure_count_units,
    resolve_count_parameters,
)
from browser_app.rating.trueskill2.learning.parameter_candidate import ExperienceCurve
from browser_app.rating.trueskill2.learning.quit_fit import fit_quit_parameters
from browser_app.rating.trueskill2.trueskill2_model import CountModel, QuitModel

pytestmark = pytest.mark.slow

SHAPES = st.builds(CountShape, *[st.floats(0.0, 2.0)] * 2, st.floats(-1.0, 3.0))


def test_count_units_by_hand() -> None:
    """10 minutes with 20 and 30 kills, 5 with 5; the last player's are unknown."""
    players = [
        present_player("a", 0, kills=20.0),
        present_player("b", 0, kills=30.0),
        present_player("c", 1, 0.5, kills=5.0),
        present_player("d", 1),
    ]
    known = measure_count_units(build_record([replace(played(0, [[], []]), players=players)]))
    rate = 55.0 / 25.0
    variance = ((20 - rate * 10) ** 2 / 10 + (30 - rate * 10) ** 2 / 10 + (5 - rate * 5) ** 2 / 5) / 3
    assert known == {"kill": pytest.approx(CountUnit(rate, variance, math.sqrt(variance / (25.0 / 3.0))))}


def test_small_mode_has_no_own_units() -> None:
    few = simulate_known_model(
        default_parameters(kills=CountModel(0.3, -0.2, 0.5, 1.0)), rounds=MIN_COUNTS // 8 - 1, sizes=(4, 4)
    )
    assert measure_count_units(few, 0) == {}
    assert set(measure_count_units(few)) == {"kill"}


@given(SHAPES, SHAPES, st.floats(-3.0, 3.0), st.floats(0.1, 10.0))
def test_mean_skill_has_mean_count(kills: CountShape, deaths: CountShape, mean: float, beta: float) -> None:
    known = {"kill": CountUnit(2.5, 3.0, 0.55), "death": CountUnit(2.0, 2.0, 0.4)}
    found = resolve_count_parameters({"kill": kills, "death": deaths}, known, mean, beta)
    for kind, sign in (("kill", 1.0), ("death", -1.0)):
        wp, wo, b = (found[f"{kind}_{name}"] for name in ("wp", "wo", "b"))
        assert isinstance(wp, float)
        assert isinstance(wo, float)
        assert isinstance(b, float)
        assert (wp + wo) * mean + b == pytest.approx(known[kind].rate)
        assert sign * wp >= 0.0
        assert sign * wo <= 0.0


@given(st.floats(1e-3, 0.5).flatmap(lambda gain: st.sampled_from((gain, -gain))), st.floats(0.1, 500.0))
def test_experience_gain_falls_to_zero(first: float, matches: float) -> None:
    gains = ExperienceCurve(first, math.log10(matches)).offsets(1.0)
    assert gains[0] == first
    assert gains[-1] == 0.0
    assert len(gains) <= 201
    assert all(abs(b) <= abs(a) for a, b in pairwise(gains))
    if len(gains) > 3:
        assert gains[2] / gains[1] == pytest.approx(math.exp(-1.0 / matches), rel=1e-6)


def test_quit_parameters_are_found() -> None:
    truth = QuitModel(m=-1.0, v=0.5, pu=0.03, pr=0.6)
    found = fit_quit_parameters(simulate_known_model(default_parameters(quits=truth), rounds=3000), shooter(), 1.0)
    assert found["quit_m"] == pytest.approx(truth.m, abs=0.3)
    assert found["quit_pu"] == pytest.approx(truth.pu, abs=0.02)
    assert found["quit_pr"] == pytest.approx(truth.pr, abs=0.1)


def test_random_quits_are_no_evidence() -> None:
    assert (
        fit_quit_parameters(
            simulate_known_model(default_parameters(quits=QuitModel(-1.0, 0.5, 0.2, 0.0))), shooter(), 1.0
        )
        == {}
    )


def test_few_quits_are_not_enough() -> None:
    assert (
        fit_quit_parameters(
            simulate_known_model(default_parameters(quits=QuitModel(-1.0, 0.5, 0.03, 0.6)), rounds=20), shooter(), 1.0
        )
        == {}
    )
