"""Two teams in closed form against 40 digits and the `trueskill` package."""

import math
from collections.abc import Sequence

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st
from trueskill2_helpers import Given, finished, played, present_player, skill, started

from browser_app.rating.game_round import Round
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System, TrueSkillSystem

SD = 25.0 / 3.0
BETA = 25.0 / 6.0
STEP2 = (25.0 / 300.0) ** 2
TEN_PERCENT = math.sqrt(2.0) * BETA * 0.12566134685507402  # Φ⁻¹(0.55)


def classic(v0: float, margin: float) -> Given:
    return {"v0": v0, "draw_margin": margin, "gamma2": 0.0}


def test_duel_on_classic_scale() -> None:
    run = finished([played(0, ["a", "b"])], classic(SD**2 + STEP2, TEN_PERCENT), "classic")
    assert skill(run, "a") == pytest.approx((29.395831693, 7.17147580701), abs=1e-9)
    assert skill(run, "b") == pytest.approx((20.604168307, 7.17147580701), abs=1e-9)


def test_duel_without_drift() -> None:
    run = finished([played(0, ["a", "b"])], classic(SD**2, TEN_PERCENT), "classic")
    assert skill(run, "a") == pytest.approx((29.3955756508, 7.17114146445), abs=1e-9)


def test_drift_is_added_after_round() -> None:
    given_ = {"draw_margin": TEN_PERCENT}
    run = finished([played(0, ["a", "b"])], given_, "classic")
    assert skill(run, "a")[1] == pytest.approx(math.sqrt(7.17114146445**2 + STEP2), abs=1e-9)


def test_classic_margin_is_one_draw_in_ten() -> None:
    run = started([played(0, ["a", "b"])], {"v0": 0.0}, "classic")
    assert run.prediction(0).draw == pytest.approx(0.1, abs=1e-7)


def test_drawn_duel() -> None:
    run = finished([played(0, ["a", "b"], (1, 1))], classic(SD**2 + STEP2, TEN_PERCENT), "classic")
    assert skill(run, "a") == pytest.approx((25.0, 6.45751568325), abs=1e-9)


def test_two_against_two() -> None:
    run = finished([played(0, ["ab", "cd"])], classic(SD**2 + STEP2, 0.0), "classic")
    assert skill(run, "a") == pytest.approx((27.9737186012, 7.78513882789), abs=1e-9)
    assert skill(run, "a") == skill(run, "b")


def test_presence_for_quarter() -> None:
    game_round = played(0, [["a", present_player("late", 0, 0.25)], "bc"])
    run = started([game_round], {"gamma2": 0.0}, "halo5")
    before = run.prediction(0)
    run.update(0)
    assert before.first_place[0] == pytest.approx(0.212516341965, abs=1e-11)
    assert before.probability == pytest.approx(0.2125600776961, abs=1e-11)
    assert skill(run, "a") == pytest.approx((3.77433626341, 1.16217525543), abs=1e-9)
    assert skill(run, "late") == pytest.approx((3.19358406585, 1.25873575772), abs=1e-9)
    assert skill(run, "b") == pytest.approx((2.22566373659, 1.16217525543), abs=1e-9)


PEOPLE = "abcdefgh"
SeasonRound = tuple[list[list[str]], list[float], int]


@st.composite
def seasons(draw: st.DrawFn) -> list[SeasonRound]:
    """Draw rounds of two teams, with shares of play time and an outcome each."""
    season = []
    for _ in range(draw(st.integers(1, 8))):
        players = draw(st.permutations(PEOPLE))
        cut, end = draw(st.integers(1, 3)), draw(st.integers(4, 8))
        shares = draw(st.lists(st.sampled_from([0.1, 0.5, 1.0]), min_size=8, max_size=8))
        season.append(([players[:cut], players[cut:end]], shares, draw(st.sampled_from([1, -1, 0]))))
    return season


def as_match(number: int, teams: Sequence[Sequence[str]], shares: Sequence[float], outcome: int) -> Round:
    rows = [[present_player(who, i, shares[PEOPLE.index(who)]) for who in team] for i, team in enumerate(teams)]
    return played(number, rows, {1: (1, 2), -1: (2, 1), 0: (1, 1)}[outcome])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    seasons(), st.sampled_from(["shooter", "halo5", "classic"]), st.sampled_from([TrueSkillSystem, TrueSkill2System])
)
def test_season_agrees_with_package(season: Sequence[SeasonRound], preset: str, kind: type[TrueSkill2System]) -> None:
    """With scipy's normal distribution; the package's own is precise to 8e-7 only."""
    run = finished((as_match(i, *round_) for i, round_ in enumerate(season)), {"tau2": 0.0}, preset, kind)
    number = run_number(preset)
    ratings = dict.fromkeys(PEOPLE, trueskill.Rating(number["m0"], math.sqrt(number["v0"])))
    for teams, shares, outcome in season:
        ratings |= by_package(number, ratings, teams, shares, outcome)
    for name in run.record.player_ids:
        mean, sd = skill(run, name)
        assert mean == pytest.approx(ratings[name].mu, abs=1e-8)
        assert sd == pytest.approx(ratings[name].sigma, abs=1e-8)


def run_number(preset: str) -> dict[str, float]:
    values = TrueSkill2System.presets[preset]
    return {name: float(str(values[name])) for name in ("m0", "v0", "beta", "gamma2", "draw_margin")}


def by_package(
    number: dict[str, float],
    ratings: dict[str, trueskill.Rating],
    teams: Sequence[Sequence[str]],
    shares: Sequence[float],
    outcome: int,
) -> dict[str, trueskill.Rating]:
    """Rate one round.

    The package defines its margin by the chance of a draw between so many equals.
    """
    players = sum(map(len, teams))
    draw = math.erf(number["draw_margin"] / (math.sqrt(2.0 * players) * number["beta"]))
    env = trueskill.TrueSkill(number["m0"], 1.0, number["beta"], 0.0, draw, backend="scipy")
    groups = [tuple(ratings[who] for who in team) for team in teams]
    weights = [tuple(shares[PEOPLE.index(who)] for who in team) for team in teams]
    ranks = {1: [0, 1], -1: [1, 0], 0: [0, 0]}[outcome]
    rated = env.rate(groups, ranks, weights, min_delta=1e-12)
    return {
        who: trueskill.Rating(rating.mu, math.sqrt(rating.sigma**2 + number["gamma2"]))
        for team, row in zip(teams, rated, strict=True)
        for who, rating in zip(team, row, strict=True)
    }
