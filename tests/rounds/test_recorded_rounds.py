"""Recorded files are read without loss.

Damaged ones are read or rejected with the place of the fault.
"""

import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded_data import expected_recordings
from round_file_helpers import read_record

from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import read_rounds, stream_objects
from browser_app.rounds.round_source import RoundFileSource

pytestmark = pytest.mark.slow

GAME_SKILL_KEYS = {
    "skill": "hiveSkill",
    "offset": "playerSkillOffset",
    "commander_skill": "commanderSkill",
    "adagrad_sum": "adagrad",
    "commander_adagrad_sum": "commAdagrad",
}


def read_only_round(path: Path) -> dict[str, Any]:
    """Return the only round of a file."""
    ((_, round_object),) = list(stream_objects(RoundFileSource(str(path))))
    return round_object


def test_recorded_season_is_read(data_dir: Path) -> None:
    expected = expected_recordings(data_dir)
    path = data_dir / "rounds" / expected.season
    round_objects = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    rounds = read_rounds([str(path)])
    record = rounds.record
    ranks = Counter(record.ranks(k) for k in range(len(record)))
    assert (len(record), len(record.player_ids), ranks[1, 1], ranks[None]) == expected.season_size
    for k in range(len(record)):
        line = round_objects[rounds.locate_round(k)[1] - 1]
        assert (record.ids[k], record.teams(k)) == (line["id"], tuple(line["teams"]))
        assert record.players(k) == tuple(player["id"] for player in line["players"])
        rows = record.appearances(k)
        assert record.kills[rows].tolist() == [player["kills"] for player in line["players"]]
        assert record.deaths[rows].tolist() == [player["deaths"] for player in line["players"]]
    assert [each for _, each in list(stream_objects(RoundFileSource(str(path))))] == round_objects


def test_ns2plus(data_dir: Path) -> None:
    both = draws = 0
    for path in sorted((data_dir / "ns2plus").glob("*.json")):
        document, round_object = json.loads(path.read_bytes()), read_only_round(path)
        info = document["RoundInfo"]
        assert recognise_format(RoundFileSource(str(path))) == "ns2plus"
        assert (round_object["map"], round_object["duration"], round_object["teams"]) == (
            info["mapName"],
            info["roundLength"],
            ["marines", "aliens"],
        )
        assert round_object["winner"] == [None, "marines", "aliens"][info["winningTeam"]]
        assert [player["id"] for player in round_object["players"]] == list(document["PlayerStats"])
        for player in round_object["players"]:
            stats = document["PlayerStats"][player["id"]]
            for key, stints_key in (("timePlayed", "stays"), ("commanderTime", "commanding")):
                for number, team in (("1", "marines"), ("2", "aliens")):
                    time = sum(stay["leave"] - stay["enter"] for stay in player[stints_key] if stay["team"] == team)
                    assert time == pytest.approx(stats[number][key]), (path.name, player["id"], key)
            assert player["kills"] == stats["1"]["kills"] + stats["2"]["kills"]
            assert {key: player.get(key) for key in GAME_SKILL_KEYS} == {
                key: stats.get(name) for key, name in GAME_SKILL_KEYS.items()
            }
            both += len({stay["team"] for stay in player["stays"]}) == 2
            assert not player["stays"] or player["stays"][-1]["team"] == round_object["teams"][stats["lastTeam"] - 1]
        draws += round_object["winner"] is None
        assert read_record(str(path)).started[0] == pytest.approx(info["roundDate"] - info["roundLength"], abs=1e-5)
    expected = expected_recordings(data_dir)
    assert (both, draws) == (expected.ns2plus_both_teams, expected.ns2plus_draws)


