"""Lines of a painted list as a model: what each says, and what is spoken of it."""

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from browser_app.ui.texts import tool_tip

Index = QModelIndex | QPersistentModelIndex


class Line(Protocol):
    """One line."""

    @property
    def title(self) -> str:
        """What it is found by when somebody types."""

    @property
    def spoken(self) -> str:
        """All of it as text."""


_Line = TypeVar("_Line", bound=Line)


class LinesModel(QAbstractListModel, Generic[_Line]):
    """The lines in their order; the list paints from `lines`."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[_Line, ...] = ()

    def set_lines(self, lines: Sequence[_Line]) -> None:
        """Show these; nothing happens where they stand already."""
        if tuple(lines) != self.lines:
            self.beginResetModel()
            self.lines = tuple(lines)
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """All lines."""
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text and speech."""
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.spoken
        return tool_tip(line.spoken) if role == Qt.ItemDataRole.ToolTipRole else None
