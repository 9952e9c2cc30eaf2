"""Xonotic event logs."""

import os
from pathlib import Path
from typing import Any

import pytest
from round_file_helpers import read_error, read_record

from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

WRITTEN = 1_600_000_300.0
LABELS = ":labels:player:score!!,caps!,deaths<,kills\n"


def format_game(players: str, teams: str = "", start: str = ":gamestart:ctf_bloodprison:7.1514125633.12\n") -> str:
    return f"{start}:join:5:2:bot:[BOT]Death\n:scores:ctf_bloodprison:300\n{LABELS}{players}{teams}:end\n:gameover\n"


def format_row(nick: str, team: str = "-1", scores: str = "1,0,2,3", playtime: str = "250", slot: int = 1) -> str:
    return f":player:see-labels:{scores}:{playtime}:{team}:{slot}:{nick}\n"


def write_log(folder: Path, text: str) -> str:
    path = folder / "server.log"
    path.write_text(text, encoding="utf-8")
    os.utime(path, (WRITTEN, WRITTEN))
    return str(path)


def read_log_rounds(folder: Path, text: str) -> list[tuple[int, dict[str, Any]]]:
    path = write_log(folder, text)
    assert recognise_format(RoundFileSource(path)) == "xonotic-log"
    return list(stream_objects(RoundFileSource(path)))


def test_team_game(tmp_path: Path) -> None:
    teams = ":labels:teamscores:score,caps!!\n:teamscores:see-labels:10,4:14\n:teamscores:see-labels:90,1:5\n"
    players = (
        format_row("^1Ann:x", "5")
        + format_row("bob", "14")
        + format_row("[BOT]Death", "14")
        + format_row("eve", "spectator")
    )
    ((line, round_object),) = read_log_rounds(tmp_path, format_game(players, teams))
    assert (line, round_object["id"], round_object["started"]) == (3, "xonotic 7.1514125633.12", "2017-12-24T14:27:13Z")
    assert (round_object["mode"], round_object["map"], round_object["teams"], round_object["winner"]) == (
        "ctf",
        "bloodprison",
        ["red", "blue"],
        "blue",
    )
    assert round_object["bots"] == ["[BOT]Death"]
    assert round_object["players"][0] == {
        "id": "Ann:x",
        "name": "Ann:x",
        "stays": [{"team": "red", "enter": 0.0, "leave": 250.0}],
        "kills": 3.0,
        "deaths": 2.0,
        "score": 1.0,
        "objectives": 0.0,
    }
    assert [player["id"] for player in round_object["players"]] == ["Ann:x", "bob"]


def test_captures_are_objectives(tmp_path: Path) -> None:
    text = format_game(format_row("a", "5", scores="30,2") + format_row("b", "14", scores="20,0"))
    text = text.replace(LABELS, ":labels:player:score!!,caps\n")
    assert [each["objectives"] for each in read_log_rounds(tmp_path, text)[0][1]["players"]] == [2.0, 0.0]


def test_game_without_teams(tmp_path: Path) -> None:
    scores = {"c": "9,0,0,0", "b": "5,2,0,0", "d": "5,1,9,9", "a": "5,1,0,0"}
    ((_, round_object),) = read_log_rounds(
        tmp_path, format_game("".join(format_row(nick, scores=each) for nick, each in scores.items()))
    )
    assert round_object["ranks"] == {"a": 3, "b": 2, "c": 1, "d": 3}
    assert round_object["teams"] == ["a", "b", "c", "d"]  # not in the order of the scores


def test_label_where_less_is_better(tmp_path: Path) -> None:
    text = format_game(format_row("a", scores="30") + format_row("b", scores="20")).replace(
        LABELS, ":labels:player:fastest!!<\n"
    )
    assert read_log_rounds(tmp_path, text)[0][1]["winner"] == "b"


def test_duplicate_nick(tmp_path: Path) -> None:
    assert read_record(
        write_log(tmp_path, format_game(format_row("ann", slot=4) + format_row("^2ann", slot=6)))
    ).players(0) == (
        "ann",
        "ann#6",
    )


