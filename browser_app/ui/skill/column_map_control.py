"""Tables whose columns nobody has named yet: the user is asked, one kind of table after the other."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from browser_app.bridge.skill.imported import Imported, Unmapped
from browser_app.bridge.skill.panel import SkillPanel
from browser_app.rounds.source import ColumnMap
from browser_app.storage.kept import Kept
from browser_app.ui.skill.column_map_dialog import ColumnMapDialog
from browser_app.ui.theme import Theme


class ColumnMapControl(QObject):
    """Opens the dialog. Kept true: tables with the same columns are asked about once.

    Signals:
        left: why a table stays outside, in words: the user did not say which column is which.
    """

    left = Signal(str)

    def __init__(self, theme: Theme, panel: SkillPanel, kept: Kept, parent: QWidget) -> None:
        """`parent`: what the dialog stands over."""
        super().__init__(parent)
        self._theme, self._panel, self._kept, self._parent = theme, panel, kept, parent
        self._waiting: list[Unmapped] = []
        self.dialog: ColumnMapDialog | None = None
        panel.columns_wanted.connect(self.ask)

    def ask(self, tables: Sequence[Unmapped]) -> None:
        """Ask about these, after those that are asked about already."""
        self._waiting += tables
        if self.dialog is None:
            self._next()

    def _next(self) -> None:
        if not self._waiting:
            return
        asked = self._waiting.pop(0)
        dialog = ColumnMapDialog(self._theme, self._parent.window(), self._kept, asked.path.name, asked.table)
        dialog.chosen.connect(partial(self._take, asked))
        dialog.accepted.connect(partial(self._taken, asked))
        dialog.rejected.connect(partial(self._left, asked))
        self.dialog = dialog
        dialog.open()

    def _take(self, asked: Unmapped, columns: ColumnMap) -> None:
        self._panel.import_table(asked, columns, partial(self._told, self.dialog))

    def _told(self, dialog: ColumnMapDialog | None, results: Sequence[Imported]) -> None:
        if dialog is None or dialog is not self.dialog:  # it was closed meanwhile
            return
        problem = next((each.problem for each in results if each.problem), "")
        if results and not problem:
            dialog.accept()
        else:
            dialog.show_problem(problem)

    def _taken(self, asked: Unmapped) -> None:
        """The others like it go in by themselves."""
        self.dialog = None
        if like := self._like(asked):
            self._panel.import_paths([each.path for each in like])
        self._next()

    def _left(self, asked: Unmapped) -> None:
        self.dialog = None
        for each in (asked, *self._like(asked)):
            self.left.emit(each.problem)
        self._next()

    def _like(self, asked: Unmapped) -> list[Unmapped]:
        """Those with the same columns, which wait no more."""
        columns = set(asked.table.columns)
        like = [each for each in self._waiting if set(each.table.columns) == columns]
        self._waiting = [each for each in self._waiting if each not in like]
        return like
