"""Xonotic match reports: participants, outcome, errors."""

import os
from pathlib import Path
from typing import Any

import pytest
from round_file_helpers import read_error, read_record

from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource

WRITTEN = 1_600_000_500.0
HEADER = {"V": "9", "R": "x", "G": "tdm", "O": "Xonotic", "M": "xoylent", "I": "0.55", "S": "Server", "D": "500.5"}


def header(**changes: str | None) -> str:
    return "".join(f"{key} {value}\n" for key, value in (HEADER | changes).items() if value is not None)


def player(key: str, team: int | None = None, extra: str = "", **events: float) -> str:
    """Return a player who stayed to the end, unless an event is 0."""
    values = {"joins": 1, "matches": 1, "scoreboardvalid": 1, "alivetime": 400} | events
    lines = [f"P {key}", "i 3", "n ^1Nick", *([] if team is None else [f"t {team}"]), *extra.splitlines()]
    lines += [f"e {name.replace('_', '-')} {value}" for name, value in values.items() if value]
    return "\n".join(lines) + "\n"


def write_reports(folder: Path, text: str) -> str:
    path = folder / "report.txt"
    path.write_text(text, encoding="utf-8")
    os.utime(path, (WRITTEN, WRITTEN))
    return str(path)


def only(folder: Path, text: str) -> dict[str, Any]:
    path = write_reports(folder, text)
    assert recognise_format(RoundFileSource(path)) == "xonstat"
    ((_, found),) = list(stream_objects(RoundFileSource(path)))
    return found


def test_teams_in_games_order(tmp_path: Path) -> None:
    found = only(tmp_path, header() + player("p", 10) + player("q", 13, wins=1) + player("r", 5) + player("s", 14))
    assert found["teams"] == ["red", "blue", "yellow", "pink"]
    assert found["ranks"] == {"red": 2, "blue": 2, "yellow": 1, "pink": 2}


@pytest.mark.parametrize(
    ("teams", "winner"),
    [
        ("Q team#14\ne scoreboard-caps 3\nQ team#5\ne scoreboard-caps 2\ne scoreboard-score 900\n", "blue"),
        ("Q team#14\ne scoreboard-score 3\nQ team#5\ne scoreboard-score 7\n", "red"),
        ("Q team#14\ne scoreboard-score 3\nQ team#5\ne scoreboard-score 3\n", None),
        ("", None),
    ],
)
def test_team_scores_decide_without_winner(teams: str, winner: str | None, tmp_path: Path) -> None:
    found = only(tmp_path, header() + teams + player("p", 5) + player("q", 14))
    assert found["winner"] == winner


def test_participants(tmp_path: Path) -> None:
    found = only(
        tmp_path,
        header()
        + player("finisher", 5, total_score=2.5, avglatency=40)
        + player("leaver", 14, "r 0", matches=0, total_score=4, total_kills=2)
        + player("watcher", -1)
        + player("never", 5, joins=0)
        + player("bot#5#Death", 14),
    )
    assert (found["bots"], found["spectators"]) == (["bot#5#Death"], ["watcher", "never"])
    finisher, leaver = found["players"]
    assert finisher == {
        "id": "finisher",
        "name": "Nick",
        "stays": [{"team": "red", "enter": 0.0, "leave": 400.0}],
        "kills": 0.0,
        "deaths": 0.0,
        "score": 2.5,
        "objectives": None,
        "ping": 40.0,
        "quit": False,
        "ranked": None,
    }
    assert (leaver["quit"], leaver["score"], leaver["kills"], leaver["ranked"]) == (True, 4.0, 2.0, False)


def test_captures_are_objectives(tmp_path: Path) -> None:
    """Zeros are left out of a report."""
    found = only(tmp_path, header() + player("a", 5, scoreboard_caps=3) + player("b", 14))
    assert [each["objectives"] for each in found["players"]] == [3.0, 0.0]


def test_negative_kills_are_unknown(tmp_path: Path) -> None:
    """Killed team mates are taken off them, and a score may be negative."""
    found = only(tmp_path, header() + player("a", 5, scoreboard_kills=-2, scoreboard_score=-9) + player("b", 14))
    assert (found["players"][0]["kills"], found["players"][0]["score"]) == (None, -9.0)


def test_negative_deaths_are_refused(tmp_path: Path) -> None:
    error = read_error(write_reports(tmp_path, header() + player("a", 5) + player("b", 14, scoreboard_deaths=-1)))
    assert (error.line, error.field) == (17, "e scoreboard-deaths")


def test_time_alive_is_cut_at_end(tmp_path: Path) -> None:
    assert read_record(write_reports(tmp_path, header() + player("p", 5, alivetime=9999))).stays.leave.tolist() == [
        500.5
    ]


