"""Alerts: told by the desktop where it can, else in the status line; the list of those that are set."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from browser_app.bridge.alerts import AlertEvent
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.notice import ITSELF, Notice
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.storage.alerts import Alert, AlertKind
from browser_app.storage.kept import Kept
from browser_app.ui.dialogs.entries import EntriesDialog
from browser_app.ui.joining.wording import name_of
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.texts import players_text
from browser_app.ui.theme import Theme

JOIN, SHOW = "join", "show"


class AlertsControl(QObject):
    """Tells what has happened.

    Signals:
        changed: an alert was taken away.
        join_wanted, show_wanted: a server, chosen in a notification.
        told: news for the status line.
    """

    changed = Signal()
    join_wanted = Signal(int)
    show_wanted = Signal(int)
    told = Signal(str)

    def __init__(self, theme: Theme, window: QWidget, live: LiveList, services: PeopleServices, kept: Kept) -> None:
        super().__init__(window)
        self._theme, self._window, self._live, self._kept = theme, window, live, kept
        self._alerts, self._watch, self._notifications = services.alerts, services.watch, services.notifications
        self.entries: EntriesDialog | None = None
        self._friend_watch = services.friend_watch
        self._watch.fired.connect(self._tell)
        self._friend_watch.came.connect(self._tell_came)
        self._notifications.acted.connect(self._act)
        self._notifications.failed.connect(self._tell_here)

    def refresh(self) -> None:
        """One was set or taken away."""
        self._watch.refresh()
        self._show()

    def open(self) -> None:
        """Show those that are set."""
        if self.entries is None:
            columns = (_("Server"), _("Tell me when"))
            empty = _("No alert is set. A server's notes have the boxes to tick.")
            self.entries = EntriesDialog(
                self._theme, self._window, self._kept, "alerts", _("Alerts"), columns, _("Remove"), empty
            )
            self.entries.remove_wanted.connect(self._remove)
            self.entries.finished.connect(self._closed)
            self._show()
            self.entries.open()

    def tell_free_slot(self, server: int) -> None:
        """A slot that the user waited for is free."""
        name = name_of(self._live.catalogue, server)
        self._show_notice(server, _("A slot is free on {server}").format(server=name), self._place(server))

    def close(self) -> None:
        """Watch and tell no more."""
        self._watch.close()
        self._friend_watch.close()
        self._notifications.close()

    def _tell(self, event: AlertEvent) -> None:
        self._show_notice(event.server, *self._words(event))

    def _tell_came(self, server: int, friends: tuple[str, ...]) -> None:
        address = self._live.catalogue.targets[server].address
        if AlertKind.FRIEND not in self._alerts.of(address):  # else that alert tells it
            self._show_notice(server, _came_words(friends, name_of(self._live.catalogue, server)), self._place(server))

    def _show_notice(self, server: int, title: str, text: str) -> None:
        self._notifications.show(Notice(server, title, text, {ITSELF: _("Show"), JOIN: _("Join"), SHOW: _("Show")}))

    def _place(self, server: int) -> str:
        facts = self._live.catalogue.facts(server)
        players = players_text(facts.players, facts.max_players) if facts else ""
        return " · ".join(word for word in (players, self._live.catalogue.map[server]) if word)

    def _words(self, event: AlertEvent) -> tuple[str, str]:
        server = event.server
        name, text = name_of(self._live.catalogue, server), self._place(server)
        if event.alert.kind is AlertKind.FRIEND:
            return _came_words(event.friends, name), text
        if event.alert.kind is AlertKind.SLOT:
            return _("A slot is free on {server}").format(server=name), text
        return _("{n} or more play on {server}").format(n=event.alert.players, server=name), text

    def _tell_here(self, notice: Notice) -> None:
        self.told.emit(f"{notice.title} · {notice.text}" if notice.text else notice.title)
        QApplication.alert(self._window.window())

    def _act(self, server: int, action: str) -> None:
        if action == JOIN:
            self.join_wanted.emit(server)
        else:
            self.show_wanted.emit(server)

    # The list

    def _show(self) -> None:
        if self.entries is not None:
            self.entries.show_entries(
                [((alert.address, alert.kind), (self._name(alert), _sentence(alert))) for alert in self._alerts]
            )

    def _name(self, alert: Alert) -> str:
        server = self._live.catalogue.id_of(alert.address)
        return (self._live.catalogue.name[server] if server is not None else "") or alert.name or str(alert.address)

    def _remove(self, keys: list[tuple[Address, AlertKind]]) -> None:
        for address, kind in keys:
            self._alerts.remove(address, kind)
        self.refresh()
        self.changed.emit()

    def _closed(self) -> None:
        self.entries = None


def _came_words(friends: Sequence[str], server: str) -> str:
    return _("{friends} on {server}").format(friends=", ".join(friends), server=server)


def _sentence(alert: Alert) -> str:
    if alert.kind is AlertKind.FRIEND:
        return _("a friend comes on")
    if alert.kind is AlertKind.SLOT:
        return _("a slot gets free")
    return _("{n} or more play").format(n=alert.players)
