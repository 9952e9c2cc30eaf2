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


def format_header(**changes: str | None) -> str:
    return "".join(f"{key} {value}\n" for key, value in (HEADER | changes).items() if value is not None)


def format_player(key: str, team: int | None = None, extra: str = "", **events: float) -> str:
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


def read_only_round(folder: Path, text: str) -> dict[str, Any]:
    path = write_reports(folder, text)
    assert recognise_format(RoundFileSource(path)) == "xonstat"
    ((_, round_object),) = list(stream_objects(RoundFileSource(path)))
    return round_object


def test_teams_in_games_order(tmp_path: Path) -> None:
    round_object = read_only_round(
        tmp_path,
        format_header()
        + format_player("p", 10)
        + format_player("q", 13, wins=1)
        + format_player("r", 5)
        + format_player("s", 14),
    )
    assert round_object["teams"] == ["red", "blue", "yellow", "pink"]
    assert round_object["ranks"] == {"red": 2, "blue": 2, "yellow": 1, "pink": 2}


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
    round_object = read_only_round(tmp_path, format_header() + teams + format_player("p", 5) + format_player("q", 14))
    assert round_object["winner"] == winner


def test_participants(tmp_path: Path) -> None:
    round_object = read_only_round(
        tmp_path,
        format_header()
        + format_player("finisher", 5, total_score=2.5, avglatency=40)
        + format_player("leaver", 14, "r 0", matches=0, total_score=4, total_kills=2)
        + format_player("watcher", -1)
        + format_player("never", 5, joins=0)
        + format_player("bot#5#Death", 14),
    )
    assert (round_object["bots"], round_object["spectators"]) == (["bot#5#Death"], ["watcher", "never"])
    finisher, leaver = round_object["players"]
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
    round_object = read_only_round(
        tmp_path, format_header() + format_player("a", 5, scoreboard_caps=3) + format_player("b", 14)
    )
    assert [each["objectives"] for each in round_object["players"]] == [3.0, 0.0]


def test_negative_kills_are_unknown(tmp_path: Path) -> None:
    """Killed team mates are taken off them, and a score may be negative."""
    round_object = read_only_round(
        tmp_path,
        format_header() + format_player("a", 5, scoreboard_kills=-2, scoreboard_score=-9) + format_player("b", 14),
    )
    assert (round_object["players"][0]["kills"], round_object["players"][0]["score"]) == (None, -9.0)


def test_negative_deaths_are_rejected(tmp_path: Path) -> None:
    error = read_error(
        write_reports(tmp_path, format_header() + format_player("a", 5) + format_player("b", 14, scoreboard_deaths=-1))
    )
    assert (error.line, error.field) == (17, "e scoreboard-deaths")


def test_time_alive_is_cut_at_end(tmp_path: Path) -> None:
    assert read_record(
        write_reports(tmp_path, format_header() + format_player("p", 5, alivetime=9999))
    ).stays.leave.tolist() == [500.5]


def test_untracked_players_get_new_ids(tmp_path: Path) -> None:
    text = format_header() + format_player("player#1", 5) + format_player("key", 5) + format_player("key", 14)
    assert read_record(write_reports(tmp_path, text)).players(0) == ("player#1@0.55", "key", "player#3@0.55")


def test_match_without_teams(tmp_path: Path) -> None:
    round_object = read_only_round(
        tmp_path,
        format_header(G="dm")
        + format_player("third", scoreboardpos=4, scoreboard_score=3)
        + format_player("first", scoreboardpos=1, scoreboard_score=9, wins=1)
        + format_player("bot#1", scoreboardpos=2, scoreboard_score=8)
        + format_player("tied", scoreboardpos=3, scoreboard_score=3)
        + format_player("left", matches=0, total_score=50)
        + format_player("gone", matches=0),
    )
    assert round_object["ranks"] == {"third": 2, "first": 1, "tied": 2, "left": 3, "gone": 3}
    assert round_object["teams"] == ["first", "gone", "left", "third", "tied"]  # not in the order of the result


@pytest.mark.parametrize(("scores", "winner"), [((5, 5), None), ((5, 4), "b")])
def test_duel(scores: tuple[int, int], winner: str | None, tmp_path: Path) -> None:
    players = [format_player(key, scoreboardpos=i + 1, scoreboard_score=scores[i]) for i, key in enumerate("ba")]
    round_object = read_only_round(tmp_path, format_header(G="duel") + "".join(players))
    assert (round_object["teams"], round_object["winner"]) == (["a", "b"], winner)


