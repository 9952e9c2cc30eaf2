"""Monitor of the alerts that the user has set on servers."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.application.alert_rules import ALERT_RULES
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.server_info import QueryStatus
from browser_app.storage.user_lists.alert_store import AlertStore, ServerAlert

REARM_S = 300.0
"""A condition must have been unmet for this long before its next start is reported."""


class EdgeTrigger:
    """Fires once when a condition becomes true.

    A condition that already holds at the first check does not fire.
    """

    __slots__ = ("_armed", "_has_been_checked", "_unmet_since_s")

    def __init__(self, *, was_unmet_before: bool = False) -> None:
        """Pass `was_unmet_before` where an earlier check has found the condition unmet."""
        self._armed = was_unmet_before
        self._has_been_checked = was_unmet_before
        self._unmet_since_s: float | None = None

    @property
    def is_armed(self) -> bool:
        """Whether the next check that finds the condition met fires."""
        return self._armed

    def update(self, now_s: float, *, met: bool) -> bool:
        """Update with a check at `now_s` (monotonic clock).

        Returns True if the condition has just become true.
        """
        is_first, self._has_been_checked = not self._has_been_checked, True
        if met:
            fires, self._armed, self._unmet_since_s = self._armed, False, None
            return fires
        if self._unmet_since_s is None:
            self._unmet_since_s = now_s
        self._armed = self._armed or is_first or now_s - self._unmet_since_s >= REARM_S
        return False


QUERY_INTERVAL_MS = 60_000
FRESH_ANSWER_S = 50.0
"""Servers that answered within this time are not queried again."""


@dataclass(frozen=True)
class AlertEvent:
    """An alert whose condition has become true."""

    alert: ServerAlert
    server: int
    causes: tuple[str, ...]
    """What has fulfilled it since the last check, as its `AlertRule` calls it."""


class AlertMonitor(QObject):
    """Monitors the user's alerts.

    No timer runs while none is set; a condition that holds when it is set does not fire.

    Signals:
        alert_fired: an `AlertEvent`, once each time its condition becomes true.
    """

    alert_fired = Signal(object)

    def __init__(
        self, server_list: ServerListController, alerts: AlertStore, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(server_list)
        self._server_list, self._alerts, self._clock = server_list, alerts, clock
        self._triggers: dict[ServerAlert, dict[str, EdgeTrigger]] = {}
        """Triggers of the causes seen lately, for each alert that was checked."""
        self.timer = QTimer(self, interval=QUERY_INTERVAL_MS)
        self.timer.timeout.connect(self.query_watched_servers)
        server_list.changed.connect(self._check_changes)
        self.refresh()

    def refresh(self) -> None:
        """Apply changes of the alert store."""
        current = set(self._alerts)
        self._triggers = {alert: each for alert, each in self._triggers.items() if alert in current}
        if not current:
            self.timer.stop()
        elif not self.timer.isActive():
            self.timer.start()

    def query_watched_servers(self) -> None:
        """Query the watched servers that have not answered lately.

        Queries nothing during a poll, while queries are paused, or where servers are queried on request.
        """
        watched = dict.fromkeys(server for server, _ in self._watched_servers())
        self._server_list.query_stale(watched, FRESH_ANSWER_S)

    def close(self) -> None:
        """Stop querying.

        Results that the server list still receives are checked until it is closed, too.
        """
        self.timer.stop()

    def _watched_servers(self) -> Iterator[tuple[int, ServerAlert]]:
        for alert in self._alerts:
            server = self._server_list.catalogue.row_of(alert.address)
            if server is not None:
                yield server, alert

    def _check_changes(self, changes: ChangeSet) -> None:
        catalogue = self._server_list.catalogue
        for server, alert in self._watched_servers():
            answered = catalogue.status[server] == QueryStatus.OK and not catalogue.saved[server]
            if answered and np.isin(server, changes.ids):
                self._check_alert(server, alert)

    def _check_alert(self, server: int, alert: ServerAlert) -> None:
        causes = ALERT_RULES[alert.kind].causes(self._server_list.catalogue, server, alert.players)
        if causes is None:
            return
        was_checked = alert in self._triggers
        triggers = self._triggers.setdefault(alert, {})
        for cause in causes - triggers.keys():
            triggers[cause] = EdgeTrigger(was_unmet_before=was_checked)
        now_s = self._clock()
        new = [cause for cause, trigger in triggers.items() if trigger.update(now_s, met=cause in causes)]
        # A server can invent names; an armed trigger is equal to one made when the cause comes back.
        self._triggers[alert] = {cause: each for cause, each in triggers.items() if not each.is_armed}
        if new:
            self.alert_fired.emit(AlertEvent(alert, server, tuple(sorted(new, key=str.casefold))))
