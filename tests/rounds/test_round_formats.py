"""Recognition of a file's format, and `--as`."""

import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_file_helpers import ROUND, read_error

from browser_app.rounds import round_source as source_module
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_formats import ROUND_FORMATS, is_foreign_file, recognise_format
from browser_app.rounds.round_reader import read_rounds
from browser_app.rounds.round_source import RoundFileSource

LINE = json.dumps(ROUND)
BEGINNINGS = {
    LINE + "\n" + LINE: "rounds",
    "\n" + LINE: "rounds",
    json.dumps(ROUND | {"RoundInfo": {}, "gameTime": 1, "mapName": ""}): "rounds",
    '{"RoundInfo": {': "ns2plus",
    '{\n  "KillFeed": [': "ns2plus",
    '{"gameTime": 3, "mapName": "x"}': "ns2-match-end",
    "messageType=MatchEnd&data=%7B%7D": "wonitor",
    "serverId=3&messageType=MatchEnd&data=%7B%7D": "wonitor",
    "V 9\nR x\n": "xonstat",
    "# note\nV 7\r\n": "xonstat",
    "noise\n----- BEGIN REQUEST BODY -----\nV 9\n": "xonstat",
    ":logversion:3\n": "xonotic-log",
    "noise\n:gamestart:dm_x:1\n": "xonotic-log",
    "team;player;id\n": "csv",
    "": "rounds",
    "anything": "rounds",
    "[" * 100_000: "rounds",
}


@pytest.mark.parametrize(("content", "form"), BEGINNINGS.items(), ids=[content[:20] for content in BEGINNINGS])
@pytest.mark.parametrize("packed", [False, True])
def test_recognised_by_content(content: str, form: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(content.encode()) if packed else content.encode())
    assert recognise_format(RoundFileSource(str(path))) == form


@pytest.mark.parametrize("name", ["rounds.csv", "ROUNDS.CSV", "a.tsv", "a.csv.gz"])
def test_tables_recognised_by_name(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("no,such,columns\n")
    assert recognise_format(RoundFileSource(str(tmp_path / name))) == "csv"


@pytest.mark.parametrize(
    ("content", "is_foreign"),
    [("", True), ("a letter", True), ('{"a": 1}', True), ('{"teams": 3}', False), (":logversion:3\n", False)],
)
def test_foreign_and_damaged_files_are_distinguished(content: str, is_foreign: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text(content)
    assert is_foreign_file(RoundFileSource(str(path))) is is_foreign


@given(st.binary(max_size=300))
def test_any_head_is_recognised(head: bytes) -> None:
    for form in ROUND_FORMATS.values():
        assert form.is_format("file", head) in (True, False)


@given(
    form=st.sampled_from(list(ROUND_FORMATS)),
    content=st.sampled_from(list(BEGINNINGS)),
    cut=st.integers(0, 40),
    more=st.binary(max_size=9),
)
def test_any_content_reads_or_raises_file_error(
    form: str, content: str, cut: int, more: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "anything"
    path.write_bytes(content.encode()[:cut] + more + content.encode()[cut:])
    with contextlib.suppress(RoundFileError):
        read_rounds([str(path)], file_format=form)


def test_explicit_format_wins(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(LINE)
    assert len(read_rounds([str(path)], file_format="rounds").record) == 1


def test_file_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_FILE_BYTES", 1 << 20)
    path = tmp_path / "round.json.gz"
    path.write_bytes(gzip.compress(b'{"RoundInfo":' + b" " * (1 << 20)))
    assert str(read_error(str(path))) == f"{path}: is larger than 1 MiB"
