"""Controller of the question whether a favourite has moved to another address."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from browser_app.application.favourite_moves import FavouriteMove, find_favourite_moves, follow_move, keep_address
from browser_app.language import gettext as _
from browser_app.storage.user_lists.server_list_store import Favourite, FavouriteStore
from browser_app.ui.widgets.notification_bar import NotificationBar
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices


class FavouriteMovesController(QObject):
    """Asks after each poll, about one favourite at a time.

    "Not now" counts until the program ends.
    """

    def __init__(self, theme: Theme, parent: QWidget, services: WindowServices) -> None:
        super().__init__(parent)
        self._server_list, self._favourites = services.server_list, services.storage.favourites
        self._apply_lists = services.launcher.notify_lists_changed
        self._postponed: set[Favourite] = set()
        self.notification_bar = NotificationBar(theme)
        self._server_list.running_changed.connect(lambda running: None if running else self.ask_about_moves())

    def ask_about_moves(self) -> None:
        """Ask about a favourite that seems to have moved.

        Hides a question that is out of date.
        """
        moves = find_favourite_moves(self._favourites, self._server_list.catalogue, time.time())
        move = next((each for each in moves if each.favourite not in self._postponed), None)
        if move is None:
            self.notification_bar.hide_message()
        else:
            self._ask(move)

    def _ask(self, move: FavouriteMove) -> None:
        old, new = move.favourite.address, move.address
        self.notification_bar.show_message(
            _("Has “{server}” moved?").format(server=move.name),
            _("{old} does not answer. {new} claims to be this server, which cannot be verified.").format(
                old=old, new=new
            ),
            "warning",
            "warning",
        )
        self.notification_bar.show_buttons(
            (_("Use new address"), lambda: self._answer(move, follow_move)),
            (_("Keep old address"), lambda: self._answer(move, keep_address)),
            (_("Not now"), lambda: self._postpone(move)),
        )

    def _answer(self, move: FavouriteMove, apply: Callable[[FavouriteStore, FavouriteMove], object]) -> None:
        if move.favourite in tuple(self._favourites):  # it may have been removed meanwhile
            apply(self._favourites, move)
            self._apply_lists()
            self._server_list.rescore()
        self.ask_about_moves()

    def _postpone(self, move: FavouriteMove) -> None:
        self._postponed.add(move.favourite)
        self.ask_about_moves()
