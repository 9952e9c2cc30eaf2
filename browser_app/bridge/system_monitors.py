"""Monitors of computer sleep, of failing disk writes and of uncaught exceptions."""

import logging
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from browser_app.diagnostics import set_exception_handler
from browser_app.language import gettext as _
from browser_app.storage.database import Database
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)


class StorageMonitor(QObject):
    """Reports once when writes begin to fail, and once when they work again.

    Signals:
        problem_changed: why saving fails and how to fix that, in a sentence; "" when it works again.
    """

    problem_changed = Signal(str)
    _problem_reported = Signal(object)

    def __init__(self, database: Database) -> None:
        super().__init__()
        self._database = database
        self._problem_reported.connect(self._report_problem, Qt.ConnectionType.QueuedConnection)
        database.on_problem = self._problem_reported.emit

    def close(self) -> None:
        """Stop reporting."""
        self._database.on_problem = lambda _error: None

    def _report_problem(self, error: StorageError | None) -> None:
        if error is None:
            self.problem_changed.emit("")
            return
        lost = _("Not saved ({problem}). Ready Room keeps trying until it is closed.")
        remedy = error.remedy
        if remedy:
            lost = _("Not saved ({problem}). To fix this: {remedy}. Ready Room keeps trying until it is closed.")
        if remedy and self._database.path is not None:
            remedy = _("{remedy} ({folder})").format(remedy=remedy, folder=self._database.path.parent)
        self.problem_changed.emit(lost.format(problem=error, remedy=remedy))


SLEEP_CHECK_MS = 20_000
MIN_SLEEP_S = 60.0
"""A timer that is this late was not merely delayed by other events."""
_SLEEP_CLOCK: int | None = getattr(time, "CLOCK_MONOTONIC_RAW" if sys.platform == "darwin" else "CLOCK_BOOTTIME", None)


def sleep_clock_s() -> float:
    """Return a clock that is never set and goes on during sleep, s.

    On Windows the monotonic clock is one.
    """
    return time.monotonic() if _SLEEP_CLOCK is None else time.clock_gettime(_SLEEP_CLOCK)


class SleepMonitor(QObject):
    """Checks three times a minute whether the computer has slept.

    It may have moved to another time zone meanwhile.

    Signals:
        sleep_ended: for how long the computer slept, s.
    """

    sleep_ended = Signal(float)

    def __init__(self, clock: Callable[[], float] = sleep_clock_s) -> None:
        super().__init__()
        self._clock, self._checked_s = clock, clock()
        self._timer = QTimer(self, interval=SLEEP_CHECK_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.check)
        self._timer.start()

    def check(self) -> None:
        """Compare the time passed with the timer's interval; update the time zone."""
        if sys.platform != "win32":
            time.tzset()
        now_s = self._clock()
        slept_s = now_s - self._checked_s - SLEEP_CHECK_MS / 1000
        self._checked_s = now_s
        if slept_s >= MIN_SLEEP_S:
            _log.info("The computer slept for %.0f s", slept_s)
            self.sleep_ended.emit(slept_s)

    def close(self) -> None:
        """Stop checking."""
        self._timer.stop()


class ExceptionRelay(QObject):
    """Emits a signal for every uncaught exception, in the thread that raised it.

    Connect it queued.

    Signals:
        exception_caught: the exception in one line.
    """

    exception_caught = Signal(str)

    def __init__(self) -> None:
        """Replace the handler of uncaught exceptions; `close` removes it."""
        super().__init__()
        set_exception_handler(self.exception_caught.emit)

    def close(self) -> None:
        """Emit no signal any more."""
        set_exception_handler(None)
