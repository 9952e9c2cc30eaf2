"""Controller of alerts, their dialogs and their desktop notifications."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from browser_app.application.alert_rules import ALERT_RULES, SEARCH_ALERT_RULES, player_list_coverage
from browser_app.bridge.alerts.alert_monitor import AlertEvent
from browser_app.bridge.alerts.desktop_notifications import DEFAULT_ACTION, DesktopNotification
from browser_app.bridge.alerts.filter_monitor import PAUSE_S, FilterAlertEvent
from browser_app.catalogue.server_value_text import players_text, server_name
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.protocols.address import Address
from browser_app.storage.setting_declarations import (
    AUTOMATIC_REFRESH,
    NOTIFY_OF_FRIENDS,
    PAUSE_IN_GAME,
    QUERY_ON_REQUEST,
)
from browser_app.storage.user_lists.alert_store import AlertKind, ServerAlert
from browser_app.storage.user_lists.saved_filter_store import SAVED_LIST_PREFIX
from browser_app.storage.user_lists.search_alert_store import Alert, SearchAlert, SearchAlertKind
from browser_app.ui.lists.alert_bar import AlertBar
from browser_app.ui.lists.alerts_dialog import (
    AlertChoices,
    AlertDialog,
    AlertsDialog,
    AnyAlertKind,
    ServerChoice,
    alert_text,
)
from browser_app.ui.widgets.dialogs import DialogController
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences
from browser_app.ui.window_services import WindowServices

JOIN_ACTION, SHOW_ACTION = "join", "show"
MAX_NOTIFICATIONS, NOTIFICATIONS_SPAN_S = 6, 60.0
"""Most desktop notifications within a time (s); further ones are shown in the status bar alone.

