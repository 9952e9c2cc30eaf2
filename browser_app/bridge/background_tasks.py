"""Background threads for blocking calls and long computations."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance

from browser_app.runtime_tuning import favour_gui_thread
from browser_app.storage.storage_errors import DatabaseClosedError, StorageError

_log = logging.getLogger(__name__)


EXECUTOR_CLOSE_TIMEOUT_S = 2.0
"""A task that ignores its cancellation delays the program's end no longer than this."""


@contextmanager
def ignore_storage_errors(action: str) -> Iterator[None]:
    """Skip the rest of the block at a storage error, which is logged only.

    There is no data then, or it is not saved.
    """
    try:
        yield
    except StorageError as error:
        _log.info("%s: %s", action, error)


_work_by_thread: dict[threading.Thread, Callable[[], None]] = {}


def start_background_thread(name: str, work: Callable[[], None]) -> threading.Thread:
    """Start a daemon thread; call this in the GUI thread.

    What `work` refers to is released in the GUI thread, at a later start, since a `QObject` must not be deleted in
    another thread. Work that outlives its window ends silently when it finds the database closed.
    """

    def run() -> None:
        with suppress(DatabaseClosedError):
            work()

    for thread in [each for each in _work_by_thread if not each.is_alive()]:
        del _work_by_thread[thread]
    # A daemon, since a disk or secret store that does not answer must not delay the program's end.
    thread = threading.Thread(target=run, name=name, daemon=True)
    _work_by_thread[thread] = work
    thread.start()
    return thread


class SerialExecutor:
    """Runs tasks one after the other, in a thread that ends with the last one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last_thread: threading.Thread | None = None
        self._closed = False
        self._emit_lock = threading.Lock()

    def run(self, work: Callable[[], None]) -> None:
        """Run this task, which must not raise, after those submitted before."""
        previous = self._last_thread

        def run_in_order() -> None:
            if previous is not None:
                previous.join()
            with favour_gui_thread():
                work()

        self._last_thread = start_background_thread(self._name, run_in_order)

    def emit(self, signal: SignalInstance, *values: object) -> None:
        """Emit a signal from a task; not after `close`."""
        with self._emit_lock:
            if not self._closed:  # Qt may have shut down by now
                signal.emit(*values)

    def close(self) -> None:
        """Emit nothing any more and wait for the submitted tasks.

        The caller has cancelled these already.
        """
        with self._emit_lock:
            self._closed = True
        if self._last_thread is not None:
            self._last_thread.join(EXECUTOR_CLOSE_TIMEOUT_S)


_T = TypeVar("_T")


class BackgroundTasks(QObject):
    """Runs each task in a thread of its own.

    The result is passed to a callback in the GUI thread.
    """

    _task_finished = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._closed = False
        self._emit_lock = threading.Lock()
        self._task_finished.connect(self._run_callback, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], _T], callback: Callable[[_T], object]) -> None:
        """Run `work`, which must not raise, and call `callback` with its result.

        After `close` this does nothing: a window that is closed and not yet deleted may still receive signals.
        """
        if self._closed:
            return

        def run_and_report() -> None:
            result = work()
            with self._emit_lock:
                if not self._closed:  # Qt may have shut down by now
                    self._task_finished.emit(callback, result)

        start_background_thread("background", run_and_report)

    def close(self) -> None:
        """Call no callback any more."""
        with self._emit_lock:
            self._closed = True

    def _run_callback(self, callback: Callable[[Any], object], result: object) -> None:
        if not self._closed:
            callback(result)
