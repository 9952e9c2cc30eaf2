"""Skills between and after rounds.

Idle time, experience, modes, base skill, eligibility.
"""

import math
from typing import Any

import pytest
from single_round_inference import infer_round
from trueskill2_helpers import BEGIN_S, LENGTH_S, finished, played, present_player, skill, started

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.trueskill2.trueskill2_model import CountModel, ModeModel, QuitModel
from browser_app.rating.trueskill2.trueskill2_system import TrueSkill2System, TrueSkillSystem

DUEL = played(0, ["a", "b"])


def test_idle_time_is_between_rounds() -> None:
    given = {"tau2": 0.01, "gamma2": 0.0}
    minutes = 30.0
    again = played(1, ["a", "b"], started=BEGIN_S + LENGTH_S + 60.0 * minutes)
    run = started([DUEL, again], given)
    run.update(0)
    var = skill(run, "a")[1] ** 2
    mean = skill(run, "a")[0] - skill(run, "b")[0]
    expected = 0.5 * math.erfc((1e-3 - mean) / math.sqrt(2.0 * (2.0 * (var + 0.01 * minutes) + 2.0)))
    assert run.prediction(1).first_place[0] == pytest.approx(expected, abs=1e-14)
    assert skill(run, "a")[1] ** 2 == var


def test_overlapping_rounds_have_no_idle_time() -> None:
    again = played(1, ["a", "b"], started=BEGIN_S + 1.0)
    assert skill(finished([DUEL, again], {"tau2": 0.5}), "a") == skill(finished([DUEL, again], {"tau2": 0.0}), "a")


def test_experience_is_per_mode() -> None:
    given = {"experience_offset": "0.5, 0.25, 0.125", "v0": 0.0, "gamma2": 0.0, "tau2": 0.0, "m0": 0.0}
    rounds = [played(i, ["a", "b"], mode="x") for i in range(5)] + [played(9, ["a", "b"], mode="y")]
    run = finished(rounds, given)
    assert skill(run, "a", "x")[0] == 0.5 + 0.25 + 3 * 0.125
    assert skill(run, "a", "y")[0] == 0.5


def test_squad_counts_same_team() -> None:
    given = {"squad_offset": [0.0, 0.3, 0.4], "draw_margin": 0.0}
    own = [present_player(name, 0, 1.0, squad="s") for name in "abcd"]
    others: list[str | Player] = [
        present_player("e", 1, 1.0, squad="s"),
        present_player("f", 1, 1.0, squad="t"),
        present_player("g", 1, 1.0, squad="t"),
        "h",
    ]
    run = started([played(0, [own, others])], given)
    t = 4 * 0.4 - 2 * 0.3
    expected = 0.5 * math.erfc(-t / math.sqrt(2.0 * 8 * 1.4))
    forecast = run.forecast(0)
    assert run.prediction(0).probability == pytest.approx(expected, abs=1e-14)
    assert forecast is not None
    assert forecast.probability == pytest.approx(expected, abs=1e-14)


def test_team_changer_counts_with_difference() -> None:
    turncoat = Player("b", [Stint("team 0", 0.0, 450.0), Stint("team 1", 450.0, 600.0)])
    game_round = played(0, [["a", turncoat], ["c"]])
    run = finished([game_round], {"gamma2": 0.0})
    half = finished([played(0, [["a", present_player("b", 0, 0.5)], ["c"]])], {"gamma2": 0.0})
    assert skill(run, "b") == pytest.approx(skill(half, "b"), abs=1e-15)
    full = started([played(0, ["ab", "c"])]).prediction(0)
    assert started([game_round]).forecast(0) == full


def test_equal_time_on_both_teams_learns_nothing() -> None:
    torn = Player("a", [Stint("team 0", 0.0, 300.0), Stint("team 1", 300.0, 600.0)])
    run = finished([played(0, [[torn], []])], {"gamma2": 0.0})
    assert skill(run, "a") == (1.0, math.sqrt(0.4))
    assert run.prediction(0).probability == 0.5


def test_base_skill_moves_other_modes() -> None:
    base: dict[str, object] = {"base_v": 0.3, "base_w": 0.8, "mode_m": 2.0, "mode_v": 0.2, "base_gamma2": 0.01}
    run = finished([played(0, ["a", "b"], mode="x"), played(1, ["c", "d"], mode="y")], base)
    total = 0.8**2 * 0.3 + 0.2
    alone = finished([DUEL], {"m0": 2.0, "v0": total, "gamma2": 0.0})
    change, left = skill(alone, "a")[0] - 2.0, skill(alone, "a")[1] ** 2
    base_gain, own_gain = 0.8 * 0.3 / total, 0.2 / total
    base_var = 0.3 - base_gain**2 * (total - left) + 0.01
    own_var = 0.2 - own_gain**2 * (total - left) + 1e-3
    assert skill(run, "a", "x") == pytest.approx((2.0 + change, math.sqrt(0.64 * base_var + own_var)), abs=1e-13)
    other = (2.0 + 0.8 * base_gain * change, math.sqrt(0.64 * base_var + 0.2))
    assert skill(run, "a", "y") == pytest.approx(other, abs=1e-13)


