"""Timers of an idle window."""

import time

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from window_helpers import AppDriver

from browser_app.bridge.list_refresher import TICK_MS
from browser_app.storage.setting_declarations import VISIBLE_REFRESH_S
from browser_app.window_app.qt_application import WAKE_INTERVAL_MS

WATCHED_MS = 997
"""Nearly a second, and no other timer's interval, because the end of the wait is a timer event, too."""
SECONDS = 3
"""Number of observations: a single timeout does not count as repeated wake-ups."""
WATCHED_REFRESH_MS = 9_001
"""Long enough for two ticks, and no other timer's interval either."""
CLOCK_SPEED = 4
"""Speed of the automatic refresh's clock: servers are queried at every other tick, and answers merged at the others."""
LOOP_PER_S = 1000 / WAKE_INTERVAL_MS
"""Wake-ups for Ctrl-C, which the program's application has and this test's has not."""


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


def timer_events(app: AppDriver, qapp: QApplication, duration_ms: int) -> list[str]:
    counter = TimerCounter()
    qapp.installEventFilter(counter)
    app.bot.wait(duration_ms)
    qapp.removeEventFilter(counter)
    return [event for event in counter.events if not event.endswith(f" {duration_ms}")]


def wait_for_idleness(app: AppDriver) -> None:
    """Wait until only the automatic refresh and slower timers run.

    Samples are saved and trends advance.
    """
    own = app.window.findChildren(QTimer) + app.live.findChildren(QTimer)
    app.wait(lambda: not any(timer.isActive() and timer.interval() < TICK_MS for timer in own))


def test_four_wake_ups_per_second(app: AppDriver, qapp: QApplication) -> None:
    app.refresh_timer.setInterval(TICK_MS)
    app.table.setFocus()
    wait_for_idleness(app)
    seconds = [timer_events(app, qapp, WATCHED_MS) for _ in range(SECONDS)]
    assert min(map(len, seconds)) + LOOP_PER_S <= 4, seconds


def test_four_wake_ups_per_second_while_refreshing(app: AppDriver, qapp: QApplication) -> None:
    app.program.settings.set(VISIBLE_REFRESH_S, VISIBLE_REFRESH_S.low)
    app.program.backend.list_refresher._clock = lambda: CLOCK_SPEED * time.monotonic()
    answers: list[object] = []
    app.live.results_received.connect(answers.extend)
    app.refresh_timer.setInterval(100)
    app.wait(lambda: answers)
    app.refresh_timer.setInterval(TICK_MS)
    wait_for_idleness(app)
    before = len(answers)
    events = timer_events(app, qapp, WATCHED_REFRESH_MS)
    assert len(events) / (WATCHED_REFRESH_MS / 1000) <= 4, events
    assert len(answers) > before
