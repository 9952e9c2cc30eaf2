"""Jobs that misbehave in all the ways a job can, for the calculating process of a test."""

import os
import pickle
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from browser_app.bridge.skill.worker_client import WORKER_COMMAND
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_job import JobError, RecordSource, WorkerJob

_PATH = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); "
WITH_JOBS = (*WORKER_COMMAND[:-1], _PATH + WORKER_COMMAND[-1])
"""Starts the process so that it finds these jobs."""
NOWHERE = RecordSource(b"", "", "", ())


@dataclass(frozen=True)
class Say(WorkerJob[str]):
    """Gives back a word, with some noise on standard output."""

    kind = "say"
    word: str

    def run(self, _desk: WorkerCache, _progress: ProgressCallback) -> bytes:
        sys.stdout.write("noise\n")
        sys.stdout.flush()
        return pickle.dumps(self.word)


@dataclass(frozen=True)
class Loop(WorkerJob[None]):
    """Never ends, and says how far it is."""

    kind = "loop"
    tells: bool = True

    def run(self, _desk: WorkerCache, progress: ProgressCallback) -> bytes:
        done = 0
        while True:
            done += 1
            if self.tells:
                progress(done, 0)


@dataclass(frozen=True)
class Idle(Loop):
    """The same when there is nothing else to do."""

    kind = "idle"
    low_priority = True


@dataclass(frozen=True)
class Sleep(WorkerJob[None]):
    """Hears nothing for a long time."""

    kind = "sleep"

    def run(self, _desk: WorkerCache, progress: ProgressCallback) -> bytes:
        progress(1, 2)
        time.sleep(60.0)
        return b""


@dataclass(frozen=True)
class Fail(WorkerJob[None]):
    """Has no result."""

    kind = "fail"

    def run(self, _desk: WorkerCache, _progress: ProgressCallback) -> bytes:
        raise JobError("there is nothing to learn from")


@dataclass(frozen=True)
class Break(WorkerJob[None]):
    """Meets a fault of the program's own."""

    kind = "break"

    def run(self, _desk: WorkerCache, _progress: ProgressCallback) -> bytes:
        raise ZeroDivisionError("by zero")


@dataclass(frozen=True)
class Die(WorkerJob[None]):
    """Takes the process with it."""

    kind = "die"

    def run(self, _desk: WorkerCache, _progress: ProgressCallback) -> bytes:
        os._exit(3)


@dataclass(frozen=True)
class Damaged(WorkerJob[None]):
    """Its result cannot be read."""

    kind = "damaged"

    def run(self, _desk: WorkerCache, _progress: ProgressCallback) -> bytes:
        return b"no"

    def unpack(self, content: bytes) -> None:
        raise ValueError("damaged: " + content.decode())


@dataclass(frozen=True)
class Pid(WorkerJob[int]):
    """The process's number."""

    kind = "pid"

    def run(self, _desk: WorkerCache, _progress: ProgressCallback) -> bytes:
        return pickle.dumps(os.getpid())
