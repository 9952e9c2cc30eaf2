"""A window that nobody uses sleeps."""

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from window_rig import Room

from browser_app.window_app.qt_application import SIGNAL_POLL_MS

WATCHED_MS = 997
"""As good as a second, and no other timer's interval: the end of the wait is one too."""
SECONDS = 3
"""So often it is looked: what goes off once is not what wakes a window again and again."""
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


def events_in_a_second(room: Room, qapp: QApplication) -> list[str]:
    counter = TimerCounter()
    qapp.installEventFilter(counter)
    room.bot.wait(WATCHED_MS)
    qapp.removeEventFilter(counter)
    return [event for event in counter.events if not event.endswith(f" {WATCHED_MS}")]


def test_no_timer_wakes_an_idle_window_more_than_four_times_a_second(room: Room, qapp: QApplication) -> None:
    own = room.window.findChildren(QTimer) + room.live.findChildren(QTimer)
    room.table.setFocus()
    room.wait(lambda: not any(timer.isActive() and timer.interval() < SLOW_MS for timer in own))
    loop = 1000 / SIGNAL_POLL_MS  # the program's own loop wakes for Ctrl-C; this one does not
    seconds = [events_in_a_second(room, qapp) for _ in range(SECONDS)]
    assert min(map(len, seconds)) + loop <= 4, seconds
