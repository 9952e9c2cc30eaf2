"""`history`: a player's way through the record, with the very numbers of `rate --trace`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from program_runner import Program
from round_samples import a_history, a_round, printed, refusal, round_file, stay

from browser_app.paths import user_paths
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.user_session import UserSession


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def league(game: str = "ns2") -> list[dict[str, Any]]:
    """Rounds in two modes with a commander, a change of team, a draw, one side empty, one not yet played."""
    rounds = [
        each | {"game": game, "map": "veil", "mode": ("ns2", "siege")[number % 3 == 0]}
        for number, each in enumerate(a_history())
    ]
    for one in rounds:
        one["players"] = [each | {"score": 10 + 3 * ord(each["id"][-1]) % 17} for each in one["players"]]
    rounds[3]["winner"] = None
    rounds[4]["players"][0]["stays"] = [stay("marines", 0, 300), stay("aliens", 400, 900)]
    rounds[5]["players"][1]["commanding"] = [rounds[5]["players"][1]["stays"][0] | {"leave": 500}]
    alone = a_round(
        "alone", {"a": "marines"}, game=game, started="2021-01-07T12:00:00Z", duration=900, winner="marines"
    )
    return [*rounds, alone, a_round("to come", {"a": "marines", "b": "aliens"}, game=game)]


def trio(game: str) -> list[dict[str, Any]]:
    """Rounds of three teams."""
    teams = ("red", "blue", "pink")
    return [
        {
            "id": f"t{number}",
            "game": game,
            "started": f"2021-02-{1 + number:02}T00:00:00Z",
            "duration": 600,
            "teams": list(teams),
            "ranks": {team: 1 + (place + number) % 3 for place, team in enumerate(teams)},
            "players": [
                {"id": name, "score": 5 + number, "stays": [stay(team, 0, 600)]}
                for name, team in zip("abc", teams, strict=True)
            ],
        }
        for number in range(5)
    ]


def known(*identities: StoredIdentity) -> None:
    with UserSession(user_paths()) as session:
        for identity in identities:
            session.identities.add(identity)


def take_in(program: Program, *files: str) -> None:
    ran = program("import", *files)
    assert ran.status == 0, ran.err


def ask(program: Program, *words: str) -> dict[str, Any]:
    ran = program("history", "--format", "json", *words)
    assert ran.status == 0, ran.err
    answer: dict[str, Any] = ran.json
    return answer


@pytest.mark.parametrize("system", RATING_SYSTEMS)
@pytest.mark.parametrize("player", ["a", "h"])
def test_the_numbers_are_those_of_rate(
    tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str], system: str, player: str
) -> None:
    path = round_file(tmp_path, "rounds.jsonl", [*league(), *trio("ns2")])
    take_in(program, path)
    rated = printed(capsys, "rate", path, "--system", system, "--trace")
    told = ask(program, "--player", player, "--system", system)
    assert (told["player"], told["system"]) == (player, system)
    assert told["now"] == rated["players"][player]
    assert {each["id"]: each["why"] for each in told["skipped"]}.items() <= {
        each["id"]: each["why"] for each in rated["skipped"]
    }.items()
    trace = [each for each in rated["trace"] if player in each["changes"]]
    assert [each["id"] for each in told["points"]] == [each["id"] for each in trace]
    assert len(trace) > 10
    for point, entry in zip(told["points"], trace, strict=True):
        assert {key: point[key] for key in ("probability", "outcome")} == {
            key: entry[key] for key in ("probability", "outcome")
        }
        assert {key: point[key] for key in ("before", "after", "sd")} == entry["changes"][player]


@pytest.mark.parametrize(
    "given", ["4711", "STEAM_0:1:2355", "[U:1:4711]", "https://steamcommunity.com/profiles/76561197960270439"]
)
def test_a_steam_account_is_found_however_it_is_written(tmp_path: Path, program: Program, given: str) -> None:
    days = (f"2021-05-0{day}T00:00:00Z" for day in (1, 2))
    rounds = [
        a_round(player, {player: "marines", "x": "aliens"}, started=day, duration=900, winner="marines")
        for player, day in zip(("4711", "76561197960270439"), days, strict=True)
    ]
    take_in(program, round_file(tmp_path, "rounds.jsonl", rounds))
    wanted = ["4711"] if given == "4711" else ["4711", "76561197960270439"]
    assert [each["id"] for each in ask(program, "--player", given)["points"]] == wanted
    assert program("history", "--player", "4712").status == 1


def test_a_point_tells_where_and_from_the_players_side(tmp_path: Path, program: Program) -> None:
    take_in(program, round_file(tmp_path, "rounds.jsonl", league()))
    first, second, *_ = ask(program, "--player", "a")["points"]
    assert list(first) == [
        *("id", "started", "map", "mode", "probability", "outcome", "before", "after", "sd"),
        *("team", "own_probability", "own_outcome"),
    ]
    assert (first["id"], first["started"]) == ("r0", "2021-01-01T00:00:00Z")
    assert (first["map"], first["mode"], second["mode"]) == ("veil", "siege", "ns2")
    for point in ask(program, "--player", "a")["points"]:
        mine = point["team"] == "marines"
        assert point["own_outcome"] == (point["outcome"] if mine else 1 - point["outcome"])
        assert point["own_probability"] == pytest.approx(point["probability"] if mine else 1 - point["probability"])


def test_the_system_is_the_games_own_unless_named(tmp_path: Path, program: Program) -> None:
    for game, system in (("ns2", "ns2"), ("xonotic", "elo-xonstat"), ("bridge", "trueskill2")):
        rounds = [each | {"id": f"{game} {each['id']}", "mode": "ctf"} for each in league(game)]
        take_in(program, round_file(tmp_path, game, rounds))
        assert ask(program, "--player", "a", "--game", game)["system"] == system


def test_parameters_hold(tmp_path: Path, program: Program) -> None:
    take_in(program, round_file(tmp_path, "rounds.jsonl", league()))
    words = ("--player", "a", "--system", "elo-blog")
    assert ask(program, *words, "--param", "start=500")["points"][0]["before"] == 500
    assert program("history", *words, "--param", "stat=500").status == 2


def names(rounds: Sequence[dict[str, Any]], **other: str) -> list[dict[str, Any]]:
    """The rounds with some people under other ids."""
    players = [[each | {"id": other.get(each["id"], each["id"])} for each in one["players"]] for one in rounds]
    return [one | {"players": there} for one, there in zip(rounds, players, strict=True)]


def test_without_a_player_it_is_who_the_user_is_under_all_ids(
    tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = league()
    path = round_file(tmp_path, "rounds.jsonl", [*names(rounds[:12], a="1001"), *names(rounds[12:], a="[U:1:2002]")])
    one_id = round_file(tmp_path, "one_id.jsonl", names(rounds, a="1001"))
    take_in(program, path)
    known(
        StoredIdentity("ns2", "steam", str(76561197960265728 + 1001)),
        StoredIdentity("ns2", "steam", str(76561197960265728 + 2002)),
    )
    told = ask(program)
    rated = printed(capsys, "rate", one_id, "--system", "ns2")
    assert told["player"] == "1001"
    assert told["now"] == rated["players"]["1001"]


def test_of_several_games_that_with_most_rounds_is_shown(tmp_path: Path, program: Program) -> None:
    take_in(program, round_file(tmp_path, "few.jsonl", trio("xonotic")), round_file(tmp_path, "many.jsonl", league()))
    ran = program("history", "--format", "json", "--player", "a")
    assert ran.json["system"] == "ns2"
    assert "this is 'ns2'; --game shows another one: 'xonotic'" in ran.err
    assert ask(program, "--player", "a", "--game", "xonotic", "--system", "trueskill2")["points"][0]["id"] == "t0"
    assert ask(program, "--player", "h")["system"] == "ns2"


def test_nothing_there_is_told(tmp_path: Path, program: Program) -> None:
    ran = program("history", "--player", "a", "--format", "json")
    assert ran.status == 1
    assert ran.json == {"player": "a", "game": None, "system": None, "now": {}, "points": [], "skipped": []}
    assert "your record is empty" in ran.err
    take_in(program, round_file(tmp_path, "rounds.jsonl", league()))
    for words, reason in (
        (("--player", "nobody"), "'nobody' is in no round"),
        (("--player", "a", "--game", "xonotic"), "no round of 'xonotic', but of 'ns2'"),
    ):
        ran = program("history", *words)
        assert (ran.status, ran.out) == (1, "")
        assert reason in ran.err
    known(StoredIdentity("xonotic", "name", "somebody"))
    assert "you are in no round" in program("history").err


def test_rounds_that_were_not_rated_are_told_with_the_reason(tmp_path: Path, program: Program) -> None:
    take_in(program, round_file(tmp_path, "rounds.jsonl", [each for each in league() if each["id"] == "alone"]))
    ran = program("history", "--player", "a", "--format", "json")
    assert (ran.status, ran.json["points"]) == (1, [])
    assert ran.json["skipped"] == [{"id": "alone", "why": "one side empty"}]
    assert "no round was rated: one side empty" in ran.err


def test_who_says_nothing_of_himself_is_told_how(
    tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(program, round_file(tmp_path, "rounds.jsonl", league()))
    assert "--player ID" in refusal(capsys, "history")


def test_a_table_for_people(tmp_path: Path, program: Program) -> None:
    take_in(program, round_file(tmp_path, "rounds.jsonl", names(league(), a="[bold]a")))
    ran = program("history", "--player", "[bold]a")
    assert ran.status == 0
    title, header, first, *_ = ran.out.splitlines()
    assert title == "[bold]a · ns2 · ns2"
    assert header.split() == ["When", "(UTC)", "Map", "Mode", "Team", "Chance", "Result", "Change", "Rating", "±"]
    assert first.split()[:4] == ["2021-01-01", "00:00", "veil", "siege"]
    assert len(ran.out.splitlines()) == 2 + 24


def test_two_rounds_under_one_id_are_both_in_the_history(tmp_path: Path, program: Program) -> None:
    for hour, file in enumerate("xy"):
        one = a_round("same", {"a": "marines", "b": "aliens"}, game="ns2", duration=900, winner="marines")
        take_in(program, round_file(tmp_path, file, [one | {"started": f"2021-01-01T0{hour}:00:00Z"}]))
    first, second = (each["id"] for each in ask(program, "--player", "a")["points"])
    assert first == "same"
    assert second.startswith("same#")