def read_reports(data_dir: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((data_dir / "xonstat").glob("*.txt")):
        assert recognise_format(RoundFileSource(str(path))) == "xonstat"
        yield path.name.split(".")[1], read_only_round(path)


def test_match_reports(data_dir: Path) -> None:
    round_objects = dict(read_reports(data_dir))
    outcomes = {
        name: (each["mode"], len(each["players"]), len(each["bots"]), len(each["spectators"]), each.get("winner"))
        for name, each in round_objects.items()
    }
    expected = expected_recordings(data_dir)
    assert outcomes == expected.reports
    for name, ranks in expected.ranks.items():
        assert round_objects[name]["ranks"] == ranks
    for name, quits in expected.quits.items():
        assert [player["quit"] for player in round_objects[name]["players"]] == quits


def test_recorded_duel(data_dir: Path) -> None:
    file, started, players = expected_recordings(data_dir).duel
    round_object = read_only_round(data_dir / "xonstat" / file)
    assert round_object["started"] == started
    for player, wanted in zip(round_object["players"], players, strict=True):
        assert player | wanted == player


def test_free_for_all_ranks_match_scoreboard(data_dir: Path) -> None:
    file, unstated = expected_recordings(data_dir).free_for_all
    path = data_dir / "xonstat" / file
    positions = dict(
        re.findall(r"^i (\d+)$(?:\n[^P].*)*?\ne scoreboardpos (\d+)", path.read_text("utf-8"), re.MULTILINE)
    )
    ranks = read_only_round(path)["ranks"] | unstated
    assert sorted(rank for rank in ranks.values() if rank) == sorted(map(int, positions.values()))


def test_recorded_event_log(data_dir: Path) -> None:
    path = data_dir / "xonstat" / "eventlog_dm.log"
    assert recognise_format(RoundFileSource(str(path))) == "xonotic-log"
    round_object = read_only_round(path)
    *header, ranks, players = expected_recordings(data_dir).event_log
    assert [round_object["mode"], round_object["map"], round_object["duration"]] == header
    assert [round_object["ranks"][player["id"]] for player in round_object["players"]] == ranks
    assert [
        (player["score"], player["deaths"], player["stays"][0]["leave"]) for player in round_object["players"]
    ] == players


def read_or_catch(path: Path) -> RoundFileError | None:
    """Return a file's error; None if it can be read."""
    error = None
    try:
        read_rounds([str(path)])
    except RoundFileError as rejected:
        error = rejected
    if error:
        assert error.file == str(path)
        assert error.problem
        assert error.line is None or 1 <= error.line <= path.read_bytes().count(b"\n") + 1
    return error


NUMBER = re.compile(rb"(?<=[ :,\[])-?\d+(?:\.\d+)?(?=[,\]}\s:])")


def list_small_files(data_dir: Path) -> list[Path]:
    return [*sorted((data_dir / "xonstat").iterdir()), *sorted((data_dir / "ns2plus").iterdir())[:1]]


def test_cut_off_at_any_line(data_dir: Path, tmp_path: Path) -> None:
    rejected = 0
    for path in list_small_files(data_dir):
        lines = path.read_bytes().splitlines(keepends=True)
        damaged = tmp_path / path.name
        for count in range(0, len(lines), max(1, len(lines) // 60)):
            damaged.write_bytes(b"".join(lines[:count]))
            error = read_or_catch(damaged)
            rejected += error is not None
            assert error is not None or count == 0 or path.suffix != ".json"
    assert rejected > 60


def test_text_for_any_number(data_dir: Path, tmp_path: Path) -> None:
    rejected: Counter[str] = Counter()
    for path in list_small_files(data_dir):
        body = path.read_bytes()
        places = [match.span() for match in NUMBER.finditer(body)]
        damaged = tmp_path / path.name
        for start, end in random.Random(1).sample(places, min(len(places), 60)):
            text = b'"text"' if path.suffix == ".json" else b"text"
            damaged.write_bytes(body[:start] + text + body[end:])
            if error := read_or_catch(damaged):
                rejected[path.suffix] += 1
                assert error.line == body.count(b"\n", 0, start) + 1 or path.suffix == ".log", (path.name, str(error))
    read_reports, logs = expected_recordings(data_dir).refused_texts
    assert rejected[".txt"] > read_reports
    assert rejected[".log"] >= logs


@pytest.mark.parametrize(
    "key",
    ["roundDate", "roundLength", "winningTeam", "timePlayed", "commanderTime", "kills", "deaths", "score", "lastTeam"],
)
def test_text_for_relevant_number(key: str, data_dir: Path, tmp_path: Path) -> None:
    document = json.loads(min((data_dir / "ns2plus").iterdir(), key=lambda path: path.stat().st_size).read_bytes())
    for player in document["PlayerStats"].values():
        del player["weapons"]  # they have kills and deaths of their own
    body = json.dumps({part: document[part] for part in ("ServerInfo", "PlayerStats", "RoundInfo")}, indent=1)
    matches = list(re.finditer(rf'"{key}":\s*(-?[\d.]+)', body))
    damaged = tmp_path / "round.json"
    assert matches
    for place in matches:
        damaged.write_text(body[: place.start(1)] + '"text"' + body[place.end(1) :], encoding="utf-8")
        error = read_or_catch(damaged)
        assert error is not None
        assert error.line == body.count("\n", 0, place.start(1)) + 1
        assert (error.field or "").endswith(key)


def test_damaged_line_of_season(data_dir: Path, tmp_path: Path) -> None:
    lines = gzip.decompress((data_dir / "rounds" / expected_recordings(data_dir).season).read_bytes()).splitlines(
        keepends=True
    )[:40]
    chance, path = random.Random(2), tmp_path / "season.jsonl"
    for _ in range(150):
        at = chance.randrange(len(lines))
        start, end = chance.choice([match.span() for match in NUMBER.finditer(lines[at])])
        path.write_bytes(b"".join([*lines[:at], lines[at][:start] + b'"text"' + lines[at][end:], *lines[at + 1 :]]))
        error = read_or_catch(path)
        ignored = re.search(rb'"(?:assists|team_scores)":|"[^"]+":$', lines[at][:start][-30:])
        assert error is not None or ignored
        assert error is None or error.line == at + 1
    for at in range(len(lines)):
        cut = chance.randrange(1, len(lines[at]) - 1)
        path.write_bytes(b"".join([*lines[:at], lines[at][:cut] + b"\n", *lines[at + 1 :]]))
        error = read_or_catch(path)
        assert error is not None
        assert error.line == at + 1
        assert error.problem.startswith(("is incomplete: ", "is not JSON: "))
