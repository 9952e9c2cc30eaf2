"""Jobs that misbehave in all the ways a job can, for the calculating process of a test."""

import os
import pickle
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from browser_app.bridge.skill.desk import Desk
from browser_app.bridge.skill.job import Job
from browser_app.bridge.skill.subject import JobError, Source
from browser_app.bridge.skill.worker import COMMAND
from browser_app.rating.progress import Progress

_PATH = f"import sys; sys.path.append({str(Path(__file__).parent)!r}); "
WITH_JOBS = (*COMMAND[:-1], _PATH + COMMAND[-1])
"""Starts the process so that it finds these jobs."""
NOWHERE = Source(b"", "", "", ())


@dataclass(frozen=True)
class Say(Job[str]):
    """Gives back a word, with some noise on standard output."""

    what = "say"
    word: str

    def run(self, _desk: Desk, _progress: Progress) -> bytes:
        sys.stdout.write("noise\n")
        sys.stdout.flush()
        return pickle.dumps(self.word)


@dataclass(frozen=True)
class Loop(Job[None]):
    """Never ends, and says how far it is."""

    what = "loop"
    tells: bool = True

    def run(self, _desk: Desk, progress: Progress) -> bytes:
        done = 0
        while True:
            done += 1
            if self.tells:
                progress(done, 0)


@dataclass(frozen=True)
class Idle(Loop):
    """The same when there is nothing else to do."""

    what = "idle"
    gives_way = True


@dataclass(frozen=True)
class Sleep(Job[None]):
    """Hears nothing for a long time."""

    what = "sleep"

    def run(self, _desk: Desk, progress: Progress) -> bytes:
        progress(1, 2)
        time.sleep(60.0)
        return b""


@dataclass(frozen=True)
class Fail(Job[None]):
    """Has no result."""

    what = "fail"

    def run(self, _desk: Desk, _progress: Progress) -> bytes:
        raise JobError("there is nothing to learn from")


@dataclass(frozen=True)
class Break(Job[None]):
    """Meets a fault of the program's own."""

    what = "break"

    def run(self, _desk: Desk, _progress: Progress) -> bytes:
        raise ZeroDivisionError("by zero")


@dataclass(frozen=True)
class Die(Job[None]):
    """Takes the process with it."""

    what = "die"

    def run(self, _desk: Desk, _progress: Progress) -> bytes:
        os._exit(3)


@dataclass(frozen=True)
class Damaged(Job[None]):
    """Its result cannot be read."""

    what = "damaged"

    def run(self, _desk: Desk, _progress: Progress) -> bytes:
        return b"no"

    def unpack(self, content: bytes) -> None:
        raise ValueError("damaged: " + content.decode())


@dataclass(frozen=True)
class Pid(Job[int]):
    """The process's number."""

    what = "pid"

    def run(self, _desk: Desk, _progress: Progress) -> bytes:
        return pickle.dumps(os.getpid())
