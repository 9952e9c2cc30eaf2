"""Reading round files: all or nothing, with the place of each round."""

import gc
import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from round_file_helpers import ROUND, assert_same_record, build_round, read_error, read_record, write_rounds
from round_serializer import encode_round_line

from browser_app.rating.record.record_builder import BATCH_ROUNDS, build_record
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_reader import read_rounds, read_source_rounds, stream_objects
from browser_app.rounds.round_source import MAX_LINE_BYTES, RoundFileSource


def test_locations_in_several_files(tmp_path: Path) -> None:
    one = write_rounds(
        tmp_path, build_round(id="b", started="2024-02-01"), build_round(id="c", started="2024-03-01"), name="one"
    )
    two = write_rounds(
        tmp_path, build_round(id="d", started="2024-04-01"), build_round(id="a", started="2024-01-01"), name="two"
    )
    rounds = read_rounds([one, two])
    assert list(rounds.record.ids) == ["a", "b", "c", "d"]
    assert [rounds.locate_round(k) for k in range(4)] == [(two, 2), (one, 1), (one, 2), (two, 1)]


def test_equal_starts_keep_file_order(tmp_path: Path) -> None:
    one = write_rounds(tmp_path, build_round(id="z"), build_round(id="y"), name="one")
    two = write_rounds(tmp_path, build_round(id="x"), name="two")
    assert list(read_record(one, two).ids) == ["z", "y", "x"]


def test_same_id_in_two_files_is_error(tmp_path: Path) -> None:
    one, two = (
        write_rounds(tmp_path, build_round(id="a"), ROUND, name="one"),
        write_rounds(tmp_path, ROUND, name="two"),
    )
    error = read_error(one, two)
    assert str(error) == f"{two}:1: id: is also the id of {one}:2"


def test_gzip_bom_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(
        gzip.compress(b"\xef\xbb\xbf" + encode_round_line(ROUND) + b"\n \r\n" + encode_round_line(build_round(id="r2")))
    )
    rounds = read_rounds([str(path)])
    assert rounds.line.tolist() == [1, 4]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_pipe_is_read_like_file(pack: Callable[[bytes], bytes]) -> None:
    """A shell passes such a path for `<(zcat season.gz)`, and /dev/stdin.

    It can be read only once.
    """
    reader, writer = os.pipe()
    try:
        os.write(writer, pack(encode_round_line(ROUND) + encode_round_line(build_round(id="r2"))))
        os.close(writer)
        assert len(read_rounds([f"/dev/fd/{reader}"]).record) == 2
    finally:
        os.close(reader)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_file_without_rounds(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(content)
    assert len(read_record(str(path))) == 0


def test_earliest_error_is_reported(tmp_path: Path) -> None:
    path = write_rounds(tmp_path, ROUND, build_round(id="short", duration=1), build_round(id=7))
    error = read_error(path)
    assert (error.line, error.field) == (2, "players[0].stays[0].leave")


def build_minimal_round(number: int) -> dict[str, Any]:
    """Return a round that the fast way of reading accepts.

    Its players have only an id and stays.
    """
    stays = [{"team": "aliens", "enter": 0, "leave": 300}, {"team": "marines", "enter": 310.5, "leave": 600}]
    players = [{"id": f"p{number + place}", "stays": stays[:place]} for place in range(3)]
    return build_round(id=f"r{number}", players=players)


def test_minimal_players_are_read_like_others(tmp_path: Path) -> None:
    minimal = [build_minimal_round(number) for number in range(BATCH_ROUNDS + 3)]
    for name, rounds in (
        ("minimal", minimal),
        ("first minimal", [*minimal, ROUND | {"id": "more"}, build_minimal_round(99)]),
    ):
        path = write_rounds(tmp_path, *rounds, name=name)
        assert_same_record(
            read_record(path), build_record(each for _, each in read_source_rounds(RoundFileSource(path)))
        )


def test_error_after_minimal_players_has_line_and_field(tmp_path: Path) -> None:
    wrong = build_minimal_round(2)
    wrong["players"][1]["stays"] = [{"team": "aliens", "enter": "0", "leave": 600}]
    error = read_error(write_rounds(tmp_path, build_minimal_round(1), wrong))
    assert (error.line, error.field) == (2, "players[1].stays[0].enter")
    assert error.problem == "expected `float`, got `str`"


@pytest.mark.parametrize("cut", [1, 30, -9, -1])
def test_damaged_gzip(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl.gz"
    path.write_bytes(gzip.compress(encode_round_line(ROUND) * 1)[:cut] if cut != 1 else b"\x1f\x8b")
    error = read_error(str(path))
    assert str(error).startswith(f"{path}: is damaged: ")


@pytest.mark.parametrize(("form", "line"), [("rounds", 2), ("ns2plus", 1)])
def test_oversized_line_is_not_parsed(form: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(encode_round_line(ROUND) + b"[" * (MAX_LINE_BYTES + 1)))
    error = read_error(str(path), form=form)
    assert error.line == line
    assert error.problem.endswith("than 16 MiB")


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_unreadable_file(name: str, tmp_path: Path) -> None:
    error = read_error(str(tmp_path / name))
    assert str(error).startswith(f"{tmp_path / name}: cannot be read: ")


def test_progress_reaches_end(tmp_path: Path) -> None:
    many = [build_round(id=str(number)) for number in range(1500)]
    paths = [write_rounds(tmp_path, *many, name="one"), write_rounds(tmp_path, ROUND, name="two")]
    calls: list[tuple[int, int]] = []
    read_rounds(paths, progress=lambda done, size: calls.append((done, size)))
    size = sum(Path(path).stat().st_size for path in paths)
    assert calls == sorted(calls)
    assert len(calls) == 3
    assert calls[-1] == (size, size)


@pytest.mark.parametrize("enabled", [True, False])
def test_gc_state_returns_after_error(tmp_path: Path, enabled: bool) -> None:
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        read_error(write_rounds(tmp_path, build_round(duration=0)))
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_objects_keep_unknown_keys(tmp_path: Path) -> None:
    round_objects = [build_round(id=str(number), weather={"rain": [number, None]}) for number in range(3)]
    path = write_rounds(tmp_path, *round_objects)
    assert list(stream_objects(RoundFileSource(path))) == list(enumerate(round_objects, 1))


def test_objects_are_checked_like_rounds(tmp_path: Path) -> None:
    path = write_rounds(tmp_path, ROUND, build_round(id="r2", duration=1))
    with pytest.raises(RoundFileError) as caught:
        list(stream_objects(RoundFileSource(path)))
    assert str(caught.value) == str(read_error(path))


def test_encoded_line_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(encode_round_line(build_round(note="ünïcode\n")))
    assert list(stream_objects(RoundFileSource(str(path)))) == [(1, build_round(note="ünïcode\n"))]


def test_rounds_of_one_source(tmp_path: Path) -> None:
    path = write_rounds(tmp_path, ROUND, build_round(id="r2"))
    assert [(line, match.id) for line, match in read_source_rounds(RoundFileSource(path))] == [(1, "r1"), (2, "r2")]
