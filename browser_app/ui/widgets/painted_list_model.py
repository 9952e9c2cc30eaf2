"""A list model of items that a delegate paints, with their accessible texts."""

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt

from browser_app.ui.widgets.sorted_table_model import ModelIndex
from browser_app.ui.widgets.value_text import plain_tool_tip


class PaintedListItem(Protocol):
    """One line."""

    @property
    def title(self) -> str:
        """What it is found by when somebody types."""

    @property
    def accessible_text(self) -> str:
        """All of it as text."""


_Item = TypeVar("_Item", bound=PaintedListItem)


class PaintedListModel(QAbstractListModel, Generic[_Item]):
    """The lines in their order; the list paints from `lines`."""

    def __init__(self) -> None:
        super().__init__()
        self.items: tuple[_Item, ...] = ()

    def set_items(self, items: Sequence[_Item]) -> None:
        """Show these; nothing happens where they stand already."""
        if tuple(items) != self.items:
            self.beginResetModel()
            self.items = tuple(items)
            self.endResetModel()

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """All lines."""
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: ModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text and speech."""
        line = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.accessible_text
        return plain_tool_tip(line.accessible_text) if role == Qt.ItemDataRole.ToolTipRole else None