def test_base_and_offset_idle_separately() -> None:
    base = {"base_v": 0.3, "base_tau2": 0.01, "tau2": 0.001, "gamma2": 0.0}
    rounds = [played(i, ["a", "b"], mode=mode) for i, mode in enumerate("xyx")]
    run = started(rounds, base)
    run.update(0)
    run.update(1)
    idle = (3600.0 - LENGTH_S) / 60.0
    gap = skill(run, "a", "x")[0] - skill(run, "b", "x")[0]
    var = skill(run, "a", "x")[1] ** 2 + 0.01 * idle + 0.001 * (2 * 60.0 - LENGTH_S / 60.0)
    expected = 0.5 * math.erfc((1e-3 - gap) / math.sqrt(2.0 * (2.0 * var + 2.0)))
    assert run.prediction(2).first_place[0] == pytest.approx(expected, abs=1e-13)


def test_overall_rating_or_main_mode() -> None:
    rounds = [played(0, ["a", "b"], mode="x"), *(played(i, ["b", "a"], mode="y") for i in (1, 2, 3))]
    two: Any = finished(rounds).rated_players()["a"]
    one: Any = finished(rounds, kind=TrueSkillSystem).rated_players()["a"]
    x, y = two["modes"]["x"], two["modes"]["y"]
    assert two["modes"] == one["modes"]
    assert (x["rounds"], y["rounds"], two["rounds"]) == (1, 3, 4)
    assert two["mean"] == pytest.approx(0.25 * x["mean"] + 0.75 * y["mean"])
    assert {name: one[name] for name in y} == y


def test_mode_has_own_parameters() -> None:
    file = {"default": {"gamma2": 0.0}, "modes": {"x": {"m0": 7.0, "v0": 2.0}}}
    system = TrueSkill2System(resolve_parameters(TrueSkill2System.declared_parameters, file=file))
    run = system.new_run(build_record([played(0, ["a", "b"], mode="x"), played(1, ["a", "b"], mode="y")]))
    assert skill(run, "a", "x") == (7.0, math.sqrt(2.0))
    assert skill(run, "a", "y") == (1.0, math.sqrt(0.4))


@pytest.mark.parametrize(
    ("given", "name"),
    [({"kill_wp": 1.0}, "kill_v"), ({"quit_pr": 0.5}, "quit_v"), ({"quit_m": 1.0}, "quit_m"), ({"beta": 0}, "beta")],
)
def test_incomplete_parameters_are_refused(given: dict[str, object], name: str) -> None:
    with pytest.raises(ParameterError) as caught:
        started([DUEL], given)
    assert caught.value.name == name


def test_base_skill_is_shared() -> None:
    file = {"default": {"base_v": 0.3}, "modes": {"x": {"base_v": 0.2}}}
    with pytest.raises(ParameterError, match="one for all modes"):
        TrueSkill2System(resolve_parameters(TrueSkill2System.declared_parameters, file=file))


COUNTS = {
    "kill_wp": 1.0,
    "kill_wo": -0.4,
    "kill_v": 2.0,
    "kill_b": 0.1,
    "death_wp": -0.3,
    "death_wo": 0.9,
    "death_v": 3,
}
MODEL = ModeModel(
    1.0, 0.4, 0.0, 0.0, 1.0, 1e-3, kills=CountModel(1.0, -0.4, 2.0, 0.1), deaths=CountModel(-0.3, 0.9, 3.0)
)


def test_counts_use_minutes_played() -> None:
    game_round = played(
        0, [[present_player("a", 0, 1.0, kills=12.0, deaths=5.0)], [present_player("b", 1, 0.5, deaths=3.0)]]
    )
    run = finished([game_round], {**COUNTS, "gamma2": 0.0})
    posterior = infer_round(
        [1.0, 1.0],
        [0.4, 0.4],
        [0.0, 0.0],
        [[1.0, 0.0], [0.0, 0.5]],
        [1, 2],
        MODEL,
        [10.0, 5.0],
        [12.0, None],
        [5.0, 3.0],
    )
    assert skill(run, "a") == pytest.approx((posterior.mean[0], math.sqrt(posterior.var[0])), abs=1e-13)
    assert skill(run, "b") == pytest.approx((posterior.mean[1], math.sqrt(posterior.var[1])), abs=1e-13)


