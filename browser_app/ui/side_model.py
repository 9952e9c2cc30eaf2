"""The side list's lines as a model: titles, counts, and what is spoken of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from browser_app.language import gettext as _
from browser_app.ui.texts import tool_tip

Index = QModelIndex | QPersistentModelIndex

_SPOKEN = (
    int(Qt.ItemDataRole.DisplayRole),
    int(Qt.ItemDataRole.AccessibleTextRole),
    int(Qt.ItemDataRole.ToolTipRole),
)


class SideItem(NamedTuple):
    """One line: `key` names it, an empty key makes it a section's title."""

    key: str
    icon: str
    title: str
    servers: int
    needs_key: bool = False
    """Its servers are listed to those with a key only, and there is none."""

    @property
    def spoken(self) -> str:
        """The line in words."""
        if not self.key:
            return self.title
        if self.needs_key:
            return _("{list}, needs a key").format(list=self.title)
        return _("{list}, {n} servers").format(list=self.title, n=self.servers)


class SideModel(QAbstractListModel):
    """The lines in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.items: tuple[SideItem, ...] = ()

    def set_items(self, items: Sequence[SideItem]) -> bool:
        """Show these lines; True if other lines stand there now, and not only other counts."""
        before, self.items = self.items, tuple(items)
        if [item.key for item in before] == [item.key for item in items]:
            self.dataChanged.emit(self.index(0), self.index(len(items) - 1))
            return False
        self.beginResetModel()
        self.endResetModel()
        return True

    def item(self, index: Index) -> SideItem:
        """The line at an index."""
        return self.items[index.row()]

    def index_of(self, key: str) -> QModelIndex:
        """Where a key stands; invalid if it does not."""
        return self.index(next((place for place, item in enumerate(self.items) if item.key == key), -1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """All lines, titles among them."""
        return 0 if parent.isValid() else len(self.items)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A section's title cannot be chosen."""
        if index.isValid() and self.item(index).key:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text and speech; the list paints from `item`."""
        if role not in _SPOKEN:
            return None
        item = self.item(index)
        return item.title if role == _SPOKEN[0] else tool_tip(item.spoken) if role == _SPOKEN[2] else item.spoken
