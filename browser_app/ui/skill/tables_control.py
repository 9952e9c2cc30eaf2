"""What was said of tables: shown on its page, changed in the dialog that asked for it, or forgotten."""

from functools import partial

from PySide6.QtCore import QObject

from browser_app.bridge.skill.imports import Imports
from browser_app.rounds.source import ColumnMap
from browser_app.rounds.table_head import TableHead
from browser_app.storage.column_maps import ColumnMaps, KeptMap
from browser_app.storage.kept import Kept
from browser_app.ui.skill.column_map_dialog import ColumnMapDialog
from browser_app.ui.skill.tables_page import TablesPage
from browser_app.ui.theme import Theme


class TablesControl(QObject):
    """Kept true: rounds that were read by a map are read again when it is changed."""

    def __init__(self, theme: Theme, page: TablesPage, maps: ColumnMaps, imports: Imports, kept: Kept) -> None:
        """Lives as long as its page."""
        super().__init__(page)
        self._theme, self._page, self._maps, self._imports, self._kept = theme, page, maps, imports, kept
        page.change_wanted.connect(self._change)
        page.forget_wanted.connect(self._forget)
        imports.mapped.connect(self._show)
        self._show()

    def _show(self) -> None:
        self._page.show_maps(self._maps.all())

    def _change(self, kept: KeptMap) -> None:
        table = TableHead(kept.columns, ())
        dialog = ColumnMapDialog(
            self._theme, self._page.window(), self._kept, kept.file, table, changed=kept.column_map
        )
        dialog.chosen.connect(partial(self._take, kept, dialog))
        dialog.open()

    def _take(self, kept: KeptMap, dialog: ColumnMapDialog, columns: ColumnMap) -> None:
        dialog.accept()
        self._maps.keep(kept.columns, columns, kept.file)
        self._imports.read_again(kept.columns)
        self._imports.mapped.emit()

    def _forget(self, kept: KeptMap) -> None:
        self._maps.forget(kept.columns)
        self._show()
