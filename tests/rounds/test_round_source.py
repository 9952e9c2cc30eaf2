"""Bounds of round files: devices, pipes, compression, blank lines, problems."""

import gzip
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from round_file_helpers import ROUND, build_round, read_error, read_record, write_rounds

from browser_app import input_files
from browser_app.rounds import csv_rounds, round_source, xonstat_rounds
from browser_app.rounds.round_errors import MAX_COUNTED_ERRORS
from browser_app.rounds.round_source import RoundFileSource

needs_posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a path exist on POSIX only")


@contextmanager
def endless_writer(path: Path) -> Iterator[None]:
    """Write into a pipe until nobody reads it any more."""

    def write() -> None:
        with suppress(BrokenPipeError), path.open("wb", buffering=0) as file:
            while True:
                file.write(b"\n" * 4096)

    writer = threading.Thread(target=write)
    writer.start()
    yield
    writer.join()


@needs_posix
def test_devices_are_rejected(tmp_path: Path) -> None:
    link = tmp_path / "rounds.jsonl"
    link.symlink_to("/dev/zero")
    for path in ("/dev/zero", str(link)):
        assert str(read_error(path)) == f"{path}: cannot be read: a pipe or device, not a file"


@needs_posix
def test_silent_pipe_times_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "PIPE_SILENCE_S", 0.01)
    os.mkfifo(tmp_path / "pipe")
    assert read_error(str(tmp_path / "pipe")).problem == "cannot be read: the pipe does not end"


@needs_posix
def test_endless_pipe_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(round_source, "MAX_FILE_BYTES", 1 << 20)
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with endless_writer(path):
        assert read_error(str(path)).problem == "cannot be read: larger than 1 MiB"


def test_compression_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rounds.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n" * 900_000))
    monkeypatch.setattr(round_source, "MAX_SMALL_UNPACKED_BYTES", 100_000)
    for form in ("rounds", "csv", "ns2plus", "xonotic-log"):
        assert "more than 100 times its size" in read_error(str(path), form=form).problem
    path.write_bytes(
        gzip.compress(Path(write_rounds(tmp_path, *[ROUND | {"id": str(n)} for n in range(9)])).read_bytes())
    )
    assert len(read_record(str(path))) == 9


def test_blank_lines_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (round_source, csv_rounds):
        monkeypatch.setattr(module, "MAX_BLANK_LINES", 10)
    path = tmp_path / "rounds"
    for form, head in (("rounds", b""), ("wonitor", b""), ("xonotic-log", b""), ("csv", b"id,player,team\n")):
        path.write_bytes(head + b"\n" * 10)
        assert len(read_record(str(path), form=form)) == 0
        path.write_bytes(head + b"\n" * 12)
        error = read_error(str(path), form=form)
        assert (error.line, error.problem) == (11 + bool(head), "more than 10 blank lines")


def test_errors_are_counted_up_to_limit(tmp_path: Path) -> None:
    path = write_rounds(tmp_path, *[build_round(id=str(n), duration=-1) for n in range(MAX_COUNTED_ERRORS + 500)])
    error = read_error(path)
    assert 1 + len(error.others) + error.further_count == MAX_COUNTED_ERRORS
    assert error.texts[-1] == f"{path}: at least {MAX_COUNTED_ERRORS - 20} more lines are wrong"


def test_report_length_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xonstat_rounds, "MAX_REPORT_LINES", 10)
    for head in (b"V 9\n", b"BEGIN REQUEST BODY\n"):
        path = tmp_path / "report"
        path.write_bytes(head + b"S name\n" * 20)
        assert read_error(str(path), form="xonstat").problem == "the report has more than 10 lines"


def test_table_line_length_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rounds, "MAX_LINE_LENGTH", 20)
    path = tmp_path / "rounds.csv"
    path.write_text("id,player,team\n1,ann,A\n2,bob," + "B," * 20)
    assert read_error(str(path)).line == 3


def test_growing_file_ends(tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(b"0\n1\n2")
    source, seen = RoundFileSource(str(path)), []
    for _number, line in source.read_lines():
        seen.append(line)
        with path.open("ab") as file:
            file.write(b"\nmore")
    assert seen == [b"0\n", b"1\n", b"2\n"]
