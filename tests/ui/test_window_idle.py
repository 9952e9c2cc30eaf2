"""Timers of an idle window."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from window_helpers import AppDriver

from browser_app.window_app.qt_application import WAKE_INTERVAL_MS

WATCHED_MS = 997
"""Nearly a second, and no other timer's interval, because the end of the wait is a timer event, too."""
SECONDS = 3
"""Number of observations: a single timeout does not count as repeated wake-ups."""
SLOW_MS = 5000
"""Timers with longer intervals are allowed: samples are saved and trends advance."""


class TimerCounter(QObject):
    """Counts timer events of the application."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count the event and pass it on."""
        if event.type() == QEvent.Type.Timer:
            self.events.append(f"{watched!r} {watched.property('interval')}")
        return False


def events_in_a_second(app: AppDriver, qapp: QApplication) -> list[str]:
    counter = TimerCounter()
    qapp.installEventFilter(counter)
    app.bot.wait(WATCHED_MS)
    qapp.removeEventFilter(counter)
    return [event for event in counter.events if not event.endswith(f" {WATCHED_MS}")]


def test_four_wake_ups_per_second(app: AppDriver, qapp: QApplication) -> None:
    own = app.window.findChildren(QTimer) + app.live.findChildren(QTimer)
    app.table.setFocus()
    app.wait(lambda: not any(timer.isActive() and timer.interval() < SLOW_MS for timer in own))
    loop = 1000 / WAKE_INTERVAL_MS  # the program's application has a timer for Ctrl-C, this test's has not
    seconds = [events_in_a_second(app, qapp) for _ in range(SECONDS)]
    assert min(map(len, seconds)) + loop <= 4, seconds
