"""Servers that somebody names: typed, pasted, or opened by a link. They are shown; joining is the user's own choice."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.server_search import ServerSearch
from browser_app.catalogue.facts import Status
from browser_app.language import gettext as _
from browser_app.protocols.server_link import ServerLink, parse_server_text
from browser_app.ui.dialogs.address_dialog import AddressDialog
from browser_app.ui.dialogs.link_dialog import LinkDialog
from browser_app.ui.joining.wording import name_of, numbers_of
from browser_app.ui.theme import Theme


class ServerLinks(QObject):
    """Finds named servers and shows them.

    Signals:
        told: news for the status line.
        show_wanted: a server.
        join_wanted: a server, after the user said so.
        password_told: a server, and the password that came with its address.
    """

    told = Signal(str)
    show_wanted = Signal(int)
    join_wanted = Signal(int)
    password_told = Signal(int, str)

    def __init__(
        self,
        theme: Theme,
        window: QWidget,
        live: LiveList,
        search: ServerSearch,
        toggle_favourite: Callable[[int], object],
    ) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._live, self._search, self._toggle_favourite = live, search, toggle_favourite
        self.dialog: AddressDialog | LinkDialog | None = None
        """The one that is open."""

    def add(self, text: str = "") -> None:
        """Ask for an address."""
        dialog = AddressDialog(self._theme, self._window, text)
        dialog.given.connect(self._add)
        self._open(dialog)

    def paste(self) -> None:
        """Add the server that is named on the clipboard."""
        text = QGuiApplication.clipboard().text().strip()
        try:
            parse_server_text(text)
        except ValueError as error:
            self.told.emit(_("Nothing to add on the clipboard: {reason}").format(reason=error))
        else:
            self.add(text)

    def open(self, urls: Sequence[str]) -> None:
        """Show the server that a link names, and ask whether to join it; of several the last is asked about."""
        for url in urls:
            try:
                link = parse_server_text(url)
            except ValueError as error:
                self.told.emit(_("Link refused: {reason}").format(reason=error))
                continue
            dialog = LinkDialog(self._theme, self._window, str(link.address))
            self._open(dialog)
            search = self._search.search(link, partial(self._show_link, dialog, link))
            dialog.finished.connect(lambda _result, search=search: search.set())

    def close(self) -> None:
        """Nobody is looked for any more."""
        self._search.close()
        if self.dialog is not None:
            self.dialog.close()

    def _open(self, dialog: AddressDialog | LinkDialog) -> None:
        if self.dialog is not None:
            self.dialog.close()
        self.dialog = dialog
        dialog.finished.connect(partial(self._closed, dialog))
        dialog.open()

    def _closed(self, dialog: AddressDialog | LinkDialog, _result: int) -> None:
        if self.dialog is dialog:
            self.dialog = None

    def _add(self, link: ServerLink, favourite: bool) -> None:
        self.told.emit(_("Asking {address}…").format(address=link.address))
        self._search.search(link, partial(self._added, link, favourite))

    def _added(self, link: ServerLink, favourite: bool, server: int) -> None:
        if server < 0:
            self.told.emit(self._unknown(link))
            return
        if favourite:
            self._make_favourite(server)
        self._show(link, server)
        words = _("{server} added") if self._answered(server) else _("{server} does not answer; added all the same")
        self.told.emit(words.format(server=name_of(self._live.catalogue, server)))

    def _show_link(self, dialog: LinkDialog, link: ServerLink, server: int) -> None:
        if self.dialog is not dialog:
            return
        if server < 0:
            dialog.show_trouble(self._unknown(link))
            return
        self._show(link, server)
        catalogue, answered = self._live.catalogue, self._answered(server)
        game = catalogue.games.get(catalogue.game[server])
        parts = (game.name if game else "", catalogue.map[server], str(catalogue.targets[server].address))
        dialog.show_server(
            name_of(catalogue, server),
            " · ".join(part for part in parts if part),
            _("{numbers}. Join it?").format(numbers=numbers_of(catalogue, server))
            if answered
            else _("It does not answer now."),
            joinable=answered,
            favourite=bool(catalogue.favourite[server]),
        )
        dialog.join_wanted.connect(lambda: self.join_wanted.emit(server))
        dialog.favourite_wanted.connect(lambda: self._make_favourite(server))

    def _show(self, link: ServerLink, server: int) -> None:
        if link.password:
            self.password_told.emit(server, link.password)
        self.show_wanted.emit(server)

    def _make_favourite(self, server: int) -> None:
        if not self._live.catalogue.favourite[server]:
            self._toggle_favourite(server)

    def _answered(self, server: int) -> bool:
        return bool(self._live.catalogue.status[server] == Status.OK)

    @staticmethod
    def _unknown(link: ServerLink) -> str:
        return _("There is no host {host}, or nobody to ask for it now").format(host=link.address.host)
