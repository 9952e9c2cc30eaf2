"""The page that lists mapped tables, with its controller."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QTreeWidgetItem, QVBoxLayout, QWidget

from browser_app.bridge.skill.round_importer import RoundImporter
from browser_app.language import gettext as _
from browser_app.rounds.csv_rounds import TablePreview
from browser_app.rounds.round_source import ColumnMap
from browser_app.storage.own_skill.column_map_store import ColumnMapStore, StoredColumnMap
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog
from browser_app.ui.skill.sources.column_map_text import column_map_text, sanitize_file_text
from browser_app.ui.widgets.basic_widgets import Button, Label
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.dialogs import EntryTree
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

_INDEX_ROLE = Qt.ItemDataRole.UserRole


class MappedTablesPage(QWidget):
    """List of the saved column maps.

    Signals:
        edit_requested, forget_requested: a `StoredColumnMap`.
    """

    edit_requested = Signal(object)
    forget_requested = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.about_label = Label(theme, role="text2", size=12, wraps=True)
        self.tree = EntryTree(_("Tables"), (_("Table"), _("Column assignment")))
        self.edit_button = Button(theme, _("Change…"))
        self.forget_button = Button(theme, _("Forget"), "close")
        self._maps: tuple[StoredColumnMap, ...] = ()
        self._build_layout()
        self.tree.currentItemChanged.connect(self._update_buttons)
        self.tree.itemActivated.connect(lambda: self._emit_for_selected(self.edit_requested))
        self.edit_button.clicked.connect(lambda: self._emit_for_selected(self.edit_requested))
        self.forget_button.clicked.connect(lambda: self._emit_for_selected(self.forget_requested))
        self.show_maps(())

    def show_maps(self, maps: Sequence[StoredColumnMap]) -> None:
        """Show these maps."""
        before = self.selected_map()
        self._maps = tuple(maps)
        self.tree.clear()
        for index, each in enumerate(maps):
            words = column_map_text(each.column_map)
            item = QTreeWidgetItem(self.tree, [sanitize_file_text(each.file), words])
            item.setToolTip(0, plain_tool_tip(", ".join(map(sanitize_file_text, each.columns))))
            item.setToolTip(1, plain_tool_tip(words))
            item.setData(0, _INDEX_ROLE, index)
            if before is not None and set(before.columns) == set(each.columns):
                self.tree.setCurrentItem(item)
        self.tree.fit_columns()
        self.about_label.setText(
            _("Saved column assignments. They apply to all tables with the same columns.")
            if maps
            else _("No column assignments saved yet.")
        )
        self._update_buttons()

    def selected_map(self) -> StoredColumnMap | None:
        """Return the selected map."""
        item = self.tree.currentItem()
        return None if item is None else self._maps[item.data(0, _INDEX_ROLE)]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Forget the selected map with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self._emit_for_selected(self.forget_requested)
        else:
            super().keyPressEvent(event)

    def _update_buttons(self) -> None:
        for button in (self.edit_button, self.forget_button):
            button.setEnabled(self.tree.currentItem() is not None)

    def _emit_for_selected(self, signal: SignalInstance) -> None:
        selected = self.selected_map()
        if selected is not None:
            signal.emit(selected)

    def _build_layout(self) -> None:
        buttons = fill_box(QHBoxLayout(), self.edit_button, self.forget_button, Stretch())
        fill_box(QVBoxLayout(self), self.about_label, Stretch(self.tree), buttons)


class MappedTablesController(QObject):
    """Edits and removes column maps.

    After an edit the affected tables are imported again.

    Signals:
        change_reported: text about a change, and a function that undoes it.
    """

    change_reported = Signal(str, object)

    def __init__(
        self, theme: Theme, page: MappedTablesPage, maps: ColumnMapStore, importer: RoundImporter, ui_state: UiState
    ) -> None:
        """Become a child of the page."""
        super().__init__(page)
        self._theme, self._page, self._maps, self._importer, self._ui_state = theme, page, maps, importer, ui_state
        page.edit_requested.connect(self._edit_map)
        page.forget_requested.connect(self._forget_map)
        importer.column_map_saved.connect(self._update_page)
        self._update_page()

    def _update_page(self) -> None:
        self._page.show_maps(self._maps.all())

    def _edit_map(self, stored_map: StoredColumnMap) -> None:
        table = TablePreview(stored_map.columns, ())
        dialog = ColumnMapDialog(
            self._theme, self._page.window(), self._ui_state, stored_map.file, table, current_map=stored_map.column_map
        )
        dialog.columns_chosen.connect(partial(self._save_map, stored_map, dialog))
        dialog.open()

    def _save_map(self, stored_map: StoredColumnMap, dialog: ColumnMapDialog, columns: ColumnMap) -> None:
        dialog.accept()
        self._maps.save(stored_map.columns, columns, stored_map.file)
        self._importer.reimport_tables(stored_map.columns)
        self._importer.column_map_saved.emit()

    def _forget_map(self, stored_map: StoredColumnMap) -> None:
        self._maps.remove(stored_map.columns)
        self._update_page()
        maps, importer = self._maps, self._importer  # undoing may outlive the page

        def undo() -> None:
            maps.save(stored_map.columns, stored_map.column_map, stored_map.file)
            importer.column_map_saved.emit()

        text = _("Columns of {file} forgotten").format(file=sanitize_file_text(stored_map.file))
        self.change_reported.emit(text, undo)
