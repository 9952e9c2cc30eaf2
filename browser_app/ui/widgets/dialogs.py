"""Dialog base classes, the name dialog and the entry-list dialog."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPalette, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.language import gettext as _
from browser_app.storage.ui_state import UiState
from browser_app.ui.widgets.accessibility import row_texts
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.theme import Theme, field_style_sheet

ENTRY_COLUMN_GAP = 16
"""Space between the texts of two columns, px."""
_EMPTY_COLUMN_WIDTH = 180
"""Largest width of a column without content, px."""
_MAX_COLUMN_WIDTH = 280


class EntryTree(QTreeWidget):
    """A list of rows with columns.

    `fit_columns` adapts all but the last column to their texts; without rows, the titles share the width. A screen
    reader reads a row as one text.
    """

    def __init__(self, name: str, titles: Sequence[str]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setHeaderLabels(list(titles))
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(False)
        self.header().setStretchLastSection(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the width again while there are no rows."""
        super().resizeEvent(event)
        if not self.topLevelItemCount():
            self._share_width()

    def _share_width(self) -> None:
        width = min(_EMPTY_COLUMN_WIDTH, self.viewport().width() // self.columnCount())
        for column in range(self.columnCount()):  # the last one stretches, but never below its own width
            self.setColumnWidth(column, width)

    def fit_columns(self) -> None:
        """Adapt the column widths to the current rows."""
        if not self.topLevelItemCount():
            self._share_width()
            return
        self._set_accessible_texts(self.invisibleRootItem())
        metrics = QFontMetrics(self.header().font())
        for column in range(self.columnCount() - 1):
            title = metrics.horizontalAdvance(self.headerItem().text(column))
            needed = max(self.sizeHintForColumn(column), title)
            self.setColumnWidth(column, min(needed + ENTRY_COLUMN_GAP, _MAX_COLUMN_WIDTH))

    def _set_accessible_texts(self, parent: QTreeWidgetItem) -> None:
        titles = [self.headerItem().text(column) for column in range(self.columnCount())]
        for item in filter(None, map(parent.child, range(parent.childCount()))):
            for column, text in enumerate(row_texts(titles, [item.text(each) for each in range(len(titles))])):
                item.setData(column, Qt.ItemDataRole.AccessibleTextRole, text)
            self._set_accessible_texts(item)


class ThemedDialog(QDialog):
    """A window-modal dialog that is deleted when it is closed.

    Signals:
        undo_requested: Ctrl+Z was pressed outside a text field; the window's own shortcuts wait for the dialog.
    """

    undo_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self).activated.connect(self.undo_requested)
        theme.changed.connect(self._recolor)
        self._recolor()

    def _recolor(self) -> None:
        self.setStyleSheet("")  # a widget with a style sheet keeps its palette (see Qt on QWidget.palette)
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self._theme.palette.color("raised"))
        palette.setColor(QPalette.ColorRole.Base, self._theme.palette.color("raised"))
        self.setPalette(palette)
        self.setStyleSheet(field_style_sheet(self._theme.palette))


_Dialog = TypeVar("_Dialog", bound=QDialog)


class DialogController(QObject, Generic[_Dialog]):
    """A controller that has at most one open dialog.

    Signals:
        undo_requested: Ctrl+Z was pressed in the dialog.
    """

    undo_requested = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self.dialog: _Dialog | None = None
        """The open dialog."""

    def show_dialog(self, dialog: _Dialog) -> None:
        """Open a dialog in place of the one before; it is deleted when it is closed."""
        self.close_dialog()
        self.dialog = dialog
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(lambda: self._forget_dialog(dialog))
        if isinstance(dialog, ThemedDialog):
            dialog.undo_requested.connect(self.undo_requested)
        dialog.open()

    def close_dialog(self) -> None:
        """Close the dialog."""
        if self.dialog is not None:
            self.dialog.close()

    def _forget_dialog(self, dialog: _Dialog) -> None:
        if self.dialog is dialog:
            self.dialog = None


