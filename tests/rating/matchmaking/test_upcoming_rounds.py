"""Forecasts and balance of upcoming rounds agree with each system's run."""

import math
from dataclasses import replace

import numpy as np
import pytest

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.round_balance import balance_round
from browser_app.rating.matchmaking.upcoming_rounds import forecast_upcoming
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.rating_parameters import resolve_parameters
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.system_registry import RATING_SYSTEMS

LENGTH = 900.0


def the_system(name: str, **given: object) -> RatingSystem:
    return RATING_SYSTEMS[name](resolve_parameters(RATING_SYSTEMS[name].declared_parameters, explicit=given))


def random_season(rounds: int, seed: int = 1) -> list[Round]:
    """Draw rounds of six against six among thirty people of different skill."""
    rng = np.random.default_rng(seed)
    skill = rng.normal(0.0, 2.0, 30)
    season = []
    for number in range(rounds):
        who = rng.permutation(30)[:12]
        won = rng.random() < 1.0 / (1.0 + math.exp(-(skill[who[:6]].sum() - skill[who[6:]].sum()) / 12.0))
        players = [
            Player(
                f"p{i}",
                [Stint("marines" if appearance < 6 else "aliens", 0.0, LENGTH)],
                score=float(rng.integers(1, 90)),
            )
            for appearance, i in enumerate(who.tolist())
        ]
        season.append(
            Round(
                f"r{number}", ["marines", "aliens"], players, 1e9 + 3600.0 * number, LENGTH, [1, 2] if won else [2, 1]
            )
        )
    return season


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_forecast_equals_run(name: str) -> None:
    season = random_season(60)
    record = build_record(season)
    run = the_system(name).new_run(record)
    for k in range(50):
        assert run.skip_reason(k) is None
        run.update(k)
    expected = run.forecast(50)
    assert expected is not None
    assert expected.probability != 0.5
    without_outcome = replace(season[50], ranks=None)
    backwards = replace(season[50], ranks=[2, 1] if season[50].ranks == [1, 2] else [1, 2])
    for to_come in (season[50], without_outcome, backwards):
        assert forecast_upcoming(the_system(name), build_record(season[:50]), [to_come]) == [expected]


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_forecasts_are_independent_and_ordered(name: str) -> None:
    season = random_season(60)
    history = build_record(season[:50])
    alone = [forecast_upcoming(the_system(name), history, [game_round])[0] for game_round in season[50:]]
    assert alone == forecast_upcoming(the_system(name), history, season[50:])
    assert alone[::-1] == forecast_upcoming(the_system(name), history, season[:49:-1])


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_start_and_duration_are_optional(name: str) -> None:
    season = random_season(40)
    bare = replace(season[-1], started=None, duration=None, ranks=None)
    soon = replace(season[-1], started=season[-2].started, ranks=None)
    history = build_record(season[:-1])
    assert forecast_upcoming(the_system(name), history, [bare]) == forecast_upcoming(the_system(name), history, [soon])


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_empty_team_has_no_forecast(name: str) -> None:
    game_round = random_season(1)[0]
    assert forecast_upcoming(
        the_system(name), build_record([]), [replace(game_round, players=game_round.players[:6])]
    ) == [None]


