"""More than two teams: chances and updates against scipy and `trueskill`."""

import math
from collections.abc import Sequence

import pytest
import trueskill
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr
from trueskill2_helpers import LENGTH_S, finished, played, present_player, skill, started

from browser_app.rating.game_round import Player, Stint
from browser_app.rating.trueskill2.team_chances import first_place_chances, many_team_chances, two_team_chances
from browser_app.rating.trueskill2.trueskill2_system import TrueSkillSystem

NUMBER = st.floats(-5.0, 5.0)


Team = tuple[float, float]


def integrand(z: float, mean: float, sd: float, others: Sequence[Team], margin: float) -> float:
    x = mean + sd * z - margin
    below = math.prod(float(ndtr((x - m) / s)) for m, s in others)
    return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) * below


@settings(max_examples=30, deadline=None)
@example([(0.0, 1.0), (0.0, 0.0625), (1.0, 1.0), (5.7e-15, 2.0)], 0.0)
@example([(0.75, 1.25), (-5.0, 0.055)], 0.0)
@given(st.lists(st.tuples(NUMBER, st.floats(0.05, 5.0)), min_size=2, max_size=6), st.floats(0.0, 1.0))
def test_first_place_chances_equal_integral(teams: Sequence[Team], margin: float) -> None:
    found = first_place_chances([mean for mean, _ in teams], [sd for _, sd in teams], margin)
    for a, (mean, sd) in enumerate(teams):
        others = [team for b, team in enumerate(teams) if b != a]
        steps = [(m + reach * s + margin - mean) / sd for m, s in others for reach in (-7.0, 0.0, 7.0)]
        kinks = sorted({round(min(8.0, max(-8.0, step)), 6) for step in steps})  # quad must not miss a narrow team
        expected, _ = quad(integrand, -9.0, 9.0, (mean, sd, others, margin), points=kinks, limit=400, epsabs=1e-11)
        assert found[a] == pytest.approx(expected, abs=1e-9)


@given(NUMBER, NUMBER, st.floats(0.05, 5.0), st.floats(0.05, 5.0), st.floats(0.0, 1.0))
def test_two_teams_equal_closed_form(m: float, n: float, s: float, r: float, margin: float) -> None:
    expected = two_team_chances(m - n, s * s + r * r, margin).first_place
    assert first_place_chances([m, n], [s, r], margin) == pytest.approx(expected, abs=1e-13)


def test_extreme_teams_have_chances() -> None:
    assert first_place_chances([0.0, 1e6, -1e6], [1.0, 1.0, 1e-9], 0.0) == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)


def test_chances_of_extreme_skills_sum_to_one() -> None:
    """A mean of a billion has only seven digits after the point."""
    chances = many_team_chances([[0.3, 0.0, 0.0], [0.0, 0.7, 0.0], [0.0, 0.0, 0.5]], [-1e9] * 3, [1.4] * 3, 1e-3)
    assert chances.first_place[0] <= 1.0
    assert math.fsum(chances.first_place) + chances.draw == pytest.approx(1.0, abs=1e-15)


def test_empty_team_is_ignored() -> None:
    run = started([played(0, ["a", "", "b"])])
    chances = run.forecast(0)
    assert chances is not None
    assert chances.first_place[1] == 0.0
    assert math.fsum(chances.first_place) + chances.draw == pytest.approx(1.0, abs=1e-15)
    assert chances.log_odds[0][2] == pytest.approx(0.0, abs=1e-15)
    assert math.isnan(chances.chance(0, 1))
    run.update(0)
    duel = finished([played(0, ["a", "b"])])
    assert skill(run, "a") == pytest.approx(skill(duel, "a"), abs=1e-12)


def test_pairs_respect_team_changers() -> None:
    turncoat = present_player("c", 0, 0.5)
    game_round = played(0, [["a", turncoat], ["b"], ["d"]])
    chances, pair = started([game_round]).prediction(0), two_team_chances(1.0 + 0.5 - 1.0, 1.4 * 2.25, 1e-3)
    assert chances.log_odds[0][1] == pytest.approx(pair.log_odds[0][1], abs=1e-14)
    assert chances.log_odds[0][1] == -chances.log_odds[1][0]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=3, max_size=5), st.data())
def test_chain_agrees_with_package(sizes: Sequence[int], data: st.DataObject) -> None:
    """Distinct ranks only.

    The package's margin depends on the sizes of two teams, so equal margins need equal sizes.
    """
    ranks = data.draw(st.permutations(range(1, len(sizes) + 1)))
    names = iter("abcdefghijklmnopqrstuvwxyz")
    teams = [[next(names) for _ in range(size)] for size in sizes]
    run = finished([played(0, teams, ranks)], {"draw_margin": 0.0, "gamma2": 0.0}, "classic")
    env = trueskill.TrueSkill(draw_probability=0.0, tau=0.0, backend="scipy")
    rated = env.rate([tuple(env.create_rating() for _ in team) for team in teams], ranks, min_delta=1e-12)
    for team, row in zip(teams, rated, strict=True):
        for name, rating in zip(team, row, strict=True):
            assert skill(run, name) == pytest.approx((rating.mu, rating.sigma), abs=1e-6)


def test_contradictory_round_stays_finite() -> None:
    shares = [("team 0", 0.02757, 0.30131), ("team 1", 0.30131, 0.53774), ("team 2", 0.53774, 0.63313)]
    turncoat = Player("c", [Stint(team, from_ * LENGTH_S, to * LENGTH_S) for team, from_, to in shares])
    game_round = played(0, [[], [], [], ["d", turncoat, "e"]], ranks=(1, 2, 2, 2))
    run = finished([game_round], {"draw_margin": 0.1, "tau2": 1e-4}, kind=TrueSkillSystem)
    for name in ("c", "d", "e"):
        mean, sd = skill(run, name)
        assert math.isfinite(mean)
        assert 0.0 < sd < 10.0
