"""The calculating process: takes jobs from standard input, one at a time, and ends when that does."""

import _thread
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

from browser_app.bridge.skill import wire
from browser_app.bridge.skill.desk import Desk
from browser_app.bridge.skill.subject import JobError
from browser_app.bridge.skill.wire import CANCEL, CANCELLED, DONE, FAILED, JOB, Message

if TYPE_CHECKING:
    from browser_app.bridge.skill.job import Job

_TELL_S = 0.1
"""Progress is told no more often."""
_NICE = 10
"""The window goes first where there are few processors."""


class _Cancelled(BaseException):
    """The job in hand is no longer wanted. Not an Exception: nothing that a job calls may take it for a fault."""


class Child:
    """Does the jobs in the main thread, which is interrupted where it stands when a job is cancelled."""

    def __init__(self, come: BinaryIO, go: BinaryIO) -> None:
        self._come, self._go = come, go
        self._desk = Desk()
        self._jobs: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._in_hand: int | None = None
        self._told_at = 0.0

    def serve(self) -> None:
        """Until the process ends."""
        signal.signal(signal.SIGINT, self._interrupted)
        threading.Thread(target=self._listen, name="listener", daemon=True).start()
        while True:
            message = self._jobs.get()
            with suppress(OSError):  # the window is gone: the listener ends this process
                wire.write(self._go, self._answer(message))

    def _listen(self) -> None:
        while (message := wire.read(self._come)) is not None:
            if message.kind == JOB:
                self._jobs.put(message)
            elif message.kind == CANCEL:
                self._cancelled.add(message.number)
                _thread.interrupt_main()
        os._exit(0)  # nothing here is worth finishing without a window

    def _interrupted(self, _signal: int, _frame: object) -> None:
        if self._in_hand is not None and self._in_hand in self._cancelled:
            self._in_hand = None
            raise _Cancelled

    def _answer(self, message: Message) -> Message:
        number = message.number
        try:
            try:
                self._in_hand = number
                self._go_on(number)
                job: Job[object] = pickle.loads(message.payload)  # noqa: S301 (from our own parent)
                self._told_at = 0.0
                return Message(DONE, number, job.run(self._desk, self._tell))
            finally:
                self._in_hand = None
        except _Cancelled:
            return Message(CANCELLED, number)
        except JobError as error:
            return Message(FAILED, number, str(error).encode())
        except Exception as error:  # noqa: BLE001 (whatever it is, the user is told and the next job is done)
            traceback.print_exc()
            return Message(FAILED, number, f"{type(error).__name__}: {error}".encode())
        finally:
            self._cancelled.discard(number)

    def _tell(self, done: int, total: int) -> None:
        number, now = self._in_hand, time.monotonic()
        if number is None or now - self._told_at < _TELL_S:
            return
        self._told_at = now
        self._in_hand = None  # half a message would spoil all that follow
        with suppress(OSError):  # as at the end: the window is gone
            wire.write(self._go, wire.progress(number, done, total))
        self._in_hand = number
        self._go_on(number)

    def _go_on(self, number: int) -> None:
        if number in self._cancelled:
            raise _Cancelled


def main() -> None:
    """Serve the process that started this one."""
    go = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not speak in between
    if hasattr(os, "nice"):
        os.nice(_NICE)
    Child(sys.stdin.buffer, go).serve()
