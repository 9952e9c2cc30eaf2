"""Controller of server alerts and their desktop notifications."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QWidget

from browser_app.application.alert_rules import ALERT_RULES
from browser_app.bridge.alert_watch import AlertEvent
from browser_app.bridge.desktop_notifications import DEFAULT_ACTION, DesktopNotification
from browser_app.catalogue.server_value_text import players_text, server_name
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.storage.lists.alert_store import AlertKind, ServerAlert
from browser_app.ui.widgets.dialogs import DialogController, EntryListDialog
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices

JOIN_ACTION, SHOW_ACTION = "join", "show"


class AlertsController(DialogController[EntryListDialog]):
    """Notifies the user when an alert fires.

    Signals:
        alerts_changed: an alert was removed.
        join_requested, show_requested: a server, chosen in a notification.
        status_message: text for the status bar.
    """

    alerts_changed = Signal()
    join_requested = Signal(int)
    show_requested = Signal(int)
    status_message = Signal(str)

    def __init__(self, theme: Theme, window: QWidget, services: WindowServices) -> None:
        super().__init__(theme, window)
        self._server_list, self._alerts = services.server_list, services.session.alerts
        self._ui_state = services.session.ui_state
        self._alert_watch, self._friend_watch = services.alert_watch, services.friend_watch
        self._notifications = services.notifications
        self._alert_watch.alert_fired.connect(self._notify_event)
        self._friend_watch.friends_arrived.connect(self._notify_friends)
        self._notifications.action_activated.connect(self._on_notification_action)
        self._notifications.notification_failed.connect(self._show_in_status_line)

    def refresh_watch(self) -> None:
        """Watch the alerts that are set now."""
        self._alert_watch.refresh()
        self._show_entries()

    def open_dialog(self) -> None:
        """Open the dialog with all alerts."""
        if self.dialog is None:
            columns = (_("Server"), _("Notify me"))
            empty = _("No alerts set. Add them on a server's Notes page.")
            dialog = EntryListDialog(
                self._theme, self._window, self._ui_state, "alerts", _("Alerts"), columns, _("Remove"), empty
            )
            dialog.remove_requested.connect(self._remove_alerts)
            self.show_dialog(dialog)
            self._show_entries()

    def notify_slot_free(self, server: int) -> None:
        """Notify that a slot the user waited for is free."""
        self._notify(server, AlertKind.SLOT)

    def close(self) -> None:
        """Stop watching and notifying."""
        self._alert_watch.close()
        self._friend_watch.close()
        self._notifications.close()

    def _notify_event(self, event: AlertEvent) -> None:
        self._notify(event.server, event.alert.kind, event.alert.players, event.causes)

    def _notify_friends(self, server: int, friends: tuple[str, ...]) -> None:
        address = self._server_list.catalogue.targets[server].address
        if AlertKind.FRIEND not in self._alerts.alerts_of(address):  # otherwise that alert notifies
            self._notify(server, AlertKind.FRIEND, causes=friends)

    def _notify(self, server: int, kind: AlertKind, number: int = 0, causes: Sequence[str] = ()) -> None:
        name = server_name(self._server_list.catalogue, server)
        title = _(ALERT_RULES[kind].title).format(server=name, n=number, causes=", ".join(causes))
        actions = {DEFAULT_ACTION: _("Show"), JOIN_ACTION: _("Join"), SHOW_ACTION: _("Show")}
        self._notifications.show(DesktopNotification(server, title, self._server_details(server), actions))

    def _server_details(self, server: int) -> str:
        info = self._server_list.catalogue.server_info(server)
        players = players_text(info.players, info.max_players) if info else ""
        return " · ".join(word for word in (players, self._server_list.catalogue.map[server]) if word)

    def _show_in_status_line(self, notice: DesktopNotification) -> None:
        self.status_message.emit(f"{notice.title} · {notice.text}" if notice.text else notice.title)
        QApplication.alert(self._window.window())

    def _on_notification_action(self, server: int, action: str) -> None:
        if action == JOIN_ACTION:
            self.join_requested.emit(server)
        else:
            self.show_requested.emit(server)

    # The dialog

    def _show_entries(self) -> None:
        if self.dialog is not None:
            self.dialog.show_entries(
                [
                    ((alert.address, alert.kind), (self._alert_server_name(alert), _alert_text(alert)))
                    for alert in self._alerts
                ]
            )

    def _alert_server_name(self, alert: ServerAlert) -> str:
        server = self._server_list.catalogue.row_of(alert.address)
        return (
            (self._server_list.catalogue.name[server] if server is not None else "") or alert.name or str(alert.address)
        )

    def _remove_alerts(self, keys: list[tuple[Address, AlertKind]]) -> None:
        for address, kind in keys:
            self._alerts.remove(address, kind)
        self.refresh_watch()
        self.alerts_changed.emit()


def _alert_text(alert: ServerAlert) -> str:
    return _(ALERT_RULES[alert.kind].label).format(n=alert.players)
