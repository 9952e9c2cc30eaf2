"""First ratings that the game reported."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from ns2_helpers import full_round, player_field, run_of, system

from browser_app.rating.game_round import Player, Round
from browser_app.rating.matchmaking.round_balance import balance_round
from browser_app.rating.matchmaking.upcoming_rounds import forecast_upcoming
from browser_app.rating.record.player_slots import build_players_only_record
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.round_prediction import logistic

Anchors = Mapping[str, Mapping[str, float]]


def anchored_round(anchors: Anchors, number: int = 0, winner: int | None = 0) -> Round:
    """Create a round of a and b against c and d with the game's own numbers."""
    plain = full_round("ab", "cd", winner, number=number)
    players: list[Player] = [replace(each, **_numbers(anchors.get(each.id, {}))) for each in plain.players]
    return replace(plain, players=players)


def commanded_round(anchors: Anchors, number: int = 0) -> Round:
    """Create the same round with a and c as commanders all the time."""
    plain = anchored_round(anchors, number)
    return replace(plain, players=[replace(p, commanding=p.stays) if p.id in "ac" else p for p in plain.players])


def _numbers(anchors: Mapping[str, float]) -> dict[str, Any]:
    return dict(anchors)


def start_values(rounds: Sequence[Round], player: str, anchors: str = "yes") -> tuple[float, bool]:
    """Return a player's rating before the first round, and whether it is an anchor."""
    run = system(anchors=anchors).new_run(build_record(rounds))
    value = run.rating(run.record.player_ids.index(player), 0).value
    learned = run_of(rounds, anchors=anchors)
    return value, bool(learned.rated_players()[player]["anchored"])


def test_first_rating_is_anchor() -> None:
    rounds = [anchored_round({"a": {"skill": 1500.0}})]
    assert start_values(rounds, "a") == (30.0, True)
    assert start_values(rounds, "b") == (20.0, False)


def test_rookie_skill_of_0_is_a_number() -> None:
    assert start_values([anchored_round({"a": {"skill": 0.0}})], "a") == (0.0, True)


def test_anchors_can_be_turned_off() -> None:
    rounds = [anchored_round({"a": {"skill": 1500.0, "offset": 50.0, "adagrad_sum": 1.0}})]
    assert start_values(rounds, "a", anchors="no") == (20.0, False)
    assert run_of(rounds, anchors="no").rated_players() == run_of([anchored_round({})]).rated_players()


def test_reported_offset_is_ignored_without_skill_per_team() -> None:
    rounds = [anchored_round({"a": {"skill": 1500.0, "offset": 50.0}})]
    plain = [anchored_round({"a": {"skill": 1500.0}})]
    assert run_of(rounds, per_team="no").rated_players() == run_of(plain, per_team="no").rated_players()
    assert run_of(rounds).rated_players() != run_of(plain).rated_players()


def test_all_numbers_are_anchors() -> None:
    """A draw of equal teams moves nothing, so that the anchors remain."""
    numbers = {
        "skill": 900.0,
        "offset": 0.0,
        "commander_skill": 250.0,
        "adagrad_sum": 2.5,
        "commander_adagrad_sum": 0.5,
    }
    run = run_of([anchored_round(dict.fromkeys("abcd", numbers), winner=None)])
    expected = {"skill": 18.0, "offset": 0.0, "commander": 5.0, "adagrad_sum": 2.5, "commander_adagrad_sum": 0.5}
    assert {key: player_field(run, "a", key) for key in expected} == expected


def test_offset_favours_anchored_side() -> None:
    run = system().new_run(build_record([anchored_round({"a": {"skill": 1000.0, "offset": 100.0}})]))
    assert run.prediction(0).probability == pytest.approx(logistic(2.0 / 4.0))


def test_anchored_sum_slows_learning() -> None:
    steady, new = (
        run_of([anchored_round({"a": {"skill": 1000.0, "adagrad_sum": amount}})], c=0.0) for amount in (4.0, 0.0)
    )
    assert player_field(steady, "a") - 20.0 == pytest.approx(0.5 / (4.0 + 1 / 64 + 1e-3) ** 0.5 / 8.0)
    assert player_field(new, "a") > player_field(steady, "a")


def test_tier_deducts_for_anchored_sum_only() -> None:
    """Without a reported sum nothing is deducted, as in game.

    How certain the game is of the skill is unknown then.
    """
    for anchors, deducted in (({"skill": 1407.0}, 0.0), ({"skill": 1407.0, "adagrad_sum": 0.25}, 50.0)):
        run = run_of([anchored_round(dict.fromkeys("abcd", anchors), winner=None)])
        assert player_field(run, "a", "points") - (run.confident_points(0) or 0.0) == pytest.approx(deducted)
    newcomer = run_of([anchored_round({}), anchored_round({}, 1)])
    assert player_field(newcomer, "a", "points") - (newcomer.confident_points(0) or 0.0) > 100.0


