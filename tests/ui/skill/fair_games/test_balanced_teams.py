"""Pasted players, balanced teams and predicted games.

Checked against the rating package.
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rounds_helpers import ME, simulated_record

from browser_app.catalogue.server_info import PlayerInfo
from browser_app.player.balanced_teams import balance_lineup
from browser_app.player.game_prediction import GamePrediction, GamePredictionRequest, assign_sides, predict_game
from browser_app.player.team_lineup import (
    MAX_PLAYERS,
    BalanceLineup,
    BalanceOptions,
    KnownPlayers,
    LineupPlayer,
    NamedPlayer,
    find_lineup_player,
    parse_player_list,
)
from browser_app.rating import Player, RatingRun, Round, Stint, build_record, create_rating_system
from browser_app.rating.forward_pass import ForwardPass
from browser_app.rating.matchmaking.what_if import compute_what_if
from browser_app.ui.skill.fair_games.balance_team_view import create_team_items
from browser_app.ui.skill.fair_games.fair_games_text import (
    balance_note_text,
    player_count_text,
    prediction_text,
    side_text,
    side_title,
    swap_chance_text,
    teams_as_text,
    win_loss_change_text,
)
from browser_app.ui.skill.rating_format import team_title

RECORD = simulated_record(60)
TEAMS = ("Marines", "Aliens")
LENGTH = 1200.0


def run_of(system: str = "ns2") -> RatingRun:
    run = create_rating_system(system).new_run(RECORD)
    ForwardPass(run).advance_to(len(RECORD))
    return run


ROSTER = KnownPlayers(run_of())
IDS = tuple(RECORD.player_ids)


def create_lineup(text: str, known_players: KnownPlayers = ROSTER) -> BalanceLineup:
    named = parse_player_list(text, TEAMS)
    return BalanceLineup(TEAMS, (), ME, "ns2", "ns2_veil").with_players(
        [find_lineup_player(each, known_players, "ns2") for each in named]
    )


def create_round(teams: tuple[tuple[str, ...], tuple[str, ...]]) -> Round:
    players = [
        Player(each, (Stint(TEAMS[team], 0.0, LENGTH),)) for team, members in enumerate(teams) for each in members
    ]
    return Round("", TEAMS, players, 0.0, LENGTH, None, "", "ns2_veil", "ns2")


PASTED = """Marines:
moth, harrow
ninepin
sable; LowTide

