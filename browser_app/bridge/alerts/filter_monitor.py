"""Monitor of servers that start to match a saved filter."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from browser_app.bridge.alerts.alert_monitor import EdgeTrigger
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import Bools, ChangeSet, RowIds
from browser_app.catalogue.filters.server_filter import FilterError, ServerFilter, parse_filter
from browser_app.catalogue.server_info import QueryStatus
from browser_app.storage.user_lists.search_alert_store import SearchAlert, SearchAlertKind, SearchAlertStore

CHECK_INTERVAL_MS = 2_000
"""One filter is checked each time: over 20,000 servers one can take 30 ms."""
PAUSE_S = 600.0
"""Time between two notifications about the same filter."""


@dataclass(frozen=True)
class FilterAlertEvent:
    """Servers that have started to match the filter of an alert."""

    alert: SearchAlert
    servers: tuple[int, ...]
    """The best first."""


@dataclass
class _FilterState:
    """What is known of one alert."""

    expression: str
    server_filter: ServerFilter | None
    """None for one that a newer version saved."""
    fresh: list[RowIds]
    """Rows that have answered since the last check."""
    checked: set[int] = field(default_factory=set)
    """Rows that were checked while `has_baseline` was not set."""
    has_baseline: bool = False
    """Whether a server that answers for the first time is new."""
    triggers: dict[int, EdgeTrigger] = field(default_factory=dict)
    """By row: those of the rows that matched at the last check or shortly before."""
    waiting: set[int] = field(default_factory=set)
    """Rows that have started to match and that the user was not notified of yet."""
    notified_s: float = -np.inf


class FilterMonitor(QObject):
    """Monitors the alerts on filters. No timer runs while nothing has changed.

    A server that matches when the alert is set, or at its first answer before the first poll has ended, has not started
    to match.

    Signals:
        alert_fired: a `FilterAlertEvent`, not more often than every `PAUSE_S` for one alert. Servers that start to
            match meanwhile wait, and are left out if they no longer match then.
    """

    alert_fired = Signal(object)

    def __init__(
        self,
        server_list: ServerListController,
        alerts: SearchAlertStore,
        saved_filters: Mapping[str, str],
        watched_rows: Callable[[], Bools],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create the monitor.

        Args:
            server_list: the servers.
            alerts: the user's alerts.
            saved_filters: expressions by name.
            watched_rows: returns the rows of servers that the user wants to see.
            clock: monotonic, s.
        """
        super().__init__(server_list)
        self._server_list, self._alerts, self._saved_filters = server_list, alerts, saved_filters
        self._watched_rows, self._clock = watched_rows, clock
        self._has_polled = False
        """Whether a poll has brought the list."""
        self._states: dict[SearchAlert, _FilterState] = {}
        self.timer = QTimer(self, interval=CHECK_INTERVAL_MS)
        self.timer.timeout.connect(self.check_next)
        server_list.changed.connect(self._on_servers_changed)
        server_list.running_changed.connect(self._on_poll_changed)
        self.refresh()

    def refresh(self) -> None:
        """Apply changes of the alerts and of the saved filters."""
        answered = self._answered(np.arange(len(self._server_list.catalogue)))
        before, self._states = self._states, {}
        for alert, expression in self._expressions().items():
            known = before.get(alert)
            if known is not None and known.expression == expression:
                self._states[alert] = known
            else:
                state = self._states[alert] = _FilterState(expression, _parse_saved(expression), [answered])
                self._check(alert, state)

    def follow_alert(self, before: SearchAlert, after: SearchAlert) -> None:
        """Continue monitoring for an alert whose filter was renamed."""
        if before in self._states:
            self._states[after] = self._states.pop(before)

    def check_next(self) -> None:
        """Check the filter that has waited longest for it."""
        if {alert: state.expression for alert, state in self._states.items()} != self._expressions():
            self.refresh()
        due = next((alert for alert, state in self._states.items() if state.fresh), None)
        if due is None:
            self.timer.stop()
            return
        state = self._states.pop(due)
        self._states[due] = state  # the last one now
        self._check(due, state)

    def close(self) -> None:
        """Stop monitoring."""
        self.timer.stop()
        self._states.clear()

    def _expressions(self) -> dict[SearchAlert, str]:
        """Return the filters of the alerts; one without a saved filter is left out."""
        return {
            alert: self._saved_filters[alert.value]
            for alert in self._alerts
            if alert.kind is SearchAlertKind.FILTER and alert.value in self._saved_filters
        }

    def _answered(self, rows: RowIds) -> RowIds:
        catalogue = self._server_list.catalogue
        answered: RowIds = rows[(catalogue.status[rows] == QueryStatus.OK) & ~catalogue.saved[rows]]
        return answered

    def _on_poll_changed(self, running: bool) -> None:
        poll = self._server_list.poll
        if running or self._has_polled or poll is None or poll.is_cancelled or self._server_list.outage is not None:
            return
        self._has_polled = True
        for alert, state in self._states.items():
            self._check(alert, state)

    def _on_servers_changed(self, changes: ChangeSet) -> None:
        answered = self._answered(changes.ids)
        for state in self._states.values():
            for row in changes.removed.tolist():
                state.checked.discard(row)
                state.waiting.discard(row)
                state.triggers.pop(row, None)
            if len(answered):
                state.fresh.append(answered)
        if len(answered) and self._expressions() and not self.timer.isActive():
            self.timer.start()

    def _check(self, alert: SearchAlert, state: _FilterState) -> None:
        """Check the rows that have answered since the last check."""
        catalogue, now_s = self._server_list.catalogue, self._clock()
        fresh = self._answered(np.unique(np.concatenate([np.empty(0, np.intp), *state.fresh])))
        state.fresh.clear()
        if state.server_filter is None:
            return
        passing = state.server_filter.matching_rows(catalogue) & self._watched_rows() & ~catalogue.blocked
        self._update_triggers(state, fresh, passing, now_s)
        state.waiting = {row for row in state.waiting if passing[row]}
        if state.waiting and now_s - state.notified_s >= PAUSE_S:
            servers = sorted(state.waiting, key=lambda row: -np.nan_to_num(catalogue.score[row]))
            state.waiting.clear()
            state.notified_s = now_s
            self.alert_fired.emit(FilterAlertEvent(alert, tuple(servers)))

    def _update_triggers(self, state: _FilterState, fresh: RowIds, passing: Bools, now_s: float) -> None:
        for row in fresh[passing[fresh]].tolist():
            trigger = state.triggers.get(row)
            if trigger is None:
                trigger = state.triggers[row] = EdgeTrigger(was_unmet_before=state.has_baseline or row in state.checked)
            if trigger.update(now_s, met=True):
                state.waiting.add(row)
        for row in fresh[~passing[fresh]].tolist():
            trigger = state.triggers.get(row)
            if trigger is not None:
                trigger.update(now_s, met=False)
                if trigger.is_armed:  # equal to one made when the server matches again
                    del state.triggers[row]
        if state.has_baseline:
            return
        state.has_baseline = self._has_polled
        state.checked = set() if state.has_baseline else state.checked.union(fresh.tolist())


def _parse_saved(expression: str) -> ServerFilter | None:
    try:
        return parse_filter(expression)
    except FilterError:
        return None
