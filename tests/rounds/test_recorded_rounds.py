"""Recorded files are read without loss; damaged ones are read or rejected with the place of the fault."""

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from round_file_helpers import read_record

from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import read_rounds, stream_objects
from browser_app.rounds.round_source import RoundFileSource


def only(path: Path) -> dict[str, Any]:
    """Return the only round of a file."""
    ((_, round_object),) = list(stream_objects(RoundFileSource(str(path))))
    return round_object


def test_season(data_dir: Path) -> None:
    path = data_dir / "rounds" / "cwl_2018.jsonl.gz"
    given = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    rounds = read_rounds([str(path)])
    record = rounds.record
    assert (len(record), len(record.player_ids)) == (2881, 166)
    assert Counter(record.ranks(k) for k in range(len(record)))[1, 1] == 2
    assert [record.ranks(k) for k in range(len(record))].count(None) == 1
    for k in range(len(record)):
        line = given[rounds.location(k)[1] - 1]
        assert (record.ids[k], record.teams(k)) == (line["id"], tuple(line["teams"]))
        assert record.players(k) == tuple(player["id"] for player in line["players"])
        rows = record.appearances(k)
        assert record.kills[rows].tolist() == [player["kills"] for player in line["players"]]
        assert record.deaths[rows].tolist() == [player["deaths"] for player in line["players"]]
    assert [given for _, given in list(stream_objects(RoundFileSource(str(path))))] == given


def test_ns2plus(data_dir: Path) -> None:
    both = draws = 0
    for path in sorted((data_dir / "ns2plus").glob("*.json")):
        given, found = json.loads(path.read_bytes()), only(path)
        info = given["RoundInfo"]
        assert recognise_format(RoundFileSource(str(path))) == "ns2plus"
        assert (found["map"], found["duration"], found["teams"]) == (
            info["mapName"],
            info["roundLength"],
            ["marines", "aliens"],
        )
        assert found["winner"] == [None, "marines", "aliens"][info["winningTeam"]]
        assert [player["id"] for player in found["players"]] == list(given["PlayerStats"])
        for player in found["players"]:
            stats = given["PlayerStats"][player["id"]]
            for key, kept in (("timePlayed", "stays"), ("commanderTime", "commanding")):
                for number, team in (("1", "marines"), ("2", "aliens")):
                    time = sum(stay["leave"] - stay["enter"] for stay in player[kept] if stay["team"] == team)
                    assert time == pytest.approx(stats[number][key]), (path.name, player["id"], key)
            assert player["kills"] == stats["1"]["kills"] + stats["2"]["kills"]
            both += len({stay["team"] for stay in player["stays"]}) == 2
            assert not player["stays"] or player["stays"][-1]["team"] == found["teams"][stats["lastTeam"] - 1]
        draws += found["winner"] is None
        assert read_record(str(path)).started[0] == pytest.approx(info["roundDate"] - info["roundLength"], abs=1e-5)
    assert (both, draws) == (9, 1)


