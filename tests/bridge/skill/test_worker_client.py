"""Worker processes: order, replacement, cancellation, failures, and their end."""

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
from pytestqt.qtbot import QtBot
from timeouts import wait_until
from worker_test_jobs import (
    NO_RECORD,
    WORKER_WITH_TEST_JOBS,
    CrashingJob,
    DamagedJob,
    EchoJob,
    EndlessJob,
    ExitingJob,
    FailingJob,
    LowPriorityJob,
    PidJob,
    SleepJob,
)

from browser_app.bridge.skill import worker_client
from browser_app.bridge.skill.worker_client import WORKER_COMMAND, WorkerClient
from browser_app.diagnostics import internal_errors
from browser_app.rating_worker import worker_ipc
from browser_app.rating_worker.worker_main import JobServer

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from browser_app.application.own_skill.skill_state import WorkProgress


class WorkerFixture:
    """A worker client and the signals it has emitted."""

    def __init__(self, bot: QtBot) -> None:
        self.bot = bot
        self.worker = WorkerClient(command=WORKER_WITH_TEST_JOBS)
        self.progress: list[WorkProgress | None] = []
        self.failures: list[tuple[str, str]] = []
        self.results: list[object] = []
        self.worker.progress_changed.connect(self.progress.append)
        self.worker.job_failed.connect(lambda kind, why: self.failures.append((kind, why)))

    def wait(self, holds: Callable[[], bool]) -> None:
        self.bot.waitUntil(holds)

    def wait_for_progress(self, kind: str) -> None:
        """Wait until a job of this kind reports progress."""
        self.wait(lambda: any(work is not None and work.kind == kind and work.done for work in self.progress))


@pytest.fixture
def env(qtbot: QtBot) -> Iterator[WorkerFixture]:
    env = WorkerFixture(qtbot)
    yield env
    env.worker.close()
    env.worker.deleteLater()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_results_arrive_in_gui_thread(env: WorkerFixture) -> None:
    threads = []
    env.worker.submit(PidJob(NO_RECORD), lambda pid: threads.append(threading.current_thread()))
    env.worker.submit(EchoJob(NO_RECORD, "ü"), env.results.append)
    env.wait(lambda: bool(env.results))
    assert env.results == ["ü"]
    assert threads == [threading.main_thread()]
    assert env.progress[-1] is None
    assert env.failures == []