def create_button_row(left: Sequence[QWidget], right: Sequence[QWidget]) -> QHBoxLayout:
    """Return the bottom row of a dialog: other actions left, closing ones right.

    "Close" is the last one; "Cancel" stands before the action that it cancels.
    """
    return fill_box(QHBoxLayout(), *left, Stretch(), *right)


class SavedSizeDialog(ThemedDialog):
    """A dialog that opens in the size it had when it was last closed."""

    def __init__(
        self, theme: Theme, parent: QWidget, ui_state: UiState, state_name: str, title: str, size: QSize
    ) -> None:
        """Restore the size saved under `state_name`; `size` is the initial one."""
        super().__init__(theme, parent, title)
        self._ui_state, self._key = ui_state, f"dialog {state_name}"
        self.resize(self._saved_size(size).boundedTo(parent.screen().availableSize()))

    def done(self, result: int) -> None:
        """Save the size whichever way the dialog is closed."""
        self._ui_state.set(self._key, [self.width(), self.height()])
        super().done(result)

    def _saved_size(self, usual: QSize) -> QSize:
        saved = self._ui_state.get(self._key)
        if isinstance(saved, list) and len(saved) == 2 and all(isinstance(each, int) and each > 0 for each in saved):
            return QSize(*saved)
        return usual


_ENTRY_KEY_ROLE = Qt.ItemDataRole.UserRole


