"""Properties 1 to 6 of the model that the article promises."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ns2_helpers import TEAMS, full_round, player_field, run_of, system

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.record.record_builder import build_record

NS2_START = 20.0
"""The shipped skill of a newcomer: 1,000 points."""
CROWD = "abcdefghijklmnopqrstuvwxyz"


def test_1_expected_wins_change_little() -> None:
    """After many rounds won by one team its next win changes almost nothing.

    Its first loss changes much.
    """
    history = [full_round("ab", "cd", number=k) for k in range(400)]
    before = run_of(history)
    certain = before.prediction(399).probability
    assert certain is not None
    assert certain > 0.98
    won, lost = (run_of([*history, full_round("ab", "cd", winner, number=400)]) for winner in (0, 1))
    assert 0.0 < player_field(won, "a") - player_field(before, "a") < 0.03
    assert player_field(lost, "a") - player_field(before, "a") < -0.3


@given(st.floats(0, 1e3), st.floats(0, 1e3), st.floats(-1e3, 1e4), st.booleans())
def test_2_only_outcome_counts(kills: float, deaths: float, score: float, quits: bool) -> None:
    plain = full_round("ab", "cd")
    busy = [replace(p, kills=kills, deaths=deaths, score=score, quit=quits, squad="s") for p in plain.players]
    assert run_of([replace(plain, players=busy)]).rated_players() == run_of([plain]).rated_players()


def _joined(enter: float, duration: float = 1200.0) -> Round:
    """Create a round in which a joins the losing first team late.

    b, c and d are present all the time.
    """
    whole = full_round("bx", "cd", 1, duration=duration)
    a = Player("a", [Stint(TEAMS[0], enter, duration)])
    return replace(whole, players=[*(p for p in whole.players if p.id != "x"), a])


@given(st.floats(0.0, 1140.0), st.floats(0.0, 1140.0))
def test_3_late_join_loses_little(one: float, other: float) -> None:
    """The last minute of twenty costs less than 4 % of the round."""
    early, late = sorted((one, other))
    costs = [-player_field(run_of([_joined(enter)], "basic", start=0.0), "a") for enter in (0.0, early, late, 1140.0)]
    assert costs == sorted(costs, reverse=True)
    assert costs[3] < 0.04 * costs[0]


def test_3_first_half_counts_double() -> None:
    half, rest = ([Stint(TEAMS[0], a, b)] for a, b in ((0.0, 600.0), (600.0, 1200.0)))
    for duration in (1200.0, 4000.0):  # independent of the round's length
        whole = full_round("", "c", duration=duration)
        run = run_of([replace(whole, players=[Player("a", half), Player("b", rest), *whole.players])], "basic")
        gains = [player_field(run, name) - NS2_START for name in "ab"]
        assert gains[0] == pytest.approx(2.0 * gains[1], rel=1e-9)


def _newcomers_chance(first: int, second: int, preset: str = "blog", **given: object) -> float:
    """Return the first team's chance where nobody has played before."""
    record = build_record([full_round(CROWD[:first], CROWD[first : first + second])])
    chance = system(preset, **given).new_run(record).prediction(0).probability
    assert chance is not None
    return chance


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.1, 30.0))
def test_4_larger_team_is_favoured(first: int, second: int, start: float) -> None:
    expected = _newcomers_chance(first, second, start=start)
    if first == second:
        assert expected == pytest.approx(0.5, abs=1e-14)
    else:
        assert (expected > 0.5) == (first > second)


@pytest.mark.parametrize("preset", list(NS2System.presets))
@pytest.mark.parametrize(("first", "second"), [(2, 1), (8, 4), (8, 7)])
def test_4_holds_with_shipped_parameters(preset: str, first: int, second: int) -> None:
    """logit p = 20 (n₁ − n₂) / (n₁ + n₂) with everybody at 1,000 points."""
    odds = math.exp(NS2_START * (first - second) / (first + second))
    assert _newcomers_chance(first, second, preset) == pytest.approx(odds / (1.0 + odds), rel=1e-12)
    assert _newcomers_chance(second, first, preset) == pytest.approx(1.0 / (1.0 + odds), rel=1e-9)


@given(st.integers(1, 12))
def test_5_larger_rounds_change_less(size: int) -> None:
    small, large = (run_of([full_round(CROWD[:n], CROWD[13 : 13 + n])], "basic", start=0.0) for n in (size, size + 1))
    assert 0.0 < player_field(large, "a") < player_field(small, "a")
    assert player_field(small, "a") == pytest.approx(0.25 / size)


def test_6_best_player_should_join_underdogs() -> None:
    """a and x are far better than the others.

    a's side is favoured, then even but for a, then the underdog.
    """
    history = [full_round("ax", "gh", number=k) for k in range(100)]
    before = run_of(history)
    gains = [
        player_field(run_of([*history, full_round(first, second, number=100)]), "a") - player_field(before, "a")
        for first, second in (("ax", "gh"), ("ag", "hb"), ("ag", "xb"))
    ]
    assert player_field(before, "a") > 1.0
    assert 0.0 < gains[0] < gains[1] < gains[2]
