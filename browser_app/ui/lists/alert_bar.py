"""Bar of alerts that neither the desktop nor a tray could show."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.alerts.desktop_notifications import DesktopNotification
from browser_app.language import gettext as _
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import clock_time_text

MAX_ALERTS = 6
"""Alerts that are kept; older ones are dropped."""


class AlertBar(QObject):
    """Shows alerts until they are closed, the newest first.

    The user may be away when one fires.

    Signals:
        join_requested, show_requested: the server of an alert.
    """

    join_requested = Signal(int)
    show_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self.notification_bar = NotificationBar(theme)
        self._alerts: list[tuple[DesktopNotification, str]] = []
        """Alerts with the time when they fired, the newest last."""

    @property
    def rows_in_use(self) -> list[int]:
        """The servers of the alerts."""
        return [alert.key for alert, _fired_at in self._alerts]

    def add_alert(self, alert: DesktopNotification) -> None:
        """Show an alert; it replaces an older one of the same server and title."""
        kept = [each for each in self._alerts if (each[0].key, each[0].title) != (alert.key, alert.title)]
        self._alerts = [*kept, (alert, clock_time_text(time.time()))][-MAX_ALERTS:]
        self._show_newest()

    def _show_newest(self) -> None:
        if not self._alerts:
            self.notification_bar.hide_message()
            return
        alert, fired_at = self._alerts[-1]
        details = " · ".join(filter(None, (fired_at, alert.text)))
        self.notification_bar.show_message(alert.title, details, "bell")
        self.notification_bar.show_buttons(
            (_("Join"), lambda: self._use_newest(self.join_requested.emit)),
            (_("Show"), lambda: self._use_newest(self.show_requested.emit)),
            (_("Close"), self._close_newest),
        )

    def _use_newest(self, request: Callable[[int], None]) -> None:
        server = self._alerts[-1][0].key
        self._close_newest()
        request(server)

    def _close_newest(self) -> None:
        self._alerts.pop()
        self._show_newest()
