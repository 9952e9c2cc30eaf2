"""Posts of Wonitor: rounds without players, and NS2+ statistics as lists."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from round_file_helpers import read_error, read_record

from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

END = {"map": "ns2_tram", "length": 900.0, "winner": 2, "time": 1_700_000_900, "serverName": "S"}
FIGURES = {"1": [100.5, 0, 50.5, 3, 1, 2, 0, 0, 0, 0, 0, 0, 30], "2": [200, 0, 0, 4, 0, 5, 0, 0, 0, 0, 0, 0, 40]}
STATS = {
    "RoundInfo": {"roundDate": 1_700_000_900, "roundLength": 900, "mapName": "ns2_tram", "winningTeam": 1},
    "ServerInfo": {"ip": "192.0.2.1", "port": 27015, "name": "S", "buildNumber": 344},
    "PlayerStats": {"7": {"playerName": "ann", "lastTeam": 1, **FIGURES}},
}


def encode_post(kind: str, data: Any, **more: str) -> str:
    return urlencode({"messageType": kind, "serverId": "9", "data": json.dumps(data)} | more) + "\n"


def write_posts(folder: Path, *posts: str) -> str:
    path = folder / "posts.txt"
    path.write_text("".join(posts), encoding="utf-8")
    return str(path)


def test_posts_of_all_kinds(tmp_path: Path) -> None:
    path = write_posts(
        tmp_path, encode_post("MatchEnd", END), "\n", encode_post("Chat", {}), encode_post("NS2PlusStats", STATS)
    )
    assert recognise_format(RoundFileSource(path)) == "wonitor"
    (first, end), (second, stats) = list(stream_objects(RoundFileSource(path)))
    assert (first, end["winner"], end["started"], end["players"]) == (1, "aliens", "2023-11-14T22:13:20Z", [])
    assert (second, stats["winner"], stats["started"]) == (4, "marines", end["started"])
    (player,) = stats["players"]
    assert (player["kills"], player["deaths"], player["assists"], player["score"]) == (7, 7, 1, 70)
    assert player["stays"] == [
        {"team": "aliens", "enter": 0.0, "leave": 200.0},
        {"team": "marines", "enter": 200.0, "leave": 300.5},
    ]
    assert player["commanding"] == [{"team": "marines", "enter": 200.0, "leave": 250.5}]


def test_time_as_text(tmp_path: Path) -> None:
    assert (
        read_record(write_posts(tmp_path, encode_post("MatchEnd", END | {"time": "2023-11-14 22:28:20"}))).started[0]
        == 1_700_000_000
    )


def test_lists_for_empty_tables(tmp_path: Path) -> None:
    assert read_record(write_posts(tmp_path, encode_post("NS2PlusStats", STATS | {"PlayerStats": []}))).players(0) == ()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (encode_post("MatchEnd", END | {"length": -5}), "length"),
        (encode_post("MatchEnd", END | {"winner": 3}), "winner"),
        (encode_post("MatchEnd", END | {"time": "noon"}), "time"),
        (encode_post("MatchEnd", END | {"time": 1e300}), "time"),
        (encode_post("NS2PlusStats", STATS | {"PlayerStats": {"7": {"1": ["x"]}}}), "PlayerStats.7.1[0]"),
        (encode_post("NS2PlusStats", STATS | {"PlayerStats": {"7": 5}}), "PlayerStats.7"),
        (
            encode_post("NS2PlusStats", STATS | {"PlayerStats": {"7": FIGURES | {"1": [901.5]}}}),
            "players[0].stays[0].leave",
        ),
        (urlencode({"messageType": "MatchEnd"}), "data"),
        ("hello", "messageType"),
        (encode_post("MatchEnd", END)[:-40], "column 60"),
    ],
)
def test_malformed_post(given: str, field: str, tmp_path: Path) -> None:
    error = read_error(write_posts(tmp_path, encode_post("MatchEnd", END), given), form="wonitor")
    assert error.line == 2
    assert error.field is not None
    assert error.field == field or (field.startswith("column") and error.field.startswith("column"))
