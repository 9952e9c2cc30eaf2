"""Parallel reading gives what serial reading gives, whatever the file or failure."""

import gzip
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from round_file_helpers import ROUND, assert_same_record, build_round, read_error, write_rounds
from timeouts import LIMIT_S

from browser_app.rounds import parallel_reader, round_source
from browser_app.rounds.round_reader import LocatedRounds, read_rounds
from browser_app.rounds.round_source import RoundFileSource

pytestmark = pytest.mark.slow


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Treat every file as large; yield the started processes.

    The machine counts as having two processors.
    """
    started: list[subprocess.Popen[bytes]] = []

    class RecordedPopen(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(parallel_reader, "MIN_PARALLEL_BYTES", 0)
    monkeypatch.setattr(parallel_reader, "_count_processors", lambda: 2)
    monkeypatch.setattr(subprocess, "Popen", RecordedPopen)
    yield started
    assert all(process.returncode is not None for process in started)


def generate_rounds(rounds: int) -> list[dict[str, Any]]:
    """Return rounds whose halves have nothing in common, in no order of time.

    People, maps, counts and squads are different.
    """
    rng = random.Random(3)
    return [
        build_round(
            id=f"round {number}",
            map=rng.choice([None, f"map {number // 20}"]),
            mode=rng.choice(["ns2", "ns2_combat"]),
            started=f"2024-05-{rng.randint(1, 28):02}T20:00:00Z",
            winner=rng.choice(["marines", "aliens", None]),
            races={"marines": f"race {number % 3}"} if number % 4 == 0 else {},
            players=[generate_player(rng, number, each) for each in rng.sample(range(60), 7)],
        )
        for number in range(rounds)
    ]


def generate_player(rng: random.Random, number: int, each: int) -> dict[str, Any]:
    stint = {
        "team": rng.choice(["marines", "aliens"]),
        "enter": rng.randint(0, 99),
        "leave": rng.randint(100, 600),
    }
    values: dict[str, Any] = {"id": f"p{each + number // 2}", "stays": [stint], "name": f"{each} in {number}"}
    if number > 120:
        values |= {"kills": rng.randint(0, 30), "quit": rng.random() < 0.1, "squad": rng.choice([None, "s"])}
    if number < 40 and each % 5 == 0:
        values["commanding"] = [stint]
    return values


def assert_same_rounds(one: LocatedRounds, two: LocatedRounds) -> None:
    assert_same_record(one.record, two.record)
    assert (one.files, one.file.tolist(), one.line.tolist()) == (two.files, two.file.tolist(), two.line.tolist())


def test_parallel_reading_gives_same_record(
    tmp_path: Path, processes: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = write_rounds(tmp_path, ROUND, name="before")
    path = write_rounds(tmp_path, *generate_rounds(240))
    Path(path).write_text(Path(path).read_text().replace("\n", "\n\n"))  # empty lines count, too
    values: list[tuple[int, int]] = []
    both = read_rounds([before, path], progress=lambda done, size: values.append((done, size)))
    assert [process.returncode for process in processes] == [0, 0]
    size = sum(Path(each).stat().st_size for each in (before, path))
    assert values[-1] == (size, size)
    monkeypatch.setattr(parallel_reader, "MIN_PARALLEL_BYTES", sys.maxsize)
    assert_same_rounds(both, read_rounds([before, path]))
    assert len(processes) == 2


@pytest.mark.parametrize(
    ("line", "change", "why"),
    [
        (3, {"duration": 1}, "players[0].stays[0].leave: is after the end of the round"),
        (38, {"duration": 1}, "players[0].stays[0].leave: is after the end of the round"),
        (38, {"id": "id 2"}, "id: is also the id of {path}:2"),
        (38, {"id": "id 36"}, "id: is also the id of {path}:36"),
        (38, {"teams": "both"}, "teams: expected `array`, got `str`"),
    ],
)
def test_error_is_located(
    line: int, change: dict[str, Any], why: str, tmp_path: Path, processes: list[subprocess.Popen[bytes]]
) -> None:
    rounds = [build_round(id=f"id {number}") for number in range(1, 41)]
    rounds[line - 1] |= change
    path = write_rounds(tmp_path, *rounds)
    assert str(read_error(path)) == f"{path}:{line}: {why.format(path=path)}"
    assert len(processes) == 1


@pytest.mark.parametrize(
    "command", [(sys.executable, "-c", "print(1); exit(3)"), ("/nowhere/at-all",)], ids=["fails", "is not there"]
)
def test_failed_process_is_replaced(
    command: tuple[str, ...],
    tmp_path: Path,
    processes: list[subprocess.Popen[bytes]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = write_rounds(tmp_path, *generate_rounds(30))
    monkeypatch.setattr(parallel_reader, "READER_COMMAND", command)
    alone = read_rounds([path])
    assert alone.line.tolist() == list(range(1, 31))
    monkeypatch.setattr(parallel_reader, "MIN_PARALLEL_BYTES", sys.maxsize)
    assert_same_rounds(alone, read_rounds([path]))


def test_process_ends_with_context(
    tmp_path: Path, processes: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel_reader, "READER_COMMAND", (sys.executable, "-c", "import time; time.sleep(600)"))

    def stop(done: int, size: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(round_source, "_LINES_PER_PROGRESS", 1)
    with pytest.raises(KeyboardInterrupt):
        read_rounds([write_rounds(tmp_path, *generate_rounds(9))], progress=stop)
    assert len(processes) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only there a file can be had that nobody writes")
def test_process_ends_with_parent(tmp_path: Path) -> None:
    endless = tmp_path / "rounds.jsonl"
    os.mkfifo(endless)
    command = [*parallel_reader.READER_COMMAND, str(endless), "0", "0"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.close()  # happens when the parent is killed
        try:
            assert process.wait(LIMIT_S) == 1
        finally:
            process.kill()


def test_indivisible_file_is_read_serially(tmp_path: Path, processes: list[subprocess.Popen[bytes]]) -> None:
    packed, one_line = tmp_path / "rounds.gz", tmp_path / "one.jsonl"
    path = write_rounds(tmp_path, ROUND, build_round(id="r2"))
    packed.write_bytes(gzip.compress(Path(path).read_bytes()))
    one_line.write_text(Path(write_rounds(tmp_path, ROUND)).read_text().removesuffix("\n"))
    assert len(read_rounds([str(packed)]).record) == 2
    assert len(read_rounds([str(one_line)]).record) == 1
    assert processes == []


def test_small_file_is_read_serially(tmp_path: Path) -> None:
    with parallel_reader.read_in_parallel(RoundFileSource(write_rounds(tmp_path, ROUND))) as half:
        assert half is None
