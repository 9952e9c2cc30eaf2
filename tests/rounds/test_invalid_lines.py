"""Every invalid line of a rejected file is named."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from round_file_helpers import build_round, read_error, write_rounds

from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_reader import stream_objects
from browser_app.rounds.round_source import RoundFileSource


def read_import_error(path: str) -> RoundFileError:
    with pytest.raises(RoundFileError) as caught:
        list(stream_objects(RoundFileSource(path)))
    return caught.value


def build_invalid_player(**values: Any) -> list[dict[str, Any]]:
    return [{"id": "ann", "stays": [], **values}]


@pytest.mark.parametrize("read", [read_error, read_import_error])
def test_invalid_rounds_are_named(read: Callable[[str], RoundFileError], tmp_path: Path) -> None:
    path = write_rounds(
        tmp_path,
        build_round(id="1"),
        build_round(id="2", duration=-1),
        build_round(id="3", players=build_invalid_player(kills="many")),
        build_round(id="4"),
        build_round(id="1"),
        build_round(id="6", players=build_invalid_player(deaths=-2)),
    )
    with Path(path).open("a", encoding="utf-8") as file:
        file.write('{no round\n{"id": "8"\n')
    assert read(path).texts == [
        f"{path}:2: duration: must be above 0",
        f"{path}:3: players[0].kills: expected `float | null`, got `str`",
        f"{path}:5: id: is also the id of {path}:1",
        f"{path}:6: players[0].deaths: must be 0 to 1000000000",
        f"{path}:7: column 2: is not JSON: Expecting property name enclosed in double quotes",
        f"{path}:8: column 11: is incomplete: the file or line ends too early",
    ]


def test_many_invalid_rounds_are_counted(tmp_path: Path) -> None:
    path = write_rounds(tmp_path, *(build_round(id=str(number), duration=-1) for number in range(600)))
    texts = read_error(path).texts
    assert [text.split(":")[-3] for text in texts[:20]] == [str(line) for line in range(1, 21)]
    assert texts[20:] == [f"{path}: 580 more lines are wrong"]


def test_invalid_rows_of_table_are_named(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(
        "id,started,duration,winner,player,team,kills\n"
        "1,2024-01-01,600,A,ann,A,-3\n1,2024-01-01,600,A,bob,B,2\n2,2024-01-02,0x,A,ann,A,1\n3,2024-01-03\n",
        encoding="utf-8",
    )
    assert read_error(str(path)).texts == [
        f"{path}:2: kills: '-3' is below 0",
        f"{path}:4: duration: '0x' is not a number",
        f"{path}:5: does not have as many fields as the first line",
    ]


def test_invalid_posts_are_named(tmp_path: Path) -> None:
    path = tmp_path / "posts.txt"
    bad = urlencode({"messageType": "MatchEnd", "data": "{}"})
    path.write_text(f"{bad}\nmessageType=other&data=1\nmessageType=MatchEnd\n{bad}\n", encoding="utf-8")
    error = read_error(str(path))
    assert [(each.line, each.field) for each in (error, *error.others)] == [
        (1, "map"),
        (3, "data"),
        (4, "map"),
    ]


def test_other_files_are_not_read_again(tmp_path: Path) -> None:
    good = write_rounds(tmp_path, build_round(id="1"), name="good")
    bad = write_rounds(tmp_path, build_round(id="1"), name="bad")
    error = read_error(good, bad)
    assert error.texts == [f"{bad}:1: id: is also the id of {good}:1"]
