"""Notes, friends, alerts and blocked servers, joined with the view *Servers*."""

from PySide6.QtCore import QObject, QPoint, Signal

from browser_app.language import gettext as _
from browser_app.storage.kept import Kept
from browser_app.ui.inspector import NOTES
from browser_app.ui.lists import BLOCKED, FRIENDS
from browser_app.ui.menus import Entry, make_menu
from browser_app.ui.people.alerts_control import AlertsControl
from browser_app.ui.people.block_control import BlockControl
from browser_app.ui.people.friends_control import FriendsControl
from browser_app.ui.people.notes_control import NotesControl
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.servers_view import ServersView
from browser_app.ui.theme import Theme


class PeopleControl(QObject):
    """What the window is joined with.

    Signals:
        show_wanted: a server to be brought into sight, with the window.
        told: news for the status line.
    """

    show_wanted = Signal(int)
    told = Signal(str)

    def __init__(self, theme: Theme, view: ServersView, services: PeopleServices, kept: Kept) -> None:
        super().__init__(view)
        self._view = view
        self.notes = NotesControl(view.inspector.notes, view.live, services)
        view.table.server_selected.connect(self.notes.show_server)
        self.notes.alerts_shown.connect(view.inspector.show_alerts)
        view.inspector.alert_wanted.connect(view.inspector.choose_alerts)
        self.friends = FriendsControl(theme, view, view.inspector.players, view.live, services, kept)
        self.friends.changed.connect(view.details.refresh)
        self.friends.told.connect(self.told)
        self.blocking = BlockControl(theme, view, view.live, services, kept)
        self.blocking.told.connect(self.told)
        self.blocking.changed.connect(view.order.reorder)  # a refresh would leave the selected server in sight
        self.blocking.changed.connect(self.notes.refresh)
        self.alerts = AlertsControl(theme, view, view.live, services, kept)
        self.alerts.told.connect(self.told)
        self.alerts.changed.connect(self.notes.refresh)
        self.alerts.join_wanted.connect(view.join_wanted)
        self.alerts.show_wanted.connect(self.show_wanted)
        self.notes.alerts_changed.connect(self.alerts.refresh)
        view.block_wanted.connect(self.blocking.toggle)
        view.inspector.notes.block_wanted.connect(self.block)
        view.side.menu_wanted.connect(self._open_side_menu)

    def menu(self) -> list[Entry]:
        """What stands in the window's menu."""
        return [
            (_("Friends…"), self.friends.open),
            (_("Alerts…"), self.alerts.open),
            (_("Blocked servers…"), self.blocking.open),
        ]

    def block(self) -> None:
        """Block the selected server, or let it in again."""
        self.blocking.toggle(self._view.details.server)

    def write_note(self) -> None:
        """Go to the selected server's note."""
        view = self._view
        if view.details.server < 0:
            return
        if not view.panels.inspector_fold.open:
            view.panels.inspector_fold.toggle()
        view.inspector.turn_to(NOTES)
        view.inspector.notes.write_note()

    def _open_side_menu(self, key: str, where: QPoint) -> None:
        entries = {
            FRIENDS: (_("Friends…"), self.friends.open),
            BLOCKED: (_("Blocked servers…"), self.blocking.open),
        }
        if key in entries:
            make_menu(self._view, (entries[key],)).popup(where)

    def close(self) -> None:
        """Save what was written; nothing is watched any more."""
        self.notes.close()
        self.alerts.close()
