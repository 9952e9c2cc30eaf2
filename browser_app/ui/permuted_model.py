"""The model of a table that is a permutation of numbered rows: no proxy and no copy.

A model row is a place in `order`; what is numbered never changes its number, so selection and scroll stay where they
belong through every new order and every filter (a changed set of rows is told to Qt as removals and insertions at the
tail, not as a reset).
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from browser_app.language import gettext as _
from browser_app.ui.texts import tool_tip

Ids = NDArray[np.int64]
Index = QModelIndex | QPersistentModelIndex

ID_ROLE = int(Qt.ItemDataRole.UserRole)
# `role == Qt.ItemDataRole.X` costs ten times a comparison of plain ints.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class Titled(Protocol):
    """What model and header need to know of a column."""

    @property
    def title(self) -> str:
        """In English."""

    @property
    def name(self) -> str:
        """What it is called where there is room, in the language in use."""

    @property
    def right(self) -> bool:
        """It is written at the right."""

    @property
    def icon(self) -> str:
        """Stands in the header in place of the title."""


class PermutedModel(QAbstractTableModel):
    """Shows the rows numbered in `order`; subclasses word the cells."""

    def __init__(self, columns: Sequence[Titled], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = columns
        self.order: Ids = np.empty(0, dtype=np.int64)

    @abstractmethod
    def cell_text(self, place: int, column: int) -> str:
        """What a cell shows, as text."""

    @abstractmethod
    def cell_spoken(self, place: int, column: int) -> str:
        """What a cell says to those who do not see it."""

    def place_of(self, number: int) -> int | None:
        """Where a row stands, None if it is not shown."""
        places = np.flatnonzero(self.order == number)
        return int(places[0]) if len(places) else None

    def set_order(self, order: Ids) -> None:
        """Show these in this order. Selection, current row and scroll stay on their rows."""
        old = self.order
        if len(old) == len(order) and bool(np.array_equal(old, order)):
            return
        size = int(max(old.max(initial=-1), order.max(initial=-1))) + 1
        stays = np.zeros(size, dtype=bool)
        stays[order] = True
        kept = old[stays[old]]
        if len(kept) < len(old):
            self._drop(kept, old[~stays[old]])
        if len(kept) < len(order):
            known = np.zeros(size, dtype=bool)
            known[kept] = True
            self._append(order[~known[order]])
        self._permute(order)

    def _drop(self, kept: Ids, gone: Ids) -> None:
        self._permute(np.concatenate((kept, gone)))
        self.beginRemoveRows(QModelIndex(), len(kept), len(kept) + len(gone) - 1)
        self.order = kept
        self.endRemoveRows()

    def _append(self, new: Ids) -> None:
        self.beginInsertRows(QModelIndex(), len(self.order), len(self.order) + len(new) - 1)
        self.order = np.concatenate((self.order, new))
        self.endInsertRows()

    def _permute(self, order: Ids) -> None:
        """`order` holds the same rows."""
        if np.array_equal(self.order, order):
            return
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        place = np.empty(int(order.max()) + 1, dtype=np.int64)
        place[order] = np.arange(len(order))
        numbers = [int(self.order[index.row()]) for index in old]
        self.order = order
        new = [self.createIndex(int(place[number]), index.column()) for number, index in zip(numbers, old, strict=True)]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def refresh(self, first: int, last: int) -> None:
        """Values changed somewhere in the places in sight."""
        last = min(last, len(self.order) - 1)
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(self._columns) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Rows shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Columns declared."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        """Text, tooltip, speech and alignment of a cell; the view paints from rows and never comes here."""
        if role == _DISPLAY:
            return self.cell_text(index.row(), index.column())
        if role == _ACCESSIBLE:
            return self.cell_spoken(index.row(), index.column())
        if role == _TOOL_TIP:
            return tool_tip(self.cell_spoken(index.row(), index.column()))
        if role == _ALIGNMENT:
            return _RIGHT if self._columns[index.column()].right else _LEFT
        return int(self.order[index.row()]) if role == ID_ROLE else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """The columns' titles."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == _DISPLAY:
            return _(column.title)
        if role in (_ACCESSIBLE, _TOOL_TIP):
            return column.name
        return (_RIGHT if column.right else _LEFT) if role == _ALIGNMENT else None
