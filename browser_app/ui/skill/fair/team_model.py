"""One team of a balance as a list's model: who is on it, what he is worth, and why he moves or may not."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractListModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt

from browser_app.ui.texts import tool_tip

Index = QModelIndex | QPersistentModelIndex
MIME = "application/x-ready-room-player"


class TeamLine(NamedTuple):
    """One player."""

    id: str
    name: str
    note: str
    """`locked`, `swap 1`, `no rounds: start value`…"""
    icon: str
    points: str
    me: bool
    moves: bool

    @property
    def text(self) -> str:
        """As text."""
        return ", ".join(filter(None, (self.name, self.note, self.points)))


class TeamModel(QAbstractListModel):
    """The lines; they can be dragged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[TeamLine, ...] = ()

    def set_lines(self, lines: Sequence[TeamLine]) -> None:
        """Show these."""
        self.beginResetModel()
        self.lines = tuple(lines)
        self.endResetModel()

    def place_of(self, player: str) -> int:
        """Where somebody stands, -1 for nowhere."""
        return next((place for place, line in enumerate(self.lines) if line.id == player), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """All lines."""
        return 0 if parent.isValid() else len(self.lines)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Players are dragged; a team is dropped on anywhere."""
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.ItemIsDropEnabled
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsDragEnabled | flag.ItemNeverHasChildren

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text and speech; the list paints from `lines`."""
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.text
        return tool_tip(line.text) if role == Qt.ItemDataRole.ToolTipRole else None

    def mimeTypes(self) -> list[str]:  # noqa: N802 (Qt's name)
        """Players of this program only."""
        return [MIME]

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:  # noqa: N802 (Qt's name)
        """Who is dragged."""
        data = QMimeData()
        data.setData(MIME, "\n".join(self.lines[index.row()].id for index in indexes).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802 (Qt's name)
        """He goes from one team to the other."""
        return Qt.DropAction.MoveAction
