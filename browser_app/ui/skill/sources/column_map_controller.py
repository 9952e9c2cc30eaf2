"""The controller that asks for the column map of new tables."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.application.round_imports.round_import import RoundImportResult, UnmappedTable
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.rounds.round_source import ColumnMap
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog
from browser_app.ui.widgets.theme import Theme


class ColumnMapController(QObject):
    """Opens the column map dialog, once for all tables with the same columns.

    Signals:
        table_skipped: why a table was not imported.
    """

    table_skipped = Signal(str)

    def __init__(self, theme: Theme, skill_model: SkillModel, ui_state: UiState, parent: QWidget) -> None:
        """`parent`: the widget over which the dialog opens."""
        super().__init__(parent)
        self._theme, self._skill_model, self._ui_state, self._parent = theme, skill_model, ui_state, parent
        self._pending: list[UnmappedTable] = []
        self.dialog: ColumnMapDialog | None = None
        skill_model.columns_requested.connect(self.ask_for_columns)

    def ask_for_columns(self, tables: Sequence[UnmappedTable]) -> None:
        """Queue tables for the dialog."""
        self._pending += tables
        if self.dialog is None:
            self._ask_next()

    def _ask_next(self) -> None:
        if not self._pending:
            return
        unmapped = self._pending.pop(0)
        dialog = ColumnMapDialog(self._theme, self._parent.window(), self._ui_state, unmapped.path.name, unmapped.table)
        dialog.columns_chosen.connect(partial(self._import_table, unmapped))
        dialog.accepted.connect(partial(self._on_accepted, unmapped))
        dialog.rejected.connect(partial(self._on_rejected, unmapped))
        self.dialog = dialog
        dialog.open()

    def _import_table(self, unmapped: UnmappedTable, columns: ColumnMap) -> None:
        self._skill_model.import_table(unmapped, columns, partial(self._on_imported, self.dialog))

    def _on_imported(self, dialog: ColumnMapDialog | None, results: Sequence[RoundImportResult]) -> None:
        if dialog is None or dialog is not self.dialog:  # closed in the meantime
            return
        problem = next((each.problem for each in results if each.problem), "")
        if results and not problem:
            dialog.accept()
        else:
            dialog.show_problem(problem)

    def _on_accepted(self, unmapped: UnmappedTable) -> None:
        """Import the tables with the same columns without asking."""
        self.dialog = None
        if similar := self._pop_similar(unmapped):
            self._skill_model.import_paths([each.path for each in similar])
        self._ask_next()

    def _on_rejected(self, unmapped: UnmappedTable) -> None:
        self.dialog = None
        for each in (unmapped, *self._pop_similar(unmapped)):
            self.table_skipped.emit(each.problem)
        self._ask_next()

    def _pop_similar(self, unmapped: UnmappedTable) -> list[UnmappedTable]:
        """Remove queued tables with the same columns, and return them."""
        columns = set(unmapped.table.columns)
        similar = [each for each in self._pending if set(each.table.columns) == columns]
        self._pending = [each for each in self._pending if each not in similar]
        return similar
