"""Keyboard shortcuts, and the dialog that lists them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
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

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import SavedSizeDialog, make_button_row
from browser_app.ui.widgets.theme import Theme


@dataclass(frozen=True)
class ShortcutAction:
    """One shortcut.

    `table_only`: it applies while the table has the focus, so that its key can be typed elsewhere.
    """

    name: str
    key: str
    description: str
    table_only: bool = False


SHORTCUT_ACTIONS: tuple[ShortcutAction, ...] = (
    ShortcutAction("play", "P", N_("Play Now or cancel"), table_only=True),
    ShortcutAction("play_anywhere", "Ctrl+P", N_("Play Now or cancel, from anywhere")),
    ShortcutAction("join", "Return", N_("Join the selected server"), table_only=True),
    ShortcutAction("wait", "W", N_("Wait for a free slot"), table_only=True),
    ShortcutAction("favourite", "F", N_("Toggle favourite"), table_only=True),
    ShortcutAction("block", "B", N_("Block or unblock the server"), table_only=True),
    ShortcutAction("note", "N", N_("Write a note about the server"), table_only=True),
    ShortcutAction("copy", "Ctrl+C", N_("Copy the server address")),
    ShortcutAction("add", "Ctrl+N", N_("Add a server by address")),
    ShortcutAction("paste", "Ctrl+V", N_("Add the server on the clipboard")),
    ShortcutAction("filter", "Ctrl+F", N_("Go to the filter")),
    ShortcutAction("clear", "Ctrl+Shift+F", N_("Clear all filters")),
    ShortcutAction("hold", "Space", N_("Pause or resume live sorting"), table_only=True),
    ShortcutAction("inspect", "I", N_("Show or hide the inspector"), table_only=True),
    ShortcutAction("inspect_anywhere", "Ctrl+I", N_("Show or hide the inspector, from anywhere")),
    ShortcutAction("side", "Ctrl+L", N_("Show names in the sidebar, or icons only")),
    ShortcutAction("refresh", "F5", N_("Refresh the list")),
    ShortcutAction("escape", "Esc", N_("Cancel, clear the filter text, or stop scanning")),
    ShortcutAction("servers", "Ctrl+1", N_("Servers view")),
    ShortcutAction("skill", "Ctrl+2", N_("My Skill view")),
    ShortcutAction("next_page", "Ctrl+Tab", N_("Next My Skill page")),
    ShortcutAction("previous_page", "Ctrl+Shift+Tab", N_("Previous My Skill page")),
    ShortcutAction("settings", "Ctrl+,", N_("Open settings")),
    ShortcutAction("keys", "F1", N_("Show keyboard shortcuts")),
)
"""In the order of the dialog."""


class ShortcutRegistry:
    """Connects the actions with their handlers, which may be registered one by one."""

    def __init__(self, window: QWidget, table: QWidget) -> None:
        self._window, self._table = window, table
        self._shortcuts: dict[str, QShortcut] = {}

    def register(self, handlers: Mapping[str, Callable[[], object]]) -> None:
        """Register handlers by action name.

        Raises:
            KeyError: there is no such action.
        """
        by_name = {action.name: action for action in SHORTCUT_ACTIONS}
        for name, handler in handlers.items():
            action = by_name[name]
            shortcut = QShortcut(QKeySequence(action.key), self._table if action.table_only else self._window)
            if action.table_only:
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.setAutoRepeat(False)  # held down, it would toggle repeatedly
            shortcut.activated.connect(handler)
            self._shortcuts[name] = shortcut

    def registered_actions(self) -> list[ShortcutAction]:
        """Return the actions that have a handler."""
        return [action for action in SHORTCUT_ACTIONS if action.name in self._shortcuts or action.name == "join"]


KEY_COLUMN, DESCRIPTION_COLUMN = range(2)
_KEY_WIDTH, _SHORTCUT_ROW_HEIGHT, _FIELD_HEIGHT = 130, 26, 32


class ShortcutsDialog(SavedSizeDialog):
    """One row per shortcut; Enter and Esc close it.

    Signals:
        about_requested: open the dialog about the program instead.
    """

    about_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget, shortcuts: Sequence[ShortcutAction], ui_state: UiState) -> None:
        super().__init__(theme, parent, ui_state, "keys", _("Keyboard shortcuts"), QSize(520, 560))
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText(_("Search shortcuts"))
        self.search_field.setAccessibleName(_("Search shortcuts"))
        self.search_field.setMinimumHeight(_FIELD_HEIGHT)
        self.table = QTableWidget(len(shortcuts), 2)
        self._set_up_table(shortcuts)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.search_field)
        column.addWidget(self.table, 1)
        letters = Label(
            theme,
            _("Type the start of a name in the list to jump to it. Hold Shift if the first letter is a shortcut."),
            wraps=True,
        )
        letters.set_color_role("text2")
        column.addWidget(letters)
        column.addLayout(self._make_buttons())
        self.search_field.textChanged.connect(self._filter_rows)
        self.search_field.returnPressed.connect(self.accept)

    def _make_buttons(self) -> QHBoxLayout:
        about, close = Button(self._theme, _("About Ready Room…")), Button(self._theme, _("Close"))
        about.clicked.connect(self.accept)
        about.clicked.connect(self.about_requested)
        close.clicked.connect(self.accept)
        return make_button_row((about,), (close,))

    def _set_up_table(self, shortcuts: Sequence[ShortcutAction]) -> None:
        table = self.table
        table.setAccessibleName(_("Keyboard shortcuts"))
        table.horizontalHeader().hide()
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(_SHORTCUT_ROW_HEIGHT)
        table.setShowGrid(False)
        table.setFrameShape(QTableWidget.Shape.NoFrame)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.horizontalHeader().resizeSection(KEY_COLUMN, _KEY_WIDTH)
        table.horizontalHeader().setSectionResizeMode(DESCRIPTION_COLUMN, QHeaderView.ResizeMode.Stretch)
        for row, action in enumerate(shortcuts):
            key = QKeySequence(action.key).toString(QKeySequence.SequenceFormat.NativeText)
            for column, text in ((KEY_COLUMN, key), (DESCRIPTION_COLUMN, _(action.description))):
                item = QTableWidgetItem(text)
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                table.setItem(row, column, item)

    def _filter_rows(self, query: str) -> None:
        for row in range(self.table.rowCount()):
            row_text = f"{self._cell_text(row, KEY_COLUMN)} {self._cell_text(row, DESCRIPTION_COLUMN)}".casefold()
            self.table.setRowHidden(row, not all(word in row_text for word in query.casefold().split()))

    def _cell_text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""
