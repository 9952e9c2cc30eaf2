"""The lines of the players' page: a list with keys, speech and a menu; a click on a line's mark makes a friend."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus, draw_icon, placed
from browser_app.ui.line_list import LINE, MARGIN, LineList
from browser_app.ui.player_lines import PlayerLine
from browser_app.ui.side_model import Index
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

NAME_AT = 36
"""Names stand behind the room for a friend's mark."""


class PlayersModel(QAbstractListModel):
    """The lines as a model."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[PlayerLine, ...] = ()

    def set_lines(self, lines: Sequence[PlayerLine]) -> bool:
        """Show these; True if others stand there now, and not only other numbers."""
        before, self.lines = self.lines, tuple(lines)
        if [(line.title, line.name) for line in before] == [(line.title, line.name) for line in lines]:
            if before != self.lines:
                self.dataChanged.emit(self.index(0), self.index(len(lines) - 1))
            return False
        self.beginResetModel()
        self.endResetModel()
        return True

    def place_of(self, name: str) -> int:
        """Where a player stands, -1 for nowhere."""
        return next((place for place, line in enumerate(self.lines) if not line.title and line.name == name), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """All lines, titles among them."""
        return 0 if parent.isValid() else len(self.lines)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A title cannot be chosen."""
        if index.isValid() and not self.lines[index.row()].title:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """Text and speech; the list paints from `lines`."""
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.shown
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.text
        return tool_tip(line.text) if role == Qt.ItemDataRole.ToolTipRole and not line.title else None


class PlayersList(LineList):
    """The players, by team."""

    def __init__(self, theme: Theme, model: PlayersModel) -> None:
        super().__init__(_("Players"))
        self._lines = model
        model.setParent(self)
        self.setModel(model)
        self.setItemDelegate(_PlayerPainter(theme, self, model))

    def show_lines(self, lines: Sequence[PlayerLine]) -> None:
        """Show these; the chosen player stays chosen."""
        chosen = self.chosen()
        if self._lines.set_lines(lines):
            self.stand_anew(len(lines), self._lines.place_of(chosen.name) if chosen is not None else -1)

    def chosen(self) -> PlayerLine | None:
        """The chosen player."""
        return self.line_at(self.currentIndex())

    def line_at(self, index: Index) -> PlayerLine | None:
        """The player at an index, None for a title or for nobody."""
        line = self._lines.lines[index.row()] if index.isValid() else None
        return None if line is None or line.title else line

    def mark_at(self, event: QMouseEvent) -> PlayerLine | None:
        """The player whose mark is under the pointer; who cannot be a friend has none."""
        where = event.position().toPoint()
        mark = placed(self.viewport(), QRect(0, where.y(), NAME_AT, 1))
        line = self.line_at(self.indexAt(where)) if mark.contains(where) else None
        return line if line is not None and line.can_be_friend else None


class _PlayerPainter(QStyledItemDelegate):
    """Draws a line: the mark, the name, what is to be known besides, score, and time or ping."""

    def __init__(self, theme: Theme, parent: PlayersList, model: PlayersModel) -> None:
        super().__init__(parent)
        self._theme, self._list, self._model = theme, parent, model

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """All are alike."""
        return QSize(0, LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        line, box = self._model.lines[index.row()], QRect(option.rect)
        inner = box.adjusted(MARGIN, 0, -MARGIN, 0)
        if line.title:
            self.write(painter, inner, line.name, "text2", 12, QFont.Weight.DemiBold)
            self.write(painter, inner, line.last, "text2", 12, right=True)
            return
        state, colors = option.state, self._theme.palette
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        if state & QStyle.StateFlag.State_Selected and self._list.hasFocus():
            painter.fillRect(box, colors.color("selected"))
            draw_focus(painter, box.adjusted(2, 0, -2, 0), colors.color("accent"))
        elif hovered:
            painter.fillRect(box, colors.color("hover"))
        if line.group or (hovered and line.can_be_friend):
            mark = QRect(MARGIN, box.y(), 14, LINE)
            color = colors.friend if line.group else colors.border
            draw_icon(painter, "friend", color, placed(self._list.viewport(), mark), size=14)
        self._write_player(painter, inner.adjusted(NAME_AT - MARGIN, 0, 0, 0), line)

    def _write_player(self, painter: QPainter, box: QRect, line: PlayerLine) -> None:
        room = box.adjusted(0, 0, -110, 0)
        weight = QFont.Weight.DemiBold if line.group else QFont.Weight.Normal
        end = self.write(painter, room, line.shown, "text1" if line.name else "text2", 13, weight)
        self.write(painter, room.adjusted(end + 4, 1, 0, 0), line.marks, "text2", 11)
        self.write(painter, box.adjusted(0, 0, -66, 0), line.score, "text1", 13, right=True)
        self.write(painter, box, line.last, "text2", 13, right=True)

    def write(
        self,
        painter: QPainter,
        box: QRect,
        text: str,
        role: str,
        size: int,
        weight: QFont.Weight = QFont.Weight.Normal,
        *,
        right: bool = False,
    ) -> int:
        """Draw words into a box; how wide they are."""
        painter.setFont(self._theme.font(size, weight))
        painter.setPen(self._theme.palette.color(role))
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        flags = QStyle.visualAlignment(self._list.layoutDirection(), side | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(placed(self._list.viewport(), box), int(flags), shown)
        return painter.fontMetrics().horizontalAdvance(shown)
