"""Client of the rating worker processes."""

import logging
import os
import pickle
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO, Final, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.application.own_skill.skill_state import WorkProgress
from browser_app.child_process_command import child_process_command
from browser_app.diagnostics import internal_errors
from browser_app.language import gettext as _
from browser_app.rating_worker import worker_ipc
from browser_app.rating_worker.worker_ipc import (
    CANCEL_MESSAGE,
    CANCELLED_MESSAGE,
    CRASHED_MESSAGE,
    DONE_MESSAGE,
    FAILED_MESSAGE,
    JOB_MESSAGE,
    PROGRESS_MESSAGE,
    WorkerMessage,
)
from browser_app.rating_worker.worker_job import WorkerJob
from browser_app.runtime_tuning import favour_gui_thread

_log = logging.getLogger(__name__)


_Result = TypeVar("_Result")

WORKER_COMMAND: Final = child_process_command("browser_app.rating_worker.worker_main", "ready-room-worker")


@dataclass
class _QueuedJob:
    number: int
    job: WorkerJob[Any]
    callback: Callable[[Any], object]


class WorkerClient(QObject):
    """Runs jobs in a worker process, in the order of submission.

    A newer job replaces an older one of its kind. Low-priority jobs run last, and start over after another job has
    interrupted them. The process starts with the first job and ends with `close`, or with this process, however that
    ends.

    Signals:
        progress_changed: a `WorkProgress` during a job that is not quiet, None when no such job is left.
        job_failed: the job's `kind`, and why it has no result.
    """

    progress_changed = Signal(object)
    job_failed = Signal(str, str)
    _message_received = Signal(object, object)

    def __init__(self, parent: QObject | None = None, command: tuple[str, ...] = WORKER_COMMAND) -> None:
        super().__init__(parent)
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._listener: threading.Thread | None = None
        self._queue: list[_QueuedJob] = []
        self._current: _QueuedJob | None = None
        self._last_number = 0
        self._job_started_s = 0.0
        self._has_reported = False
        self._closed = False
        self._message_received.connect(self._handle_message, Qt.ConnectionType.QueuedConnection)
        self._start_timer = QTimer(self, singleShot=True, interval=0)
        self._start_timer.timeout.connect(self._start_next)

    def submit(self, job: WorkerJob[_Result], callback: Callable[[_Result], object]) -> None:
        """Run a job and call `callback` with its result in the GUI thread.

        Does nothing after `close`.
        """
        if self._closed:
            return
        self._last_number += 1
        queued = _QueuedJob(self._last_number, job, callback)
        self._queue = [each for each in self._queue if each.job.kind != job.kind]
        self._queue.append(queued)
        current = self._current
        if current is not None and current.job.kind == job.kind:
            self._cancel_current()
        elif current is not None and current.job.low_priority and not job.low_priority:
            self._cancel_current()
            self._last_number += 1  # messages with its old number are ignored
            self._queue.append(replace(current, number=self._last_number))
        self._queue.sort(key=lambda each: each.job.low_priority)
        self._schedule_next()

    def cancel(self, kind: str | None = None) -> None:
        """Cancel the jobs of this kind, None: all jobs."""
        self._queue = [each for each in self._queue if kind is not None and each.job.kind != kind]
        if self._current is not None and kind in (None, self._current.job.kind):
            self._cancel_current()
        self._schedule_next()

    def is_busy(self, kind: str) -> bool:
        """Return whether a job of this kind runs or waits."""
        return any(each.job.kind == kind for each in (*self._queue, self._current) if each is not None)

    def close(self) -> None:
        """End the process; no signal follows."""
        self._closed = True
        self._start_timer.stop()
        self._queue, self._current = [], None
        process, self._process = self._process, None
        if process is not None:
            _end_process(process)
        if self._listener is not None:
            self._listener.join()
            self._listener = None

    def _schedule_next(self) -> None:
        """Start the next job in an event of its own.

        Starting the process takes as long as half a frame.
        """
        if self._current is None:
            self._report_progress(self._queue[0].job if self._queue else None)
            self._start_timer.start()

    def _start_next(self) -> None:
        if self._current is not None or not self._queue:
            return
        self._current = current = self._queue.pop(0)
        self._job_started_s = time.monotonic()
        _log.debug("Rating job %s started", current.job.kind)
        try:
            self._send(WorkerMessage(JOB_MESSAGE, current.number, pickle.dumps(current.job)))
        except OSError as error:
            if self._process is None:  # else the listener notices its end
                self._fail_current(error.strerror or str(error))

    def _report_progress(self, job: WorkerJob[Any] | None, done: int = 0, total: int = 0) -> None:
        work = None if job is None or job.quiet else WorkProgress(job.kind, done, total)
        if work is not None or self._has_reported:
            self._has_reported = work is not None
            self.progress_changed.emit(work)

    def _cancel_current(self) -> None:
        """Ignore further messages of the current job.

        The next one waits in the pipe until it has ended.
        """
        current, self._current = self._current, None
        if current is not None:
            with suppress(OSError):
                self._send(WorkerMessage(CANCEL_MESSAGE, current.number))

    def _send(self, message: WorkerMessage) -> None:
        if self._process is None:
            self._process = process = _start_process(self._command)
            self._listener = threading.Thread(target=self._listen, args=(process,), name="ratings", daemon=True)
            self._listener.start()
        worker_ipc.write_message(_pipe(self._process.stdin), message)

    # In the listener's thread

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        try:
            with _pipe(process.stdout) as messages:
                while (message := worker_ipc.read_message(messages)) is not None:
                    self._message_received.emit(message, self._unpack_result(message))
        except Exception:  # noqa: BLE001 (what follows such a message cannot be read either; the job must not hang)
            internal_errors.report("receiving from a rating worker", process.pid)
        self._message_received.emit(None, process)

    def _unpack_result(self, message: WorkerMessage) -> object:
        """Unpack here: a hundred thousand rounds would delay a frame in the GUI thread."""
        current = self._current
        if message.kind != DONE_MESSAGE or current is None or current.number != message.job_number:
            return None
        with favour_gui_thread():
            try:
                return current.job.unpack(message.payload)
            except Exception as error:  # noqa: BLE001 (our own bug with one result must not end the listener)
                internal_errors.report("reading a rating worker's result", current.job.kind)
                return error

    # In the GUI thread

    def _handle_message(self, message: WorkerMessage | None, result: object) -> None:
        if self._closed:
            return
        if message is None:
            self._on_process_ended(result)
            return
        current = self._current
        if current is None or current.number != message.job_number or message.kind == CANCELLED_MESSAGE:
            return
        if message.kind == PROGRESS_MESSAGE:
            self._report_progress(current.job, *worker_ipc.parse_progress(message))
            return
        self._current = None
        if message.kind == FAILED_MESSAGE:
            why = message.payload.decode(errors="replace")
            _log.info("Rating job %s has no result: %s", current.job.kind, why)
            self.job_failed.emit(current.job.kind, why)
        elif message.kind == CRASHED_MESSAGE:
            why, _newline, traceback = message.payload.decode(errors="replace").partition("\n")
            _log.error("Rating job %s crashed: %s", current.job.kind, traceback)
            self.job_failed.emit(current.job.kind, why)
        elif isinstance(result, Exception):
            self.job_failed.emit(current.job.kind, f"{type(result).__name__}: {result}")
        else:
            _log.log(
                logging.DEBUG if current.job.quiet else logging.INFO,
                "Rating job %s finished after %.1f s",
                current.job.kind,
                time.monotonic() - self._job_started_s,
            )
            current.callback(result)
        self._schedule_next()

    def _on_process_ended(self, process: object) -> None:
        """Handle the end of a process that crashed or was killed.

        The next job starts another one.
        """
        if process is not self._process or self._process is None:
            return
        status = _end_process(self._process)
        _log.info("The rating worker ended with exit status %d", status)
        self._process = None
        self._fail_current(_("the worker process ended (exit status {status})").format(status=status))

    def _fail_current(self, why: str) -> None:
        current, self._current = self._current, None
        if current is not None:
            _log.info("Rating job %s failed: %s", current.job.kind, why)
            self.job_failed.emit(current.job.kind, why)
            self._schedule_next()


