"""The table's model: a permutation over the catalogue's rows, no proxy and no copy.

A model row is a place in `order`; a server's id never changes, so selection and scroll stay on their server through
every new order and every filter (a changed set of rows is told to Qt as removals and insertions at the tail, not as a
reset).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from browser_app.language import gettext as _
from browser_app.ui.columns import COLUMNS
from browser_app.ui.row import Row
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


class ServerTableModel(QAbstractTableModel):
    """Shows the servers of `order`. `rows_of` cuts rows from the catalogue in one go; `names_of` names them."""

    def __init__(
        self,
        rows_of: Callable[[Sequence[int]], list[Row]],
        names_of: Callable[[Ids], list[str]] = lambda _servers: [],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._rows_of, self._names_of = rows_of, names_of
        self.order: Ids = np.empty(0, dtype=np.int64)

    def rows(self, first: int, last: int) -> list[Row]:
        """The rows in places `first` to `last`, last included."""
        return self._rows_of(self.order[first : last + 1].tolist())

    def names(self) -> list[str]:
        """What the servers are called, top down."""
        return self._names_of(self.order)

    def place_of(self, server: int) -> int | None:
        """Where a server stands, None if it is not shown."""
        places = np.flatnonzero(self.order == server)
        return int(places[0]) if len(places) else None

    def set_order(self, order: Ids) -> None:
        """Show these servers in this order. Selection, current row and scroll stay on their servers."""
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
        """`order` holds the same servers."""
        if np.array_equal(self.order, order):
            return
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        place = np.empty(int(order.max()) + 1, dtype=np.int64)
        place[order] = np.arange(len(order))
        servers = [int(self.order[index.row()]) for index in old]
        self.order = order
        new = [self.createIndex(int(place[server]), index.column()) for server, index in zip(servers, old, strict=True)]
        self.changePersistentIndexList(old, new)
        self.layoutChanged.emit()

    def refresh(self, first: int, last: int) -> None:
        """Values changed somewhere in the places in sight."""
        last = min(last, len(self.order) - 1)
        if first <= last:
            self.dataChanged.emit(self.index(first, 0), self.index(last, len(COLUMNS) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Servers shown."""
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Columns declared."""
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        """Text, tooltip, speech and alignment of a cell; the view paints from `rows` and never comes here."""
        if role not in (_DISPLAY, _TOOL_TIP, _ACCESSIBLE, _ALIGNMENT, ID_ROLE):
            return None
        column = COLUMNS[index.column()]
        if role == _ALIGNMENT:
            return _RIGHT if column.right else _LEFT
        if role == ID_ROLE:
            return int(self.order[index.row()])
        row = self.rows(index.row(), index.row())[0]
        if role == _DISPLAY:
            return column.text(row)
        return tool_tip(column.spoken(row)) if role == _TOOL_TIP else column.spoken(row)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """The columns' titles."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == _DISPLAY:
            return _(COLUMNS[section].title)
        if role in (_ACCESSIBLE, _TOOL_TIP):
            return COLUMNS[section].name
        return (_RIGHT if COLUMNS[section].right else _LEFT) if role == _ALIGNMENT else None
