"""The online run against the reference model, number by number."""

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ns2_helpers import TEAMS, ReferenceModel, full_round, player_field, rounds, run_of, system

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.ns2.ns2_system import NS2System
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.round_prediction import logistic

pytestmark = pytest.mark.slow

ACROSS_TEAMS = Round(
    "0",
    TEAMS,
    [
        Player("a", [Stint("Marines", 0, 400), Stint("Aliens", 500, 700), Stint("Marines", 800, 900)]),
        Player("b", [Stint("Aliens", 0, 900)], [Stint("Aliens", 0, 450)]),
    ],
    0.0,
    900.0,
    (1, 2),
)


@example([ACROSS_TEAMS], 1.0, 0.5, 1e-3, 0.0, True, True, None)
@given(
    rounds(),
    st.floats(0.0, 5.0),
    st.floats(0.0, 5.0),
    st.floats(1e-6, 1.0),
    st.floats(-5.0, 5.0),
    st.booleans(),
    st.booleans(),
    st.none() | st.floats(0.1, 50.0),
)
def test_agrees_with_reference_model(
    history: Sequence[Round],
    c: float,
    a: float,
    epsilon: float,
    start: float,
    per_team: bool,
    chair: bool,
    strength: float | None,
) -> None:
    plain = ReferenceModel(c, a, epsilon, 1200.0, start, per_team, chair, strength)
    run = system(
        c=c, a=a, epsilon=epsilon, start=start, per_team=per_team, chair=chair,
        bias="none" if strength is None else "record", bias_strength=strength or 20.0,
    ).new_run(build_record(history))  # fmt: skip
    for k, game_round in enumerate(history):
        assert run.skip_reason(k) == plain.unrated(game_round)
        if run.skip_reason(k) is None:
            probability = run.prediction(k).probability
            assert probability == pytest.approx(logistic(plain.log_odds(game_round)), abs=1e-12)
            run.update(k)
            plain.update(game_round)
    assert run.rated_players().keys() == plain.players().keys()
    for name, expected in plain.players().items():
        assert run.rated_players()[name] == {
            key: pytest.approx(value, rel=1e-12, abs=50e-12 if key == "points" else 1e-12)
            for key, value in expected.items()
        }


def late_round(number: int, enter: float, *commanders: str) -> Round:
    """Create a round of one against one in the last ten minutes of a very long round."""
    stays = {name: [Stint(team, enter, enter + 600.0)] for name, team in zip("ab", TEAMS, strict=True)}
    players = [Player(name, present, present if name in commanders else ()) for name, present in stays.items()]
    return Round(str(number), TEAMS, players, float(number), enter + 600.0, (1, 2))


@pytest.mark.parametrize("commanders", ["", "a", "ab"])
def test_underflowing_weight_is_absent_term(commanders: str) -> None:
    """650,000 s into a round a weight is below the smallest double."""
    late = late_round(0, 1e6, *commanders)
    run = run_of([late, full_round("a", "b", 1, number=1)], c=1.0, a=0.0, start=0.0)
    assert player_field(run, "a") == pytest.approx(-0.25, rel=1e-15)
    assert (player_field(run, "a", "commander"), player_field(run, "a", "rounds")) == (0.0, 2.0)
    solved = system(k=4.0, theta=5.0).solve(build_record([late]))
    assert [player_field(solved, name) for name in "ab"] == [15.0, 15.0]  # no information on them: (k − 1) θ


def test_late_stay_ignores_other_commanders() -> None:
    """Ten hours into a round all weights are tiny; only their shares count."""
    late = late_round(0, 36000.0)
    alone, beside = run_of([late]), run_of([late, late_round(1, 0.0, "a", "b")])
    assert player_field(alone, "a") > 20.5
    assert player_field(beside, "a") == player_field(alone, "a")


def test_first_round_by_hand() -> None:
    """2 against 2, all present: Σt = 4t, G − p = ½, ∇s = ±1/8.

    c = 1 and a = ½ with √(1/64 + 1/1000).
    """
    run = run_of([full_round("ab", "cd")], start=0.0)
    step = (1.0 + 0.5 / (1 / 64 + 1e-3) ** 0.5) / 8.0
    assert [player_field(run, name) for name in "abcd"] == pytest.approx([step, step, -step, -step], rel=1e-15)
    assert [player_field(run, name, "offset") for name in "abcd"] == pytest.approx([1 / 8] * 4, rel=1e-15)
    assert player_field(run, "a", "adagrad_sum") == pytest.approx(1 / 64, rel=1e-15)
    assert player_field(run, "a", "points") == pytest.approx(50.0 * step, rel=1e-15)


def test_offset_sign_of_second_team() -> None:
    """Winning with one team and losing with the other give one gradient.

    The article, "Per Team Skills").
    """
    run = run_of([full_round("a", "b", 1)])
    assert player_field(run, "a", "offset") == player_field(run, "b", "offset") == pytest.approx(-0.25)


def test_team_rating_adds_offset() -> None:
    """The article: marines s + o, aliens s − o."""
    run = run_of([full_round("a", "b")])
    skill, offset = player_field(run, "a"), player_field(run, "a", "offset")
    assert [run.team_rating(0, 0, team) for team in (0, 1)] == [skill + offset, skill - offset]


def test_offset_has_constant_rate() -> None:
    run = run_of([full_round("a", "b")], c=0.0)
    assert player_field(run, "a") > 0.0
    assert player_field(run, "a", "offset") == 0.0


