"""One team of a balance as a list: players are moved by dragging or by keys, locked, put into the chair, taken out."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.controls import draw_focus, draw_icon
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.fair.team_model import MIME, TeamModel
from browser_app.ui.skill.lines_model import Index
from browser_app.ui.theme import Theme

LINE, MARK, PADDING = 27, 30, 6
MOVE, LOCK, CHAIR, WISH, REMOVE = "move", "lock", "chair", "wish", "remove"
_KEYS = {
    Qt.Key.Key_M: MOVE,
    Qt.Key.Key_L: LOCK,
    Qt.Key.Key_C: CHAIR,
    Qt.Key.Key_W: WISH,
    Qt.Key.Key_Delete: REMOVE,
}
_ACTIONS = {
    MOVE: later("Move to the other team\tM"),
    LOCK: later("Lock, or unlock\tL"),
    CHAIR: later("Commands, or not\tC"),
    WISH: later("Wants this side, or not\tW"),
    REMOVE: later("Take out\tDel"),
}


_At = Callable[[int, int], QRect]


class TeamList(QListView):
    """Shows a team.

    Signals:
        wanted: what is to be done with whom: `MOVE`, `LOCK`, `CHAIR`, `WISH` or `REMOVE`, and his id.
        dropped: id of somebody who is to be on this team.
    """

    wanted = Signal(str, str)
    dropped = Signal(str)

    def __init__(self, theme: Theme, team: str) -> None:
        super().__init__()
        self.players = TeamModel()
        self.players.setParent(self)
        self.setModel(self.players)
        self.setItemDelegate(_Painter(theme, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBar(ScrollBar(theme, "raised"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QListView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(team)
        self.setAccessibleDescription(_("M moves, L locks, C commands, W wishes, Del takes out"))
        self.setMinimumHeight(3 * LINE)

    def chosen(self) -> str:
        """Id of the current player, empty for nobody."""
        index = self.currentIndex()
        return self.players.lines[index.row()].id if index.isValid() else ""

    def choose(self, player: str) -> bool:
        """Make somebody current; False where he is not on this team."""
        place = self.players.place_of(player)
        if place >= 0:
            self.setCurrentIndex(self.players.index(place))
        return place >= 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A letter does something with the current player; everything else is the list's own."""
        action = _KEYS.get(Qt.Key(event.key()))
        if action is not None and self.chosen() and not event.modifiers():
            self.wanted.emit(action, self.chosen())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with a player."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            player = self.players.lines[index.row()].id
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for action, words in _ACTIONS.items():
                menu.addAction(_(words), partial(self.wanted.emit, action, player))
            menu.popup(self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Players may be dropped."""
        _accept(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Anywhere on the list."""
        _accept(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Somebody is to be on this team."""
        player = bytes(event.mimeData().data(MIME).data()).decode()
        event.setDropAction(Qt.DropAction.CopyAction)  # the teams are made anew; the list removes nothing itself
        event.accept()
        if self.players.place_of(player) < 0:
            self.dropped.emit(player)


def _accept(event: QDragMoveEvent) -> None:
    if event.mimeData().hasFormat(MIME):
        event.acceptProposedAction()
    else:
        event.ignore()


class _Painter(QStyledItemDelegate):
    """Draws a line: the mark, the name, why, the points."""

    def __init__(self, theme: Theme, parent: TeamList) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """All are alike."""
        return QSize(0, LINE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        line, box, colors = self._list.players.lines[index.row()], QRect(option.rect), self._theme.palette
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # signs stay before their numbers
        if line.moves:
            painter.fillRect(box, colors.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("hover"))
        painter.fillRect(QRect(box.x(), box.y(), box.width(), 1), colors.color("rowline"))
        if option.state & QStyle.StateFlag.State_Selected and self._list.hasFocus():
            draw_focus(painter, box.adjusted(1, 1, -1, 0), colors.color("accent"))

        def at(left: int, width: int) -> QRect:
            return QStyle.visualRect(option.direction, box, QRect(box.x() + left, box.y(), width, box.height()))

        if line.icon:
            role = colors.accent if line.moves else colors.text2
            draw_icon(painter, line.icon, role, at(PADDING, 14), size=14)
        points = painter.fontMetrics().horizontalAdvance(line.points) + 2 * PADDING
        room = box.width() - MARK - points - PADDING
        strong = QFont.Weight.DemiBold if line.me or line.moves else QFont.Weight.Normal
        width = self._write(painter, at, MARK, room, line.title, "text1", self._theme.font(13, strong))
        self._write(painter, at, MARK + width + 4, room - width - 4, line.note, "text2", self._theme.font(12))
        painter.setFont(self._theme.font(13, QFont.Weight.Medium))
        painter.setPen(colors.color("text1"))
        side = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignRight)
        painter.drawText(
            at(box.width() - points - PADDING, points), int(side | Qt.AlignmentFlag.AlignVCenter), line.points
        )

    def _write(self, painter: QPainter, at: _At, left: int, room: int, text: str, role: str, font: QFont) -> int:
        """Write words; how wide they are."""
        if room <= 0 or not text:
            return 0
        painter.setFont(font)
        painter.setPen(self._theme.palette.color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        side = QStyle.visualAlignment(self._list.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        painter.drawText(at(left, room), int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        return painter.fontMetrics().horizontalAdvance(shown)
