"""Notices that the computer slept: a clock that goes on meanwhile is far ahead of the timer that looks at it."""

import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Signal

LOOK_MS = 20_000
SLEPT_S = 60.0
"""A timer that is so late did not only have to wait for its turn."""
_CLOCK: int | None = getattr(time, "CLOCK_MONOTONIC_RAW" if sys.platform == "darwin" else "CLOCK_BOOTTIME", None)


def steady_s() -> float:
    """A clock that nobody sets and that goes on while the computer sleeps, s; on Windows the usual one does."""
    return time.monotonic() if _CLOCK is None else time.clock_gettime(_CLOCK)


class SleepWatch(QObject):
    """Looks three times a minute.

    Signals:
        woke: for how long the computer slept, s.
    """

    woke = Signal(float)

    def __init__(self, clock: Callable[[], float] = steady_s) -> None:
        super().__init__()
        self._clock, self._looked_s = clock, clock()
        self._timer = QTimer(self, interval=LOOK_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> None:
        """Compare the time that has passed with what should have."""
        now_s = self._clock()
        slept_s = now_s - self._looked_s - LOOK_MS / 1000
        self._looked_s = now_s
        if slept_s >= SLEPT_S:
            self.woke.emit(slept_s)

    def close(self) -> None:
        """Look no more."""
        self._timer.stop()