def test_basic_preset_is_first_formula() -> None:
    """s ← s + T (G − p) t/Σt.

    Commander time is field time; the log-odds are the mean over both teams.
    """
    commander = Round(
        "1",
        TEAMS,
        [
            Player("a", [Stint("Marines", 0, 1200)], [Stint("Marines", 0, 1200)]),
            Player("b", [Stint("Aliens", 0, 1200)]),
        ],
        1.0,
        1200.0,
        (1, 2),
    )
    run = run_of([full_round("a", "b"), commander], "basic", start=0.0)
    first = 0.25
    second = (1.0 - logistic(0.5 * 2.0 * first)) / 2.0
    assert player_field(run, "a") == pytest.approx(first + second, rel=1e-15)
    assert player_field(run, "a", "offset") == player_field(run, "a", "commander") == 0.0


def test_only_commanders_have_no_field_term() -> None:
    players = [
        Player(name, [Stint(team, 0, 600)], [Stint(team, 0, 600)]) for name, team in zip("ab", TEAMS, strict=True)
    ]
    run = run_of([Round("0", TEAMS, players, 0.0, 600.0, (2, 1))], a=0.0, start=0.0)
    assert [player_field(run, "a", key) for key in ("skill", "adagrad_sum", "rounds")] == [0.0, 0.0, 1.0]
    assert player_field(run, "a", "commander") == -player_field(run, "b", "commander") == pytest.approx(-0.25)
    assert player_field(run, "b", "commander_adagrad_sum") == pytest.approx(1 / 16)


def test_epsilon_may_be_zero() -> None:
    """The first step is then a, whatever the gradient.

    Players without a gradient cause no division by zero.
    """
    assert player_field(run_of([full_round("a", "b")], c=0.0, epsilon=0.0), "a") == pytest.approx(20.5, rel=1e-15)
    assert player_field(run_of([full_round("a", "b", None)], epsilon=0.0), "a") == 20.0


def test_forecast_uses_longest_team() -> None:
    """b leaves early, which is not known before the round, and c is on no team."""
    late = Round(
        "1",
        TEAMS,
        [
            Player("a", [Stint("Marines", 0, 1200)], [Stint("Marines", 0, 600)]),
            Player("b", [Stint("Aliens", 0, 30), Stint("Marines", 40, 41)]),
            Player("c"),
            Player("d", [Stint("Aliens", 600, 1200)]),
        ],
        1.0,
        1200.0,
        None,
    )
    run = run_of([full_round("a", "bd"), late], chair="no")
    sides = {
        name: player_field(run, name) + sign * player_field(run, name, "offset")
        for name, sign in (("a", 1), ("b", -1), ("d", -1))
    }
    forecast = run.forecast(1)
    assert forecast is not None
    assert forecast.probability == pytest.approx(logistic((sides["a"] - sides["b"] - sides["d"]) / 3.0), rel=1e-14)
    assert forecast.draw == 0.0


def test_no_forecast_with_empty_team() -> None:
    alone = Round("0", TEAMS, [Player("a", [Stint("Marines", 0, 10)])], 0.0, 10.0, (1, 2))
    empty = Round("1", TEAMS, [Player("a")], 1.0, None)
    run = run_of([alone, empty])
    assert [run.forecast(0), run.forecast(1)] == [None, None]
    assert [run.skip_reason(0), run.skip_reason(1)] == ["one_side_empty", "no_outcome"]
    assert run.rated_players() == {}


def test_three_teams_are_not_rated() -> None:
    players = [Player(name, [Stint(name, 0, 10)]) for name in "xyz"]
    run = run_of([Round("0", "xyz", players, 0.0, 10.0, (1, 2, 3))])
    assert run.skip_reason(0) == "not_two_teams"
    assert run.forecast(0) is None


def test_in_game_preset() -> None:
    """No round under a minute.

    A commander's first seconds weigh most (half-life 40 s).
    """
    short = full_round("a", "b", duration=59.0)
    players = [
        Player("a", [Stint("Marines", 0, 1200)], [Stint("Marines", 0, 40)]),
        Player("b", [Stint("Aliens", 0, 1200)], [Stint("Aliens", 0, 1200)]),
    ]
    minute = full_round("x", "y", number=2, duration=60.0)
    run = run_of([short, Round("1", TEAMS, players, 1.0, 1200.0, (1, 2)), minute], "in-game", a=0.0, start=0.0)
    assert [run.skip_reason(k) for k in range(3)] == ["too_short:60", None, None]
    assert player_field(run, "a", "commander") == pytest.approx(0.5 * 0.5 / (0.5 + 1.0 - 0.5**30), rel=1e-14)


def test_all_modes_share_one_skill() -> None:
    with pytest.raises(ParameterError, match="c: is one for all modes"):
        NS2System(resolve_parameters(NS2System.declared_parameters, file={"modes": {"siege": {"c": 2.0}}}))
    run = run_of([full_round("a", "b")])
    assert run.rating(0, 0).value == run.ratings(0)[0].value == player_field(run, "a")


def test_extreme_skills_do_not_overflow() -> None:
    run = run_of([full_round("a", "b", 1)], start=1e6)
    players = [Player("a", [Stint("Marines", 0, 10)]), Player("b", [Stint("Aliens", 0, 10)]), Player("c")]
    uneven = Round("0", TEAMS, [*players[:2], Player("c", [Stint("Aliens", 0, 10)])], 0.0, 10.0, (2, 1))
    sure = run_of([uneven], start=1e6)
    assert player_field(run, "a") < 1e6 < player_field(run, "b")
    assert player_field(sure, "a") == 1e6
    assert sure.prediction(0).first_place == (0.0, 1.0)
