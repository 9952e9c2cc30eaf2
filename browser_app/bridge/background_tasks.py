"""Background threads for blocking and for long work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from browser_app import runtime_tuning

EXECUTOR_CLOSE_TIMEOUT_S = 2.0
"""Work that does not hear of the end holds up the end of the program no longer."""


@contextmanager
def favour_gui_thread() -> Iterator[None]:
    """Work in a thread beside the window, whose own thread waits for its turn no longer than half a millisecond."""
    runtime_tuning.shorten_switch_interval()
    runtime_tuning.pause_full_gc()
    try:
        yield
    finally:
        runtime_tuning.resume_full_gc()
        runtime_tuning.restore_switch_interval()


class SerialExecutor:
    """Does pieces of work in the order in which they were given, in a thread that ends with the last one."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._last_thread: threading.Thread | None = None

    def run(self, work: Callable[[], None]) -> None:
        """Have this done, which must not raise, after what was given before."""
        before = self._last_thread

        def in_turn() -> None:
            if before is not None:
                before.join()
            with favour_gui_thread():
                work()

        # A daemon, since a disk that does not answer may not hold up the end of the program.
        self._last_thread = threading.Thread(target=in_turn, name=self._name, daemon=True)
        self._last_thread.start()

    def close(self) -> None:
        """Wait for the end of what was given; whoever gave it has told it to end."""
        if self._last_thread is not None:
            self._last_thread.join(EXECUTOR_CLOSE_TIMEOUT_S)


_T = TypeVar("_T")


class BackgroundTasks(QObject):
    """Runs each piece of work in a thread of its own and brings what it returns to the window's thread."""

    _task_finished = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._closed = False
        self._emit_lock = threading.Lock()
        self._task_finished.connect(self._run_callback, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], _T], callback: Callable[[_T], object]) -> None:
        """Have `work` done, which must not raise, and `callback` called with what it returns; not after `close`."""

        def work_and_tell() -> None:
            result = work()
            with self._emit_lock:
                if not self._closed:  # Qt may have ended by now
                    self._task_finished.emit(callback, result)

        # A daemon, since the end of the program waits for no secret store that asks its user.
        threading.Thread(target=work_and_tell, name="background", daemon=True).start()

    def close(self) -> None:
        """Nothing is told any more."""
        with self._emit_lock:
            self._closed = True

    def _run_callback(self, callback: Callable[[Any], object], result: object) -> None:
        if not self._closed:
            callback(result)
