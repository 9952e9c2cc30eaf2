"""All keys (F1), made from the table of actions; any of their words finds them."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.storage.kept import Kept
from browser_app.ui.actions import Action
from browser_app.ui.controls import Button, Text
from browser_app.ui.dialogs.dialog import SizedDialog, button_row
from browser_app.ui.theme import Theme

KEY, WORDS = range(2)
_KEY_WIDTH, _ROW_HEIGHT, _FIELD_HEIGHT = 130, 26, 32


class KeysDialog(SizedDialog):
    """A key a row. Enter and Esc close it.

    Signals:
        about_wanted: the user wants to know about the program; the list is closed.
    """

    about_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget, actions: Sequence[Action], kept: Kept) -> None:
        super().__init__(theme, parent, kept, "keys", _("Keys"), QSize(520, 560))
        self.search = QLineEdit()
        self.search.setPlaceholderText(_("Search the keys"))
        self.search.setAccessibleName(_("Search the keys"))
        self.search.setMinimumHeight(_FIELD_HEIGHT)
        self.table = QTableWidget(len(actions), 2)
        self._set_up(actions)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.search)
        column.addWidget(self.table, 1)
        letters = Text(theme, _("Letters typed in the list one after the other go to the name that begins with them."))
        letters.set_role("text2")
        letters.setWordWrap(True)
        column.addWidget(letters)
        column.addLayout(self._buttons())
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self.accept)

    def _buttons(self) -> QHBoxLayout:
        about, close = Button(self._theme, _("About Ready Room…")), Button(self._theme, _("Close"))
        about.clicked.connect(self._wants_about)
        close.clicked.connect(self.accept)
        return button_row((about,), (close,))

    def _wants_about(self) -> None:
        self.accept()
        self.about_wanted.emit()

    def lines(self) -> list[tuple[str, str]]:
        """What is shown: keys and what they do."""
        return [
            (self._text(row, KEY), self._text(row, WORDS))
            for row in range(self.table.rowCount())
            if not self.table.isRowHidden(row)
        ]

    def _set_up(self, actions: Sequence[Action]) -> None:
        table = self.table
        table.setAccessibleName(_("Keys"))
        table.horizontalHeader().hide()
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(_ROW_HEIGHT)
        table.setShowGrid(False)
        table.setFrameShape(QTableWidget.Shape.NoFrame)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.horizontalHeader().resizeSection(KEY, _KEY_WIDTH)
        table.horizontalHeader().setSectionResizeMode(WORDS, QHeaderView.ResizeMode.Stretch)
        for row, action in enumerate(actions):
            key = QKeySequence(action.key).toString(QKeySequence.SequenceFormat.NativeText)
            for column, text in ((KEY, key), (WORDS, _(action.words))):
                item = QTableWidgetItem(text)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                table.setItem(row, column, item)

    def _search(self, words: str) -> None:
        for row in range(self.table.rowCount()):
            inside = f"{self._text(row, KEY)} {self._text(row, WORDS)}".casefold()
            self.table.setRowHidden(row, not all(word in inside for word in words.casefold().split()))

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""
