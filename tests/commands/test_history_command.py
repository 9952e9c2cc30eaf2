"""The `history` command: ratings of one player, as `rate --trace` has them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from program_runner import Program
from round_samples import make_history, make_round, make_stay, run_json, run_refused, write_rounds

from browser_app.commands.history_command import format_chance_cell
from browser_app.paths import user_paths
from browser_app.rating.system_registry import RATING_SYSTEMS
from browser_app.storage.own_skill.skill_sample_store import StoredIdentity
from browser_app.storage.user_storage import UserStorage


def make_league(game: str = "ns2") -> list[dict[str, Any]]:
    """Return rounds in two modes, with every special case.

    A commander, a team change, a draw, an empty team, and an upcoming round.
    """
    rounds = [
        each | {"game": game, "map": "veil", "mode": ("ns2", "siege")[number % 3 == 0]}
        for number, each in enumerate(make_history())
    ]
    for game_round in rounds:
        game_round["players"] = [each | {"score": 10 + 3 * ord(each["id"][-1]) % 17} for each in game_round["players"]]
    rounds[3]["winner"] = None
    rounds[4]["players"][0]["stays"] = [make_stay("marines", 0, 300), make_stay("aliens", 400, 900)]
    rounds[5]["players"][1]["commanding"] = [rounds[5]["players"][1]["stays"][0] | {"leave": 500}]
    alone = make_round(
        "alone", {"a": "marines"}, game=game, started="2021-01-07T12:00:00Z", duration=900, winner="marines"
    )
    return [*rounds, alone, make_round("to come", {"a": "marines", "b": "aliens"}, game=game)]


def make_three_team_rounds(game: str) -> list[dict[str, Any]]:
    """Return rounds of three teams."""
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
                {"id": name, "score": 5 + number, "stays": [make_stay(team, 0, 600)]}
                for name, team in zip("abc", teams, strict=True)
            ],
        }
        for number in range(5)
    ]


def add_identities(*identities: StoredIdentity) -> None:
    with UserStorage(user_paths()) as storage:
        for identity in identities:
            storage.identities.add(identity)


def import_files(program: Program, *files: str) -> None:
    result = program("import", *files)
    assert result.status == 0, result.err


def run_history(program: Program, *words: str) -> dict[str, Any]:
    result = program("history", "--format", "json", *words)
    assert result.status == 0, result.err
    output: dict[str, Any] = result.json
    return output


@pytest.mark.parametrize("system", RATING_SYSTEMS)
@pytest.mark.parametrize("player", ["a", "h"])
def test_numbers_equal_rate(
    tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str], system: str, player: str
) -> None:
    path = write_rounds(tmp_path, "rounds.jsonl", [*make_league(), *make_three_team_rounds("ns2")])
    import_files(program, path)
    rated = run_json(capsys, "rate", path, "--system", system, "--trace")
    history = run_history(program, "--player", player, "--system", system)
    assert (history["player"], history["system"]) == (player, system)
    assert history["now"] == rated["players"][player]
    assert {each["id"]: each["why"] for each in history["skipped"]}.items() <= {
        each["id"]: each["why"] for each in rated["skipped"]
    }.items()
    trace = [each for each in rated["trace"] if player in each["changes"]]
    assert [each["id"] for each in history["points"]] == [each["id"] for each in trace]
    assert len(trace) > 10
    for point, entry in zip(history["points"], trace, strict=True):
        assert {key: point[key] for key in ("probability", "outcome")} == {
            key: entry[key] for key in ("probability", "outcome")
        }
        assert {key: point[key] for key in ("before", "after", "sd")} == entry["changes"][player]


@pytest.mark.parametrize(
    "account", ["4711", "STEAM_0:1:2355", "[U:1:4711]", "https://steamcommunity.com/profiles/76561197960270439"]
)
def test_any_steam_account_form(tmp_path: Path, program: Program, account: str) -> None:
    days = (f"2021-05-0{day}T00:00:00Z" for day in (1, 2))
    rounds = [
        make_round(player, {player: "marines", "x": "aliens"}, started=day, duration=900, winner="marines")
        for player, day in zip(("4711", "76561197960270439"), days, strict=True)
    ]
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", rounds))
    expected = ["4711"] if account == "4711" else ["4711", "76561197960270439"]
    assert [each["id"] for each in run_history(program, "--player", account)["points"]] == expected
    assert program("history", "--player", "4712").status == 1


def test_point_has_players_side(tmp_path: Path, program: Program) -> None:
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", make_league()))
    first, second, *_ = run_history(program, "--player", "a")["points"]
    assert list(first) == [
        *("id", "started", "map", "mode", "probability", "outcome", "before", "after", "sd"),
        *("before_points", "after_points", "sd_points", "team", "own_probability", "own_outcome"),
    ]
    assert (first["id"], first["started"]) == ("r0", "2021-01-01T00:00:00Z")
    assert (first["map"], first["mode"], second["mode"]) == ("veil", "siege", "ns2")
    for point in run_history(program, "--player", "a")["points"]:
        is_marine = point["team"] == "marines"
        assert point["own_outcome"] == (point["outcome"] if is_marine else 1 - point["outcome"])
        assert point["own_probability"] == pytest.approx(
            point["probability"] if is_marine else 1 - point["probability"]
        )


def test_default_system_is_games(tmp_path: Path, program: Program) -> None:
    for game, system in (("ns2", "ns2"), ("xonotic", "elo-xonstat"), ("bridge", "trueskill2")):
        rounds = [each | {"id": f"{game} {each['id']}", "mode": "ctf"} for each in make_league(game)]
        import_files(program, write_rounds(tmp_path, game, rounds))
        assert run_history(program, "--player", "a", "--game", game)["system"] == system


def test_parameters_apply(tmp_path: Path, program: Program) -> None:
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", make_league()))
    words = ("--player", "a", "--system", "elo-blog")
    assert run_history(program, *words, "--param", "start=500")["points"][0]["before"] == 500
    assert program("history", *words, "--param", "stat=500").status == 2


def with_other_ids(rounds: Sequence[dict[str, Any]], **other: str) -> list[dict[str, Any]]:
    """Return the rounds with some players under other ids."""
    players = [
        [each | {"id": other.get(each["id"], each["id"])} for each in game_round["players"]] for game_round in rounds
    ]
    return [
        game_round | {"players": players_of_round} for game_round, players_of_round in zip(rounds, players, strict=True)
    ]


def test_own_identities_are_merged(tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    rounds = make_league()
    path = write_rounds(
        tmp_path, "rounds.jsonl", [*with_other_ids(rounds[:12], a="1001"), *with_other_ids(rounds[12:], a="[U:1:2002]")]
    )
    one_id = write_rounds(tmp_path, "one_id.jsonl", with_other_ids(rounds, a="1001"))
    import_files(program, path)
    add_identities(
        StoredIdentity("ns2", "steam", str(76561197960265728 + 1001)),
        StoredIdentity("ns2", "steam", str(76561197960265728 + 2002)),
    )
    history = run_history(program)
    rated = run_json(capsys, "rate", one_id, "--system", "ns2")
    assert history["player"] == "1001"
    assert history["now"] == rated["players"]["1001"]


def test_most_played_game_is_shown(tmp_path: Path, program: Program) -> None:
    import_files(
        program,
        write_rounds(tmp_path, "few.jsonl", make_three_team_rounds("xonotic")),
        write_rounds(tmp_path, "many.jsonl", make_league()),
    )
    result = program("history", "--format", "json", "--player", "a")
    assert result.json["system"] == "ns2"
    assert all(repr(game) in result.err for game in ("ns2", "xonotic"))
    assert (
        run_history(program, "--player", "a", "--game", "xonotic", "--system", "trueskill2")["points"][0]["id"] == "t0"
    )
    assert run_history(program, "--player", "h")["system"] == "ns2"


def test_no_rounds_is_explained(tmp_path: Path, program: Program) -> None:
    result = program("history", "--player", "a", "--format", "json")
    assert result.status == 1
    assert result.json == {"player": "a", "game": None, "system": None, "now": {}, "points": [], "skipped": []}
    assert "your record is empty" in result.err
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", make_league()))
    for words, reason in (
        (("--player", "nobody"), "'nobody' is in no round"),
        (("--player", "a", "--game", "xonotic"), "no round of 'xonotic', only of 'ns2'"),
    ):
        result = program("history", *words)
        assert (result.status, result.out) == (1, "")
        assert reason in result.err
    add_identities(StoredIdentity("xonotic", "name", "somebody"))
    assert "you are in no round" in program("history").err


def test_unrated_have_reason(tmp_path: Path, program: Program) -> None:
    import_files(
        program, write_rounds(tmp_path, "rounds.jsonl", [each for each in make_league() if each["id"] == "alone"])
    )
    result = program("history", "--player", "a", "--format", "json")
    assert (result.status, result.json["points"]) == (1, [])
    assert result.json["skipped"] == [{"id": "alone", "why": "one side empty"}]
    assert "no round was rated: one side empty" in result.err


def test_unknown_user_gets_advice(tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", make_league()))
    assert "--player ID" in run_refused(capsys, "history")


def test_table_has_title_header_and_points(tmp_path: Path, program: Program) -> None:
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", with_other_ids(make_league(), a="[bold]a")))
    result = program("history", "--player", "[bold]a")
    assert result.status == 0
    title, header, first, *_, last = result.out.splitlines()
    assert title == "[bold]a · ns2 · ns2"
    assert header.split() == ["When", "(UTC)", "Map", "Mode", "Team", "Chance", "Result", "Change", "Points", "±"]
    assert first.split()[:4] == ["2021-01-01", "00:00", "veil", "siege"]
    assert len(result.out.splitlines()) == 2 + 24
    point = run_history(program, "--player", "[bold]a")["points"][-1]
    change = point["after_points"] - point["before_points"]
    assert last.split()[-3:] == [f"{change:+,.1f}", f"{point['after_points']:,.0f}", "–"]


@pytest.mark.parametrize(("system", "scale"), [("ns2", 50.0), ("elo-blog", 1.0), ("trueskill2", 1.0)])
def test_points_beside_model_units(tmp_path: Path, program: Program, system: str, scale: float) -> None:
    import_files(program, write_rounds(tmp_path, "rounds.jsonl", make_league()))
    for point in run_history(program, "--player", "a", "--system", system)["points"][1:]:
        assert point["before_points"] == scale * point["before"]
        assert point["after_points"] == scale * point["after"]


def test_equal_ids_are_both_shown(tmp_path: Path, program: Program) -> None:
    for hour, file in enumerate("xy"):
        game_round = make_round("same", {"a": "marines", "b": "aliens"}, game="ns2", duration=900, winner="marines")
        import_files(program, write_rounds(tmp_path, file, [game_round | {"started": f"2021-01-01T0{hour}:00:00Z"}]))
    first, second = (each["id"] for each in run_history(program, "--player", "a")["points"])
    assert first == "same"
    assert second.startswith("same#")


@pytest.mark.parametrize("system", ["ns2", "trueskill2"])
def test_full_history_equals_rate(
    tmp_path: Path, program: Program, capsys: pytest.CaptureFixture[str], system: str
) -> None:
    path = write_rounds(tmp_path, "rounds.jsonl", make_league())
    import_files(program, path)
    rated = run_json(capsys, "rate", path, "--system", system, "--full-history", "--trace")
    history = run_history(program, "--player", "a", "--system", system, "--full-history")
    assert history["now"] == rated["players"]["a"]
    changes = {each["id"]: each["changes"]["a"] for each in rated["trace"] if "a" in each["changes"]}
    assert {each["id"]: {key: each[key] for key in ("before", "after", "sd")} for each in history["points"]} == changes
    assert len(changes) > 10


@pytest.mark.parametrize(
    ("chance", "text"), [(0.994, "99%"), (0.995, ">99%"), (1.0, ">99%"), (0.004, "<1%"), (0.0, "<1%"), (0.375, "38%")]
)
def test_chance_is_never_certain(chance: float, text: str) -> None:
    assert format_chance_cell(chance) == text
