"""A list model of items that a delegate paints, with their accessible texts."""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt
from PySide6.QtWidgets import QFrame, QListView

from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.value_text import plain_tool_tip


class PaintedListItem(Hashable, Protocol):
    """One item of a list."""

    @property
    def title(self) -> str:
        """Text that type-ahead search compares."""

    @property
    def accessible_text(self) -> str:
        """Everything the item shows, as one text."""


ListItem = TypeVar("ListItem", bound=PaintedListItem)


class PaintedListModel(QAbstractListModel, Generic[ListItem]):
    """Items in their order; the delegate paints from `items`."""

    def __init__(
        self,
        key: Callable[[ListItem], Hashable] = lambda item: item,
        is_selectable: Callable[[ListItem], bool] = lambda _item: True,
    ) -> None:
        """Create an empty model.

        Args:
            key: identifies an item; the model is reset only if the keys change.
            is_selectable: False for headings.
        """
        super().__init__()
        self.key, self._is_selectable = key, is_selectable
        self.items: tuple[ListItem, ...] = ()

    def set_items(self, items: Sequence[ListItem]) -> bool:
        """Show these items.

        Returns True if the model was reset, False if at most contents changed.
        """
        before, new = self.items, tuple(items)
        if [*map(self.key, before)] != [*map(self.key, new)]:
            self.beginResetModel()
            self.items = new
            self.endResetModel()
            return True
        self.items = new
        if new != before:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))
        return False

    def row_of(self, key: Hashable) -> int:
        """Return the row of the item with a key, -1 if there is none."""
        return next((row for row, item in enumerate(self.items) if self.key(item) == key), -1)

    def item_at(self, index: ModelIndex) -> ListItem | None:
        """Return the selectable item at an index, None for a heading or an invalid index."""
        item = self.items[index.row()] if index.isValid() else None
        return item if item is not None and self._is_selectable(item) else None

    def rowCount(self, parent: ModelIndex = QModelIndex()) -> int:  # noqa: B008
        """Return the number of items, headings included."""
        return 0 if parent.isValid() else len(self.items)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Make headings unselectable."""
        if self.item_at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: ModelIndex, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Return the title, the accessible text or the tooltip."""
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return item.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return item.accessible_text
        if role == Qt.ItemDataRole.ToolTipRole and self._is_selectable(item):
            return plain_tool_tip(item.accessible_text)
        return None


def set_up_painted_list(view: QListView, model: PaintedListModel[Any], name: str) -> None:
    """Make a view show a model's items, which its delegate paints.

    `name` is its accessible name.
    """
    model.setParent(view)
    view.setModel(model)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
    view.setUniformItemSizes(True)
    view.setMouseTracking(True)
    view.viewport().setAutoFillBackground(False)
    view.setAccessibleName(name)