@pytest.mark.parametrize(("match_id", "started"), [("3.1514125633.925", 1514125633.0), ("0.55", WRITTEN - 500.5)])
def test_start_from_match_id_or_file_time(match_id: str, started: float, tmp_path: Path) -> None:
    assert read_record(write_reports(tmp_path, format_header(I=match_id) + format_player("p", 5))).started[0] == started


@pytest.mark.parametrize(
    ("wins", "bot", "teams", "winner"),
    [
        (0, "", ["p", "nobody"], "p"),
        (1, "bot#1", ["p", "bots"], "p"),
        (0, "bot#1", ["p", "bots"], "bots"),
    ],
)
def test_single_player(wins: int, bot: str, teams: list[str], winner: str, tmp_path: Path) -> None:
    round_object = read_only_round(
        tmp_path, format_header(G="dm") + format_player("p", wins=wins) + (format_player(bot) if bot else "")
    )
    assert (round_object["teams"], round_object["winner"], len(round_object["players"])) == (teams, winner, 1)


def test_report_without_players_is_skipped(tmp_path: Path) -> None:
    assert len(read_record(write_reports(tmp_path, format_header() + format_player("bot#1", 5)))) == 0


def test_log_of_many_reports(tmp_path: Path) -> None:
    def wrap_report(match_id: str) -> str:
        report = f"IDFP key\n# note\n{format_header(I=match_id, RP='3', NEW='x')}{format_player('p', 5)}"
        return f"10:00 ----- BEGIN REQUEST BODY -----\n{report}----- END REQUEST BODY -----\nreply\n"

    path = write_reports(tmp_path, "start\n" + wrap_report("0.1") + wrap_report("0.2"))
    assert [(line, round_object["id"]) for line, round_object in list(stream_objects(RoundFileSource(path)))] == [
        (5, "0.1@Server"),
        (28, "0.2@Server"),
    ]
    cut = write_reports(tmp_path, wrap_report("0.1") + wrap_report("0.2")[:-40])
    assert "ends within a report" in read_error(cut).problem


def test_reports_one_after_another(tmp_path: Path) -> None:
    reports = [format_header(I=match) + format_player("p", 5) for match in ("0.1", "0.2")]
    path = write_reports(tmp_path, "# first\n" + "\n# second\n".join(reports))
    rounds = [round_object for _line, round_object in stream_objects(RoundFileSource(path))]
    assert [(each["id"], len(each["players"])) for each in rounds] == [("0.1@Server", 1), ("0.2@Server", 1)]
    cut = write_reports(tmp_path, reports[0] + format_header(D=None))
    assert (read_error(cut).line, read_error(cut).field) == (17, "D")


@pytest.mark.parametrize(
    ("text", "line", "field"),
    [
        (format_header(V=None), 1, "V"),
        (format_header(V="nine"), 1, "V"),
        (format_header(D="0") + format_player("p", 5), 8, "D"),
        (format_header(D="nan") + format_player("p", 5), 8, "D"),
        (format_header(D=None) + format_player("p", 5), 1, "D"),
        (format_header(D="1e21") + format_player("p", 5), 1, "started"),
        (format_header(M=None) + format_player("p", 5), 1, "M"),
        (format_header(D=None) + format_player("bot#1", 5), 1, "D"),
        (format_header(D=None), 1, "D"),
        (format_header() + "e x 1\n", 9, "e x"),
        (format_header() + "Q red\n", 9, "Q"),
        (format_header() + "P p\nt red\n", 10, "t"),
        (format_header() + "P p\nr yes\n", 10, "r"),
        (format_header() + "P p\ni one\n", 10, "i"),
        (format_header() + "P p\ne alivetime\n", 10, "e alivetime"),
        (format_header() + "P p\ne alivetime nan\n", 9, "e alivetime"),
        ("", 1, "V"),
    ],
)
def test_malformed_report(text: str, line: int, field: str, tmp_path: Path) -> None:
    error = read_error(write_reports(tmp_path, text), form="xonstat")
    assert (error.line, error.field) == (line, field)


def test_report_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_bytes(format_header().encode() + b"P p\nn \xff\n")
    assert (read_error(str(path)).line, read_error(str(path)).problem) == (10, "is not UTF-8")
