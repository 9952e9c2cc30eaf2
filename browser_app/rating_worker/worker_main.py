"""Main program of the rating worker process."""

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

from browser_app.rating_worker import worker_ipc
from browser_app.rating_worker.worker_cache import WorkerCache
from browser_app.rating_worker.worker_ipc import (
    CANCEL_MESSAGE,
    CANCELLED_MESSAGE,
    CRASHED_MESSAGE,
    DONE_MESSAGE,
    FAILED_MESSAGE,
    JOB_MESSAGE,
    WorkerMessage,
)
from browser_app.rating_worker.worker_job import JobError
from browser_app.runtime_tuning import lower_process_priority

if TYPE_CHECKING:
    from browser_app.rating_worker.worker_job import WorkerJob

_PROGRESS_INTERVAL_S = 0.1
"""Shortest time between two progress messages."""


class _JobCancelled(BaseException):
    """The current job was cancelled.

    Not an Exception, so that no code of a job handles it as an error.
    """


class JobServer:
    """Runs jobs in the main thread, which is interrupted when its job is cancelled."""

    def __init__(self, input_pipe: BinaryIO, output_pipe: BinaryIO) -> None:
        self._input_pipe, self._output_pipe = input_pipe, output_pipe
        self._cache = WorkerCache()
        self._jobs: queue.SimpleQueue[WorkerMessage] = queue.SimpleQueue()
        self._cancelled_jobs: set[int] = set()
        self._current_job: int | None = None
        self._reported_s = 0.0

    def serve(self) -> None:
        """Run jobs until the process ends."""
        signal.signal(signal.SIGINT, self._on_interrupt)
        threading.Thread(target=self._listen, name="listener", daemon=True).start()
        while True:
            message = self._jobs.get()
            with suppress(OSError):  # the window has closed: the listener ends this process
                worker_ipc.write_message(self._output_pipe, self._run_job(message))

    def _listen(self) -> None:
        try:
            while (message := worker_ipc.read_message(self._input_pipe)) is not None:
                if message.kind == JOB_MESSAGE:
                    self._jobs.put(message)
                elif message.kind == CANCEL_MESSAGE:
                    self._cancelled_jobs.add(message.job_number)
                    _thread.interrupt_main()
        finally:  # the window has closed, or the input is corrupt
            os._exit(0)

    def _on_interrupt(self, _signal: int, _frame: object) -> None:
        if self._current_job is not None and self._current_job in self._cancelled_jobs:
            self._current_job = None
            raise _JobCancelled

    def _run_job(self, message: WorkerMessage) -> WorkerMessage:
        number = message.job_number
        try:
            try:
                self._current_job = number
                self._raise_if_cancelled(number)
                job: WorkerJob[object] = pickle.loads(message.payload)  # noqa: S301 (from our own parent)
                self._reported_s = 0.0
                return WorkerMessage(DONE_MESSAGE, number, job.run(self._cache, self._report_progress))
            finally:
                self._current_job = None
        except _JobCancelled:
            return WorkerMessage(CANCELLED_MESSAGE, number)
        except JobError as error:
            return WorkerMessage(FAILED_MESSAGE, number, str(error).encode())
        except Exception as error:  # noqa: BLE001 (reported to the user; the next job still runs)
            summary = f"{type(error).__name__}: {error}".replace("\n", " ")
            return WorkerMessage(CRASHED_MESSAGE, number, f"{summary}\n{traceback.format_exc()}".encode())
        finally:
            self._cancelled_jobs.discard(number)

    def _report_progress(self, done: int, total: int) -> None:
        number, now = self._current_job, time.monotonic()
        if number is None or now - self._reported_s < _PROGRESS_INTERVAL_S:
            return
        self._reported_s = now
        self._current_job = None  # a cancellation now would cut the message off and corrupt all later ones
        with suppress(OSError):  # the window has closed, as in `serve`
            worker_ipc.write_message(self._output_pipe, worker_ipc.progress_message(number, done, total))
        self._current_job = number
        self._raise_if_cancelled(number)

    def _raise_if_cancelled(self, number: int) -> None:
        if number in self._cancelled_jobs:
            raise _JobCancelled


def main() -> None:
    """Serve the process that started this one."""
    output_pipe = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # prints must not mix with messages
    lower_process_priority()
    JobServer(sys.stdin.buffer, output_pipe).serve()
