"""Friends: made and let go from the players' page, their marks, and the dialog with all of them."""

import time
from collections.abc import Iterator
from functools import partial

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu, QWidget

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.friend_list import FriendList, FriendNames
from browser_app.language import gettext as _
from browser_app.storage.friends import GROUPS, Friend, FriendKind
from browser_app.storage.kept import Kept
from browser_app.ui.dialogs.friends import FriendsDialog
from browser_app.ui.joining.wording import name_of
from browser_app.ui.people.group_titles import GROUP_TITLES
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.players_page import PlayersPage
from browser_app.ui.theme import Theme


class FriendsControl(QObject):
    """Changes the list of friends, and has the servers marked by it.

    Signals:
        changed: the list is another one.
        told: news for the status line.
    """

    changed = Signal()
    told = Signal(str)

    def __init__(
        self, theme: Theme, window: QWidget, page: PlayersPage, live: LiveList, services: PeopleServices, kept: Kept
    ) -> None:
        super().__init__(page)
        self._theme, self._window, self._live, self._kept = theme, window, live, kept
        self._friends, self._lists_changed = services.friends, services.lists_changed
        self.dialog: FriendsDialog | None = None
        page.friend_of = live.catalogue.friend_group
        page.friend_wanted.connect(self.toggle)
        page.menu_wanted.connect(self._fill_menu)
        page.friends_wanted.connect(self.open)
        page.told.connect(self.told)

    def toggle(self, name: str) -> None:
        """Make a player a friend, or no more; one whom a pattern names is let go in the dialog only."""
        if self._friends.find(FriendKind.NAME, name) is not None:
            self.remove(FriendKind.NAME, name)
            self.told.emit(_("{name} is no friend any more").format(name=name))
        elif (pattern := self._pattern_of(name)) is not None:
            self.open()
            if self.dialog is not None:
                self.dialog.choose(pattern)
            self.told.emit(_("{name} is a friend by the pattern {pattern}").format(name=name, pattern=pattern.value))
        else:
            self.put(Friend(FriendKind.NAME, name, GROUPS[0], time.time()))

    def put(self, friend: Friend) -> None:
        """Add a friend, or move one to another group."""
        try:
            self._friends.put([friend])
        except ValueError as error:
            self.told.emit(str(error))
            return
        title = _(GROUP_TITLES[friend.group])
        self.told.emit(_("{name}: in the group {group}").format(name=friend.value, group=title))
        self._tell()

    def remove(self, kind: FriendKind, value: str) -> None:
        """Let a friend go."""
        self._friends.remove(kind, value)
        self._tell()

    def open(self) -> None:
        """Show all friends."""
        if self.dialog is None:
            self.dialog = FriendsDialog(self._theme, self._window, self._kept)
            self.dialog.put_wanted.connect(self.put)
            self.dialog.remove_wanted.connect(self.remove)
            self.dialog.finished.connect(self._closed)
            self._show()
            self.dialog.open()

    def seen(self, friend: Friend) -> list[str]:
        """Names of the servers whose player lists name this friend."""
        if friend.kind is FriendKind.ID:
            return []
        alone = FriendNames(patterns=(friend.value,))
        if friend.kind is FriendKind.NAME:
            alone = FriendNames(exact=frozenset((friend.value,)))
        test, catalogue = FriendList({"this": alone}), self._live.catalogue
        rows = np.flatnonzero(catalogue.friends > 0)
        lists = (catalogue.player_lists.get(row, ()) for row in rows.tolist())
        named = [any(test.group_of(player.name) for player in players if not player.bot) for players in lists]
        return [name_of(catalogue, server) for server in rows[np.array(named, np.bool_)].tolist()]

    def _fill_menu(self, menu: QMenu, name: str) -> None:
        found = self._friends.find(FriendKind.NAME, name)
        for group in GROUPS:
            title = _(GROUP_TITLES[group])
            if found is None:
                words = _("Add to {group}").format(group=title)
            else:
                words = _("Move to {group}").format(group=title)
            if found is None or found.group != group:
                menu.addAction(words, partial(self.put, Friend(FriendKind.NAME, name, group, time.time())))
        if found is not None:
            menu.addAction(_("Let go"), partial(self.toggle, name))
        menu.addSeparator()

    def _pattern_of(self, name: str) -> Friend | None:
        return next((each for each in self._patterns() if _names(each.value, name)), None)

    def _patterns(self) -> Iterator[Friend]:
        return (each for each in self._friends if each.kind is FriendKind.PATTERN)

    def _tell(self) -> None:
        self._lists_changed()
        self._live.rescore()
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        if self.dialog is not None:
            self.dialog.show_friends([(friend, ", ".join(self.seen(friend))) for friend in self._friends])

    def _closed(self) -> None:
        self.dialog = None


def _names(pattern: str, name: str) -> bool:
    return FriendList({"this": FriendNames(patterns=(pattern,))}).group_of(name) is not None
