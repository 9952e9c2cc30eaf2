"""Controller of links to lists of servers: copies one, opens others."""

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from browser_app.catalogue.filters.filter_fields import addresses_filter
from browser_app.catalogue.server_info import QueryStatus, QueryTarget
from browser_app.engine.network.address_rules import is_public_host
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.protocols.list_link import (
    MAX_LIST_SERVERS,
    SharedServer,
    format_list_link,
    may_be_shared,
    parse_list_link,
)
from browser_app.storage.user_lists.saved_list_servers import MAX_SAVED_LIST_SERVERS
from browser_app.storage.user_lists.server_list_store import Favourite
from browser_app.ui.servers.shared_list_dialog import SharedListDialog
from browser_app.ui.widgets.dialogs import DialogController
from browser_app.ui.widgets.menus import MenuEntry
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import join_sentences
from browser_app.ui.window_services import WindowServices


class SharedListController(DialogController[SharedListDialog]):
    """Makes and opens links to lists of servers.

    Signals:
        status_reported: text for the status bar.
        show_requested: a filter expression that lets the link's servers pass alone.
        save_requested: such an expression, to be saved under a name.
    """

    status_reported = Signal(str)
    show_requested = Signal(str)
    save_requested = Signal(str)

    def __init__(
        self, theme: Theme, window: QWidget, services: WindowServices, shown_servers: Callable[[], Iterable[int]]
    ) -> None:
        """Create the controller.

        `shown_servers` returns the rows in the list on screen, from top to bottom.
        """
        super().__init__(theme, window)
        self._services, self._shown_servers = services, shown_servers
        self._server_list = services.server_list

    def menu_entries(self) -> tuple[MenuEntry, ...]:
        """Return the entries of the window's menu."""
        return ((_("Copy link to this list"), self.copy_link),)

    def copy_link(self) -> None:
        """Copy a link to the first servers on screen that others can reach."""
        catalogue = self._server_list.catalogue
        reachable = (row for row in self._shown_servers() if self._is_reachable(catalogue.targets[row]))
        rows = islice(reachable, MAX_LIST_SERVERS + 1)
        shared = [
            SharedServer(target.protocol, target.named_address, catalogue.game[row] or None, catalogue.name[row])
            for row in rows
            for target in [catalogue.targets[row]]
        ]
        if not shared:
            self.status_reported.emit(_("None of these servers can be reached by others"))
            return
        link, count = format_list_link(shared)
        QGuiApplication.clipboard().setText(link)
        text = ngettext("Link to {n} server copied.", "Link to {n} servers copied.", count).format(n=count)
        limit = (
            _("That is the most a link can hold. To share the whole list, use “Share this list…”.")
            if count < len(shared)
            else ""
        )
        self.status_reported.emit(join_sentences(text, limit))

    @staticmethod
    def _is_reachable(target: QueryTarget) -> bool:
        return may_be_shared(target.protocol, target.address) and is_public_host(target.address.host)

    def open_link(self, link: str) -> None:
        """Show what a link holds, and offer to use it."""
        try:
            named = parse_list_link(link)
        except ValueError as error:
            self.status_reported.emit(_("Link refused: {reason}").format(reason=error))
            return
        servers = [server for server in named if is_public_host(server.address.host)]
        dialog = SharedListDialog(self._theme, self._window, servers, len(named) - len(servers), self._services.games)
        expression = addresses_filter(server.address for server in servers)
        dialog.favourites_requested.connect(lambda: self._add_favourites(servers))
        dialog.show_requested.connect(lambda: self._add_servers(servers))
        dialog.show_requested.connect(lambda: self.show_requested.emit(expression))
        dialog.save_requested.connect(lambda: self._save_servers(servers))
        dialog.save_requested.connect(lambda: self.save_requested.emit(expression))
        self.show_dialog(dialog)

    def _add_favourites(self, servers: Sequence[SharedServer]) -> None:
        favourites, now = self._services.storage.favourites, time.time()
        new = [
            Favourite(server.address, server.name, now, server.protocol, self._known_game(server))
            for server in servers
            if server.address not in favourites
        ]
        favourites.add_all(new)
        self._services.user_lists.apply_import()
        text = ngettext("{n} new favourite", "{n} new favourites", len(new)).format(n=len(new))
        self.status_reported.emit(text if new else _("No new entries"))

    def _save_servers(self, servers: Sequence[SharedServer]) -> None:
        """Add servers to the list and keep them for later starts.

        The saved list itself is only a filter.
        """
        left_out = self._services.storage.saved_list_servers.add(map(self._target, servers))
        self._add_servers(servers)
        if left_out:
            text = ngettext(
                "{n} server of this list will be missing at the next start: saved lists can hold {limit} servers."
                " Delete one to make room.",
                "{n} servers of this list will be missing at the next start: saved lists can hold {limit} servers."
                " Delete one to make room.",
                left_out,
            )
            self.status_reported.emit(text.format(n=left_out, limit=integer_text(MAX_SAVED_LIST_SERVERS)))

    def _add_servers(self, servers: Sequence[SharedServer]) -> None:
        """Add servers to the list, and query those that have not answered yet."""
        catalogue = self._server_list.catalogue
        rows = catalogue.rows.add([*map(self._target, servers)])
        placed = rows[rows >= 0]
        unknown = placed[np.isin(catalogue.status[placed], (QueryStatus.NEVER_QUERIED, QueryStatus.LISTED))]
        for row in () if self._server_list.queries_on_request else unknown.tolist():
            self._server_list.query(row)
        self._server_list.rescore()

    def _target(self, server: SharedServer) -> QueryTarget:
        return QueryTarget(server.address, server.protocol, self._known_game(server))

    def _known_game(self, server: SharedServer) -> str | None:
        return server.game if server.game in self._services.games else None