def test_untracked_players_get_new_ids(tmp_path: Path) -> None:
    text = header() + player("player#1", 5) + player("key", 5) + player("key", 14)
    assert read_record(write_reports(tmp_path, text)).players(0) == ("player#1@0.55", "key", "player#3@0.55")


def test_match_without_teams(tmp_path: Path) -> None:
    found = only(
        tmp_path,
        header(G="dm")
        + player("third", scoreboardpos=4, scoreboard_score=3)
        + player("first", scoreboardpos=1, scoreboard_score=9, wins=1)
        + player("bot#1", scoreboardpos=2, scoreboard_score=8)
        + player("tied", scoreboardpos=3, scoreboard_score=3)
        + player("left", matches=0, total_score=50)
        + player("gone", matches=0),
    )
    assert found["ranks"] == {"third": 2, "first": 1, "tied": 2, "left": 3, "gone": 3}
    assert found["teams"] == ["first", "gone", "left", "third", "tied"]  # not in the order of the result


@pytest.mark.parametrize(("scores", "winner"), [((5, 5), None), ((5, 4), "b")])
def test_duel(scores: tuple[int, int], winner: str | None, tmp_path: Path) -> None:
    players = [player(key, scoreboardpos=i + 1, scoreboard_score=scores[i]) for i, key in enumerate("ba")]
    found = only(tmp_path, header(G="duel") + "".join(players))
    assert (found["teams"], found["winner"]) == (["a", "b"], winner)


@pytest.mark.parametrize(("match_id", "started"), [("3.1514125633.925", 1514125633.0), ("0.55", WRITTEN - 500.5)])
def test_start_from_match_id_or_file_time(match_id: str, started: float, tmp_path: Path) -> None:
    assert read_record(write_reports(tmp_path, header(I=match_id) + player("p", 5))).started[0] == started


@pytest.mark.parametrize(
    ("wins", "bot", "teams", "winner"),
    [
        (0, "", ["p", "nobody"], "p"),
        (1, "bot#1", ["p", "bots"], "p"),
        (0, "bot#1", ["p", "bots"], "bots"),
    ],
)
def test_single_player(wins: int, bot: str, teams: list[str], winner: str, tmp_path: Path) -> None:
    found = only(tmp_path, header(G="dm") + player("p", wins=wins) + (player(bot) if bot else ""))
    assert (found["teams"], found["winner"], len(found["players"])) == (teams, winner, 1)


def test_report_without_players_is_skipped(tmp_path: Path) -> None:
    assert len(read_record(write_reports(tmp_path, header() + player("bot#1", 5)))) == 0


def test_log_of_many_reports(tmp_path: Path) -> None:
    def logged(match_id: str) -> str:
        report = f"IDFP key\n# note\n{header(I=match_id, RP='3', NEW='x')}{player('p', 5)}"
        return f"10:00 ----- BEGIN REQUEST BODY -----\n{report}----- END REQUEST BODY -----\nreply\n"

    path = write_reports(tmp_path, "start\n" + logged("0.1") + logged("0.2"))
    assert [(line, found["id"]) for line, found in list(stream_objects(RoundFileSource(path)))] == [
        (5, "0.1@Server"),
        (28, "0.2@Server"),
    ]
    cut = write_reports(tmp_path, logged("0.1") + logged("0.2")[:-40])
    assert "ends within a report" in read_error(cut).problem


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (header(V=None), 1, "V"),
        (header(V="nine"), 1, "V"),
        (header(D="0") + player("p", 5), 8, "D"),
        (header(D="nan") + player("p", 5), 8, "D"),
        (header(D=None) + player("p", 5), 1, "D"),
        (header(D="1e21") + player("p", 5), 1, "started"),
        (header(M=None) + player("p", 5), 1, "M"),
        (header() + "e x 1\n", 9, "e x"),
        (header() + "Q red\n", 9, "Q"),
        (header() + "P p\nt red\n", 10, "t"),
        (header() + "P p\nr yes\n", 10, "r"),
        (header() + "P p\ni one\n", 10, "i"),
        (header() + "P p\ne alivetime\n", 10, "e alivetime"),
        (header() + "P p\ne alivetime nan\n", 9, "e alivetime"),
        ("", 1, "V"),
    ],
)
def test_malformed_report(text: str, line: int, field: str, tmp_path: Path) -> None:
    error = read_error(write_reports(tmp_path, text), form="xonstat")
    assert (error.line, error.field) == (line, field)


def test_report_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_bytes(header().encode() + b"P p\nn \xff\n")
    assert (read_error(str(path)).line, read_error(str(path)).problem) == (10, "is not UTF-8")