def test_play_time_is_cut_at_end(tmp_path: Path) -> None:
    assert read_record(write_log(tmp_path, format_game(format_row("a", playtime="400")))).stays.leave.tolist() == [
        300.0
    ]


@pytest.mark.parametrize(("score", "winner"), [("9,0,0,0", "ann"), ("1,0,0,0", "bots")])
def test_one_against_bots(score: str, winner: str, tmp_path: Path) -> None:
    ((_, round_object),) = read_log_rounds(
        tmp_path,
        format_game(format_row("ann", scores=score) + format_row("[BOT]Death", scores="5,0,0,0")),
    )
    assert (round_object["teams"], round_object["winner"], len(round_object["players"])) == (["ann", "bots"], winner, 1)


def test_team_without_score_is_last(tmp_path: Path) -> None:
    teams = ":labels:teamscores:score!!\n:teamscores:see-labels:-5:5\n"
    ((_, round_object),) = read_log_rounds(tmp_path, format_game(format_row("a", "5") + format_row("b", "14"), teams))
    assert (round_object["teams"], round_object["winner"]) == (["red", "blue"], "red")


def test_negative_kills_are_unknown(tmp_path: Path) -> None:
    """Killed team mates are taken off them, and a score may be negative."""
    ((_, round_object),) = read_log_rounds(tmp_path, format_game(format_row("a", scores="-5,0,2,-1")))
    player = round_object["players"][0]
    assert (player["kills"], player["deaths"], player["score"]) == (None, 2.0, -5.0)


@pytest.mark.parametrize(
    ("start", "started"),
    [
        (":gamestart:dm_x:0.5\n:time:2024-05-01 20:00:00\n:time:2024-05-01 21:00:00\n", 1714593600.0),
        (":gamestart:dm_x:0.5\n", WRITTEN - 300),
        ("", WRITTEN - 300),
    ],
)
def test_start_time(start: str, started: float, tmp_path: Path) -> None:
    assert read_record(write_log(tmp_path, format_game(format_row("a"), start=start))).started[0] == started


def test_unfinished_and_empty_games_are_skipped(tmp_path: Path) -> None:
    unfinished = ":gamestart:dm_x:0.5\n:join:1:1:127.0.0.1:ann\n"
    located_rounds = read_log_rounds(
        tmp_path,
        unfinished + format_game("") + format_game(format_row("a"), start=":gamestart:dm_x:0.6\n") + unfinished,
    )
    assert [(line, each["id"]) for line, each in located_rounds] == [(11, "xonotic 0.6")]


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (format_game(format_row("a", scores="x,0,0,0")), 5, "score"),
        (format_game(format_row("a", scores="0,0,0,nan")), 5, "kills"),
        (format_game(format_row("a", scores="0,0,-1,0")), 5, "deaths"),
        (format_game(format_row("a", playtime="long")), 5, "playtime"),
        (format_game(format_row("a", "red"), ":teamscores:see-labels:1:5\n"), 5, "team"),
        (format_game(":player:see-labels:1,2\n"), 5, "player"),
        (format_game(format_row("a")).replace(":300\n", ":\n"), 3, "scores"),
        (format_game(format_row("a")).partition(":end")[0], 3, "scores"),
        (format_game(format_row("a"), start=":gamestart:dm_x:1\n:time:noon\n"), 2, "time"),
        (format_game(format_row("a")).replace(":300\n", ":0\n"), 3, "duration"),
        (format_game(format_row("a"), start="").replace(":300\n", ":1e21\n"), 2, "started"),
        (format_game(format_row("a") * 10_001), 10_004, "scores"),
    ],
)
def test_malformed_log(text: str, line: int, field: str, tmp_path: Path) -> None:
    error = read_error(write_log(tmp_path, text), form="xonotic-log")
    assert (error.line, error.field) == (line, field)
