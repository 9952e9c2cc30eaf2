"""The context menu of a server, and its address and link to copy."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from browser_app.catalogue.catalogue import Catalogue
from browser_app.language import gettext as _
from browser_app.protocols.server_code import address_text
from browser_app.protocols.server_link import format_join_link
from browser_app.ui.play.join_request import is_locked
from browser_app.ui.servers.column_layout import ColumnLayout, add_sort_menu
from browser_app.ui.servers.server_order import HoldReason, ServerOrder
from browser_app.ui.settings.keyboard_shortcuts import shortcut_key
from browser_app.ui.widgets.menus import KeyedMenuEntry, MenuEntry, create_menu, popup_menu


class ServerMenu(QObject):
    """Opens the menu of any server; sorting pauses meanwhile.

    Signals:
        join_requested, wait_for_slot_requested, password_requested, query_requested: a server to join, to wait for a
            slot on, to join with another password, or to query.
        favourite_toggle_requested, block_requested, country_requested: a server to add to the favourites or remove, to
            block or unblock, or to correct the country of.
        note_requested, alert_requested: go to the note or the alerts of the selected server.
        status_reported: text for the status bar.
    """

    join_requested = Signal(int)
    wait_for_slot_requested = Signal(int)
    stop_waiting_requested = Signal()
    password_requested = Signal(int)
    query_requested = Signal(int)
    favourite_toggle_requested = Signal(int)
    block_requested = Signal(int)
    country_requested = Signal(int)
    note_requested = Signal()
    alert_requested = Signal()
    status_reported = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        catalogue: Catalogue,
        order: ServerOrder,
        column_layout: ColumnLayout,
        selected_server: Callable[[], int],
        sort_by_index: Callable[[int], None],
        put_favourites_on_top: Callable[[bool], object],
    ) -> None:
        """See `add_sort_menu` for the last two."""
        super().__init__(parent)
        self._parent, self._catalogue, self._order, self._column_layout = parent, catalogue, order, column_layout
        self._selected_server = selected_server
        self._sort_by_index, self._put_favourites_on_top = sort_by_index, put_favourites_on_top
        self.waiting_server: Callable[[], int] = lambda: -1
        """Returns the server that the user waits for, -1 for none."""

    def open(self, server: int, where: QPoint) -> None:
        """Open the menu of a server at a point of the screen."""
        menu = create_menu(self._parent, self._entries(server))
        for action in menu.actions():
            if action.text() == _("Wait for a slot"):
                action.setEnabled(self._catalogue.is_unjoinable(server))
        add_sort_menu(menu, self._order, self._sort_by_index, self._put_favourites_on_top)
        self._column_layout.add_submenu(menu)
        popup_menu(menu, where, partial(self._order.set_hold, HoldReason.MENU))

    def _entries(self, server: int) -> Iterator[MenuEntry | KeyedMenuEntry]:
        favourite, blocked = bool(self._catalogue.favourite[server]), bool(self._catalogue.blocked[server])
        favourite_text = _("Remove from favourites") if favourite else _("Add to favourites")
        yield _("Join"), lambda: self.join_requested.emit(server), shortcut_key("join")
        if server == self.waiting_server():
            yield _("Stop waiting"), self.stop_waiting_requested.emit
        else:
            yield _("Wait for a slot"), lambda: self.wait_for_slot_requested.emit(server), shortcut_key("wait")
        if is_locked(self._catalogue, server):
            yield _("Join with another password…"), lambda: self.password_requested.emit(server)
        yield favourite_text, lambda: self.favourite_toggle_requested.emit(server), shortcut_key("favourite")
        if server == self._selected_server():
            yield _("Write a note"), self.note_requested.emit, shortcut_key("note")
            yield _("Set an alert"), self.alert_requested.emit, shortcut_key("alert")
        yield _("Copy address"), lambda: self.copy_address(server), shortcut_key("copy")
        yield _("Copy link"), lambda: self.copy_link(server)
        yield _("Correct country…"), lambda: self.country_requested.emit(server)
        yield _("Refresh server"), lambda: self.query_requested.emit(server)
        block_text = _("Unblock") if blocked else _("Block…")
        yield block_text, lambda: self.block_requested.emit(server), shortcut_key("block")

    def copy_address(self, server: int) -> None:
        """Copy a server's address; nothing if it is negative."""
        if server >= 0:
            info = self._catalogue.server_info(server)
            text = address_text(info.connect if info else self._catalogue.targets[server].address)
            QGuiApplication.clipboard().setText(text)
            self.status_reported.emit(_("{address} copied").format(address=text))

    def copy_link(self, server: int) -> None:
        """Copy a link by which another player joins a server."""
        target, game = self._catalogue.targets[server], self._catalogue.game[server] or None
        QGuiApplication.clipboard().setText(format_join_link(target.protocol, target.named_address, game))
        self.status_reported.emit(_("Link to {address} copied").format(address=target.named_address))
