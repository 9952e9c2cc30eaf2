"""The calculating process: one job at a time, the newest of a kind, cancelled at once, faults told, gone with us."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from patience import comes_true
from pytestqt.qtbot import QtBot
from skill_jobs import NOWHERE, WITH_JOBS, Break, Damaged, Die, Fail, Idle, Loop, Pid, Say, Sleep

from browser_app.bridge.skill import worker_client
from browser_app.bridge.skill.worker_client import WORKER_COMMAND, WorkerClient
from browser_app.rating_worker import worker_ipc
from browser_app.rating_worker.worker_main import JobServer

if TYPE_CHECKING:
    from browser_app.application.skill_state import WorkProgress


class Told:
    """A worker and what it said."""

    def __init__(self, bot: QtBot) -> None:
        self.bot = bot
        self.worker = WorkerClient(command=WITH_JOBS)
        self.works: list[WorkProgress | None] = []
        self.failures: list[tuple[str, str]] = []
        self.results: list[object] = []
        self.worker.progress_changed.connect(self.works.append)
        self.worker.job_failed.connect(lambda what, why: self.failures.append((what, why)))

    def until(self, holds: Callable[[], bool]) -> None:
        self.bot.waitUntil(holds)

    def until_in(self, what: str) -> None:
        """A job of this word is at work."""
        self.until(lambda: any(work is not None and work.kind == what and work.done for work in self.works))


@pytest.fixture
def told(qtbot: QtBot) -> Iterator[Told]:
    told = Told(qtbot)
    yield told
    told.worker.close()
    told.worker.deleteLater()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_come_in_order_on_the_windows_thread(told: Told) -> None:
    threads = []
    told.worker.submit(Pid(NOWHERE), lambda pid: threads.append(threading.current_thread()))
    told.worker.submit(Say(NOWHERE, "ü"), told.results.append)
    told.until(lambda: bool(told.results))
    assert told.results == ["ü"]
    assert threads == [threading.main_thread()]
    assert told.works[-1] is None
    assert told.failures == []


def test_the_process_is_started_in_a_turn_of_its_own(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    began = []

    def start(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
        began.append(command)
        return start_process(command)

    start_process = worker_client._start_process
    monkeypatch.setattr(worker_client, "_start_process", start)
    told.worker.submit(Say(NOWHERE, "hello"), told.results.append)
    assert told.worker.is_busy("say")
    assert [work and work.kind for work in told.works] == ["say"]
    assert not began
    told.until(lambda: bool(told.results))
    assert began == [WITH_JOBS]


def test_the_newest_of_a_kind_takes_the_place_of_the_others(told: Told) -> None:
    told.worker.submit(Loop(NOWHERE), lambda _result: pytest.fail("it never ends"))
    told.until_in("loop")
    for word in ("one", "two", "three"):
        told.worker.submit(Say(NOWHERE, word), told.results.append)
    told.worker.submit(Loop(NOWHERE, tells=False), lambda _result: pytest.fail("it never ends"))
    told.until(lambda: bool(told.results))
    assert told.results == ["three"]
    assert told.worker.is_busy("loop")
    assert not told.worker.is_busy("say")


@pytest.mark.parametrize("tells", [True, False])
def test_what_is_cancelled_ends_at_once(told: Told, tells: bool) -> None:
    told.worker.submit(Say(NOWHERE, "ready"), told.results.append)
    told.until(lambda: bool(told.results))
    told.worker.submit(Loop(NOWHERE, tells), lambda _result: pytest.fail("it was cancelled"))
    told.worker.submit(Say(NOWHERE, "never"), told.results.append)
    told.worker.cancel()
    assert told.works[-1] is None
    told.worker.submit(Say(NOWHERE, "after"), told.results.append)
    told.until(lambda: len(told.results) == 2)
    assert told.results == ["ready", "after"]


def test_what_nobody_waits_for_gives_way_and_is_begun_again(told: Told) -> None:
    told.worker.submit(Idle(NOWHERE), lambda _result: pytest.fail("it never ends"))
    told.until_in("idle")
    told.worker.submit(Say(NOWHERE, "at once"), told.results.append)
    told.until(lambda: bool(told.results))
    assert told.results == ["at once"]
    told.works.clear()
    told.until_in("idle")


def test_cancelling_hits_only_what_is_named(told: Told) -> None:
    told.worker.submit(Loop(NOWHERE), lambda _result: pytest.fail("it was cancelled"))
    told.worker.submit(Say(NOWHERE, "stays"), told.results.append)
    told.worker.cancel("say of somebody else")
    assert told.worker.is_busy("loop")
    told.worker.cancel("loop")
    told.until(lambda: told.results == ["stays"])


def test_jobs_that_are_cancelled_over_and_over_leave_the_process_well(told: Told) -> None:
    for number in range(30):
        told.worker.submit(Loop(NOWHERE), lambda _result: pytest.fail("it was cancelled"))
        if number % 3:
            told.until(lambda: told.works[-1] is not None and told.works[-1].done > 0)
        told.worker.cancel()
    told.worker.submit(Say(NOWHERE, "well"), told.results.append)
    told.until(lambda: bool(told.results))
    assert told.failures == []


def test_progress_comes_on_and_on(told: Told) -> None:
    told.worker.submit(Loop(NOWHERE), lambda _result: pytest.fail("it never ends"))
    told.until(lambda: len(told.works) > 10)
    assert [work.total for work in told.works if work is not None] == [0] * len(told.works)


def test_progress_is_told_at_least_five_times_a_second_and_not_more_often_than_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 0.0
    monkeypatch.setattr("browser_app.rating_worker.worker_main.time", SimpleNamespace(monotonic=lambda: now_s))
    pipe = io.BytesIO()
    child = JobServer(io.BytesIO(), pipe)
    child._current_job = 1
    for step in range(3001):
        now_s = 100.0 + step / 1000
        child._report_progress(step, 3000)
    pipe.seek(0)
    told = [
        worker_ipc.parse_progress(message)[0] / 1000 for message in iter(lambda: worker_ipc.read_message(pipe), None)
    ]
    assert max(later - earlier for earlier, later in pairwise(told)) <= 0.2
    assert told[0] == 0
    assert len(told) <= 3 * 20


def test_faults_are_told_and_the_next_job_is_done(told: Told, capfd: pytest.CaptureFixture[str]) -> None:
    for job in (Fail(NOWHERE), Break(NOWHERE), Damaged(NOWHERE)):
        told.worker.submit(job, lambda _result: pytest.fail("there is no result"))
    told.worker.submit(Say(NOWHERE, "next"), told.results.append)
    told.until(lambda: bool(told.results))
    assert told.failures == [
        ("fail", "there is nothing to learn from"),
        ("break", "ZeroDivisionError: by zero"),
        ("damaged", "damaged: no"),
    ]
    assert "ZeroDivisionError" in capfd.readouterr().err  # where, for whoever mends it


def test_a_process_that_dies_is_told_and_another_takes_its_place(told: Told) -> None:
    told.worker.submit(Die(NOWHERE), lambda _result: pytest.fail("there is no result"))
    told.worker.submit(Say(NOWHERE, "next"), told.results.append)
    told.until(lambda: bool(told.results))
    assert [what for what, _ in told.failures] == ["die"]
    assert "3" in told.failures[0][1]


def test_a_process_that_cannot_be_started_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    worker_client = WorkerClient(command=(str(tmp_path / "no such program"),))
    with qtbot.waitSignal(worker_client.job_failed) as failed:
        worker_client.submit(Say(NOWHERE, "x"), lambda _result: pytest.fail("there is no result"))
    assert failed.args is not None
    assert failed.args[0] == "say"
    worker_client.close()


def test_the_end_waits_for_no_job(told: Told) -> None:
    pids: list[int] = []
    told.worker.submit(Pid(NOWHERE), pids.append)
    told.worker.submit(Sleep(NOWHERE), lambda _result: pytest.fail("nothing is told any more"))
    told.until_in("sleep")
    began = time.monotonic()
    told.worker.close()
    assert time.monotonic() - began < 30.0  # the job takes 60 s
    assert not is_running(pids[0])
    told.worker.submit(Say(NOWHERE, "x"), lambda _result: pytest.fail("nothing is told any more"))
    told.worker.close()


@pytest.mark.posix
def test_it_ends_when_its_parent_is_killed() -> None:
    """Also in the middle of a job; the parent here is a program of its own."""
    parent = f"""