def test_process_starts_in_own_event(env: WorkerFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    began = []

    def start(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
        began.append(command)
        return start_process(command)

    start_process = worker_client._start_process
    monkeypatch.setattr(worker_client, "_start_process", start)
    env.worker.submit(EchoJob(NO_RECORD, "hello"), env.results.append)
    assert env.worker.is_busy("echo")
    assert [work and work.kind for work in env.progress] == ["echo"]
    assert not began
    env.wait(lambda: bool(env.results))
    assert began == [WORKER_WITH_TEST_JOBS]


def test_newest_of_kind_replaces_others(env: WorkerFixture) -> None:
    env.worker.submit(EndlessJob(NO_RECORD), lambda _result: pytest.fail("it never ends"))
    env.wait_for_progress("endless")
    for word in ("one", "two", "three"):
        env.worker.submit(EchoJob(NO_RECORD, word), env.results.append)
    env.worker.submit(EndlessJob(NO_RECORD, reports=False), lambda _result: pytest.fail("it never ends"))
    env.wait(lambda: bool(env.results))
    assert env.results == ["three"]
    assert env.worker.is_busy("endless")
    assert not env.worker.is_busy("echo")


@pytest.mark.parametrize("reports", [True, False])
def test_cancel_ends_job_at_once(env: WorkerFixture, reports: bool) -> None:
    env.worker.submit(EchoJob(NO_RECORD, "ready"), env.results.append)
    env.wait(lambda: bool(env.results))
    env.worker.submit(EndlessJob(NO_RECORD, reports), lambda _result: pytest.fail("it was cancelled"))
    env.worker.submit(EchoJob(NO_RECORD, "never"), env.results.append)
    env.worker.cancel()
    assert env.progress[-1] is None
    env.worker.submit(EchoJob(NO_RECORD, "after"), env.results.append)
    env.wait(lambda: len(env.results) == 2)
    assert env.results == ["ready", "after"]


def test_low_priority_job_starts_over(env: WorkerFixture) -> None:
    env.worker.submit(LowPriorityJob(NO_RECORD), lambda _result: pytest.fail("it never ends"))
    env.wait_for_progress("low priority")
    env.worker.submit(EchoJob(NO_RECORD, "at once"), env.results.append)
    env.wait(lambda: bool(env.results))
    assert env.results == ["at once"]
    env.progress.clear()
    env.wait_for_progress("low priority")


def test_cancel_affects_one_kind(env: WorkerFixture) -> None:
    env.worker.submit(EndlessJob(NO_RECORD), lambda _result: pytest.fail("it was cancelled"))
    env.worker.submit(EchoJob(NO_RECORD, "stays"), env.results.append)
    env.worker.cancel("another kind")
    assert env.worker.is_busy("endless")
    env.worker.cancel("endless")
    env.wait(lambda: env.results == ["stays"])


def test_repeated_cancellation(env: WorkerFixture) -> None:
    for number in range(30):
        env.worker.submit(EndlessJob(NO_RECORD), lambda _result: pytest.fail("it was cancelled"))
        if number % 3:
            env.wait(lambda: env.progress[-1] is not None and env.progress[-1].done > 0)
        env.worker.cancel()
    env.worker.submit(EchoJob(NO_RECORD, "well"), env.results.append)
    env.wait(lambda: bool(env.results))
    assert env.failures == []


def test_progress_continues(env: WorkerFixture) -> None:
    env.worker.submit(EndlessJob(NO_RECORD), lambda _result: pytest.fail("it never ends"))
    env.wait(lambda: len(env.progress) > 10)
    assert [work.total for work in env.progress if work is not None] == [0] * len(env.progress)


def test_progress_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s = 0.0
    monkeypatch.setattr("browser_app.rating_worker.worker_main.time", SimpleNamespace(monotonic=lambda: now_s))
    pipe = io.BytesIO()
    server = JobServer(io.BytesIO(), pipe)
    server._current_job = 1
    for step in range(3001):
        now_s = 100.0 + step / 1000
        server._report_progress(step, 3000)
    pipe.seek(0)
    env = [
        worker_ipc.parse_progress(message)[0] / 1000 for message in iter(lambda: worker_ipc.read_message(pipe), None)
    ]
    assert max(later - earlier for earlier, later in pairwise(env)) <= 0.2
    assert env[0] == 0
    assert len(env) <= 3 * 20


@pytest.mark.expects_log
def test_failures_are_reported(env: WorkerFixture, caplog: pytest.LogCaptureFixture) -> None:
    for job in (FailingJob(NO_RECORD), CrashingJob(NO_RECORD), DamagedJob(NO_RECORD)):
        env.worker.submit(job, lambda _result: pytest.fail("there is no result"))
    env.worker.submit(EchoJob(NO_RECORD, "next"), env.results.append)
    env.wait(lambda: bool(env.results))
    assert env.failures == [
        ("fail", "there is nothing to learn from"),
        ("crash", "ZeroDivisionError: by zero"),
        ("damaged", "ValueError: damaged: no"),
    ]
    crash = next(record for record in caplog.records if "crash" in record.getMessage())
    assert "Traceback" in crash.getMessage()
    assert "ZeroDivisionError" in crash.getMessage()


def test_dead_process_is_replaced(env: WorkerFixture) -> None:
    env.worker.submit(ExitingJob(NO_RECORD), lambda _result: pytest.fail("there is no result"))
    env.worker.submit(EchoJob(NO_RECORD, "next"), env.results.append)
    env.wait(lambda: bool(env.results))
    assert [what for what, _ in env.failures] == ["exit"]
    assert "3" in env.failures[0][1]


def test_start_failure_is_reported(qtbot: QtBot, tmp_path: Path) -> None:
    worker_client = WorkerClient(command=(str(tmp_path / "no such program"),))
    with qtbot.waitSignal(worker_client.job_failed) as failed:
        worker_client.submit(EchoJob(NO_RECORD, "x"), lambda _result: pytest.fail("there is no result"))
    assert failed.args is not None
    assert failed.args[0] == "echo"
    worker_client.close()


def test_close_does_not_wait_for_job(env: WorkerFixture) -> None:
    pids: list[int] = []
    env.worker.submit(PidJob(NO_RECORD), pids.append)
    env.worker.submit(SleepJob(NO_RECORD), lambda _result: pytest.fail("nothing is env any more"))
    env.wait_for_progress("sleep")
    began = time.monotonic()
    env.worker.close()
    assert time.monotonic() - began < 30.0  # the job takes 60 s
    assert not is_running(pids[0])
    env.worker.submit(EchoJob(NO_RECORD, "x"), lambda _result: pytest.fail("nothing is env any more"))
    env.worker.close()


@pytest.mark.posix
def test_worker_ends_with_parent() -> None:
    """Even during a job; the parent here is a separate process."""
    parent = f"""
import pickle, subprocess, sys
sys.path.append({str(Path(__file__).parent)!r})
from worker_test_jobs import NO_RECORD, WORKER_WITH_TEST_JOBS, EndlessJob
from browser_app.rating_worker.worker_ipc import JOB_MESSAGE, WorkerMessage, read_message, write_message
child = subprocess.Popen(WORKER_WITH_TEST_JOBS, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
write_message(child.stdin, WorkerMessage(JOB_MESSAGE, 1, pickle.dumps(EndlessJob(NO_RECORD))))
read_message(child.stdout)
print(child.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        pid = int(program.stdout.readline())
        assert is_running(pid)
        program.send_signal(signal.SIGKILL)
        program.wait()
        assert wait_until(lambda: not is_running(pid))


@pytest.mark.posix
def test_progress_to_closed_pipe() -> None:
    """After the window was killed the worker ends without printing an error."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb", buffering=0) as pipe:
        server = JobServer(io.BytesIO(), pipe)  # unbuffered: writes fail at once
        server._current_job = 1
        server._report_progress(1, 2)
        assert server._current_job == 1


def test_truncated_message_ends_stream(tmp_path: Path) -> None:
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


def test_worker_does_not_import_qt() -> None:
    code = WORKER_COMMAND[-1].replace("main()", "print('PySide6' in __import__('sys').modules)")
    ran = subprocess.run([*WORKER_COMMAND[:-1], code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == "False"


def test_worker_ends_at_bytes_that_are_no_message() -> None:
    ended = subprocess.run(WORKER_COMMAND, input=bytes([255]) * 17, capture_output=True, timeout=100, check=True)
    assert ended.stdout == b""


@pytest.mark.expects_log
def test_bytes_that_are_no_message(qtbot: QtBot) -> None:
    """The process is replaced, whatever it has written."""
    program = "import sys; sys.stdout.buffer.write(bytes([255]) * 17); sys.stdout.flush(); sys.stdin.read()"
    worker = WorkerClient(command=(sys.executable, "-c", program))
    for count in (1, 2):
        with qtbot.waitSignal(worker.job_failed):
            worker.submit(EchoJob(NO_RECORD, "x"), lambda _result: pytest.fail("there is no result"))
        assert list(internal_errors.counts().values()) == [count]
    worker.close()
    worker.deleteLater()
