"""Misbehaving jobs for worker processes."""

import os
import pickle
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from browser_app.bridge.skill.worker_client import WORKER_COMMAND
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import JobError, RecordLocation, WorkerJob

_PATH = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); "
WORKER_WITH_TEST_JOBS = (*WORKER_COMMAND[:-1], _PATH + WORKER_COMMAND[-1])
"""Command of a worker that can import these jobs."""
NO_RECORD = RecordLocation(b"", "", "", ())


@dataclass(frozen=True)
class EchoJob(WorkerJob[str]):
    """Returns a text, after printing noise to standard output."""

    kind = "echo"
    text: str

    def run(self, _cache: WorkerCache, _progress: ProgressCallback) -> bytes:
        sys.stdout.write("noise\n")
        sys.stdout.flush()
        return pickle.dumps(self.text)


@dataclass(frozen=True)
class EndlessJob(WorkerJob[None]):
    """Never ends; reports its progress."""

    kind = "endless"
    reports: bool = True

    def run(self, _cache: WorkerCache, progress: ProgressCallback) -> bytes:
        done = 0
        while True:
            done += 1
            if self.reports:
                progress(done, 0)


@dataclass(frozen=True)
class LowPriorityJob(EndlessJob):
    """Never ends, at low priority."""

    kind = "low priority"
    low_priority = True


@dataclass(frozen=True)
class SleepJob(WorkerJob[None]):
    """Handles no interrupt for a long time."""

    kind = "sleep"

    def run(self, _cache: WorkerCache, progress: ProgressCallback) -> bytes:
        progress(1, 2)
        time.sleep(60.0)
        return b""


@dataclass(frozen=True)
class FailingJob(WorkerJob[None]):
    """Has no result."""

    kind = "fail"

    def run(self, _cache: WorkerCache, _progress: ProgressCallback) -> bytes:
        raise JobError("there is nothing to learn from")


@dataclass(frozen=True)
class CrashingJob(WorkerJob[None]):
    """Raises an unexpected exception."""

    kind = "crash"

    def run(self, _cache: WorkerCache, _progress: ProgressCallback) -> bytes:
        raise ZeroDivisionError("by zero")


@dataclass(frozen=True)
class ExitingJob(WorkerJob[None]):
    """Ends the process."""

    kind = "exit"

    def run(self, _cache: WorkerCache, _progress: ProgressCallback) -> bytes:
        os._exit(3)


@dataclass(frozen=True)
class DamagedJob(WorkerJob[None]):
    """Returns a result that cannot be unpacked."""

    kind = "damaged"

    def run(self, _cache: WorkerCache, _progress: ProgressCallback) -> bytes:
        return b"no"

    def unpack(self, content: bytes) -> None:
        raise ValueError("damaged: " + content.decode())


@dataclass(frozen=True)
class PidJob(WorkerJob[int]):
    """Returns the process id."""

    kind = "pid"

    def run(self, _cache: WorkerCache, _progress: ProgressCallback) -> bytes:
        return pickle.dumps(os.getpid())
