"""The user's friends: the dialog to edit them and its controller."""

import time
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.catalogue.catalogue_columns import ChangeSet, RowIds
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE, server_name
from browser_app.catalogue.user_lists import FriendGroup, FriendList
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.friend_store import FRIEND_GROUPS, Friend, FriendKind, normalise_friend
from browser_app.ui.inspector.players_page import PlayersPage
from browser_app.ui.widgets.accessibility import name_combo_box
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import DialogController, EntryTree, SavedSizeDialog, create_button_row
from browser_app.ui.widgets.form_fields import MIN_TEXT_FIELD_WIDTH, leave_wheel_to_page
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.window_services import WindowServices

FRIEND_GROUP_TITLES: Mapping[str, str] = {"friends": N_("Friends"), "team": N_("Team"), "others": N_("Others")}


FRIEND_KIND_TITLES = {
    FriendKind.NAME: N_("exact name"),
    FriendKind.PATTERN: N_("pattern"),
    FriendKind.ID: N_("player ID"),
}
_FRIEND_ROLE = Qt.ItemDataRole.UserRole


class FriendsDialog(SavedSizeDialog):
    """Shows the friends and requests changes.

    Signals:
        save_requested: a `Friend` to add or to move to another group.
        remove_requested: kind and value of a friend to remove.
    """

    save_requested = Signal(object)
    remove_requested = Signal(object, str)

    def __init__(self, theme: Theme, parent: QWidget, ui_state: UiState) -> None:
        super().__init__(theme, parent, ui_state, "friends", _("Friends"), QSize(560, 420))
        self.name_field = QLineEdit()
        self.name_field.setPlaceholderText(_("Name, or a pattern with * and ?"))
        self.name_field.setAccessibleName(_("Name, pattern or ID of a player"))
        self.name_field.setMinimumWidth(MIN_TEXT_FIELD_WIDTH)
        self.new_kind_box = leave_wheel_to_page(QComboBox())
        name_combo_box(self.new_kind_box, _("Type"))
        self.new_group_box = leave_wheel_to_page(QComboBox())
        name_combo_box(self.new_group_box, _("Group"))
        for kind, title in FRIEND_KIND_TITLES.items():
            self.new_kind_box.addItem(_(title), kind)
        for group in FRIEND_GROUPS:
            self.new_group_box.addItem(_(FRIEND_GROUP_TITLES[group]), group)
        self.add_button = Button(theme, _("Add"), accented=True)
        self.problem_label = Label(theme, role="warning", size=12)
        self.tree = EntryTree(_("Friends by group"), (_("Name"), _("Type"), _("Seen on")))
        self._shown_friends: Sequence[tuple[Friend, str]] = ()
        self.group_box = leave_wheel_to_page(QComboBox())
        self.remove_button = Button(theme, _("Remove"), "close")
        self.close_button = Button(theme, _("Close"))
        self._build_layout()
        self._connect()
        self._update_buttons()

    def _connect(self) -> None:
        self.name_field.textChanged.connect(self._suggest_kind)
        self.name_field.textChanged.connect(self._update_buttons)
        self.new_kind_box.currentIndexChanged.connect(self._update_buttons)
        self.name_field.returnPressed.connect(self._request_add)
        self.add_button.clicked.connect(self._request_add)
        self.remove_button.clicked.connect(self._request_removal)
        self.group_box.activated.connect(self._request_group)
        self.tree.currentItemChanged.connect(self._update_buttons)
        self.close_button.clicked.connect(self.accept)

    def _build_layout(self) -> None:
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setRootIsDecorated(True)
        name_combo_box(self.group_box, _("Move to a group"))
        self.group_box.addItem(_("Move to…"))
        for group in FRIEND_GROUPS:
            self.group_box.addItem(_(FRIEND_GROUP_TITLES[group]), group)
        about = _(
            "Servers report names, not IDs, so IDs do not match there. Anyone can use any name. "
            "Filter: friend:yes, friend:team"
        )
        note = Label(self._theme, about, role="text2", size=12, wraps=True)
        fill_box(
            QVBoxLayout(self),
            fill_box(QHBoxLayout(), Stretch(self.name_field), self.new_kind_box, self.new_group_box, self.add_button),
            self.problem_label,
            Stretch(self.tree),
            note,
            create_button_row((self.remove_button, self.group_box), (self.close_button,)),
            margins=(16, 16, 16, 16),
        )

    def show_friends(self, friends: Sequence[tuple[Friend, str]]) -> None:
        """Show the friends, each with the servers they are on; the selection is kept."""
        if friends == self._shown_friends:
            return
        self._shown_friends = friends
        chosen = self.selected_friend()
        self.tree.clear()
        for group in FRIEND_GROUPS:
            members = [(friend, where) for friend, where in friends if friend.group == group]
            title = QTreeWidgetItem(self.tree, [f"{_(FRIEND_GROUP_TITLES[group])} ({len(members)})"])
            title.setFlags(Qt.ItemFlag.ItemIsEnabled)
            title.setExpanded(True)
            for friend, where in sorted(members, key=lambda each: each[0].value.casefold()):
                item = QTreeWidgetItem(
                    title, [friend.value, _(FRIEND_KIND_TITLES[friend.kind]), where or UNKNOWN_VALUE]
                )
                item.setData(0, _FRIEND_ROLE, friend)
        self.tree.fit_columns()
        if chosen is not None:
            self.select_friend(chosen)
        self._update_buttons()

    def select_friend(self, friend: Friend) -> None:
        """Select a row."""
        flags = Qt.MatchFlag.MatchFixedString | Qt.MatchFlag.MatchRecursive
        for item in self.tree.findItems(friend.value, flags):
            found = item.data(0, _FRIEND_ROLE)
            if isinstance(found, Friend) and found.kind is friend.kind:
                self.tree.setCurrentItem(item)

    def selected_friend(self) -> Friend | None:
        """Return the selected friend."""
        item = self.tree.currentItem()
        found = item.data(0, _FRIEND_ROLE) if item is not None else None
        return found if isinstance(found, Friend) else None

    def _suggest_kind(self, text: str) -> None:
        if self.new_kind_box.currentData() != FriendKind.ID:
            has_wildcard = bool(set(text) & set("*?"))
            self.new_kind_box.setCurrentIndex(
                self.new_kind_box.findData(FriendKind.PATTERN if has_wildcard else FriendKind.NAME)
            )

    def _update_buttons(self) -> None:
        problem = _friend_problem(self._entered_friend())
        self.add_button.setEnabled(not problem)
        self.problem_label.setText(problem if self.name_field.text().strip() else "")
        self.problem_label.setVisible(bool(self.problem_label.text()))
        self.name_field.setAccessibleDescription(self.problem_label.text())
        for control in (self.remove_button, self.group_box):
            control.setEnabled(self.selected_friend() is not None)

    def _entered_friend(self) -> Friend:
        kind, group = FriendKind(self.new_kind_box.currentData()), self.new_group_box.currentData()
        return Friend(kind, self.name_field.text().strip(), group, time.time())

    def _request_add(self) -> None:
        if self.add_button.isEnabled():
            self.save_requested.emit(self._entered_friend())
            self.name_field.clear()

    def _request_removal(self) -> None:
        friend = self.selected_friend()
        if friend is not None:
            self.remove_requested.emit(friend.kind, friend.value)

    def _request_group(self, index: int) -> None:
        friend = self.selected_friend()
        if friend is not None and index:
            self.save_requested.emit(Friend(friend.kind, friend.value, self.group_box.itemData(index), friend.added_at))
        self.group_box.setCurrentIndex(0)


