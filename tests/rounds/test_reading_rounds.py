"""Files of rounds are read whole or not at all, and each round is known by its place."""

import gc
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rounds_rig import GOOD, changed, fault, read, written

from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_file import encode_round_line
from browser_app.rounds.round_reader import read_rounds, read_source_rounds, stream_objects
from browser_app.rounds.round_source import MAX_LINE_BYTES, RoundFileSource


def test_places_of_rounds_in_several_files(tmp_path: Path) -> None:
    one = written(tmp_path, changed(id="b", started="2024-02-01"), changed(id="c", started="2024-03-01"), name="one")
    two = written(tmp_path, changed(id="d", started="2024-04-01"), changed(id="a", started="2024-01-01"), name="two")
    rounds = read_rounds([one, two])
    assert list(rounds.record.ids) == ["a", "b", "c", "d"]
    assert [rounds.location(k) for k in range(4)] == [(two, 2), (one, 1), (one, 2), (two, 1)]


def test_equal_starts_keep_the_order_of_the_files(tmp_path: Path) -> None:
    one = written(tmp_path, changed(id="z"), changed(id="y"), name="one")
    two = written(tmp_path, changed(id="x"), name="two")
    assert list(read(one, two).ids) == ["z", "y", "x"]


def test_an_id_in_two_files(tmp_path: Path) -> None:
    one, two = written(tmp_path, changed(id="a"), GOOD, name="one"), written(tmp_path, GOOD, name="two")
    error = fault(one, two)
    assert str(error) == f"{two}:1: id: is also the id of {one}:2"


def test_gzip_marks_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(
        gzip.compress(b"\xef\xbb\xbf" + encode_round_line(GOOD) + b"\n \r\n" + encode_round_line(changed(id="r2")))
    )
    rounds = read_rounds([str(path)])
    assert rounds.line.tolist() == [1, 4]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_pipe_is_read_as_a_file_is(pack: Callable[[bytes], bytes]) -> None:
    """What a shell gives for `<(zcat season.gz)`, and /dev/stdin: it can be read only once."""
    reader, writer = os.pipe()
    try:
        os.write(writer, pack(encode_round_line(GOOD) + encode_round_line(changed(id="r2"))))
        os.close(writer)
        assert len(read_rounds([f"/dev/fd/{reader}"]).record) == 2
    finally:
        os.close(reader)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_a_file_without_rounds(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(content)
    assert len(read(str(path))) == 0


def test_the_first_fault_is_told_whatever_finds_it(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, changed(id="short", duration=1), changed(id=7))
    error = fault(path)
    assert (error.line, error.field) == (2, "players[0].stays[0].leave")


@pytest.mark.parametrize("cut", [1, 30, -9, -1])
def test_a_damaged_archive(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl.gz"
    path.write_bytes(gzip.compress(encode_round_line(GOOD) * 1)[:cut] if cut != 1 else b"\x1f\x8b")
    error = fault(str(path))
    assert str(error).startswith(f"{path}: is damaged: ")


@pytest.mark.parametrize(("form", "line"), [("rounds", 2), ("ns2plus", 1)])
def test_a_bomb_is_refused_before_it_is_parsed(form: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(encode_round_line(GOOD) + b"[" * (MAX_LINE_BYTES + 1)))
    error = fault(str(path), form=form)
    assert error.line == line
    assert error.problem.endswith("than 16 MiB")


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path) -> None:
    error = fault(str(tmp_path / name))
    assert str(error).startswith(f"{tmp_path / name}: cannot be read: ")


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    many = [changed(id=str(number)) for number in range(1500)]
    paths = [written(tmp_path, *many, name="one"), written(tmp_path, GOOD, name="two")]
    told: list[tuple[int, int]] = []
    read_rounds(paths, progress=lambda done, size: told.append((done, size)))
    size = sum(Path(path).stat().st_size for path in paths)
    assert told == sorted(told)
    assert len(told) == 3
    assert told[-1] == (size, size)


def test_the_collector_goes_on_after_an_error(tmp_path: Path) -> None:
    fault(written(tmp_path, changed(duration=0)))
    assert gc.isenabled()


def test_objects_keep_every_key(tmp_path: Path) -> None:
    given = [changed(id=str(number), weather={"rain": [number, None]}) for number in range(3)]
    path = written(tmp_path, *given)
    assert list(stream_objects(RoundFileSource(path))) == list(enumerate(given, 1))


def test_objects_are_refused_as_rounds_are(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, changed(id="r2", duration=1))
    with pytest.raises(RoundFileError) as caught:
        list(stream_objects(RoundFileSource(path)))
    assert str(caught.value) == str(fault(path))


def test_a_line_written_is_the_line_read(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    path.write_bytes(encode_round_line(changed(note="ünïcode\n")))
    assert list(stream_objects(RoundFileSource(str(path)))) == [(1, changed(note="ünïcode\n"))]


def test_matches_of_one_file(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, changed(id="r2"))
    assert [(line, match.id) for line, match in read_source_rounds(RoundFileSource(path))] == [(1, "r1"), (2, "r2")]
