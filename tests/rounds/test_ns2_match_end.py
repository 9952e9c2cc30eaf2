"""Reports of NS2 servers at the end of a match."""

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from round_file_helpers import read_error, read_record

from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

ENDED = 1_700_000_600.0


def write_report(folder: Path, *players: dict[str, Any], **changes: Any) -> str:
    post = {"mapName": "ns2_veil", "gameTime": 600.0, "winner": 1, "players": list(players), "name": "Server"} | changes
    path = folder / "post.json"
    path.write_text(json.dumps({key: value for key, value in post.items() if value is not ...}), encoding="utf-8")
    os.utime(path, (ENDED, ENDED))
    return str(path)


def build_times(team: str, enters: list[float], exits: list[float]) -> dict[str, list[float]]:
    return {f"debug_{team}EntranceTimes": enters, f"debug_{team}ExitTimes": exits}


def read_player(path: str) -> dict[str, Any]:
    """Return the only player: stints and stints as commander."""
    ((_, round_object),) = list(stream_objects(RoundFileSource(path)))
    (player,) = round_object["players"]
    return {
        key: [(spell["team"], spell["enter"], spell["leave"]) for spell in player[key]]
        for key in ("stays", "commanding")
    }


def test_round_fields(tmp_path: Path) -> None:
    one = {
        "steamId": 42,
        "nickname": "ann",
        "kills": 3,
        "deaths": 4,
        "score": 50,
        **build_times("marine", [0], [600]),
    }
    path = write_report(tmp_path, one, {"steamId": 0, "nickname": "bot"})
    assert recognise_format(RoundFileSource(path)) == "ns2-match-end"
    ((line, round_object),) = list(stream_objects(RoundFileSource(path)))
    assert (line, round_object["map"], round_object["winner"], round_object["bots"], round_object["approximate"]) == (
        1,
        "ns2_veil",
        "marines",
        1,
        False,
    )
    record = read_record(path)
    assert (record.players(0), record.player_names, record.started[0]) == (("42",), ("ann",), ENDED - 600)
    assert (record.kills[0], record.deaths[0], record.score[0]) == (3, 4, 50)


def test_game_skill_is_read(tmp_path: Path) -> None:
    known = {"steamId": 1, "skill": 1407, "skillOffset": -22, "commSkill": 0, "adagrad": 0.5, "commAdagradSum": 0}
    unknown = {"steamId": 2, "skill": -1, "skillOffset": 0, "commSkill": -1}
    stays = build_times("marine", [0], [600])
    record = read_record(write_report(tmp_path, known | stays, unknown | stays))
    columns = (record.skill, record.offset, record.commander_skill, record.adagrad_sum, record.commander_adagrad_sum)
    assert [column[0] for column in columns] == [1407.0, -22.0, 0.0, 0.5, 0.0]
    assert all(math.isnan(column[1]) for column in columns)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kills": -1}, "players[0].kills"),
        ({"skill": -250}, "players[0].skill"),
        ({"deaths": -1}, "players[0].deaths"),
        ({"marineTime": -1}, "players[0].marineTime"),
        (build_times("marine", [-5], [600]), "players[0].debug_marineEntranceTimes[0]"),
    ],
)
def test_negative_number_is_rejected(changes: dict[str, Any], field: str, tmp_path: Path) -> None:
    error = read_error(write_report(tmp_path, {"steamId": 1, **build_times("marine", [0], [600]), **changes}))
    assert (error.line, error.field) == (1, field)


@pytest.mark.parametrize("rest", ["[]: 1", "{}: 1", "1: 2", '"a" 1', "[" * 5000])
def test_error_before_invalid_json_is_located(tmp_path: Path, rest: str) -> None:
    path = tmp_path / "round.json"
    path.write_text('{"RoundInfo": true, ' + rest + "}", encoding="utf-8")
    error = read_error(str(path), form="ns2plus")
    assert str(error).startswith(f"{path}:1: RoundInfo: ")


def test_negative_kills_in_ns2plus_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "1.json"
    info = {"roundDate": ENDED, "roundLength": 600.0, "mapName": "ns2_veil", "winningTeam": 1}
    players = {"17": {"1": {"timePlayed": 600.0, "kills": -3}}}
    path.write_text(json.dumps({"RoundInfo": info, "PlayerStats": players}, indent=1), encoding="utf-8")
    error = read_error(str(path))
    assert (error.line, error.field) == (12, "PlayerStats.17.1.kills")


def test_exact_times(tmp_path: Path) -> None:
    player = {"steamId": 1, **build_times("marine", [10, 300], [100]), **build_times("alien", [120.5], [290])}
    assert read_player(write_report(tmp_path, player))["stays"] == [
        ("marines", 10.0, 100.0),
        ("aliens", 120.5, 290.0),
        ("marines", 300.0, 600.0),
    ]


@pytest.mark.parametrize(("last", "order"), [(1, ("aliens", "marines")), (2, ("marines", "aliens"))])
def test_lengths_only(last: int, order: tuple[str, str], tmp_path: Path) -> None:
    path = write_report(tmp_path, {"steamId": 1, "teamNumber": last, "marineTime": 100, "alienTime": 100})
    assert read_player(path)["stays"] == [(order[0], 0.0, 100.0), (order[1], 100.0, 200.0)]
    assert next(stream_objects(RoundFileSource(path)))[1]["approximate"]


def test_commander_time_fills_team_stints(tmp_path: Path) -> None:
    stays = {**build_times("marine", [0], [100]), **build_times("alien", [100, 300], [200, 500])}
    older = {"steamId": 1, "teamNumber": 2, "commanderTime": 150, **stays}
    assert read_player(write_report(tmp_path, older))["commanding"] == [
        ("aliens", 100.0, 200.0),
        ("aliens", 300.0, 350.0),
    ]
    newer = {"steamId": 1, "teamNumber": 2, "commanderTime": 60, "marineCommTime": 20, "alienCommTime": 40, **stays}
    assert read_player(write_report(tmp_path, newer))["commanding"] == [
        ("marines", 0.0, 20.0),
        ("aliens", 100.0, 140.0),
    ]


@pytest.mark.parametrize(("winner", "expected"), [(0, None), (2, "aliens"), (..., None)])
def test_winner_is_read(winner: Any, expected: str | None, tmp_path: Path) -> None:
    ((_, round_object),) = list(stream_objects(RoundFileSource(write_report(tmp_path, winner=winner))))
    assert round_object["winner"] == expected


def test_same_report_has_same_id(tmp_path: Path) -> None:
    one = read_record(write_report(tmp_path)).ids[0]
    assert read_record(write_report(tmp_path)).ids[0] == one
    assert read_record(write_report(tmp_path, winner=2)).ids[0] != one


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("winner", {"winner": 3}),
        ("winner", {"winner": "marines"}),
        ("gameTime", {"gameTime": 0}),
        ("gameTime", {"gameTime": 1e30}),
        ("mapName", {"mapName": ...}),
        ("players[0].steamId", {"players": [{}]}),
        ("players[0].marineTime", {"players": [{"steamId": 1, "marineTime": -1}]}),
        (
            "players[0].debug_marineEntranceTimes[1]",
            {"players": [{"steamId": 1, "debug_marineEntranceTimes": [0, None]}]},
        ),
        ("players[0].stays[0].leave", {"players": [{"steamId": 1, **build_times("marine", [50], [40])}]}),
    ],
)
def test_malformed_match_end(field: str, changes: dict[str, Any], tmp_path: Path) -> None:
    error = read_error(write_report(tmp_path, **changes), form="ns2-match-end")
    assert (error.line, error.field) == (1, field)
