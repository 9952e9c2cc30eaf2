"""A list of what the user has set, each line to be taken away."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.storage.kept import Kept
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog, button_row
from browser_app.ui.entry_tree import EntryTree
from browser_app.ui.theme import Theme

_KEY = Qt.ItemDataRole.UserRole


class EntriesDialog(SizedDialog):
    """Shows lines of some columns.

    Signals:
        remove_wanted: the keys of the lines to be taken away.
    """

    remove_wanted = Signal(list)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        kept: Kept,
        name: str,
        title: str,
        columns: Sequence[str],
        remove: str,
        empty: str,
    ) -> None:
        """`name`: what the size is kept under; `remove`: the button's words; `empty`: said where there is nothing."""
        super().__init__(theme, parent, kept, name, title, QSize(560, 360))
        self.tree = EntryTree(title, columns)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.about = Text(theme, empty, role="text2", size=12)
        self.about.setWordWrap(True)
        self.remove = Button(theme, remove, "close")
        self.close_button = Button(theme, _("Close"))
        self._lay_out()
        self.tree.itemSelectionChanged.connect(self._check)
        self.remove.clicked.connect(self._remove)
        self.close_button.clicked.connect(self.accept)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.tree, 1)
        column.addWidget(self.about)
        column.addLayout(button_row((self.remove,), (self.close_button,)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen lines away."""
        if event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)

    def show_entries(self, entries: Sequence[tuple[object, Sequence[str]]]) -> None:
        """Show these: of each its key, and its words by column."""
        chosen = self.chosen()
        self.tree.clear()
        for key, words in entries:
            item = QTreeWidgetItem(self.tree, list(words))
            item.setData(0, _KEY, key)
            item.setSelected(key in chosen)
        self.tree.fit()
        self.about.setVisible(not entries)
        self._check()

    def choose(self, keys: Sequence[object]) -> None:
        """Choose these lines and no others."""
        for place in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(place)
            if item is not None:
                item.setSelected(item.data(0, _KEY) in keys)

    def chosen(self) -> list[object]:
        """Keys of the chosen lines."""
        return [item.data(0, _KEY) for item in self.tree.selectedItems()]

    def lines(self) -> list[str]:
        """What stands there, as text."""
        items = (self.tree.topLevelItem(place) for place in range(self.tree.topLevelItemCount()))
        return [" ".join(item.text(c) for c in range(self.tree.columnCount())) for item in items if item is not None]

    def _check(self) -> None:
        self.remove.setEnabled(bool(self.tree.selectedItems()))

    def _remove(self) -> None:
        if self.tree.selectedItems():
            self.remove_wanted.emit(self.chosen())