def _friend_problem(friend: Friend) -> str:
    """Return why an entry is invalid; empty if it is valid."""
    try:
        normalise_friend(friend)
    except ValueError as error:
        return str(error)
    return ""


class FriendsController(DialogController[FriendsDialog]):
    """Changes the friends and updates their marks in the server list.

    Signals:
        friends_changed: the list of friends has changed.
        status_reported: text for the status bar.
        change_reported: text about a change, and a function that undoes it.
    """

    friends_changed = Signal()
    status_reported = Signal(str)
    change_reported = Signal(str, object)

    def __init__(self, theme: Theme, window: QWidget, page: PlayersPage, services: WindowServices) -> None:
        super().__init__(theme, window)
        self._server_list, self._friends = services.server_list, services.storage.friends
        self._services = services
        self._rows_with_friends: RowIds = np.empty(0, np.intp)
        services.server_list.changed.connect(self._on_servers_changed)
        page.friend_lookup = services.server_list.catalogue.friend_group_of
        page.friend_toggle_requested.connect(self.toggle_friend)
        page.player_menu_requested.connect(self._fill_player_menu)
        page.friends_dialog_requested.connect(self.open_dialog)
        page.status_reported.connect(self.status_reported)

    def toggle_friend(self, name: str) -> None:
        """Add or remove a player as friend.

        One matched by a pattern is removed in the dialog only.
        """
        if self._friends.find(FriendKind.NAME, name) is not None:
            self.remove_friend(FriendKind.NAME, name)
        elif (pattern := self._matching_pattern(name)) is not None:
            self.open_dialog()
            if self.dialog is not None:
                self.dialog.select_friend(pattern)
            self.status_reported.emit(
                _("“{name}” matches the friend pattern “{pattern}”").format(name=name, pattern=pattern.value)
            )
        else:
            self.save_friend(Friend(FriendKind.NAME, name, FRIEND_GROUPS[0], time.time()))

    def save_friend(self, friend: Friend) -> None:
        """Add a friend, or move one to another group."""
        try:
            self._friends.add_all([friend])
        except ValueError as error:
            self.status_reported.emit(str(error))
            return
        title = _(FRIEND_GROUP_TITLES[friend.group])
        self.status_reported.emit(_("“{name}” is now in the group “{group}”").format(name=friend.value, group=title))
        self._apply_friends()

    def remove_friend(self, kind: FriendKind, value: str) -> None:
        """Remove a friend."""
        removed = self._friends.find(kind, value)
        self._friends.remove(kind, value)
        self._apply_friends()
        if removed is not None:
            text = _("“{name}” removed from friends").format(name=value)
            self.change_reported.emit(text, lambda: self._restore_friend(removed))

    def _restore_friend(self, friend: Friend) -> None:
        self._friends.add_all([friend])
        self._apply_friends()

    def open_dialog(self) -> None:
        """Open the dialog with all friends."""
        if self.dialog is None:
            dialog = FriendsDialog(self._theme, self._window, self._services.storage.ui_state)
            dialog.save_requested.connect(self.save_friend)
            dialog.remove_requested.connect(self.remove_friend)
            self.show_dialog(dialog)
            self._show_friends()

    def _servers_with_friend(self, friend: Friend) -> list[str]:
        """Return names of the servers whose player lists contain a friend."""
        if friend.kind is FriendKind.ID:
            return []
        group = FriendGroup(patterns=(friend.value,))
        if friend.kind is FriendKind.NAME:
            group = FriendGroup(exact=frozenset((friend.value,)))
        matcher, catalogue = FriendList({"this": group}), self._server_list.catalogue
        rows = self._rows_with_friends
        lists = (catalogue.player_lists.get(row, ()) for row in rows.tolist())
        has_friend = [any(matcher.group_of(player.name) for player in players if not player.bot) for players in lists]
        return [server_name(catalogue, server) for server in rows[np.array(has_friend, np.bool_)].tolist()]

    def _fill_player_menu(self, menu: QMenu, name: str) -> None:
        found = self._friends.find(FriendKind.NAME, name)
        for group in FRIEND_GROUPS:
            title = _(FRIEND_GROUP_TITLES[group])
            if found is None:
                text = _("Add to {group}").format(group=title)
            else:
                text = _("Move to {group}").format(group=title)
            if found is None or found.group != group:
                menu.addAction(text, partial(self.save_friend, Friend(FriendKind.NAME, name, group, time.time())))
        if found is not None:
            menu.addAction(_("Remove"), partial(self.toggle_friend, name))
        menu.addSeparator()

    def _matching_pattern(self, name: str) -> Friend | None:
        patterns = (each for each in self._friends if each.kind is FriendKind.PATTERN)
        return next((each for each in patterns if _pattern_matches(each.value, name)), None)

    def _apply_friends(self) -> None:
        self._services.launcher.notify_lists_changed()
        self._server_list.rescore()
        self._show_friends()
        self.friends_changed.emit()

    def _on_servers_changed(self, changes: ChangeSet) -> None:
        """Update the friends shown if a server with friends has changed.

        That is one with friends now or before.
        """
        if self.dialog is not None:
            has_friends = self._server_list.catalogue.friends[changes.ids] > 0
            if has_friends.any() or np.isin(changes.ids, self._rows_with_friends).any():
                self._show_friends()

    def _show_friends(self) -> None:
        if self.dialog is not None:
            self._rows_with_friends = np.flatnonzero(self._server_list.catalogue.friends > 0)
            self.dialog.show_friends(
                [(friend, ", ".join(self._servers_with_friend(friend))) for friend in self._friends]
            )


def _pattern_matches(pattern: str, name: str) -> bool:
    return FriendList({"this": FriendGroup(patterns=(pattern,))}).group_of(name) is not None
