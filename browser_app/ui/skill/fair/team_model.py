"""One team of a balance as a list's model: who is on it, what he is worth, and why he moves or may not."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QMimeData, Qt

from browser_app.ui.skill.lines_model import Index, LinesModel

MIME = "application/x-ready-room-player"


class TeamLine(NamedTuple):
    """One player."""

    id: str
    title: str
    note: str
    """`locked`, `swap 1`, `no rounds: start value`…"""
    icon: str
    points: str
    me: bool
    moves: bool

    @property
    def spoken(self) -> str:
        """As text."""
        return ", ".join(filter(None, (self.title, self.note, self.points)))


class TeamModel(LinesModel[TeamLine]):
    """The lines; they can be dragged."""

    def place_of(self, player: str) -> int:
        """Where somebody stands, -1 for nowhere."""
        return next((place for place, line in enumerate(self.lines) if line.id == player), -1)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Players are dragged; a team is dropped on anywhere."""
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.ItemIsDropEnabled
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsDragEnabled | flag.ItemNeverHasChildren

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