def test_missing_commander_anchor_is_start() -> None:
    skills = system().new_run(build_record([anchored_round({"a": {"skill": 0.0}, "b": {"commander_skill": 700.0}})]))
    index = skills.record.player_ids.index
    assert [skills.commander_rating(index(name)).value for name in "abc"] == [20.0, 14.0, 20.0]


def test_commander_anchor_counts_from_its_first_report() -> None:
    """Forecast of and learning from that round use it, later reports do not count."""
    first = commanded_round({"a": {"skill": 0.0}})
    report = {"commander_skill": 0.0, "commander_adagrad_sum": 4.0}
    rounds = [first, commanded_round({"a": report}, 1), commanded_round({"a": {"commander_skill": 900.0}}, 2)]
    run = system(c=0.0).new_run(build_record(rounds))
    a, b, c, d = (run.record.player_ids.index(name) for name in "abcd")
    run.update(0)
    own, theirs = run.commander_rating(a).value, run.commander_rating(c).value
    assert own > 20.0 > theirs
    field = run.rating(b, 0).value - run.rating(d, 0).value  # the others are on the field
    for prediction in (run.prediction(1), run.forecast(1)):
        assert prediction is not None
        assert prediction.log_odds[0][1] == pytest.approx(field / 2.0 - theirs / 2.0)
    assert run.commander_rating(a).value == own  # a prediction changes nothing
    run.update(1)
    assert 0.0 < run.commander_rating(a).value < 1.0
    learned = run.commander_rating(a).value
    run.update(2)
    assert learned != run.commander_rating(a).value < 1.0
    assert run.inferred_commander_skill(a) is not None


def test_anchored_skill_is_less_uncertain() -> None:
    """A reported sum makes it less uncertain still.

    Without one, 0.1 is assumed, as after some hundred rounds.
    """
    anchors = {"a": {"skill": 900.0}, "b": {"skill": 900.0, "adagrad_sum": 3.0}, "c": {"adagrad_sum": 0.5}}
    run = system().new_run(build_record([anchored_round(anchors)]))
    inferred = [run.inferred_skill(run.record.player_ids.index(name), 0) for name in "abcd"]
    deviations = [each.sd for each in inferred if each is not None]
    assert deviations == pytest.approx([(0.01 + amount) ** -0.5 for amount in (0.1, 3.0, 0.5, 0.0)])


def test_only_first_round_anchors() -> None:
    first, second = anchored_round({}), anchored_round({"a": {"skill": 3000.0}}, 1)
    assert run_of([first, second]).rated_players() == run_of([first, anchored_round({}, 1)]).rated_players()
    later = anchored_round({"a": {"skill": 100.0}}, 2)
    assert start_values([second, later], "a") == (60.0, True)


def test_unrated_round_does_not_anchor() -> None:
    """What the game reported before the first rated round counts, not an older number."""
    unrated = replace(anchored_round({"a": {"skill": 500.0}}), ranks=None)
    assert start_values([unrated, anchored_round({"a": {"skill": 900.0}}, 1)], "a") == (18.0, True)


def test_newcomer_of_upcoming_round_is_anchored() -> None:
    upcoming = replace(anchored_round({"b": {"skill": 1400.0}}, 5), ranks=None)
    (forecast,) = forecast_upcoming(system(c=0.0, a=0.0), build_record([full_round("a", "cd")]), [upcoming])
    assert forecast is not None
    assert forecast.probability == pytest.approx(logistic((28.0 + 20.0 - 40.0) / 4.0))


def test_balance_uses_anchors() -> None:
    anchors = {"a": {"skill": 3000.0}, "b": {"skill": 3000.0}, "c": {"skill": 0.0}, "d": {"skill": 0.0}}
    balanced = balance_round(
        system(), build_record([full_round("x", "y")]), replace(anchored_round(anchors, 1), ranks=None)
    )
    assert balanced.before == pytest.approx(logistic(60.0 * 2 / 4))
    assert balanced.after == pytest.approx(0.5)
    assert {frozenset(team) & {"a", "b"} for team in balanced.teams.teams} == {frozenset("a"), frozenset("b")}


def test_transfer_keeps_anchors() -> None:
    rounds = [anchored_round({"a": {"skill": 1500.0}}, number) for number in range(3)]
    whole = run_of(rounds)
    moved = whole.transfer_to(build_players_only_record(whole.record)).transfer_to(build_record([full_round("a", "z")]))
    assert moved.rating(0, 0).value == player_field(whole, "a")
    assert moved.rated_players()["a"]["anchored"] is True


def test_full_history_ignores_anchors() -> None:
    anchored, plain = anchored_round({"a": {"skill": 3000.0, "offset": 100.0}}), anchored_round({})
    solved, expected = (system().solve(build_record([each])).rated_players() for each in (anchored, plain))
    assert solved == expected