Servers can invent names that match a pattern.
"""
MAX_SERVER_CHOICES = 200


class AlertsController(DialogController[AlertsDialog]):
    """Notifies the user when an alert fires.

    Signals:
        alerts_changed: an alert was added, changed or removed.
        join_requested, show_requested: a server, chosen in a notification.
        status_reported: text for the status bar.
        change_reported: text about a change, and a function that undoes it.
    """

    alerts_changed = Signal()
    join_requested = Signal(int)
    show_requested = Signal(int)
    status_reported = Signal(str)
    change_reported = Signal(str, object)

    def __init__(
        self, theme: Theme, window: QWidget, services: WindowServices, selected_server: Callable[[], int]
    ) -> None:
        """Create the controller; `selected_server` is -1 for none."""
        super().__init__(theme, window)
        storage = services.storage
        self._server_list, self._settings, self._ui_state = services.server_list, services.settings, storage.ui_state
        self._alerts, self._search_alerts, self._friends = storage.alerts, storage.search_alerts, storage.friends
        self._saved_filters, self._selected_server = storage.saved_filters, selected_server
        self._alert_monitor, self._player_monitor = services.alert_monitor, services.player_monitor
        self._filter_monitor = services.filter_monitor
        self._notifications = services.notifications
        self.alert_bar = AlertBar(theme, self)
        self._slot_notification: DesktopNotification | None = None
        """The last one on a slot that the user waited for; another bar is about it."""
        self._notified_s = deque[float](maxlen=MAX_NOTIFICATIONS)
        """Times of the last notifications, on the monotonic clock."""
        self._alert_monitor.alert_fired.connect(self._notify_event)
        self._player_monitor.players_arrived.connect(self._notify_players)
        self._filter_monitor.alert_fired.connect(self._notify_filter)
        self._notifications.action_activated.connect(self._on_notification_action)
        self._notifications.notification_failed.connect(self._show_in_window)
        self.alert_bar.join_requested.connect(self.join_requested)
        self.alert_bar.show_requested.connect(self.show_requested)
        self._settings.changed.connect(self._on_setting_changed)

    def refresh_monitors(self) -> None:
        """Watch the alerts that are set now."""
        self._alert_monitor.refresh()
        self._player_monitor.refresh()
        self._filter_monitor.refresh()
        self._show_entries()

    def open_dialog(self) -> None:
        """Open the dialog with all alerts."""
        if self.dialog is None:
            dialog = AlertsDialog(self._theme, self._window, self._ui_state)
            dialog.remove_requested.connect(self._remove_alerts)
            dialog.add_requested.connect(self.ask_for_alert)
            dialog.edit_requested.connect(self.ask_for_alert)
            dialog.friends_toggled.connect(lambda on: self._settings.set(NOTIFY_OF_FRIENDS, on))
            self.show_dialog(dialog)
            self._show_entries()

    def ask_for_alert(self, before: Alert | None = None) -> None:
        """Ask for an alert; it replaces the one `before`."""
        choices = AlertChoices(list(self._server_choices(before)), list(self._saved_filters))
        save = partial(self._save_alert, before)
        AlertDialog(self._theme, self.dialog or self._window, before, choices, self._coverage_text, save).open()

    def fill_player_menu(self, menu: QMenu, name: str) -> None:
        """Add the alert on a player to their menu."""
        alert = self._search_alerts.find(SearchAlertKind.PLAYER, name)
        if alert is None:
            text, work = _("Notify me when this player appears"), partial(self._add_player_alert, name)
        else:
            text, work = _("Do not notify me of this player"), partial(self._remove_alerts, [alert])
        menu.addAction(text, work)
        menu.addSeparator()

    def toggle_filter_alert(self, name: str) -> None:
        """Set the alert on a saved filter, or remove it."""
        alert = self._search_alerts.find(SearchAlertKind.FILTER, name)
        if alert is not None:
            self._remove_alerts([alert], _("Notifications for “{filter}” are off").format(filter=name))
        else:
            done = _("You will be notified when a server starts to match “{filter}”").format(filter=name)
            self._add_alert(SearchAlert(SearchAlertKind.FILTER, name, time.time()), done)

    def has_filter_alert(self, name: str) -> bool:
        """Return whether there is an alert on a saved filter."""
        return self._search_alerts.find(SearchAlertKind.FILTER, name) is not None

    def rename_filter(self, old: str, new: str) -> None:
        """Follow a saved filter to its new list key; any other key if it was deleted."""
        old_name = old.removeprefix(SAVED_LIST_PREFIX)
        alert = self._search_alerts.find(SearchAlertKind.FILTER, old_name)
        if alert is None:
            return
        if not new.startswith(SAVED_LIST_PREFIX):
            self._remove(alert)
            self._apply_changes()
        else:
            renamed = replace(alert, value=new.removeprefix(SAVED_LIST_PREFIX))
            self._search_alerts.add_all([renamed], [alert])
            self._filter_monitor.follow_alert(alert, renamed)

    def notify_slot_free(self, server: int) -> None:
        """Notify that a slot the user waited for is free."""
        self._slot_notification = self._build_notification(server, _slot_title(self._name(server)))
        self._send(self._slot_notification)

    def close(self) -> None:
        """Stop watching and notifying."""
        for each in (self._alert_monitor, self._player_monitor, self._filter_monitor, self._notifications):
            each.close()

    # Notifications

    def _notify_event(self, event: AlertEvent) -> None:
        alert = event.alert
        title = _(ALERT_RULES[alert.kind].title)
        self._notify(
            event.server,
            title.format(server=self._name(event.server), n=alert.players, causes=", ".join(event.causes)),
        )

    def _notify_players(self, server: int, players: tuple[str, ...]) -> None:
        address, names = self._server_list.catalogue.targets[server].address, list(players)
        if AlertKind.FRIEND in self._alerts.find_alerts(address):  # that alert notifies of friends
            is_friend = self._friends.build_friend_list().contains
            names = [name for name in names if not is_friend(name)]
        if names:
            title = _(SEARCH_ALERT_RULES[SearchAlertKind.PLAYER].title)
            self._notify(server, title.format(server=self._name(server), causes=", ".join(names)))

    def _notify_filter(self, event: FilterAlertEvent) -> None:
        first, *others = event.servers
        title = _(SEARCH_ALERT_RULES[SearchAlertKind.FILTER].title)
        more = ngettext("{n} more server", "{n} more servers", len(others)).format(n=len(others)) if others else ""
        self._notify(first, title.format(server=self._name(first), value=event.alert.value), more)

    def _notify(self, server: int, title: str, more: str = "") -> None:
        self._send(self._build_notification(server, title, more))

    def _build_notification(self, server: int, title: str, more: str = "") -> DesktopNotification:
        info = self._server_list.catalogue.server_info(server)
        players = players_text(info.players, info.max_players) if info else ""
        details = " · ".join(word for word in (players, self._server_list.catalogue.map[server], more) if word)
        actions = {DEFAULT_ACTION: _("Show"), JOIN_ACTION: _("Join"), SHOW_ACTION: _("Show")}
        return DesktopNotification(server, title, details, actions)

    def _send(self, notification: DesktopNotification) -> None:
        now_s = time.monotonic()
        if len(self._notified_s) == MAX_NOTIFICATIONS and now_s - self._notified_s[0] < NOTIFICATIONS_SPAN_S:
            self._show_in_status_line(notification)
        else:
            self._notified_s.append(now_s)
            self._notifications.show(notification)

    def _name(self, server: int) -> str:
        return server_name(self._server_list.catalogue, server)

    def _show_in_window(self, notification: DesktopNotification) -> None:
        """Show a notification that the desktop cannot show."""
        if notification is self._slot_notification:
            self._show_in_status_line(notification)
        else:
            self.alert_bar.add_alert(notification)
            QApplication.alert(self._window.window())

    def _show_in_status_line(self, notice: DesktopNotification) -> None:
        self.status_reported.emit(f"{notice.title} · {notice.text}" if notice.text else notice.title)
        QApplication.alert(self._window.window())

    def _on_notification_action(self, server: int, action: str) -> None:
        if action == JOIN_ACTION:
            self.join_requested.emit(server)
        else:
            self.show_requested.emit(server)

    # The dialogs

    def _on_setting_changed(self, key: str) -> None:
        if key in (NOTIFY_OF_FRIENDS.key, AUTOMATIC_REFRESH.key, QUERY_ON_REQUEST.key, PAUSE_IN_GAME.key):
            self._show_entries()

    def _show_entries(self) -> None:
        if self.dialog is not None:
            own = [(alert, (self._alert_server_name(alert), alert_text(alert))) for alert in self._alerts]
            anywhere = [(alert, (_("Any server"), self._search_alert_text(alert))) for alert in self._search_alerts]
            self.dialog.show_entries([*anywhere, *own])
            self.dialog.friends_box.setChecked(self._settings.get(NOTIFY_OF_FRIENDS))
            self.dialog.coverage_label.setText(self._coverage_text(SearchAlertKind.PLAYER))

    def _search_alert_text(self, alert: SearchAlert) -> str:
        is_lost = alert.kind is SearchAlertKind.FILTER and alert.value not in self._saved_filters
        return _("{alert}, which no longer exists").format(alert=alert_text(alert)) if is_lost else alert_text(alert)

    def _alert_server_name(self, alert: ServerAlert) -> str:
        server = self._server_list.catalogue.row_of(alert.address)
        return (
            (self._server_list.catalogue.name[server] if server is not None else "") or alert.name or str(alert.address)
        )

    def _server_choices(self, before: Alert | None) -> Iterator[ServerChoice]:
        """Yield the servers that an alert can be set for, the likeliest first."""
        c, selected = self._server_list.catalogue, self._selected_server()
        if isinstance(before, ServerAlert):
            yield ServerChoice(before.address, self._alert_server_name(before))
        own = np.flatnonzero(c.occupied & (c.favourite | c.has_user_data | ~np.isnan(c.last_played))).tolist()
        rows = [*([selected] if selected >= 0 else []), *sorted(own, key=lambda row: self._name(row).casefold())]
        known = {before.address} if isinstance(before, ServerAlert) else set[Address]()
        for row in list(dict.fromkeys(rows))[:MAX_SERVER_CHOICES]:
            if c.targets[row].address not in known:
                yield ServerChoice(c.targets[row].address, self._name(row))

    def _coverage_text(self, kind: AnyAlertKind) -> str:
        """Return when and on which servers an alert of a kind is checked."""
        if self._server_list.queries_on_request:
            return _("Servers are queried on request only: alerts are checked when you refresh.")
        if isinstance(kind, AlertKind):
            texts = [_("The server is checked once a minute.")]
        elif kind is SearchAlertKind.FILTER:
            texts = self._filter_coverage_texts()
        else:
            texts = self._player_coverage_texts()
        if self._settings.get(PAUSE_IN_GAME):
            texts.append(_("Nothing is checked while a game runs."))
        return reduce(join_sentences, texts)

    def _filter_coverage_texts(self) -> list[str]:
        text = _("Servers are checked only when you refresh.")
        if self._settings.get(AUTOMATIC_REFRESH):
            text = _("All servers are checked whenever the list refreshes automatically.")
        return [text, _("You are notified at most every {n} minutes.").format(n=round(PAUSE_S / 60))]

    def _player_coverage_texts(self) -> list[str]:
        text = _("Players are looked up only when you refresh.")
        if self._settings.get(AUTOMATIC_REFRESH):
            text = _("Players are looked up whenever the list refreshes automatically.")
        minutes = self._player_monitor.minutes_per_turn
        often = ngettext(
            "Your favourites are checked once a minute.", "Your favourites are checked every {n} minutes.", minutes
        )
        named, populated = player_list_coverage(self._server_list.catalogue)
        found = ngettext(
            "{named} of {n} server with players names them.",
            "{named} of {n} servers with players name them.",
            populated,
        )
        return [text, often.format(n=minutes), found.format(named=named, n=populated)]

    def _add_player_alert(self, name: str) -> None:
        done = _("You will be notified when “{name}” appears").format(name=name)
        self._add_alert(SearchAlert(SearchAlertKind.PLAYER, name, time.time()), done)

    def _add_alert(self, alert: SearchAlert, done: str) -> None:
        """Add an alert, and report that it is `done`, or why it is not."""
        self.status_reported.emit(self._save_alert(None, alert) or done)

    def _save_alert(self, before: Alert | None, alert: Alert) -> str:
        """Save an alert in place of the one `before`.

        Returns why that failed, empty if it did not.
        """
        try:
            if isinstance(alert, ServerAlert):
                self._alerts.set(alert)
            else:
                self._search_alerts.add_all([alert], [before] if isinstance(before, SearchAlert) else [])
        except ValueError as error:
            return str(error)
        if before is not None and _alert_key(before) != _alert_key(alert):
            self._remove(before)
        self._apply_changes()
        if self.dialog is not None:
            self.dialog.select_entries([alert])
        return ""

    def _remove_alerts(self, alerts: Sequence[Alert], done: str = "") -> None:
        """Remove alerts, and report that with the text `done`, or else their number."""
        for alert in alerts:
            self._remove(alert)
        self._apply_changes()
        text = ngettext("{n} alert removed", "{n} alerts removed", len(alerts)).format(n=len(alerts))
        self.change_reported.emit(done or text, partial(self._restore_alerts, alerts))

    def _restore_alerts(self, alerts: Sequence[Alert]) -> None:
        for alert in alerts:
            self._save_alert(None, alert)

    def _remove(self, alert: Alert) -> None:
        if isinstance(alert, ServerAlert):
            self._alerts.remove(alert.address, alert.kind)
        else:
            self._search_alerts.remove(alert.kind, alert.value)

    def _apply_changes(self) -> None:
        self.refresh_monitors()
        self.alerts_changed.emit()


def _alert_key(alert: Alert) -> tuple[object, AnyAlertKind]:
    """Return what identifies an alert."""
    return (alert.address if isinstance(alert, ServerAlert) else alert.value.casefold()), alert.kind


def _slot_title(server: str) -> str:
    return _(ALERT_RULES[AlertKind.SLOT].title).format(server=server)