import subprocess, sys
sys.path.append({str(Path(__file__).parent)!r})
from skill_jobs import NOWHERE, WITH_JOBS, Loop
from browser_app.bridge.skill import wire, worker
import pickle
child = subprocess.Popen(WITH_JOBS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
wire.write(child.stdin, wire.Message(wire.JOB, 1, pickle.dumps(Loop(NOWHERE))))
wire.read(child.stdout)
print(child.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        assert is_running(pid)
        program.send_signal(signal.SIGKILL)
        program.wait()
        assert comes_true(lambda: not is_running(pid))


@pytest.mark.posix
def test_progress_that_nobody_hears_is_no_fault() -> None:
    """The window was killed; the process ends when it finds that, not with a fault that it prints."""
    nobody, go = os.pipe()
    os.close(nobody)
    with os.fdopen(go, "wb", buffering=0) as pipe:
        child = JobServer(io.BytesIO(), pipe)  # unbuffered: what is written fails at once
        child._current_job = 1
        child._report_progress(1, 2)
        assert child._current_job == 1


def test_a_message_that_is_cut_off_is_the_end(tmp_path: Path) -> None:
    file = tmp_path / "pipe"
    with file.open("wb") as pipe:
        worker_ipc.write_message(pipe, worker_ipc.WorkerMessage(worker_ipc.DONE_MESSAGE, 7, b"result"))
        worker_ipc.write_message(pipe, worker_ipc.progress_message(8, 3, 9))
    whole = file.read_bytes()
    with file.open("rb") as pipe:
        assert worker_ipc.read_message(pipe) == (worker_ipc.DONE_MESSAGE, 7, b"result")
        message = worker_ipc.read_message(pipe)
        assert message is not None
        assert worker_ipc.parse_progress(message) == (3, 9)
        assert worker_ipc.read_message(pipe) is None
    file.write_bytes(whole[:-1])
    with file.open("rb") as pipe:
        worker_ipc.read_message(pipe)
        assert worker_ipc.read_message(pipe) is None


def test_the_process_needs_no_window() -> None:
    code = WORKER_COMMAND[-1].replace("main()", "print('PySide6' in __import__('sys').modules)")
    ran = subprocess.run([*WORKER_COMMAND[:-1], code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == "False"