class EntryListDialog(SavedSizeDialog):
    """A dialog with a list of entries that can be removed.

    Signals:
        remove_requested: keys of the entries to remove.
    """

    remove_requested = Signal(list)

    def __init__(
        self,
        theme: Theme,
        parent: QWidget,
        ui_state: UiState,
        state_name: str,
        title: str,
        columns: Sequence[str],
        remove_text: str,
        empty_text: str,
        *,
        other_buttons: Sequence[Button] = (),
        notes: Sequence[QWidget] = (),
    ) -> None:
        """Create the dialog.

        Args:
            theme: colours and fonts.
            parent: the window it belongs to.
            ui_state: saves the size.
            state_name: key the size is saved under.
            title: of dialog and list.
            columns: column titles.
            remove_text: text of the remove button.
            empty_text: shown while there are no entries.
            other_buttons: stand before the remove button.
            notes: widgets below the list.
        """
        super().__init__(theme, parent, ui_state, state_name, title, QSize(560, 360))
        self.tree = EntryTree(title, columns)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.empty_label = Label(theme, empty_text, role="text2", size=12, wraps=True)
        self.remove_button = Button(theme, remove_text, "close")
        self.close_button = Button(theme, _("Close"))
        self._build_layout(other_buttons, notes)
        self.tree.itemSelectionChanged.connect(self._update_buttons)
        self.remove_button.clicked.connect(self._request_removal)
        self.close_button.clicked.connect(self.accept)

    def _build_layout(self, other_buttons: Sequence[Button], notes: Sequence[QWidget]) -> None:
        buttons = (*other_buttons, self.remove_button)
        fill_box(
            QVBoxLayout(self),
            Stretch(self.tree),
            self.empty_label,
            *notes,
            create_button_row(buttons, (self.close_button,)),
            margins=(16, 16, 16, 16),
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the selected entries with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self._request_removal()
        else:
            super().keyPressEvent(event)

    def show_entries(self, entries: Sequence[tuple[object, Sequence[str]]]) -> None:
        """Show entries as pairs of key and texts by column; the selection is kept by key."""
        chosen = self.selected_keys()
        self.tree.clear()
        for key, text in entries:
            item = QTreeWidgetItem(self.tree, list(text))
            item.setData(0, _ENTRY_KEY_ROLE, key)
            item.setSelected(key in chosen)
        self.tree.fit_columns()
        self.empty_label.setVisible(not entries)
        self._update_buttons()

    def select_entries(self, keys: Sequence[object]) -> None:
        """Select exactly the entries with these keys."""
        for place in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(place)
            if item is not None:
                item.setSelected(item.data(0, _ENTRY_KEY_ROLE) in keys)

    def selected_keys(self) -> list[object]:
        """Return the keys of the selected entries."""
        return [item.data(0, _ENTRY_KEY_ROLE) for item in self.tree.selectedItems()]

    def _update_buttons(self) -> None:
        self.remove_button.setEnabled(bool(self.tree.selectedItems()))

    def _request_removal(self) -> None:
        if self.tree.selectedItems():
            self.remove_requested.emit(self.selected_keys())


class FieldDialog(ThemedDialog):
    """A dialog with one text field.

    It has a message below it, and buttons to confirm and cancel. A subclass checks each text in `check_text`, which
    enables `confirm_button`, and emits its result in `emit_result`.
    """

    def __init__(self, theme: Theme, parent: QWidget, title: str, confirm_button: Button) -> None:
        super().__init__(theme, parent, title)
        self.field = QLineEdit()
        self.message_label = Label(theme, role="warning", size=12, wraps=True)
        self.confirm_button, self.cancel_button = confirm_button, Button(theme, _("Cancel"))
        self.field.returnPressed.connect(self._confirm)
        self.confirm_button.clicked.connect(self._confirm)
        self.cancel_button.clicked.connect(self.reject)

    def build_layout(self, about: Label, width: int, *below: QWidget, caption: str = "") -> None:
        """Fill a dialog of fixed width, and check the text.

        Stacks `about`, if it has a text, field, message and the widgets `below`. A `caption` stands above the field.
        """
        about.setWordWrap(True)
        captions = (Label(self._theme, caption, role="text2", size=12, wraps=True),) if caption else ()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        abouts = (about,) if about.text() else ()
        for widget in (*abouts, *captions, self.field, self.message_label, *below):
            column.addWidget(widget)
        column.addSpacing(4)
        column.addLayout(create_button_row((), (self.cancel_button, self.confirm_button)))
        self.setFixedWidth(width)
        self.field.textChanged.connect(self.check_text)
        self.check_text(self.field.text())

    def check_text(self, text: str) -> None:
        """Enable `confirm_button` if the text is valid, and show what is wrong if not."""
        raise NotImplementedError

    def emit_result(self) -> None:
        """Emit the valid text."""
        raise NotImplementedError

    def show_message(self, text: str, role: str = "warning") -> None:
        """Show a message about the text, also to screen readers."""
        self.message_label.set_color_role(role)
        self.message_label.setText(text)
        self.field.setAccessibleDescription(text)

    def _confirm(self) -> None:
        if self.confirm_button.isEnabled():
            self.emit_result()
            self.accept()


NAME_DIALOG_WIDTH = 360


class NameDialog(FieldDialog):
    """A dialog that asks for a name.

    Signals:
        name_entered: a valid name, without surrounding spaces.
    """

    name_entered = Signal(str)

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, about: str, name: str, find_problem: Callable[[str], str]
    ) -> None:
        """Create the dialog.

        `find_problem` returns what is wrong with a name, empty if it is valid.
        """
        super().__init__(theme, parent, title, Button(theme, _("Save"), accented=True))
        self._find_problem = find_problem
        self.field.setText(name)
        self.field.setAccessibleName(_("Name"))
        self.field.selectAll()
        self.build_layout(Label(theme, about, role="text2", size=12), NAME_DIALOG_WIDTH, caption=_("Name"))

    def check_text(self, text: str) -> None:
        """Show what is wrong with the name, unless it is empty."""
        problem = self._find_problem(text)
        self.show_message(problem if text.strip() else "")
        self.confirm_button.setEnabled(not problem)

    def emit_result(self) -> None:
        """Emit the name."""
        self.name_entered.emit(self.field.text().strip())
