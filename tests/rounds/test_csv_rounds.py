"""Rounds from CSV tables."""

import math
from pathlib import Path

import pytest
from round_file_helpers import read_error, write_table

from browser_app.rounds.csv_rounds import guess_columns
from browser_app.rounds.round_formats import recognise_format
from browser_app.rounds.round_reader import read_rounds, read_source_rounds, stream_objects
from browser_app.rounds.round_source import RoundFileSource

TABLE = """id,started,duration,map,winner,player,team,enter,leave,kills,quit,weather
r1,2024-05-01T20:00:00Z,600,tram,B,ann,A,,,3,no,sun
r1,2024-05-01T20:00:00Z,600,tram,B,bob,B,0,100,,,rain
r2,2024-05-01T21:00:00Z,500,veil,draw,ann,A,,,,yes,
r1,,,,,bob,A,100,600,5,,
r2,,,,,"Smith, Joe",B,,,,,
"""


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_rows_with_same_id_are_one_round(separator: str, tmp_path: Path) -> None:
    path = write_table(tmp_path, TABLE.replace('"Smith, Joe"', "joe").replace(",", separator), "rounds.txt")
    assert recognise_format(RoundFileSource(path)) == "csv"
    (first, one), (second, two) = list(stream_objects(RoundFileSource(path)))
    assert (first, second) == (2, 4)
    assert one == {
        "id": "r1",
        "map": "tram",
        "started": "2024-05-01T20:00:00Z",
        "duration": 600.0,
        "winner": "B",
        "teams": ["A", "B"],
        "players": [
            {"id": "ann", "stays": [{"team": "A", "enter": 0.0, "leave": 600.0}], "kills": 3.0, "quit": False},
            {
                "id": "bob",
                "stays": [{"team": "B", "enter": 0.0, "leave": 100.0}, {"team": "A", "enter": 100.0, "leave": 600.0}],
                "kills": 5.0,
            },
        ],
    }
    assert (two["winner"], [player["id"] for player in two["players"]]) == (None, ["ann", "joe"])


def test_assists_and_objectives_are_read(tmp_path: Path) -> None:
    columns = ["id", "player", "team", "started", "duration", "winner", "assist", "captures"]
    path = write_table(tmp_path, f"{','.join(columns)}\n1,a,x,2024-05-01,60,x,4,2\n1,b,y,,,,,0\n")
    record = read_rounds([path], file_format="csv", column_map=guess_columns(columns)).record
    assert (record.assists[0], record.objectives.tolist()) == (4.0, [2.0, 0.0])
    assert math.isnan(record.assists[1])


def test_quoted_fields(tmp_path: Path) -> None:
    assert read_rounds([write_table(tmp_path, TABLE)]).record.players(1) == ("ann", "Smith, Joe")


def test_mapped_columns(tmp_path: Path) -> None:
    path = write_table(tmp_path, "game no,who,side,when,length,place\n1,ann,x,2024-05-01,60,2\n1,bob,y,,,1\n")
    names = {"id": "game no", "player": "who", "team": "side", "started": "when", "duration": "length", "rank": "place"}
    record = read_rounds([path], file_format="csv", column_map=names).record
    assert (record.teams(0), record.ranks(0), record.duration[0]) == (("x", "y"), (2, 1), 60.0)


def test_round_without_outcome(tmp_path: Path) -> None:
    ((_, round_),) = read_source_rounds(RoundFileSource(write_table(tmp_path, "id,player,team\nr,ann,A\nr,bob,B\n")))
    assert (round_.ranks, round_.started, [player.stays for player in round_.players]) == (None, None, [(), ()])


@pytest.mark.parametrize(
    ("change", "line", "field"),
    [
        (("r1,,,,,bob", "r1,,700,,,bob"), 5, "duration"),
        (("r1,,,,,bob", "r1,,,,A,bob"), 5, "winner"),
        (("600,tram,B,ann", "long,tram,B,ann"), 2, "duration"),
        (("600,tram,B,ann", "nan,tram,B,ann"), 2, "duration"),
        ((",B,ann,A", ",C,ann,A"), 2, "winner"),
        (("ann,A,,,3,no", "ann,A,,,3,maybe"), 2, "quit"),
        (("ann,A,,,3,no", ",A,,,3,no"), 2, "player"),
        (("bob,A,100,600", "bob,A,90,600"), 2, "players[1].stays[1].enter"),
        (("player,", "person,"), 1, "player"),
        (("sun\n", "sun,wind\n"), 2, None),
        ((',"Smith, Joe",B,,,,,', ',"Smith'), 6, None),
    ],
)
def test_malformed_table(change: tuple[str, str], line: int, field: str | None, tmp_path: Path) -> None:
    text = TABLE.replace(*change)
    assert text != TABLE
    error = read_error(
        write_table(tmp_path, text if field != "winner" or line != 2 else text.replace(",B,bob", ",C,bob"))
    )
    assert (error.line, error.field) == (line, field)


def test_mapped_column_is_missing(tmp_path: Path) -> None:
    path = write_table(tmp_path, TABLE)
    with pytest.raises(ValueError, match=r"rounds\.csv:1: frags: there is no such column"):
        read_rounds([path], column_map={"kills": "frags"})


def test_contradictory_ranks(tmp_path: Path) -> None:
    path = write_table(tmp_path, "id,player,team,rank\nr,ann,A,1\nr,bob,B,2\nr,eve,A,2\n")
    assert (read_error(path).line, read_error(path).field) == (4, "rank")


def test_table_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_bytes(b"id,player,team\n\xff,a,b\n")
    assert read_error(str(path)).problem == "is not UTF-8 at byte 16"
