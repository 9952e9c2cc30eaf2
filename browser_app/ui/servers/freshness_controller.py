"""Controller of the menu entry of the automatic refresh, and of shown ages."""

from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction

from browser_app.bridge.list_refresher import ListRefresher, RefreshState
from browser_app.bridge.live_settings import LiveSettings
from browser_app.catalogue.server_info import QueryStatus
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.storage.setting_declarations import AUTOMATIC_REFRESH, NOTIFY_OF_FRIENDS, QUERY_ON_REQUEST
from browser_app.storage.user_lists.search_alert_store import SearchAlertStore
from browser_app.ui.servers.server_order import HoldReason
from browser_app.ui.servers.servers_view import ServersView
from browser_app.ui.settings.keyboard_shortcuts import shortcut_text
from browser_app.ui.status_bar import StatusBar
from browser_app.ui.widgets.basic_widgets import Button

STATE_TEXTS: Mapping[RefreshState, str] = {
    RefreshState.WAITING: N_("Not refreshed yet"),
    RefreshState.PAUSED: N_("Refresh paused while the game runs"),
    RefreshState.OFF: N_("Automatic refresh off"),
}
"""Shown in place of “Live sorting”."""
ON_REQUEST_TEXT = N_("Servers are queried on request only")


class FreshnessController(QObject):
    """Shows how old the list is, and switches the automatic refresh.

    The status bar shows the age and whether the list is live. `toggle_action` is for menus; it is also in the context
    menu of the refresh button.
    """

    def __init__(
        self,
        button: Button,
        status_bar: StatusBar,
        view: ServersView,
        refresher: ListRefresher,
        settings: LiveSettings,
        search_alerts: SearchAlertStore,
    ) -> None:
        super().__init__(button)
        self._search_alerts = search_alerts
        self._status_bar, self._view, self._refresher, self._settings = status_bar, view, refresher, settings
        self._hold: HoldReason | None = None
        self.toggle_action = QAction(_("Refresh automatically"), self, checkable=True)
        self.toggle_action.toggled.connect(self._set_automatic)
        button.addAction(self.toggle_action)
        button.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        refresher.set_view(view.rows_in_sight, self._is_unwatched)
        refresher.tick_finished.connect(self.update)
        view.server_order.hold_changed.connect(self._on_hold_changed)
        view.table.verticalScrollBar().valueChanged.connect(self.update)
        settings.changed.connect(self._on_setting_changed)
        self._on_setting_changed(AUTOMATIC_REFRESH.key)

    def update(self) -> None:
        """Show the current ages and the state of sorting."""
        if not self._view.server_list.is_running:
            self._status_bar.show_age(self._oldest_age_in_sight())
        if self._hold is not None:
            self._status_bar.show_sorting_state(_(self._hold.value).format(key=shortcut_text("hold")))
        else:
            on_request = self._settings.get(QUERY_ON_REQUEST)
            text = ON_REQUEST_TEXT if on_request else STATE_TEXTS.get(self._refresher.state)
            self._status_bar.show_sorting_state(None if text is None else _(text))

    def close(self) -> None:
        """Stop the automatic refresh."""
        self._refresher.close()

    def _oldest_age_in_sight(self) -> float:
        """Return the highest age of the answers in sight, s.

        Rows without an answer are marked as such.
        """
        server_list, rows = self._view.server_list, self._view.rows_in_sight()
        answered = rows[server_list.catalogue.status[rows] == QueryStatus.OK]
        return max(map(server_list.seconds_since_answer, np.unique(answered).tolist()), default=float("nan"))

    def _is_unwatched(self) -> bool:
        """Return whether the window is hidden, and no alert watches all servers instead."""
        window = self._view.window()
        has_alert = bool(self._search_alerts) or self._settings.get(NOTIFY_OF_FRIENDS)
        return (not window.isVisible() or window.isMinimized()) and not has_alert

    def _set_automatic(self, automatic: bool) -> None:
        self._settings.set(AUTOMATIC_REFRESH, automatic)

    def _on_hold_changed(self, reason: HoldReason | None) -> None:
        self._hold = reason
        self.update()

    def _on_setting_changed(self, key: str) -> None:
        if key == AUTOMATIC_REFRESH.key:
            self.toggle_action.setChecked(self._settings.get(AUTOMATIC_REFRESH))
        if key in (AUTOMATIC_REFRESH.key, QUERY_ON_REQUEST.key):
            self.update()