def test_batch_evidence_equals_single_evidence() -> None:
    """Rounds of one shape and of others, of several modes and teams.

    One without counts and one that is not rated.
    """
    sides = [(1, 1), (1, 1), (2, 1), (1, 1, 1), (1, 1), (1,), (2, 1), (1, 2, 1), (1, 1)]
    rounds = []
    for number, players in enumerate(sides):
        counts = {} if number == 4 else {"kills": float(number), "deaths": 5.0, "quit": number == 8}
        teams = [
            [
                present_player(f"p{number}.{team}.{i}", team, 0.4 + 0.05 * number / (i + 1), **counts)
                for i in range(size)
            ]
            for team, size in enumerate(players)
        ]
        rounds.append(played(number, teams if len(teams) > 1 else [*teams, []], mode="xy"[number == 7]))
    given = {**COUNTS, "quit_v": 1.0}
    together = finished(rounds, given).rated_players()
    alone = [finished([each], given).rated_players() for each in rounds]
    for name, expected in {name: fields for each in alone for name, fields in each.items()}.items():
        for key in ("mean", "sd"):
            assert together[name][key] == pytest.approx(expected[key], abs=1e-13), (name, key)
    assert len(together) == sum(map(sum, sides)) - 1


def test_missing_count_is_no_evidence() -> None:
    plain = finished([DUEL])
    with_quits = finished([DUEL], {**COUNTS, "quit_v": 1.0})
    stayed = played(0, [[present_player("a", 0, 1.0, quit=False)], [present_player("b", 1, 1.0, quit=False)]])
    assert skill(with_quits, "a") == skill(plain, "a")
    for form in ("paper", "off"):
        assert skill(finished([stayed], {"quit_v": 1.0, "quit_form": form}), "a") == skill(plain, "a")


def test_quit_lowers_skill() -> None:
    model = ModeModel(1.0, 0.4, 0.0, 0.0, 1.0, 1e-3, quits=QuitModel(-0.2, 1.0, 0.1, 0.8))
    quitter = played(0, [[present_player("a", 0, 0.5, quit=True)], [present_player("b", 1, 1.0, quit=False)]])
    run = finished([quitter], {"quit_m": -0.2, "quit_v": 1.0, "quit_pu": 0.1, "quit_pr": 0.8, "gamma2": 0.0})
    shares = [[0.5, 0.0], [0.0, 1.0]]
    posterior = infer_round([1.0] * 2, [0.4] * 2, [0.0] * 2, shares, [1, 2], model, [5.0, 10.0], quits=[True, False])
    assert skill(run, "a")[0] == pytest.approx(posterior.mean[0], abs=1e-13)
    assert skill(run, "a")[0] < skill(finished([quitter]), "a")[0]


def test_whole_quit_form_counts_finishing() -> None:
    """The quitter's opponent is better than in the paper's form.

    They finished; with `off` nobody's quit counts.
    """
    quitter = played(0, [[present_player("a", 0, 0.5, quit=True)], [present_player("b", 1, 1.0, quit=False)]])
    given = {"quit_m": -0.2, "quit_v": 1.0, "quit_pu": 0.1, "quit_pr": 0.8}
    whole, paper, off = (
        skill(finished([quitter], {**given, "quit_form": form}), "b")[0] for form in ("whole", "paper", "off")
    )
    assert whole > paper > off
    assert off == skill(finished([quitter]), "b")[0]
    with pytest.raises(ParameterError, match="quit_form: must be one of paper, whole, off, not 'half'"):
        finished([quitter], {**given, "quit_form": "half"})


def test_unrated_rounds_change_nothing() -> None:
    alone = Round("alone", ("A", "B"), [Player("a", [Stint("A", 0.0, 60.0)])], 0.0, 60.0, (1, 2))
    coming = Round("coming", ("A", "B"), [Player("a", [Stint("A", 0.0, 60.0)]), Player("b", [Stint("B", 0, 1)])], 9.9e9)
    run = finished([alone, DUEL, coming])
    assert [run.skip_reason(k) for k in range(3)] == ["one_side_empty", None, "no_outcome"]
    assert run.forecast(0) is None
    forecast = run.forecast(2)
    assert forecast is not None
    assert forecast.first_place[0] > forecast.first_place[1]
    assert skill(run, "a") == skill(finished([DUEL]), "a")
