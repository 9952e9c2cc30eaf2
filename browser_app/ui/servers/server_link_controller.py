"""Controller for servers that are typed, pasted or opened from a link."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.server_search import SearchFailure, ServerCallback, ServerSearch
from browser_app.catalogue.server_info import QueryStatus
from browser_app.catalogue.server_value_text import server_name, server_numbers_text
from browser_app.engine.cancel_token import CancelToken
from browser_app.language import N_, ngettext
from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.protocols.list_link import is_list_link
from browser_app.protocols.server_link import ServerLink, parse_server_text
from browser_app.storage.user_lists.pending_server_store import PendingServer, PendingServers
from browser_app.ui.servers.server_link_dialogs import AddServerDialog, ServerLinkDialog
from browser_app.ui.widgets.dialogs import DialogController
from browser_app.ui.widgets.theme import Theme

_FAILURE_TEXTS = {
    SearchFailure.UNKNOWN_HOST: N_("Unknown host"),
    SearchFailure.NO_NAME_SERVER: N_("No connection to a name server"),
    SearchFailure.LIST_FULL: N_("The server list is full"),
}


class ServerLinkController(DialogController[AddServerDialog | ServerLinkDialog]):
    """Finds servers by address and shows them.

    Signals:
        status_reported: text for the status bar.
        show_requested: a server.
        join_requested: a server, after the user confirmed.
        link_password_received: a server and the password from its link.
        list_requested: a link to a list of servers.
        change_reported: text about a change, and a function that undoes it.
    """

    status_reported = Signal(str)
    show_requested = Signal(int)
    join_requested = Signal(int)
    link_password_received = Signal(int, str)
    list_requested = Signal(str)
    change_reported = Signal(str, object)

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        server_list: ServerListController,
        server_search: ServerSearch,
        toggle_favourite: Callable[[int], object],
        pending: PendingServers,
    ) -> None:
        super().__init__(theme, window)
        self._server_list, self._server_search, self._toggle_favourite = server_list, server_search, toggle_favourite
        self._pending = pending
        self._searches = dict[Address, CancelToken]()
        self._failures = dict[Address, SearchFailure]()
        server_list.running_changed.connect(lambda running: None if running else self.search_pending())

    def ask_for_address(self, text: str = "", hint: str = "") -> None:
        """Open the dialog for an address.

        `text` is its initial content, `hint` where that comes from.
        """
        dialog = AddServerDialog(self._theme, self._window, text, hint)
        dialog.server_entered.connect(self._find_server)
        dialog.remove_requested.connect(self._remove_pending)
        self.show_dialog(dialog)
        self._show_pending()

    def add_from_clipboard(self) -> None:
        """Open the dialog for the server on the clipboard."""
        text = QGuiApplication.clipboard().text().strip()
        try:
            parse_server_text(text)
        except ValueError as error:
            self.status_reported.emit(_("No server on the clipboard: {reason}").format(reason=error))
        else:
            self.ask_for_address(text)

    def open_links(self, urls: Sequence[str]) -> None:
        """Show the server of each link and offer to join the last one."""
        for url in urls:
            if is_list_link(url):
                self.list_requested.emit(url)
                continue
            try:
                link = parse_server_text(url)
            except ValueError as error:
                self.status_reported.emit(_("Link refused: {reason}").format(reason=error))
                continue
            dialog = ServerLinkDialog(self._theme, self._window, str(link.address))
            self.show_dialog(dialog)
            if self._server_list.queries_on_request:
                dialog.query_requested.connect(partial(self._contact_link_server, dialog, link))
            else:
                self._contact_link_server(dialog, link)

    def search_pending(self, *, is_requested: bool = False) -> None:
        """Search again for added servers that could not be found.

        Those for which a search is running are left out. Where servers are queried on request, the call has no effect
        unless `is_requested`: the user has asked for it. Elsewhere the end of a refresh starts the searches.
        """
        for link, favourite in self._pending if is_requested == self._server_list.queries_on_request else ():
            if link.address not in self._searches:
                self._start_search(link, partial(self._on_pending_found, link, favourite))

    def close(self) -> None:
        """Cancel all searches and close the dialog."""
        self._server_search.close()
        self.close_dialog()

    def _find_server(self, link: ServerLink, favourite: bool) -> None:
        self.status_reported.emit(_("Contacting {address}…").format(address=link.address))
        self._pending.add(link, favourite=favourite)
        self._start_search(link, partial(self._on_server_found, link, favourite))

    def _start_search(self, link: ServerLink, callback: ServerCallback) -> None:
        def finish(found: int | SearchFailure) -> None:
            self._searches.pop(link.address, None)
            callback(found)

        self._cancel_search(link)
        self._searches[link.address] = self._server_search.search(link, finish)

    def _cancel_search(self, link: ServerLink) -> None:
        if link.address in self._searches:
            self._searches.pop(link.address).cancel()

    def _on_server_found(self, link: ServerLink, favourite: bool, found: int | SearchFailure) -> None:
        self._on_pending_found(link, favourite, found)
        if isinstance(found, SearchFailure):
            text = _(
                "{address}: {reason}. Ready Room tries it again at each refresh for a week "
                "and lists it under “Add a server”."
            )
            self.status_reported.emit(text.format(reason=_(_FAILURE_TEXTS[found]), address=link.address))
        else:
            self._show_server(link, found)

    def _on_pending_found(self, link: ServerLink, favourite: bool, found: int | SearchFailure) -> None:
        if isinstance(found, SearchFailure):
            self._failures[link.address] = found
        else:
            self._pending.remove(link)
            self._report_added(found, favourite)
        self._show_pending()

    def _report_added(self, server: int, favourite: bool) -> None:
        if favourite:
            self._add_favourite(server)
        text = _("“{server}” added") if self._has_answered(server) else _("“{server}” does not answer; added anyway")
        self.status_reported.emit(text.format(server=server_name(self._server_list.catalogue, server)))

    def _show_pending(self) -> None:
        """Show the servers that have not been found in the dialog for an address."""
        if isinstance(self.dialog, AddServerDialog):
            self.dialog.show_pending([(each.link, self._reason_text(each.link)) for each in self._pending])

    def _reason_text(self, link: ServerLink) -> str:
        failure = self._failures.get(link.address)
        return "" if failure is None else _(_FAILURE_TEXTS[failure])

    def _remove_pending(self, links: Sequence[ServerLink]) -> None:
        removed = [each for each in self._pending if each.link in links]
        for link in links:
            self._pending.remove(link)
            self._cancel_search(link)
        self._show_pending()
        text = ngettext("{n} added server removed", "{n} added servers removed", len(removed)).format(n=len(removed))
        self.change_reported.emit(text, partial(self._restore_pending, removed))

    def _restore_pending(self, servers: Sequence[PendingServer]) -> None:
        for server in servers:
            self._pending.add(server.link, favourite=server.is_favourite)
        self._show_pending()

    def _contact_link_server(self, dialog: ServerLinkDialog, link: ServerLink) -> None:
        dialog.show_contacting()
        search = self._server_search.search(link, partial(self._show_link_server, dialog, link))
        dialog.finished.connect(lambda _result: search.cancel())

    def _show_link_server(self, dialog: ServerLinkDialog, link: ServerLink, server: int | SearchFailure) -> None:
        if self.dialog is not dialog:
            return
        if isinstance(server, SearchFailure):
            dialog.show_problem(_(_FAILURE_TEXTS[server]))
            return
        self._show_server(link, server)
        catalogue, answered = self._server_list.catalogue, self._has_answered(server)
        game = catalogue.games.get(catalogue.game[server])
        parts = (game.name if game else "", catalogue.map[server], str(catalogue.targets[server].address))
        dialog.show_server(
            server_name(catalogue, server),
            " · ".join(part for part in parts if part),
            _("{numbers}. Join this server?").format(numbers=server_numbers_text(catalogue, server))
            if answered
            else _("The server does not answer."),
            joinable=answered,
            favourite=bool(catalogue.favourite[server]),
        )
        dialog.join_requested.connect(lambda: self.join_requested.emit(server))
        dialog.favourite_requested.connect(lambda: self._add_favourite(server))

    def _show_server(self, link: ServerLink, server: int) -> None:
        if link.password:
            self.link_password_received.emit(server, link.password)
        self.show_requested.emit(server)

    def _add_favourite(self, server: int) -> None:
        if not self._server_list.catalogue.favourite[server]:
            self._toggle_favourite(server)

    def _has_answered(self, server: int) -> bool:
        return bool(self._server_list.catalogue.status[server] == QueryStatus.OK)
