"""Controller that joins notes, friends, alerts and blocking."""

from PySide6.QtCore import QObject, QPoint, Signal

from browser_app.language import gettext as _
from browser_app.ui.inspector.inspector_pages import NOTES_PAGE
from browser_app.ui.lists.alerts_controller import AlertsController
from browser_app.ui.lists.favourite_moves_controller import FavouriteMovesController
from browser_app.ui.lists.friends_controller import FriendsController
from browser_app.ui.lists.notes_controller import NotesController
from browser_app.ui.lists.server_blocking import BlockController
from browser_app.ui.lists.server_countries import CountryController
from browser_app.ui.lists.server_list_membership import BLOCKED_LIST, FRIENDS_LIST
from browser_app.ui.servers.servers_view import ServersView
from browser_app.ui.widgets.menus import MenuEntry, create_menu
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices


class UserListsController(QObject):
    """Creates the controllers of the user's lists and joins them with the window.

    Signals:
        show_requested: a server to show, raising the window.
        status_reported: text for the status bar.
        change_reported: text about a change, and a function that undoes it.
        undo_requested: Ctrl+Z was pressed in a dialog.
    """

    show_requested = Signal(int)
    status_reported = Signal(str)
    change_reported = Signal(str, object)
    undo_requested = Signal()

    def __init__(self, theme: Theme, view: ServersView, services: WindowServices) -> None:
        super().__init__(view)
        self._view = view
        self.notes_controller = NotesController(view.inspector.notes_page, services)
        view.table.server_selected.connect(self.notes_controller.show_server)
        self.notes_controller.alert_count_changed.connect(view.inspector.show_alerts)
        view.inspector.alert_requested.connect(view.inspector.focus_alerts)
        view.server_menu.alert_requested.connect(self.edit_alerts)
        view.server_menu.note_requested.connect(self.edit_note)
        self.friends_controller = FriendsController(theme, view, view.inspector.players_page, services)
        self.friends_controller.friends_changed.connect(view.inspector_controller.refresh)
        self.friends_controller.status_reported.connect(self.status_reported)
        self.block_controller = BlockController(theme, view, services)
        self.block_controller.blocked_changed.connect(view.remove_blocked)
        self.block_controller.blocked_changed.connect(self.notes_controller.refresh)
        self.country_controller = CountryController(theme, view, services)
        self.country_controller.status_reported.connect(self.status_reported)
        view.server_menu.country_requested.connect(self.country_controller.correct_country)
        self.favourite_moves = FavouriteMovesController(theme, view, services)
        self.alerts_controller = AlertsController(theme, view, services, lambda: view.inspector_controller.server)
        for controller in (self.friends_controller, self.block_controller, self.alerts_controller):
            controller.change_reported.connect(self.change_reported)
            controller.undo_requested.connect(self.undo_requested)
        view.inspector.players_page.player_menu_requested.connect(self.alerts_controller.fill_player_menu)
        view.saved_filter_controller.filter_renamed.connect(self.alerts_controller.rename_filter)
        view.saved_filter_controller.alert_toggled.connect(self.alerts_controller.toggle_filter_alert)
        view.saved_filter_controller.has_alert = self.alerts_controller.has_filter_alert
        self.friends_controller.friends_changed.connect(self.alerts_controller.refresh_monitors)
        self.alerts_controller.status_reported.connect(self.status_reported)
        self.alerts_controller.alerts_changed.connect(self.notes_controller.refresh)
        self.alerts_controller.join_requested.connect(view.join_requested)
        self.alerts_controller.show_requested.connect(self.show_requested)
        self.notes_controller.alerts_changed.connect(self.alerts_controller.refresh_monitors)
        for changed in (self.notes_controller.alerts_changed, self.alerts_controller.alerts_changed):
            changed.connect(services.launcher.notify_lists_changed)  # servers with an alert stay in the list
        services.user_lists.entries_moved.connect(self.refresh_alerts)
        view.server_menu.block_requested.connect(self.block_controller.toggle_block)
        view.inspector.notes_page.block_requested.connect(self.toggle_block)
        view.friends_requested.connect(self.friends_controller.open_dialog)
        view.sidebar.list_menu_requested.connect(self._open_sidebar_menu)

    def menu_entries(self) -> list[MenuEntry]:
        """Return the entries of the window's menu."""
        return [
            (_("Friends…"), self.friends_controller.open_dialog),
            (_("Alerts…"), self.alerts_controller.open_dialog),
            (_("Blocked servers…"), self.block_controller.open_dialog),
        ]

    def refresh_alerts(self) -> None:
        """Watch the alerts that are set now, and show those of the selected server."""
        self.alerts_controller.refresh_monitors()
        self.notes_controller.refresh()

    def toggle_block(self) -> None:
        """Block or unblock the selected server."""
        self.block_controller.toggle_block(self._view.inspector_controller.server)

    def edit_note(self) -> None:
        """Go to the selected server's note."""
        if self._open_inspector():
            self._view.inspector.show_page(NOTES_PAGE)
            self._view.inspector.notes_page.focus_note()

    def edit_alerts(self) -> None:
        """Go to the selected server's alerts."""
        if self._open_inspector():
            self._view.inspector.focus_alerts()

    def _open_inspector(self) -> bool:
        """Expand the inspector; return False if no server is selected."""
        view = self._view
        if view.inspector_controller.server < 0:
            return False
        if not view.servers_layout.inspector_panel.is_open:
            view.servers_layout.inspector_panel.toggle()
        return True

    def _open_sidebar_menu(self, key: str, where: QPoint) -> None:
        entries = {
            FRIENDS_LIST: (_("Friends…"), self.friends_controller.open_dialog),
            BLOCKED_LIST: (_("Blocked servers…"), self.block_controller.open_dialog),
        }
        if key in entries:
            create_menu(self._view, (entries[key],)).popup(where)

    def close(self) -> None:
        """Save pending edits and stop watching."""
        self.notes_controller.close()
        self.alerts_controller.close()
