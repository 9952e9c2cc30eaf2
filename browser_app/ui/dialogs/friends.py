"""All friends by group: add, remove, move to another group, and where they are seen now."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.storage.friends import GROUPS, Friend, FriendKind, checked_friend
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog, button_row
from browser_app.ui.entry_tree import EntryTree
from browser_app.ui.people.group_titles import GROUP_TITLES
from browser_app.ui.texts import UNKNOWN
from browser_app.ui.theme import Theme

KIND_TITLES = {
    FriendKind.NAME: later("exact name"),
    FriendKind.PATTERN: later("pattern"),
    FriendKind.ID: later("player id"),
}
_FRIEND = Qt.ItemDataRole.UserRole


class FriendsDialog(SizedDialog):
    """Shows the list; says what the user wants changed.

    Signals:
        put_wanted: a `Friend` to add or to move.
        remove_wanted: kind and value of one to let go.
    """

    put_wanted = Signal(object)
    remove_wanted = Signal(object, str)

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept) -> None:
        super().__init__(theme, parent, kept, "friends", _("Friends"), QSize(560, 420))
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("Name, or a pattern with * and ?"))
        self.field.setAccessibleName(_("Name, pattern or id of a player"))
        self.kind = QComboBox()
        self.kind.setAccessibleName(_("What it is"))
        self.group = QComboBox()
        self.group.setAccessibleName(_("Group"))
        for kind, title in KIND_TITLES.items():
            self.kind.addItem(_(title), kind)
        for group in GROUPS:
            self.group.addItem(_(GROUP_TITLES[group]), group)
        self.add = Button(theme, _("Add"), accented=True)
        self.reason = Text(theme, role="warning", size=12)
        self.tree = EntryTree(_("Friends by group"), (_("Name"), _("What it is"), _("Seen on")))
        self.move_to = QComboBox()
        self.remove = Button(theme, _("Let go"), "close")
        self.close_button = Button(theme, _("Close"))
        self._lay_out()
        self._connect()
        self._check()

    def _connect(self) -> None:
        self.field.textChanged.connect(self._guess_kind)
        self.field.textChanged.connect(self._check)
        self.kind.currentIndexChanged.connect(self._check)
        self.field.returnPressed.connect(self._add)
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.move_to.activated.connect(self._move)
        self.tree.currentItemChanged.connect(self._check)
        self.close_button.clicked.connect(self.accept)

    def _lay_out(self) -> None:
        above = QHBoxLayout()
        above.setSpacing(8)
        above.addWidget(self.field, 1)
        for widget in (self.kind, self.group, self.add):
            above.addWidget(widget)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setRootIsDecorated(True)
        self.move_to.setAccessibleName(_("Move to a group"))
        self.move_to.addItem(_("Move to…"))
        for group in GROUPS:
            self.move_to.addItem(_(GROUP_TITLES[group]), group)
        about = _(
            "Servers tell names, never ids: an id marks nobody there, and anybody can take a name. "
            "Filter: friend:yes, friend:team"
        )
        note = Text(self._theme, about, role="text2", size=12)
        note.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(above)
        column.addWidget(self.reason)
        column.addWidget(self.tree, 1)
        column.addWidget(note)
        column.addLayout(button_row((self.remove, self.move_to), (self.close_button,)))

    def show_friends(self, friends: Sequence[tuple[Friend, str]]) -> None:
        """Show them, each with the names of the servers where the friend is seen; the chosen one stays chosen."""
        chosen = self.chosen()
        self.tree.clear()
        for group in GROUPS:
            members = [(friend, where) for friend, where in friends if friend.group == group]
            title = QTreeWidgetItem(self.tree, [f"{_(GROUP_TITLES[group])} ({len(members)})"])
            title.setFlags(Qt.ItemFlag.ItemIsEnabled)
            title.setExpanded(True)
            for friend, where in sorted(members, key=lambda each: each[0].value.casefold()):
                item = QTreeWidgetItem(title, [friend.value, _(KIND_TITLES[friend.kind]), where or UNKNOWN])
                item.setData(0, _FRIEND, friend)
        self.tree.fit()
        if chosen is not None:
            self.choose(chosen)
        self._check()

    def choose(self, friend: Friend) -> None:
        """Choose a line."""
        wanted = Qt.MatchFlag.MatchFixedString | Qt.MatchFlag.MatchRecursive
        for item in self.tree.findItems(friend.value, wanted):
            found = item.data(0, _FRIEND)
            if isinstance(found, Friend) and found.kind is friend.kind:
                self.tree.setCurrentItem(item)

    def chosen(self) -> Friend | None:
        """The chosen friend."""
        item = self.tree.currentItem()
        found = item.data(0, _FRIEND) if item is not None else None
        return found if isinstance(found, Friend) else None

    def _guess_kind(self, text: str) -> None:
        if self.kind.currentData() != FriendKind.ID:
            wild = bool(set(text) & set("*?"))
            self.kind.setCurrentIndex(self.kind.findData(FriendKind.PATTERN if wild else FriendKind.NAME))

    def _check(self) -> None:
        problem = _problem(self._written())
        self.add.setEnabled(not problem)
        self.reason.setText(problem if self.field.text().strip() else "")
        self.reason.setVisible(bool(self.reason.text()))
        self.field.setAccessibleDescription(self.reason.text())
        for control in (self.remove, self.move_to):
            control.setEnabled(self.chosen() is not None)

    def _written(self) -> Friend:
        kind, group = FriendKind(self.kind.currentData()), self.group.currentData()
        return Friend(kind, self.field.text().strip(), group, time.time())

    def _add(self) -> None:
        if self.add.isEnabled():
            self.put_wanted.emit(self._written())
            self.field.clear()

    def _remove(self) -> None:
        friend = self.chosen()
        if friend is not None:
            self.remove_wanted.emit(friend.kind, friend.value)

    def _move(self, place: int) -> None:
        friend = self.chosen()
        if friend is not None and place:
            self.put_wanted.emit(Friend(friend.kind, friend.value, self.move_to.itemData(place), friend.added_at))
        self.move_to.setCurrentIndex(0)


def _problem(friend: Friend) -> str:
    """Why it cannot be an entry; empty where it can."""
    try:
        checked_friend(friend)
    except ValueError as error:
        return str(error)
    return ""
