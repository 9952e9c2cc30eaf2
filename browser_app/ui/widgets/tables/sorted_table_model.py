"""A table model that shows numbered rows in a given order.

A model row is a position in `order`. A row's number never changes, so selection and scroll position stay with their
rows through every new order and filter; a changed set of rows is reported to Qt as removals and insertions at the end,
not as a reset.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from browser_app.language import gettext as _
from browser_app.ui.widgets.accessibility import SILENT_CELL
from browser_app.ui.widgets.value_text import plain_tool_tip

RowNumbers = NDArray[np.int64]
ModelIndex = QModelIndex | QPersistentModelIndex

ROW_NUMBER_ROLE = int(Qt.ItemDataRole.UserRole)
# `role == Qt.ItemDataRole.X` takes ten times as long as a comparison of plain ints.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class ColumnSpec(Protocol):
    """What model and header need to know about a column."""

    @property
    def title(self) -> str:
        """Header title in English."""

    @property
    def name(self) -> str:
        """Full title in the current language, for menus and accessibility."""

    @property
    def align_right(self) -> bool:
        """Whether the content is right-aligned."""

    @property
    def icon(self) -> str:
        """Icon shown in the header instead of the title."""


class SortedTableModel(QAbstractTableModel):
    """A model of the rows numbered in `order`; subclasses provide the texts."""

    def __init__(self, columns: Sequence[ColumnSpec], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self.current_column = 0
        """The column of the cell that the user has moved to."""
        self.order: RowNumbers = np.empty(0, dtype=np.int64)

    @abstractmethod
    def cell_text(self, row: int, column: int) -> str:
        """Return a cell's visible text."""

    @abstractmethod
    def cell_accessible_text(self, row: int, column: int) -> str:
        """Return a cell's text for screen readers."""

    def row_accessible_text(self, row: int) -> str:
        """Return a whole row as one text for screen readers."""
        texts = (self.cell_accessible_text(row, column) for column in range(len(self._columns)))
        return ", ".join(dict.fromkeys(filter(None, texts)))

    def is_in_row_text(self, column: int) -> bool:  # noqa: ARG002
        """Return whether a row's accessible text has this column's value."""
        return True

    def _spoken_text(self, row: int, column: int) -> str:
        """Return what a screen reader says in a cell.

        In the first cell it is the whole row, as in `row_texts`. Another cell is silent if its value is in the text of
        the row, unless the user has moved to its column.
        """
        if column == 0:
            return self.row_accessible_text(row)
        if column != self.current_column and self.is_in_row_text(column):
            return SILENT_CELL
        return self.cell_accessible_text(row, column)

    def cell_tool_tip(self, row: int, column: int) -> str:
        """Return a cell's tooltip: by default the text for screen readers."""
        return self.cell_accessible_text(row, column)

    def row_of(self, number: int) -> int | None:
        """Return the position of a row number, None if it is not shown."""
        rows = np.flatnonzero(self.order == number)
        return int(rows[0]) if len(rows) else None

    def set_order(self, order: RowNumbers) -> None:
        """Show these row numbers in this order.

        Selection, current row and scroll position stay with their rows.
        """
        old = self.order
        if len(old) == len(order) and bool(np.array_equal(old, order)):
            return
        size = int(max(old.max(initial=-1), order.max(initial=-1))) + 1
        stays = np.zeros(size, dtype=bool)
        stays[order] = True
        remaining = old[stays[old]]
        if len(remaining) < len(old):
            self._remove_rows(remaining, old[~stays[old]])
        if len(remaining) < len(order):
            known = np.zeros(size, dtype=bool)
            known[remaining] = True
            self._append_rows(order[~known[order]])
        self._permute_rows(order)

    def _remove_rows(self, remaining: RowNumbers, gone: RowNumbers) -> None:
        self._permute_rows(np.concatenate((remaining, gone)))
        self.beginRemoveRows(QModelIndex(), len(remaining), len(remaining) + len(gone) - 1)
        self.order = remaining
        self.endRemoveRows()

    def _append_rows(self, new: RowNumbers) -> None:
        self.beginInsertRows(QModelIndex(), len(self.order), len(self.order) + len(new) - 1)
        self.order = np.concatenate((self.order, new))
        self.endInsertRows()

    def _permute_rows(self, order: RowNumbers) -> None:
        if np.array_equal(self.order, order):
            return
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        row_by_number = np.empty(int(order.max()) + 1, dtype=np.int64)
        row_by_number[order] = np.arange(len(order))
        numbers = [int(self.order[index.row()]) for index in old]
        self.order = order
        new = [
            self.createIndex(int(row_by_number[number]), index.column())
            for number, index in zip(numbers, old, strict=True)
        ]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def refresh_rows(self, first: int, last: int) -> None:
        """Report changed values in positions `first` to `last`."""
        last = min(last, len(self.order) - 1)
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self._columns) - 1))

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return the number of rows shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: ModelIndex, role: int = _DISPLAY) -> Any:
        """Return text, tooltip, accessible text or alignment of a cell.

        The view paints rows without calling this.
        """
        if role == _DISPLAY:
            return self.cell_text(index.row(), index.column())
        if role == _ACCESSIBLE:
            return self._spoken_text(index.row(), index.column())
        if role == _TOOL_TIP:
            return plain_tool_tip(self.cell_tool_tip(index.row(), index.column()))
        if role == _ALIGNMENT:
            return _RIGHT if self._columns[index.column()].align_right else _LEFT
        return int(self.order[index.row()]) if role == ROW_NUMBER_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """Return a column's title, full title or alignment."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == _DISPLAY:
            return _(column.title)
        if role in (_ACCESSIBLE, _TOOL_TIP):
            return column.name
        return (_RIGHT if column.align_right else _LEFT) if role == _ALIGNMENT else None
