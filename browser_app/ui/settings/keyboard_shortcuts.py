"""Keyboard shortcuts, and the dialog that lists them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence, QShortcut
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
from browser_app.ui.widgets.accessibility import row_texts
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.dialogs import SavedSizeDialog, create_button_row
from browser_app.ui.widgets.theme import Theme


@dataclass(frozen=True)
class ShortcutAction:
    """One shortcut.

    Letters have modifiers, so that typing finds a name in the list. `table_only`: it applies while the table has the
    focus, so that its key works as usual elsewhere.
    """

    name: str
    key: str
    description: str
    table_only: bool = False


SHORTCUT_GROUPS: Mapping[str, tuple[ShortcutAction, ...]] = {
    N_("Play"): (
        ShortcutAction("play", "Ctrl+P", N_("Play Now or cancel")),
        ShortcutAction("join", "Return", N_("Join the selected server"), table_only=True),
        ShortcutAction("wait", "Ctrl+Return", N_("Wait for a free slot"), table_only=True),
    ),
    N_("Selected server"): (
        ShortcutAction("favourite", "Ctrl+D", N_("Toggle favourite")),
        ShortcutAction("note", "Ctrl+E", N_("Write a note about the server")),
        ShortcutAction("alert", "Ctrl+Shift+A", N_("Set an alert for the server")),
        ShortcutAction("block", "Ctrl+B", N_("Block or unblock the server")),
        ShortcutAction("copy", "Ctrl+C", N_("Copy the server address")),
        ShortcutAction("menu", "Shift+F10", N_("Open the menu of the focused part")),
        ShortcutAction("inspect", "Ctrl+I", N_("Show or hide the inspector")),
        ShortcutAction("page_1", "Alt+1", N_("Inspector: Why")),
        ShortcutAction("page_2", "Alt+2", N_("Inspector: Players")),
        ShortcutAction("page_3", "Alt+3", N_("Inspector: Rules")),
        ShortcutAction("page_4", "Alt+4", N_("Inspector: History")),
        ShortcutAction("page_5", "Alt+5", N_("Inspector: Notes")),
    ),
    N_("List"): (
        ShortcutAction("filter", "Ctrl+F", N_("Go to the filter")),
        ShortcutAction("clear", "Ctrl+Shift+F", N_("Clear all filters")),
        ShortcutAction("save_filter", "Ctrl+S", N_("Save the active filters under a name")),
        ShortcutAction("refresh", "F5", N_("Refresh the list")),
        ShortcutAction("hold", "Space", N_("Pause or resume live sorting"), table_only=True),
        ShortcutAction("add", "Ctrl+N", N_("Add a server by address")),
        ShortcutAction("paste", "Ctrl+V", N_("Add the server on the clipboard")),
        ShortcutAction("undo", "Ctrl+Z", N_("Undo the last block or removal")),
    ),
    N_("Window"): (
        ShortcutAction("servers", "Ctrl+1", N_("Servers view")),
        ShortcutAction("skill", "Ctrl+2", N_("My Skill view")),
        ShortcutAction("next_page", "Ctrl+Tab", N_("Next My Skill page")),
        ShortcutAction("previous_page", "Ctrl+Shift+Tab", N_("Previous My Skill page")),
        ShortcutAction("next_area", "F6", N_("Next area of the window")),
        ShortcutAction("previous_area", "Shift+F6", N_("Previous area of the window")),
        ShortcutAction("side", "Ctrl+L", N_("Show names in the sidebar, or icons only")),
        ShortcutAction("masters", "Ctrl+M", N_("Show the master servers")),
        ShortcutAction("escape", "Esc", N_("Cancel, clear the filter text, or stop refreshing")),
        ShortcutAction("settings", "Ctrl+,", N_("Open settings")),
        ShortcutAction("keys", "F1", N_("Show keyboard shortcuts")),
        ShortcutAction("quit", "Ctrl+Q", N_("Quit")),
    ),
}
"""By group, in the order of the dialog."""
SHORTCUT_ACTIONS = tuple(action for actions in SHORTCUT_GROUPS.values() for action in actions)


def shortcut_key(name: str) -> str:
    """Return the key of an action, for a menu that shows it.

    Raises:
        StopIteration: there is no such action.
    """
    return next(action.key for action in SHORTCUT_ACTIONS if action.name == name)


def shortcut_text(name: str) -> str:
    """Return the key of an action as most keyboards and programs name it."""
    native = QKeySequence.SequenceFormat.NativeText
    text = QKeySequence(shortcut_key(name)).toString(native)
    return text.replace(QKeySequence("Return").toString(native), _("Enter"))


def text_with_shortcut(text: str, name: str) -> str:
    """Return a button's tooltip with the key of its action, such as `Refresh (F5)`."""
    return _("{what} ({key})").format(what=text, key=shortcut_text(name))


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
        self.table = QTableWidget(0, 2)
        self._set_up_table()
        self._fill_table([action.name for action in shortcuts])
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addWidget(self.search_field)
        column.addWidget(self.table, 1)
        letters = Label(
            theme,
            _("Type the start of a name in the list to jump to it."),
            wraps=True,
        )
        letters.set_color_role("text2")
        column.addWidget(letters)
        column.addLayout(self._create_buttons())
        self.search_field.textChanged.connect(self._filter_rows)
        self.search_field.returnPressed.connect(self.accept)

    def _create_buttons(self) -> QHBoxLayout:
        about, close = Button(self._theme, _("About Ready Room…")), Button(self._theme, _("Close"))
        about.clicked.connect(self.accept)
        about.clicked.connect(self.about_requested)
        close.clicked.connect(self.accept)
        return create_button_row((about,), (close,))

    def _set_up_table(self) -> None:
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

    def _fill_table(self, names: Collection[str]) -> None:
        """Add the groups, each with a heading."""
        for group, actions in SHORTCUT_GROUPS.items():
            self._add_heading(_(group))
            for action in actions:
                if action.name in names:
                    self._add_row(shortcut_text(action.name), _(action.description))

    def _add_heading(self, title: str) -> None:
        heading, covered = self._add_row(title, "")
        heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
        covered.setFlags(Qt.ItemFlag.NoItemFlags)  # the heading spans it; screen readers reach it nevertheless
        heading.setFont(self._theme.font(weight=QFont.Weight.DemiBold))
        self.table.setSpan(heading.row(), KEY_COLUMN, 1, 2)

    def _add_row(self, *texts: str) -> list[QTableWidgetItem]:
        row, items = self.table.rowCount(), [QTableWidgetItem(text) for text in texts]
        self.table.insertRow(row)
        for column, (item, spoken) in enumerate(zip(items, row_texts(("", ""), texts), strict=True)):
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            self.table.setItem(row, column, item)
        return items

    def _filter_rows(self, query: str) -> None:
        """Hide rows without the words, and headings without rows."""
        has_rows = False
        for row in reversed(range(self.table.rowCount())):
            key, description = self._cell_text(row, KEY_COLUMN), self._cell_text(row, DESCRIPTION_COLUMN)
            row_text = f"{key} {description}".casefold()
            shown = has_rows if not description else all(word in row_text for word in query.casefold().split())
            has_rows = bool(description) and (shown or has_rows)
            self.table.setRowHidden(row, not shown)

    def _cell_text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text() if item is not None else ""