ALIENS (mean 1 690)
1. pim
- tin kettle
you
"stranger"
moth
"""


def test_parse_player_list_by_teams() -> None:
    named = parse_player_list(PASTED, TEAMS)
    assert [each.name for each in named] == [
        "moth", "harrow", "ninepin", "sable", "LowTide", "pim", "tin kettle", "you", "stranger",
    ]  # fmt: skip
    assert [each.team for each in named] == [0] * 5 + [1] * 4
    assert [each.team for each in parse_player_list("moth\npim", TEAMS)] == [None, None]


@pytest.mark.parametrize("text", ["Marines: moth, harrow\nAliens: pim", "marines:moth,harrow\naliens:pim"])
def test_names_may_follow_the_team(text: str) -> None:
    named = parse_player_list(text, TEAMS)
    assert [(each.name, each.team) for each in named] == [("moth", 0), ("harrow", 0), ("pim", 1)]


@given(text=st.text(max_size=300))
def test_parse_player_list_any_text(text: str) -> None:
    named = parse_player_list(text, TEAMS)
    assert len(named) <= MAX_PLAYERS
    assert len({each.name.casefold() for each in named}) == len(named)
    assert all(each.name == each.name.strip() != "" for each in named)


@pytest.mark.parametrize("text", ["p1", "moth", "MOTH", " moth "])
def test_find_player_by_id_and_name(text: str) -> None:
    assert ROSTER.find_player(text) == "p1"
    assert ROSTER.find_player("nobody") is None


@pytest.mark.parametrize("text", ["4711", "STEAM_0:1:2355", "[U:1:4711]", "76561197960270439"])
def test_find_player_by_steam_id_forms(text: str) -> None:
    players = [Player(each, (Stint(team, 0.0, 60.0),)) for each, team in (("4711", "a"), ("5", "b"))]
    record = build_record([Round("r", ("a", "b"), players, 0.0, 60.0, (1, 2))])
    assert KnownPlayers(create_rating_system("ns2").new_run(record)).find_player(text) == "4711"


def test_ambiguous_name_finds_no_player() -> None:
    players = [Player(each, (Stint(team, 0.0, 60.0),), name="Twin") for each, team in (("1", "a"), ("2", "b"))]
    record = build_record([Round("r", ("a", "b"), players, 0.0, 60.0, (1, 2))])
    known_players = KnownPlayers(create_rating_system("ns2").new_run(record))
    assert known_players.find_player("twin") is None
    assert known_players.find_player("1") == "1"


@pytest.mark.parametrize("system", ["ns2", "elo-blog", "xonstat-go", "trueskill2"])
def test_chances_match_system_forecast(system: str) -> None:
    run = run_of(system)
    result = balance_lineup(run, create_lineup(PASTED, KnownPlayers(run)), BalanceOptions())
    forecast = run.transfer_to(build_record([create_round(result.teams)])).forecast(0)
    assert forecast is not None
    assert result.final_chance == pytest.approx(forecast.probability)
    mine, expected = result.own_change, compute_what_if(run, create_round(result.teams), ME)
    assert mine is not None
    assert (mine.chance, mine.win, mine.lose) == pytest.approx((expected.chance, expected.win, expected.lose))
    steps = [result.placed_chance, *(swap.chance_after for swap in result.swaps)]
    assert steps[-1] == result.final_chance
    assert [swap.chance_before for swap in result.swaps] == steps[:-1]


@settings(max_examples=40)
@given(
    stand=st.lists(st.sampled_from([0, 1, None]), min_size=4, max_size=10),
    locked=st.sets(st.integers(0, 9)),
    commands=st.sets(st.integers(0, 9), max_size=2),
)
def test_locked_players_stay_and_sizes_match(stand: list[int | None], locked: set[int], commands: set[int]) -> None:
    seats = [
        LineupPlayer(IDS[place], IDS[place], True, team, is_locked=place in locked, is_commander=place in commands)
        for place, team in enumerate(stand)
    ]
    result = balance_lineup(ROSTER.run, BalanceLineup(TEAMS, (), ME, "ns2").with_players(seats), BalanceOptions())
    now = {player: team for team, players in enumerate(result.teams) for player in players}
    assert sorted(now) == sorted(seat.id for seat in seats)
    assert all(
        now[seat.id] == seat.team for seat in seats if (seat.is_locked or seat.is_commander) and seat.team is not None
    )
    if not locked and not commands:
        assert abs(len(result.teams[0]) - len(result.teams[1])) <= 1
    assert result.moved_count == sum(seat.team is not None and seat.team != now[seat.id] for seat in seats)
    for team in (0, 1):
        lines = create_team_items(result, team, "ns2")
        assert {line.id for line in lines} == set(result.teams[team])
        assert {line.id for line in lines if line.is_moving} == {
            seat.id for seat in seats if now[seat.id] == team and seat.team == 1 - team
        }


def with_commanders(lineup: BalanceLineup, *names: str) -> BalanceLineup:
    for name in names:
        lineup = lineup.with_changed_player(name, lambda seat: replace(seat, is_commander=True))
    return lineup


def test_commanders_count_by_commander_skill() -> None:
    lineup = create_lineup("Marines\nmoth, sable, krill\nAliens\nyou, pim, dunlin")
    boss, chief = lineup.players[0].id, lineup.players[4].id
    result = balance_lineup(ROSTER.run, with_commanders(lineup, boss, chief), BalanceOptions())
    teams = ([seat.id for seat in lineup.players[:3]], [seat.id for seat in lineup.players[3:]])
    plain = create_round((tuple(teams[0]), tuple(teams[1])))
    seated = [replace(each, commanding=each.stays) if each.id in (boss, chief) else each for each in plain.players]
    expected = ROSTER.run.transfer_to(build_record([replace(plain, players=seated)])).forecast(0)
    assert expected is not None
    assert result.initial_chance == expected.probability
    for each in (boss, chief):
        skill = ROSTER.run.commander_rating(RECORD.player_ids.index(each)).value
        assert result.points[each] == pytest.approx(50.0 * skill)


def test_single_commander_stays_but_does_not_count() -> None:
    lineup = create_lineup("Marines\nmoth, sable, krill\nAliens\nyou, pim, dunlin")
    boss = lineup.players[0].id
    alone = balance_lineup(ROSTER.run, with_commanders(lineup, boss), BalanceOptions())
    assert boss in alone.teams[0]
    assert alone.initial_chance == balance_lineup(ROSTER.run, lineup, BalanceOptions()).initial_chance
    hint = "Mark a commander on each team"
    assert hint in balance_note_text(alone, "ns2")
    assert hint not in balance_note_text(balance_lineup(ROSTER.run, lineup, BalanceOptions()), "ns2")


def test_disabled_options_are_ignored() -> None:
    strong = balance_lineup(ROSTER.run, create_lineup(PASTED), BalanceOptions())
    assert strong.swaps
    goes = strong.swaps[0].outgoing
    held = create_lineup(PASTED).with_changed_player(
        goes, lambda seat: LineupPlayer(seat.id, seat.name, True, seat.team, is_commander=True)
    )
    assert goes not in {swap.outgoing for swap in balance_lineup(ROSTER.run, held, BalanceOptions()).swaps}
    free = balance_lineup(ROSTER.run, held, BalanceOptions(commanders=False))
    assert free.teams == strong.teams


def test_friends_are_put_together() -> None:
    text = "Marines\nmoth, sable, krill\nAliens\nyou, pim, dunlin"
    plain = create_lineup(text)
    together = plain.with_changed_player(
        "p1", lambda seat: LineupPlayer(seat.id, seat.name, True, seat.team, is_friend=True)
    )
    result = balance_lineup(ROSTER.run, together, BalanceOptions())
    alone = balance_lineup(ROSTER.run, together, BalanceOptions(friends=False))
    assert alone.teams == balance_lineup(ROSTER.run, plain, BalanceOptions()).teams
    both = [{"p1", ME} <= set(team) for team in result.teams]
    assert any(both) or result.teams == alone.teams


@pytest.mark.parametrize("system", ["ns2", "trueskill2", "elo-blog"])
def test_copied_teams_need_no_moves(system: str) -> None:
    run = run_of(system)
    first = balance_lineup(run, create_lineup(PASTED), BalanceOptions())
    again = balance_lineup(run, create_lineup(teams_as_text(first, system)), BalanceOptions())
    assert [set(team) for team in again.teams] == [set(team) for team in first.teams]
    assert again.moved_count == 0
    assert again.initial_chance == pytest.approx(first.final_chance)


def test_copied_names_survive() -> None:
    names = ["#1 fan", "a, b; c", "- dash", "2. second", '"quoted"', "Marines (old)", "Aliens", "osprey  9"]
    seats = [LineupPlayer(name, name, False, place % 2) for place, name in enumerate(names)]
    first = balance_lineup(ROSTER.run, BalanceLineup(TEAMS, (), "", "ns2").with_players(seats), BalanceOptions())
    again = parse_player_list(teams_as_text(first, "ns2"), TEAMS)
    assert {each.name: each.team for each in again} == {
        name: team for team, players in enumerate(first.teams) for name in players
    }


def test_unnamed_teams_are_copied_by_number() -> None:
    seats = create_lineup("moth, harrow, ninepin, sable, you").players
    first = balance_lineup(ROSTER.run, BalanceLineup(("", ""), seats, ME, "ns2"), BalanceOptions())
    text = teams_as_text(first, "ns2")
    assert "team 1" in text
    named = parse_player_list(text, ("", ""))
    assert [each.team for each in named] == [team for team in (0, 1) for _player in first.teams[team]]
    assert {ROSTER.find_player(each.name) for each in named if each.team == 0} == set(first.teams[0])


def test_unrated_round_is_named() -> None:
    alone = balance_lineup(ROSTER.run, create_lineup("Marines: \nyou"), BalanceOptions())
    assert balance_note_text(alone, "ns2").endswith("The round would not be rated: one side empty.")
    assert alone.own_change is not None
    assert win_loss_change_text(alone.own_change, "ns2") == "not rated: one side empty"


def test_unknown_player_is_marked() -> None:
    result = balance_lineup(ROSTER.run, create_lineup(PASTED), BalanceOptions())
    lines = {line.id: line for team in (0, 1) for line in create_team_items(result, team, "ns2")}
    assert lines["stranger"].points.startswith("~")
    assert "no rounds" in lines["stranger"].note
    assert not lines["p1"].points.startswith("~")
    assert player_count_text(result.lineup) == "9 players, 8 known from your rounds"
    assert lines[ME].title == "you"
    assert lines[ME].is_own


def test_balance_texts() -> None:
    result = balance_lineup(ROSTER.run, create_lineup(PASTED), BalanceOptions())
    assert result.own_change is not None
    team = TEAMS[int(ME in result.teams[1])]
    assert balance_note_text(result, "ns2").endswith(f"({team_title(team)}, full round).")
    for swap in result.swaps:
        before, after = swap_chance_text(swap).split(" → ")
        assert before != after


def test_empty_lineup_has_empty_teams() -> None:
    result = balance_lineup(
        ROSTER.run, BalanceLineup(TEAMS, (LineupPlayer("p1", "moth", True),), "", "ns2"), BalanceOptions()
    )
    assert result.final_chance is None
    assert result.own_change is None


def create_request(*players: tuple[str, int | None]) -> GamePredictionRequest:
    named = tuple(NamedPlayer(name, team) for name, team in players)
    return GamePredictionRequest(7, named, ME, frozenset(("me in game",)), "ns2", "ns2_veil")


def predict(*players: tuple[str, int | None]) -> GamePrediction:
    return predict_game(ROSTER, create_request(*players))


def test_known_teams_give_both_sides() -> None:
    prediction = predict(("moth", 0), ("harrow", 0), ("ninepin", 1), ("Me in game", 1), ("stranger", 1))
    assert (prediction.known_count, prediction.player_count, prediction.are_teams_known) == (3, 4, True)
    first, second = prediction.sides
    expected = compute_what_if(ROSTER.run, create_round((("p1", "p2", ME), ("p3", "stranger"))), ME)
    assert (first.team, first.forecast) == ("Marines", expected)
    assert second.forecast == compute_what_if(ROSTER.run, create_round((("p1", "p2"), ("p3", "stranger", ME))), ME)
    assert first.forecast.win > 0 > first.forecast.lose
    fairest = prediction.fairest_side
    assert fairest is not None
    assert all(
        abs((fairest.forecast.chance or 0) - 0.5) <= abs((side.forecast.chance or 0) - 0.5) for side in prediction.sides
    )


def test_names_only_give_balanced_teams() -> None:
    prediction = predict(("moth", None), ("harrow", None), ("stranger", None))
    (side,) = prediction.sides
    assert (side.team, side.size_difference, side_title(side)) == ("", 0, "Balanced teams")
    assert "names only" in prediction_text(prediction, "Third Hive")


def test_odd_player_count_is_described() -> None:
    (side,) = predict(("moth", None), ("harrow", None)).sides
    assert abs(side.size_difference) == 1
    assert side_title(side) == ("One player up" if side.size_difference > 0 else "One player down")
    assert side_title(replace(side, size_difference=-side.size_difference)) != side_title(side)
    assert f"({side_title(side).lower()})" in side_text(side, "ns2_veil")


def test_too_few_known_players() -> None:
    prediction = predict(("moth", 0), ("x", 1), ("y", 1))
    assert prediction.sides == ()
    assert prediction.fairest_side is None
    assert "Paste players" in prediction_text(prediction, "Third Hive")
    assert prediction_text(predict(), "Third Hive") == "No players on “Third Hive” right now."
    assert prediction.unevenness > predict(("moth", 0), ("harrow", 1)).unevenness


def test_team_sides_need_two_teams() -> None:
    def rows(*teams: int | None) -> list[PlayerInfo]:
        return [PlayerInfo(str(place), None, None, None, team, False) for place, team in enumerate(teams)]

    assert assign_sides(rows(2, 1, 2)) == {1: 0, 2: 1}
    assert assign_sides(rows(1, None)) == {}
    assert assign_sides(rows(1, 1)) == {}
    assert assign_sides(rows(1, 2, 3)) == {}


def test_duel_players_are_not_teams() -> None:
    def round_of(number: int, *teams: str) -> Round:
        players = [Player(each, (Stint(team, 0.0, 60.0),)) for each, team in zip(("ann", "bob"), teams, strict=True)]
        return Round(f"r{number}", teams, players, 60.0 * number, 60.0, (1, 2))

    duels_first = build_record([round_of(0, "ann", "bob"), round_of(1, "red", "blue")])
    assert KnownPlayers(create_rating_system("trueskill2").new_run(duels_first)).teams == ("red", "blue")
    assert KnownPlayers(
        create_rating_system("trueskill2").new_run(build_record([round_of(0, "ann", "bob")]))
    ).teams == ("", "")
    nameless = BalanceLineup(("", ""), (LineupPlayer("ann", "ann", True), LineupPlayer("bob", "bob", True)), "ann")
    run = create_rating_system("trueskill2").new_run(duels_first)
    assert balance_lineup(run, nameless, BalanceOptions()).final_chance == pytest.approx(0.5)
