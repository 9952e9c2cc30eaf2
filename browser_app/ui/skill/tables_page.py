"""The tables whose columns have names: what was said of each, to be changed or forgotten."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.storage.column_maps import KeptMap
from browser_app.ui.controls import Button, Text
from browser_app.ui.skill.column_words import file_words, map_words
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

_PLACE = Qt.ItemDataRole.UserRole
_NAME_WIDTH = 200


class TablesPage(QWidget):
    """A line each kind of table.

    Signals:
        change_wanted, forget_wanted: a `KeptMap`.
    """

    change_wanted = Signal(object)
    forget_wanted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.about = Text(theme, role="text2", size=12)
        self.about.setWordWrap(True)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels([_("Table"), _("Which column is which")])
        self.tree.setAccessibleName(_("Tables"))
        self.tree.setRootIsDecorated(False)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setColumnWidth(0, _NAME_WIDTH)
        self.change = Button(theme, _("Change…"))
        self.forget = Button(theme, _("Forget"), "close")
        self._maps: tuple[KeptMap, ...] = ()
        self._lay_out()
        self.tree.currentItemChanged.connect(self._enable)
        self.tree.itemActivated.connect(lambda: self._ask(self.change_wanted))
        self.change.clicked.connect(lambda: self._ask(self.change_wanted))
        self.forget.clicked.connect(lambda: self._ask(self.forget_wanted))
        self.show_maps(())

    def show_maps(self, maps: Sequence[KeptMap]) -> None:
        """Show these."""
        before = self.chosen()
        self._maps = tuple(maps)
        self.tree.clear()
        for place, each in enumerate(maps):
            words = map_words(each.column_map)
            item = QTreeWidgetItem(self.tree, [file_words(each.file), words])
            item.setToolTip(0, tool_tip(", ".join(map(file_words, each.columns))))
            item.setToolTip(1, tool_tip(words))
            item.setData(0, _PLACE, place)
            if before is not None and set(before.columns) == set(each.columns):
                self.tree.setCurrentItem(item)
        self.about.setText(
            _("Of these tables you have said which column is which; others with the same columns are read like them.")
            if maps
            else _("You have not been asked about the columns of any table yet.")
        )
        self._enable()

    def chosen(self) -> KeptMap | None:
        """What the current line shows."""
        item = self.tree.currentItem()
        return None if item is None else self._maps[item.data(0, _PLACE)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete forgets the chosen one."""
        if event.key() == Qt.Key.Key_Delete:
            self._ask(self.forget_wanted)
        else:
            super().keyPressEvent(event)

    def _enable(self) -> None:
        for button in (self.change, self.forget):
            button.setEnabled(self.tree.currentItem() is not None)

    def _ask(self, signal: SignalInstance) -> None:
        chosen = self.chosen()
        if chosen is not None:
            signal.emit(chosen)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.change)
        buttons.addWidget(self.forget)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.about)
        column.addWidget(self.tree, 1)
        column.addLayout(buttons)