def reports(data_dir: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((data_dir / "xonstat").glob("*.txt")):
        assert recognise_format(RoundFileSource(str(path))) == "xonstat"
        yield path.name.split(".")[1], only(path)


def test_match_reports(data_dir: Path) -> None:
    found = dict(reports(data_dir))
    outcomes = {
        name: (each["mode"], len(each["players"]), len(each["bots"]), len(each["spectators"]), each.get("winner"))
        for name, each in found.items()
    }
    assert outcomes == {
        "ca_normal": ("ca", 7, 0, 3, "red"),
        "cts_normal": ("cts", 1, 0, 0, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        "dm_mirio_quit": ("dm", 9, 0, 5, None),
        "duel_normal": ("duel", 2, 2, 0, "61"),
        "ft_normal": ("ft", 1, 10, 0, None),
        "kh_normal": ("kh", 1, 9, 0, None),
        "overkill_normal": ("dm", 1, 4, 0, "player#5@0.552585"),
    }
    assert found["kh_normal"]["ranks"] == {"yellow": 1, "pink": 2, "blue": 3, "red": 4}
    assert found["duel_normal"]["started"] == "2017-12-24T14:27:13Z"
    assert [player["quit"] for player in found["ca_normal"]["players"]] == [False, True, True, *[False] * 4]


def test_recorded_duel(data_dir: Path) -> None:
    dodger, champ = only(data_dir / "xonstat" / "test.duel_normal.txt")["players"]
    assert dodger == {
        "id": "61",
        "name": "🔥Dodger🔥",
        "stays": [{"team": "61", "enter": 0.0, "leave": 575.133}],
        "kills": 24.0,
        "deaths": 12.0,
        "score": 24.0,
        "ping": 38.2556,
        "quit": False,
        "ranked": None,
    }
    assert (champ["score"], champ["deaths"], champ["ping"], champ["stays"][0]["leave"]) == (11, 25, 44.4549, 549.2)


def test_free_for_all_ranks_match_scoreboard(data_dir: Path) -> None:
    path = data_dir / "xonstat" / "resources.dm_mirio_quit.abridged.txt"
    positions = dict(re.findall(r"^i (\d+)$(?:\n[^P].*)*?\ne scoreboardpos (\d+)", path.read_text(), re.MULTILINE))
    ranks = [rank for name, rank in only(path)["ranks"].items() if name != "NOT_A_HASHKEY"]
    assert sorted([*ranks, 9]) == sorted(map(int, positions.values()))


def test_recorded_event_log(data_dir: Path) -> None:
    path = data_dir / "xonstat" / "eventlog_dm.log"
    assert recognise_format(RoundFileSource(str(path))) == "xonotic-log"
    found = only(path)
    assert (found["mode"], found["map"], found["duration"]) == ("dm", "darkzone", 317.0)
    assert list(found["ranks"].values()) == [1, 3, 2]
    assert [(player["score"], player["deaths"], player["stays"][0]["leave"]) for player in found["players"]] == [
        (30.0, 32.0, 312.0),
        (21.0, 17.0, 185.0),
        (29.0, 34.0, 309.0),
    ]


def reads_or_refuses(path: Path) -> RoundFileError | None:
    """Return a file's error; None if it can be read."""
    error = None
    try:
        read_rounds([str(path)])
    except RoundFileError as refused:
        error = refused
    if error:
        assert error.file == str(path)
        assert error.problem
        assert error.line is None or 1 <= error.line <= path.read_bytes().count(b"\n") + 1
    return error


NUMBER = re.compile(rb"(?<=[ :,\[])-?\d+(?:\.\d+)?(?=[,\]}\s:])")


def small_files(data_dir: Path) -> list[Path]:
    return [*sorted((data_dir / "xonstat").iterdir()), *sorted((data_dir / "ns2plus").iterdir())[:1]]


def test_cut_off_at_any_line(data_dir: Path, tmp_path: Path) -> None:
    refused = 0
    for path in small_files(data_dir):
        lines = path.read_bytes().splitlines(keepends=True)
        damaged = tmp_path / path.name
        for count in range(0, len(lines), max(1, len(lines) // 60)):
            damaged.write_bytes(b"".join(lines[:count]))
            error = reads_or_refuses(damaged)
            refused += error is not None
            assert error is not None or count == 0 or path.suffix != ".json"
    assert refused > 60


def test_text_for_any_number(data_dir: Path, tmp_path: Path) -> None:
    refused: Counter[str] = Counter()
    for path in small_files(data_dir):
        body = path.read_bytes()
        places = [match.span() for match in NUMBER.finditer(body)]
        damaged = tmp_path / path.name
        for start, end in random.Random(1).sample(places, min(len(places), 60)):
            text = b'"text"' if path.suffix == ".json" else b"text"
            damaged.write_bytes(body[:start] + text + body[end:])
            if error := reads_or_refuses(damaged):
                refused[path.suffix] += 1
                assert error.line == body.count(b"\n", 0, start) + 1 or path.suffix == ".log", (path.name, str(error))
    assert refused[".txt"] > 250
    assert refused[".log"] >= 5


@pytest.mark.parametrize(
    "key",
    ["roundDate", "roundLength", "winningTeam", "timePlayed", "commanderTime", "kills", "deaths", "score", "lastTeam"],
)
def test_text_for_a_relevant_number(key: str, data_dir: Path, tmp_path: Path) -> None:
    given = json.loads(min((data_dir / "ns2plus").iterdir(), key=lambda path: path.stat().st_size).read_bytes())
    for player in given["PlayerStats"].values():
        del player["weapons"]  # they have kills and deaths of their own
    body = json.dumps({part: given[part] for part in ("ServerInfo", "PlayerStats", "RoundInfo")}, indent=1)
    found = list(re.finditer(rf'"{key}":\s*(-?[\d.]+)', body))
    damaged = tmp_path / "round.json"
    assert found
    for place in found:
        damaged.write_text(body[: place.start(1)] + '"text"' + body[place.end(1) :], encoding="utf-8")
        error = reads_or_refuses(damaged)
        assert error is not None
        assert error.line == body.count("\n", 0, place.start(1)) + 1
        assert (error.field or "").endswith(key)


def test_damaged_line_of_season(data_dir: Path, tmp_path: Path) -> None:
    lines = gzip.decompress((data_dir / "rounds" / "cwl_2018.jsonl.gz").read_bytes()).splitlines(keepends=True)[:40]
    chance, path = random.Random(2), tmp_path / "season.jsonl"
    for _ in range(150):
        at = chance.randrange(len(lines))
        start, end = chance.choice([match.span() for match in NUMBER.finditer(lines[at])])
        path.write_bytes(b"".join([*lines[:at], lines[at][:start] + b'"text"' + lines[at][end:], *lines[at + 1 :]]))
        error = reads_or_refuses(path)
        ignored = re.search(rb'"(?:assists|team_scores)":|"[^"]+":$', lines[at][:start][-30:])
        assert error is not None or ignored
        assert error is None or error.line == at + 1
    for at in range(len(lines)):
        cut = chance.randrange(1, len(lines[at]) - 1)
        path.write_bytes(b"".join([*lines[:at], lines[at][:cut] + b"\n", *lines[at + 1 :]]))
        error = reads_or_refuses(path)
        assert error is not None
        assert (error.line, "is not JSON" in error.problem) == (at + 1, True)
