"""Curves of factors: the score's values, the server's point, one more player."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_app.games.game_profile import RankingConstants
from browser_app.ranking.factor_curve import FactorCurve, compute_factor_curve, has_factor_curve
from browser_app.ranking.ranking_inputs import RankingInputs
from browser_app.ranking.score_factors import SCORE_FACTORS
from browser_app.ranking.scored_server import ScoredServer

CURVED = [name for name, factor in SCORE_FACTORS.items() if factor.curve_input is not None]
USUAL = {factor.curve_input.column: 1.0 for factor in SCORE_FACTORS.values() if factor.curve_input} | {
    "players": 9.0, "usable_slots": 24.0, "ping_ms": 62.0, "performance": 8.0, "server_skill": 1800.0,
    "player_skill": 1400.0,
}  # fmt: skip


def scored(**changes: float) -> ScoredServer:
    return ScoredServer.compute(RankingInputs.from_values(**(USUAL | changes)), RankingConstants())


def curve_of(name: str, **changes: float) -> FactorCurve:
    curve = compute_factor_curve(scored(**changes), name)
    assert curve is not None
    return curve


@pytest.mark.parametrize("name", CURVED)
def test_curve_goes_through_server(name: str) -> None:
    curve, column = curve_of(name), SCORE_FACTORS[name].curve_input
    assert column is not None
    assert curve.x[curve.own_index] == USUAL[column.column]
    assert curve.y[curve.own_index] == scored().factors[name]
    assert (np.diff(curve.x) > 0).all()


@given(st.sampled_from(CURVED), st.integers(0, 100))
def test_each_point_is_factor_of_such_server(name: str, place: int) -> None:
    curve, source = curve_of(name), SCORE_FACTORS[name].curve_input
    assert source is not None
    place %= len(curve.x)
    assert curve.y[place] == scored(**{source.column: float(curve.x[place])}).factors[name]


@pytest.mark.parametrize("name", ["players", "skill"])
def test_one_more_player_changes_factor_and_score(name: str) -> None:
    curve, more = curve_of(name), scored(players=10.0)
    assert curve.one_more is not None
    assert (curve.one_more.players, curve.one_more.factor) == (10, more.factors[name])
    assert curve.one_more.score == more.total


def test_last_free_slot_costs_joinable_factor() -> None:
    curve = curve_of("joinable", players=23.0)
    assert curve.one_more is not None
    assert (curve.one_more.factor, curve.y[-1]) == (0.05, 0.05)


@pytest.mark.parametrize("name", ["ping", "performance"])
def test_player_does_not_change_other_factors(name: str) -> None:
    assert curve_of(name).one_more is None


@pytest.mark.parametrize(
    ("name", "changes"),
    [("skill", {"player_skill": np.nan}), ("skill", {"server_skill": np.nan}), ("ping", {"ping_ms": np.nan}),
     ("performance", {"performance": np.nan}), ("favorite", {})],
)  # fmt: skip
def test_factor_that_does_not_apply_has_no_curve(name: str, changes: dict[str, float]) -> None:
    assert not has_factor_curve(scored(**changes), name)
    assert compute_factor_curve(scored(**changes), name) is None


def test_skill_does_not_matter_alone() -> None:
    assert set(curve_of("skill", players=1.0).y) == {1.0}


def test_full_server_has_no_joining_player() -> None:
    assert curve_of("players", players=24.0).one_more is None


def test_outlying_ping_is_on_curve() -> None:
    curve = curve_of("ping", ping_ms=900.0)
    assert curve.x[-1] == 900.0 == curve.x[curve.own_index]
    assert np.diff(curve.x).max() < 10.0


@pytest.mark.parametrize("changes", [{"usable_slots": 1e9}, {"players": 1e9, "usable_slots": 1e9}])
def test_huge_counts_give_few_points(changes: dict[str, float]) -> None:
    assert len(curve_of("players", **changes).x) < 200
