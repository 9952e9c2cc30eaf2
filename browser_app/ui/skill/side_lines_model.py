"""The lines of the skill view's side as a model."""

from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QModelIndex, Qt

from browser_app.ui.side_model import Index
from browser_app.ui.texts import tool_tip


class SideLine(NamedTuple):
    """One line; `number` None shows none."""

    key: str
    icon: str
    title: str
    number: int | None
    spoken: str


class SideLinesModel(QAbstractListModel):
    """The lines in their order."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[SideLine, ...] = ()

    def set_lines(self, lines: tuple[SideLine, ...]) -> bool:
        """Show these; True if other lines stand there now, and not only other words."""
        before, self.lines = self.lines, lines
        if [line.key for line in before] == [line.key for line in lines]:
            if lines:
                self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
            return False
        self.beginResetModel()
        self.endResetModel()
        return True

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """All lines."""
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text and speech; the list paints from `lines`."""
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.spoken
        return tool_tip(line.spoken) if role == Qt.ItemDataRole.ToolTipRole else None