def _start_process(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 (our own program)
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        process_group=0
        if os.name == "posix"
        else None,  # Ctrl-C is for this process only; the process ends with its standard input
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _end_process(process: subprocess.Popen[bytes]) -> int:
    """Kill the process, which has nothing to finish, and return its exit status."""
    with suppress(OSError):
        _pipe(process.stdin).close()
    process.kill()
    return process.wait()


def _pipe(pipe: Any) -> BinaryIO:
    assert pipe is not None  # noqa: S101 (it was opened as a pipe)
    stream: BinaryIO = pipe
    return stream


class WorkerPool(QObject):
    """Two workers: one for the jobs that the window waits for, one for slow jobs.

    A slow job may take minutes on a large record.

    Signals:
        progress_changed: the `WorkProgress` that matters most to the user; None when there is none any more.
        calculation_failed: a sentence about what could not be calculated, and why.
    """

    progress_changed = Signal(object)
    calculation_failed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._fast_worker, self._slow_worker = WorkerClient(self), WorkerClient(self)
        self._progress_by_source: dict[object, WorkProgress | None] = {}
        for worker in (self._fast_worker, self._slow_worker):
            self._progress_by_source[worker] = None
            worker.progress_changed.connect(partial(self.set_progress, worker))
            worker.job_failed.connect(self._on_job_failed)

    def submit(self, job: WorkerJob[_Result], callback: Callable[[_Result], object]) -> None:
        """Run a job in its worker; see `WorkerClient.submit`."""
        (self._slow_worker if job.slow else self._fast_worker).submit(job, callback)

    def is_busy(self, kind: str) -> bool:
        """Return whether a job of this kind runs or waits."""
        return self._fast_worker.is_busy(kind) or self._slow_worker.is_busy(kind)

    def set_progress(self, source: object, progress: WorkProgress | None) -> None:
        """Set the progress of a source: a worker, or any other work, which is shown last."""
        self._progress_by_source[source] = progress
        self.progress_changed.emit(next((each for each in self._progress_by_source.values() if each is not None), None))

    def cancel(self) -> None:
        """Cancel all jobs."""
        self._fast_worker.cancel()
        self._slow_worker.cancel()

    def close(self) -> None:
        """End both processes; no signal follows."""
        self._fast_worker.close()
        self._slow_worker.close()

    def _on_job_failed(self, _kind: str, why: str) -> None:
        """Translate a failure here, since the worker process loads no translations."""
        self.calculation_failed.emit(_("Calculation failed: {why}").format(why=_(why)))
