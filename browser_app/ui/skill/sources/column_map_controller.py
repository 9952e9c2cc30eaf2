"""The controller that asks for the column map of new tables."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.application.round_import import RoundImportResult, UnmappedTable
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.rounds.round_source import ColumnMap
from browser_app.storage.ui_state import UiState
from browser_app.ui.skill.sources.column_map_dialog import ColumnMapDialog
from browser_app.ui.widgets.theme import Theme


class ColumnMapController(QObject):
    """Opens the dialog. Kept true: tables with the same columns are asked about once.

    Signals:
        left: why a table stays outside, in words: the user did not say which column is which.
    """

    table_skipped = Signal(str)

    def __init__(self, theme: Theme, skill_model: SkillModel, ui_state: UiState, parent: QWidget) -> None:
        """`parent`: what the dialog stands over."""
        super().__init__(parent)
        self._theme, self._skill_model, self._ui_state, self._parent = theme, skill_model, ui_state, parent
        self._pending: list[UnmappedTable] = []
        self.dialog: ColumnMapDialog | None = None
        skill_model.columns_requested.connect(self.ask_for_columns)

    def ask_for_columns(self, tables: Sequence[UnmappedTable]) -> None:
        """Ask about these, after those that are asked about already."""
        self._pending += tables
        if self.dialog is None:
            self._ask_next()

    def _ask_next(self) -> None:
        if not self._pending:
            return
        asked = self._pending.pop(0)
        dialog = ColumnMapDialog(self._theme, self._parent.window(), self._ui_state, asked.path.name, asked.table)
        dialog.columns_chosen.connect(partial(self._import_table, asked))
        dialog.accepted.connect(partial(self._on_accepted, asked))
        dialog.rejected.connect(partial(self._on_rejected, asked))
        self.dialog = dialog
        dialog.open()

    def _import_table(self, asked: UnmappedTable, columns: ColumnMap) -> None:
        self._skill_model.import_table(asked, columns, partial(self._on_imported, self.dialog))

    def _on_imported(self, dialog: ColumnMapDialog | None, results: Sequence[RoundImportResult]) -> None:
        if dialog is None or dialog is not self.dialog:  # it was closed meanwhile
            return
        problem = next((each.problem for each in results if each.problem), "")
        if results and not problem:
            dialog.accept()
        else:
            dialog.show_problem(problem)

    def _on_accepted(self, asked: UnmappedTable) -> None:
        """The others like it go in by themselves."""
        self.dialog = None
        if like := self._pop_similar(asked):
            self._skill_model.import_paths([each.path for each in like])
        self._ask_next()

    def _on_rejected(self, asked: UnmappedTable) -> None:
        self.dialog = None
        for each in (asked, *self._pop_similar(asked)):
            self.table_skipped.emit(each.problem)
        self._ask_next()

    def _pop_similar(self, asked: UnmappedTable) -> list[UnmappedTable]:
        """Those with the same columns, which wait no more."""
        columns = set(asked.table.columns)
        like = [each for each in self._pending if set(each.table.columns) == columns]
        self._pending = [each for each in self._pending if each not in like]
        return like