@pytest.mark.parametrize("name", RATING_SYSTEMS)
def test_balance_returns_both_chances(name: str) -> None:
    season = random_season(80)
    history, game_round = build_record(season[:-1]), replace(season[-1], ranks=None)
    strong = sorted(game_round.players, key=lambda player: -rating_after_season(name, season[:-1], player.id))
    uneven = [replace(p, stays=[Stint(game_round.teams[i // 6], 0.0, LENGTH)]) for i, p in enumerate(strong)]
    balanced = balance_round(the_system(name), history, replace(game_round, players=uneven))
    assert balanced.teams.swaps
    on_first = set(balanced.teams.teams[0])
    after = [replace(p, stays=[Stint(game_round.teams[p.id not in on_first], 0.0, LENGTH)]) for p in uneven]
    expected = forecast_upcoming(
        the_system(name),
        history,
        [replace(game_round, players=players, id=str(n)) for n, players in enumerate((uneven, after))],
    )
    assert [balanced.before, balanced.after] == [each and each.probability for each in expected]
    assert balanced.after is not None
    assert balanced.before is not None
    assert abs(balanced.after - 0.5) < 0.05 < abs(balanced.before - 0.5)


def rating_after_season(name: str, season: list[Round], player: str) -> float:
    """Return a player's rating after a season, from the run itself."""
    record = build_record(season)
    run = the_system(name).new_run(record)
    for k in range(len(record)):
        run.update(k)
    return run.rating(record.player_ids.index(player), 0).value


def test_ns2_strength_is_per_team_skill() -> None:
    """Σ(s+o) of the first team less Σ(s−o) of the second.

    P by half the difference of the means.
    """
    season = random_season(80)
    history, game_round = build_record(season[:-1]), season[-1]
    run = the_system("ns2").new_run(history)
    for k in range(len(history)):
        run.update(k)
    rated = run.rated_players()

    def on_side(player: str, sign: float) -> float:
        skill, offset = rated[player]["skill"], rated[player]["offset"]
        assert isinstance(skill, float)
        assert isinstance(offset, float)
        assert offset != 0.0
        return skill + sign * offset

    balanced = balance_round(the_system("ns2"), history, game_round)
    first, second = balanced.teams.teams
    difference = sum(on_side(player, 1.0) for player in first) - sum(on_side(player, -1.0) for player in second)
    assert balanced.teams.difference == pytest.approx(difference, abs=1e-12)
    assert balanced.after == pytest.approx(1.0 / (1.0 + math.exp(-difference / 12.0)), abs=1e-12)


def lined_up(*stays: tuple[str, list[Stint]]) -> Round:
    return Round("to come", ["marines", "aliens"], [Player(name, stints) for name, stints in stays], None)


def test_current_team_is_that_of_last_stay() -> None:
    marines, aliens = [Stint("marines", 0.0, 9.0)], [Stint("aliens", 0.0, 9.0)]
    changed = [Stint("marines", 0.0, 500.0), Stint("aliens", 500.0, 600.0), Stint("marines", 600.0, 600.0)]
    game_round = lined_up(("a", marines), ("b", marines), ("c", changed), ("d", aliens))
    balanced = balance_round(the_system("ns2"), build_record([]), game_round)
    assert balanced.teams.teams == (("a", "b"), ("c", "d"))
    assert balanced.teams.moved == ()


def test_unassigned_players_are_placed() -> None:
    marines, aliens = [Stint("marines", 0.0, 9.0)], [Stint("aliens", 0.0, 9.0)]
    system = the_system("ns2", start=2.0)
    game_round = lined_up(("a", marines), ("b", marines), ("c", aliens), ("new", []))
    balanced = balance_round(system, build_record([]), game_round)
    assert balanced.before == pytest.approx(1.0 / (1.0 + math.exp(-2.0 / 3.0)), abs=1e-12)
    assert balanced.after == 0.5
    assert balanced.teams.teams == (("a", "b"), ("c", "new"))
    empty_balance = balance_round(system, build_record([]), lined_up(("a", []), ("b", [])))
    assert empty_balance.before is None
    assert empty_balance.after == 0.5


def test_commanders_and_locked_players_stay() -> None:
    season = random_season(80)
    history, game_round = build_record(season[:-1]), season[-1]
    ranked = sorted(game_round.players, key=lambda player: -rating_after_season("ns2", season[:-1], player.id))
    sides = [replace(p, stays=[Stint(game_round.teams[i // 6], 0.0, LENGTH)]) for i, p in enumerate(ranked)]
    free = balance_round(the_system("ns2"), history, replace(game_round, players=sides)).teams.swaps[0]
    held = [
        replace(p, commanding=[Stint("marines", 5.0, 9.0)]) if p.id == free[0] else replace(p, locked=p.id == free[1])
        for p in sides
    ]
    balanced = balance_round(the_system("ns2"), history, replace(game_round, players=held))
    assert free[0] in balanced.teams.teams[0]
    assert free[1] in balanced.teams.teams[1]
    assert balanced.teams.swaps


def test_preferences_are_used() -> None:
    players = [Player("a", friends=["d"]), Player("b"), Player("c", prefers="marines"), Player("d")]
    game_round = Round("to come", ["marines", "aliens"], players, None)
    assert balance_round(the_system("ns2"), build_record([]), game_round).teams.teams == (("b", "c"), ("a", "d"))


def test_squads_change_chances() -> None:
    """TrueSkill 2, eq. (7): players who joined together are better than alone."""
    marines, aliens = [Stint("marines", 0.0, 9.0)], [Stint("aliens", 0.0, 9.0)]
    squad = [Player(name, marines, squad="s") for name in "ab"]
    game_round = Round("to come", ["marines", "aliens"], [*squad, Player("c", aliens), Player("d", aliens)], None)
    balanced = balance_round(the_system("trueskill2", squad_offset=[0.0, 1.0]), build_record([]), game_round)
    assert balanced.before is not None
    assert balanced.before > 0.6


@pytest.mark.parametrize(
    ("match", "field"),
    [
        (Round("three", ["a", "b", "c"], [], None), "teams"),
        (Round("wish", ["a", "b"], [Player("x"), Player("y", prefers="c")], None), "players[1].prefers"),
        (Round("twice", ["a", "b"], [Player("x"), Player("x")], None), "players[1].id"),
        (
            Round("chair", ["a", "b"], [Player("x", commanding=[Stint("a", 0.0, 5.0)])], None),
            "players[0].commanding[0].enter",
        ),
    ],
)
def test_invalid_round_names_its_field(match: Round, field: str) -> None:
    with pytest.raises(InvalidRoundError) as refused:
        balance_round(the_system("ns2"), build_record([]), match)
    assert refused.value.field == field
