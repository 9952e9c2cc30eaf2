"""Players as pasted, the teams made of them, and what a server's game would be: against the rating module itself."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rounds_page_rig import ME, played

from browser_app.catalogue.facts import PlayerRow
from browser_app.rating import Match, Player, RatingRun, Stay, rating_system, record_of
from browser_app.rating.rate import Forward
from browser_app.rating.what_if import what_if
from browser_app.ui.skill.fair.even_teams import even_teams
from browser_app.ui.skill.fair.fair_words import (
    as_text,
    count_words,
    end_words,
    outlook_sentence,
    side_title,
    step_words,
    win_lose,
)
from browser_app.ui.skill.fair.line_up import MOST, LineUp, Named, Seat, Wanted, seat_of
from browser_app.ui.skill.fair.outlook import Asked, Outlook, outlook
from browser_app.ui.skill.fair.outlooks import sides_of
from browser_app.ui.skill.fair.paste import read_pasted
from browser_app.ui.skill.fair.roster import Roster
from browser_app.ui.skill.fair.team_lines import team_lines

RECORD = played(60)
TEAMS = ("Marines", "Aliens")
LENGTH = 1200.0


def run_of(system: str = "ns2") -> RatingRun:
    run = rating_system(system).start(RECORD)
    Forward(run).to(len(RECORD))
    return run


ROSTER = Roster(run_of())
IDS = tuple(RECORD.player_ids)


def line_up(text: str, roster: Roster = ROSTER) -> LineUp:
    named = read_pasted(text, TEAMS)
    return LineUp(TEAMS, (), ME, "ns2", "ns2_veil").with_seats([seat_of(each, roster, "ns2") for each in named])


def match_of(teams: tuple[tuple[str, ...], tuple[str, ...]]) -> Match:
    players = [
        Player(each, (Stay(TEAMS[team], 0.0, LENGTH),)) for team, members in enumerate(teams) for each in members
    ]
    return Match("", TEAMS, players, 0.0, LENGTH, None, "", "ns2_veil", "ns2")


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


def test_people_are_read_under_their_teams_each_once() -> None:
    named = read_pasted(PASTED, TEAMS)
    assert [each.text for each in named] == [
        "moth", "harrow", "ninepin", "sable", "LowTide", "pim", "tin kettle", "you", "stranger",
    ]  # fmt: skip
    assert [each.team for each in named] == [0] * 5 + [1] * 4
    assert [each.team for each in read_pasted("moth\npim", TEAMS)] == [None, None]


@given(text=st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    named = read_pasted(text, TEAMS)
    assert len(named) <= MOST
    assert len({each.text.casefold() for each in named}) == len(named)
    assert all(each.text == each.text.strip() != "" for each in named)


@pytest.mark.parametrize("text", ["p1", "moth", "MOTH", " moth "])
def test_a_player_is_found_by_id_and_by_name(text: str) -> None:
    assert ROSTER.find(text) == "p1"
    assert ROSTER.find("nobody") is None


@pytest.mark.parametrize("text", ["4711", "STEAM_0:1:2355", "[U:1:4711]", "76561197960270439"])
def test_a_steam_id_is_found_in_each_of_its_forms(text: str) -> None:
    players = [Player(each, (Stay(team, 0.0, 60.0),)) for each, team in (("4711", "a"), ("5", "b"))]
    record = record_of([Match("r", ("a", "b"), players, 0.0, 60.0, (1, 2))])
    assert Roster(rating_system("ns2").start(record)).find(text) == "4711"


def test_a_name_that_several_have_is_nobodys() -> None:
    players = [Player(each, (Stay(team, 0.0, 60.0),), name="Twin") for each, team in (("1", "a"), ("2", "b"))]
    record = record_of([Match("r", ("a", "b"), players, 0.0, 60.0, (1, 2))])
    roster = Roster(rating_system("ns2").start(record))
    assert roster.find("twin") is None
    assert roster.find("1") == "1"


@pytest.mark.parametrize("system", ["ns2", "elo-blog", "xonstat-go", "trueskill2"])
def test_chances_are_those_that_the_system_says_of_these_teams(system: str) -> None:
    run = run_of(system)
    result = even_teams(run, line_up(PASTED, Roster(run)), Wanted())
    said = run.seated(record_of([match_of(result.teams)])).forecast(0)
    assert said is not None
    assert result.after == pytest.approx(said.probability)
    mine, expected = result.mine, what_if(run, match_of(result.teams), ME)
    assert mine is not None
    assert (mine.chance, mine.win, mine.lose) == pytest.approx((expected.chance, expected.win, expected.lose))
    assert mine.unknown == expected.unknown == 9 - result.line_up.known
    steps = [result.placed, *(swap.after for swap in result.swaps)]
    assert steps[-1] == result.after
    assert [swap.before for swap in result.swaps] == steps[:-1]


@settings(max_examples=40)
@given(
    stand=st.lists(st.sampled_from([0, 1, None]), min_size=4, max_size=10),
    locked=st.sets(st.integers(0, 9)),
    commands=st.sets(st.integers(0, 9), max_size=2),
)
def test_locked_and_commanding_stay_and_sizes_are_even(
    stand: list[int | None], locked: set[int], commands: set[int]
) -> None:
    seats = [
        Seat(IDS[place], IDS[place], True, team, locked=place in locked, commands=place in commands)
        for place, team in enumerate(stand)
    ]
    result = even_teams(ROSTER.run, LineUp(TEAMS, (), ME, "ns2").with_seats(seats), Wanted())
    now = {player: team for team, players in enumerate(result.teams) for player in players}
    assert sorted(now) == sorted(seat.id for seat in seats)
    assert all(now[seat.id] == seat.team for seat in seats if (seat.locked or seat.commands) and seat.team is not None)
    if not locked and not commands:
        assert abs(len(result.teams[0]) - len(result.teams[1])) <= 1
    assert result.moves == sum(seat.team is not None and seat.team != now[seat.id] for seat in seats)
    for team in (0, 1):
        lines = team_lines(result, team, "ns2")
        assert {line.id for line in lines} == set(result.teams[team])
        assert {line.id for line in lines if line.moves} == {
            seat.id for seat in seats if now[seat.id] == team and seat.team == 1 - team
        }


def test_what_is_not_minded_does_not_hold() -> None:
    strong = even_teams(ROSTER.run, line_up(PASTED), Wanted())
    assert strong.swaps
    goes = strong.swaps[0].goes
    held = line_up(PASTED).changed(goes, lambda seat: Seat(seat.id, seat.name, True, seat.team, commands=True))
    assert goes not in {swap.goes for swap in even_teams(ROSTER.run, held, Wanted()).swaps}
    free = even_teams(ROSTER.run, held, Wanted(commanders=False))
    assert free.teams == strong.teams


def test_friends_come_together_where_it_costs_little() -> None:
    text = "Marines\nmoth, sable, krill\nAliens\nyou, pim, dunlin"
    plain = line_up(text)
    together = plain.changed("p1", lambda seat: Seat(seat.id, seat.name, True, seat.team, friend=True))
    result = even_teams(ROSTER.run, together, Wanted())
    alone = even_teams(ROSTER.run, together, Wanted(friends=False))
    assert alone.teams == even_teams(ROSTER.run, plain, Wanted()).teams
    both = [{"p1", ME} <= set(team) for team in result.teams]
    assert any(both) or result.teams == alone.teams


@pytest.mark.parametrize("system", ["ns2", "trueskill2", "elo-blog"])
def test_a_copied_balance_pasted_again_is_the_same_and_needs_no_move(system: str) -> None:
    run = run_of(system)
    first = even_teams(run, line_up(PASTED), Wanted())
    again = even_teams(run, line_up(as_text(first, system)), Wanted())
    assert [set(team) for team in again.teams] == [set(team) for team in first.teams]
    assert again.moves == 0
    assert again.before == pytest.approx(first.after)


def test_names_of_every_kind_are_copied_whole() -> None:
    names = ["#1 fan", "a, b; c", "- dash", "2. second", '"quoted"', "Marines (old)", "Aliens", "osprey  9"]
    seats = [Seat(name, name, False, place % 2) for place, name in enumerate(names)]
    first = even_teams(ROSTER.run, LineUp(TEAMS, (), "", "ns2").with_seats(seats), Wanted())
    again = read_pasted(as_text(first, "ns2"), TEAMS)
    assert {each.text: each.team for each in again} == {
        name: team for team, players in enumerate(first.teams) for name in players
    }


def test_teams_without_names_are_copied_by_their_numbers() -> None:
    seats = line_up("moth, harrow, ninepin, sable, you").seats
    first = even_teams(ROSTER.run, LineUp(("", ""), seats, ME, "ns2"), Wanted())
    text = as_text(first, "ns2")
    assert "Chance of the first team: " in text
    named = read_pasted(text, ("", ""))
    assert [each.team for each in named] == [team for team in (0, 1) for _player in first.teams[team]]
    assert {ROSTER.find(each.text) for each in named if each.team == 0} == set(first.teams[0])


def test_a_round_that_would_not_be_rated_is_told_so_and_not_as_no_change() -> None:
    alone = even_teams(ROSTER.run, line_up("Marines: \nyou"), Wanted())
    assert end_words(alone, "ns2").endswith("It would not be rated: one side empty.")
    assert alone.mine is not None
    assert win_lose(alone.mine, "ns2") == "not rated: one side empty"


def test_a_stranger_has_the_start_value_and_is_marked() -> None:
    result = even_teams(ROSTER.run, line_up(PASTED), Wanted())
    lines = {line.id: line for team in (0, 1) for line in team_lines(result, team, "ns2")}
    assert lines["stranger"].points.startswith("~")
    assert "no rounds" in lines["stranger"].note
    assert not lines["p1"].points.startswith("~")
    assert count_words(result.line_up) == "9 players, 8 known from your record, 1 not"
    assert lines[ME].title == "you"
    assert lines[ME].me


def test_words_of_a_result() -> None:
    result = even_teams(ROSTER.run, line_up(PASTED), Wanted())
    assert result.mine is not None
    team = TEAMS[int(ME in result.teams[1])]
    assert end_words(result, "ns2").endswith(f"({team}, whole round).")
    for swap in result.swaps:
        before, after = step_words(swap).split(" → ")
        assert before != after


def test_nobody_makes_two_empty_teams() -> None:
    result = even_teams(ROSTER.run, LineUp(TEAMS, (Seat("p1", "moth", True),), "", "ns2"), Wanted())
    assert result.after is None
    assert result.mine is None


def asked(*players: tuple[str, int | None]) -> Asked:
    named = tuple(Named(name, team) for name, team in players)
    return Asked(7, named, ME, frozenset(("me in game",)), "ns2", "ns2_veil")


def look(*players: tuple[str, int | None]) -> Outlook:
    return outlook(ROSTER, asked(*players))


def test_told_teams_give_both_sides_with_me_on_either() -> None:
    told = look(("moth", 0), ("harrow", 0), ("ninepin", 1), ("Me in game", 1), ("stranger", 1))
    assert (told.known, told.players, told.teams_told) == (3, 4, True)
    first, second = told.sides
    expected = what_if(ROSTER.run, match_of((("p1", "p2", ME), ("p3", "stranger"))), ME)
    assert (first.team, first.what) == ("Marines", expected)
    assert second.what == what_if(ROSTER.run, match_of((("p1", "p2"), ("p3", "stranger", ME))), ME)
    assert first.what.win > 0 > first.what.lose
    fairest = told.fairest
    assert fairest is not None
    assert all(abs((fairest.what.chance or 0) - 0.5) <= abs((side.what.chance or 0) - 0.5) for side in told.sides)


def test_names_alone_give_even_teams_and_say_so() -> None:
    told = look(("moth", None), ("harrow", None), ("stranger", None))
    (side,) = told.sides
    assert (side.team, side.more, side_title(side)) == ("", 0, "Balanced teams")
    assert "names only" in outlook_sentence(told, "Third Hive")


def test_who_would_be_one_more_or_fewer_is_told_so() -> None:
    (side,) = look(("moth", None), ("harrow", None)).sides
    assert abs(side.more) == 1
    assert side_title(side) == ("One player more" if side.more > 0 else "One player fewer")
    assert side_title(replace(side, more=-side.more)) != side_title(side)


def test_too_few_known_say_nothing_but_that() -> None:
    told = look(("moth", 0), ("x", 1), ("y", 1))
    assert told.sides == ()
    assert told.fairest is None
    assert "Paste the players" in outlook_sentence(told, "Third Hive")
    assert outlook_sentence(look(), "Third Hive") == "Nobody plays on Third Hive now."
    assert told.unevenness > look(("moth", 0), ("harrow", 1)).unevenness


def test_sides_are_two_numbers_told_of_everybody() -> None:
    def rows(*teams: int | None) -> list[PlayerRow]:
        return [PlayerRow(str(place), None, None, None, team, False) for place, team in enumerate(teams)]

    assert sides_of(rows(2, 1, 2)) == {1: 0, 2: 1}
    assert sides_of(rows(1, None)) == {}
    assert sides_of(rows(1, 1)) == {}
    assert sides_of(rows(1, 2, 3)) == {}


def test_who_plays_duels_is_a_player_and_no_team() -> None:
    def round_of(number: int, *teams: str) -> Match:
        players = [Player(each, (Stay(team, 0.0, 60.0),)) for each, team in zip(("ann", "bob"), teams, strict=True)]
        return Match(f"r{number}", teams, players, 60.0 * number, 60.0, (1, 2))

    duels_first = record_of([round_of(0, "ann", "bob"), round_of(1, "red", "blue")])
    assert Roster(rating_system("trueskill2").start(duels_first)).teams == ("red", "blue")
    assert Roster(rating_system("trueskill2").start(record_of([round_of(0, "ann", "bob")]))).teams == ("", "")
    nameless = LineUp(("", ""), (Seat("ann", "ann", True), Seat("bob", "bob", True)), "ann")
    run = rating_system("trueskill2").start(duels_first)
    assert even_teams(run, nameless, Wanted()).after == pytest.approx(0.5)
