"""A window that nobody uses sleeps."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from window_rig import Room

from browser_app.window_app.qt_application import WAKE_MS

WATCHED_MS = 1000
SLOW_MS = 5000
"""Such timers may go on: what is heard is saved, time passes in the trends."""


class TimerCounter(QObject):
    """Counts the timer events of the whole application."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note it and let it pass."""
        if event.type() == QEvent.Type.Timer:
            self.events.append(f"{watched!r} {watched.property('interval')}")
        return False


def test_no_timer_wakes_an_idle_window_more_than_four_times_a_second(room: Room, qapp: QApplication) -> None:
    own = room.window.findChildren(QTimer) + room.live.findChildren(QTimer)
    room.table.setFocus()
    room.wait(lambda: not any(timer.isActive() and timer.interval() < SLOW_MS for timer in own))
    counter = TimerCounter()
    qapp.installEventFilter(counter)
    room.bot.wait(WATCHED_MS)
    qapp.removeEventFilter(counter)
    events = len(counter.events) - 1  # the end of the wait itself
    loop = 1000 / WAKE_MS  # the program's own loop wakes for Ctrl-C; this one does not
    assert events / (WATCHED_MS / 1000) + loop <= 4, counter.events
