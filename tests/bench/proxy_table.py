"""The table as it is usually written in Python.

`data()` per cell, sorted by a QSortFilterProxyModel's sort role.
"""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt
from PySide6.QtWidgets import QTableView

Index = QModelIndex | QPersistentModelIndex
_DISPLAY, _SORT = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.UserRole)


class PlainModel(QAbstractTableModel):
    """Rows of lists, a value a cell."""

    def __init__(self, columns: list[list[Any]]) -> None:
        super().__init__()
        self.columns = columns

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns[0])

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if role in (_DISPLAY, _SORT):
            value = self.columns[index.column()][index.row()]
            return value if role == _SORT else str(value)
        return None


class ProxyTable:
    """A view of such a model through the proxy, shown."""

    def __init__(self, columns: list[list[Any]]) -> None:
        self.model = PlainModel(columns)
        self.proxy = QSortFilterProxyModel()
        self.proxy.setDynamicSortFilter(False)
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(_SORT)
        self.proxy.setFilterKeyColumn(-1)
        self.view = QTableView()
        self.view.setModel(self.proxy)
        self.view.setSortingEnabled(False)
        self.view.resize(1280, 800)
        self.view.show()

    def resort(self, column: int, values: list[Any]) -> None:
        """New values in a column, sorted by them."""
        self.model.columns[column] = values
        self.proxy.invalidate()
        self.proxy.sort(column, Qt.SortOrder.DescendingOrder)

    def filter(self, text: str) -> None:
        """Only rows with `text` in some cell."""
        self.proxy.setFilterFixedString(text)
