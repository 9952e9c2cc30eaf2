"""The list view of one team in the balance dialog."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QPainter,
)
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.player.balanced_teams import BalancedTeams, sort_players_by_rating
from browser_app.player.team_lineup import LineupPlayer
from browser_app.ui.skill.fair_games.fair_games_text import player_points_text
from browser_app.ui.widgets.basic_widgets import ScrollBar, draw_focus_ring, draw_icon
from browser_app.ui.widgets.menus import create_menu
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel, set_up_painted_list
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme

PLAYER_MIME_TYPE = "application/x-ready-room-player"


class BalanceTeamItem(NamedTuple):
    """One player of a team as shown."""

    id: str
    title: str
    note: str
    """`locked`, `swap 1`, `no rounds: start value` and the like."""
    icon: str
    points: str
    is_own: bool
    is_moving: bool

    @property
    def accessible_text(self) -> str:
        """All texts of the item on one line."""
        return ", ".join(filter(None, (self.title, self.note, self.points)))


class BalanceTeamModel(PaintedListModel[BalanceTeamItem]):
    """List model of one team whose items can be dragged."""

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Allow players to be dragged and drops anywhere on the team."""
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.ItemIsDropEnabled
        return flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsDragEnabled | flag.ItemNeverHasChildren

    def mimeTypes(self) -> list[str]:  # noqa: N802 (Qt's name)
        """Return the type for players of this program, the only one accepted."""
        return [PLAYER_MIME_TYPE]

    def mimeData(self, indexes: Sequence[ModelIndex]) -> QMimeData:  # noqa: N802 (Qt's name)
        """Return the id of the dragged player."""
        data = QMimeData()
        data.setData(PLAYER_MIME_TYPE, "\n".join(self.items[index.row()].id for index in indexes).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:  # noqa: N802 (Qt's name)
        """Return the move action: a player goes from one team to the other."""
        return Qt.DropAction.MoveAction


def create_team_items(result: BalancedTeams, team: int, system: str) -> list[BalanceTeamItem]:
    """Return the items of a team, strongest player first."""
    swaps = {player: number for number, swap in enumerate(result.swaps, 1) for player in (swap.incoming, swap.outgoing)}
    return [_create_team_item(entry, result, team, swaps, system) for entry in sort_players_by_rating(result, team)]


def _create_team_item(
    player: LineupPlayer, result: BalancedTeams, team: int, swaps: Mapping[str, int], system: str
) -> BalanceTeamItem:
    me = player.id == result.lineup.own_id
    moves = player.team is not None and player.team != team
    notes, icon = [], ""
    if player.is_locked:
        notes, icon = [_("locked")], "lock"
    elif player.is_commander:
        notes, icon = [_("commander")], "gauge"
    elif moves and player.id in swaps:
        notes, icon = [_("swap {n}").format(n=swaps[player.id])], "swap"
    elif moves:
        notes, icon = [_("moves to even out the team sizes")], "swap"
    elif player.preferred_team is not None:
        icon = "flag"
    if player.preferred_team is not None:
        notes.append(_("wants this side") if player.preferred_team == team else _("wants the other side"))
    if player.is_friend:
        notes.append(_("friend"))
    if not player.is_known:
        notes.append(_("no rounds: initial rating"))
    name = _("you") if me else player.name
    return BalanceTeamItem(
        player.id, name, ", ".join(notes), icon, player_points_text(player, result, system), me, moves
    )


ROW_HEIGHT, ICON_WIDTH, PADDING = 27, 30, 6
MOVE, LOCK, COMMAND, PREFER, REMOVE = "move", "lock", "command", "prefer", "remove"
_ACTION_KEYS = {
    Qt.Key.Key_M: MOVE,
    Qt.Key.Key_L: LOCK,
    Qt.Key.Key_C: COMMAND,
    Qt.Key.Key_W: PREFER,
    Qt.Key.Key_Delete: REMOVE,
}
_ACTION_TITLES = {
    MOVE: N_("Move to the other team\tM"),
    LOCK: N_("Lock or unlock\tL"),
    COMMAND: N_("Toggle commander\tC"),
    PREFER: N_("Toggle side wish\tW"),
    REMOVE: N_("Remove\tDel"),
}


_RectFunction = Callable[[int, int], QRect]


class BalanceTeamView(QListView):
    """List view of one team.

    Signals:
        action_requested: the action (`MOVE`, `LOCK`, `COMMAND`, `PREFER` or `REMOVE`) and the player's id.
        player_dropped: id of a player who was dropped on this team.
    """

    action_requested = Signal(str, str)
    player_dropped = Signal(str)

    def __init__(self, theme: Theme, team: str) -> None:
        super().__init__()
        self.list_model = BalanceTeamModel(key=lambda item: item.id)
        set_up_painted_list(self, self.list_model, team)
        self.setItemDelegate(_TeamItemDelegate(theme, self))
        self.setVerticalScrollBar(ScrollBar(theme, "raised"))
        self.setDragDropMode(QListView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setAccessibleDescription(_("M: move, L: lock, C: commander, W: wish, Del: remove"))
        self.setMinimumHeight(3 * ROW_HEIGHT)

    def selected_player(self) -> str:
        """Return the id of the current player, empty if there is none."""
        item = self.list_model.item_at(self.currentIndex())
        return item.id if item is not None else ""

    def select_player(self, player: str) -> bool:
        """Make a player current; return False if they are not on this team."""
        row = self.list_model.row_of(player)
        if row >= 0:
            self.setCurrentIndex(self.list_model.index(row))
        return row >= 0

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply the letter keys to the current player; pass other keys on."""
        action = _ACTION_KEYS.get(Qt.Key(event.key()))
        if action is not None and self.selected_player() and not event.modifiers():
            self.action_requested.emit(action, self.selected_player())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of actions on a player."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            player = self.list_model.items[index.row()].id
            menu = create_menu(self, ())
            for action, words in _ACTION_TITLES.items():
                menu.addAction(_(words), partial(self.action_requested.emit, action, player))
            menu.popup(self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the first player current if none is."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self.list_model.index(0))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept players."""
        _accept_player_drag(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept a position anywhere on the list."""
        _accept_player_drag(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Report the player who was dropped."""
        player = bytes(event.mimeData().data(PLAYER_MIME_TYPE).data()).decode()
        event.setDropAction(Qt.DropAction.CopyAction)  # the teams are rebuilt; the list must not remove the row itself
        event.accept()
        if self.list_model.row_of(player) < 0:
            self.player_dropped.emit(player)


def _accept_player_drag(event: QDragMoveEvent) -> None:
    if event.mimeData().hasFormat(PLAYER_MIME_TYPE):
        event.acceptProposedAction()
    else:
        event.ignore()


class _TeamItemDelegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, parent: BalanceTeamView) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: ARG002
        """Return the same height for all rows."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one row."""
        line, box, colors = self._list.list_model.items[index.row()], QRect(option.rect), self._theme.palette
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # keeps signs before their numbers
        if line.is_moving:
            painter.fillRect(box, colors.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("hover"))
        painter.fillRect(QRect(box.x(), box.y(), box.width(), 1), colors.color("rowline"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            draw_focus_ring(painter, box.adjusted(1, 1, -1, 0), colors.color("accent"))

        def at(left: int, width: int) -> QRect:
            return QStyle.visualRect(option.direction, box, QRect(box.x() + left, box.y(), width, box.height()))

        if line.icon:
            role = colors.accent if line.is_moving else colors.text2
            draw_icon(painter, line.icon, role, at(PADDING, 14), size=14)
        points = painter.fontMetrics().horizontalAdvance(line.points) + 2 * PADDING
        free_width = box.width() - ICON_WIDTH - points - PADDING
        strong = QFont.Weight.DemiBold if line.is_own or line.is_moving else QFont.Weight.Normal
        width = self._draw_text(painter, at, ICON_WIDTH, free_width, line.title, "text1", self._theme.font(13, strong))
        self._draw_text(
            painter, at, ICON_WIDTH + width + 4, free_width - width - 4, line.note, "text2", self._theme.font(12)
        )
        painter.setFont(self._theme.font(13, QFont.Weight.Medium))
        painter.setPen(colors.color("text1"))
        side = QStyle.visualAlignment(option.direction, Qt.AlignmentFlag.AlignRight)
        painter.drawText(
            at(box.width() - points - PADDING, points), int(side | Qt.AlignmentFlag.AlignVCenter), line.points
        )

    def _draw_text(
        self, painter: QPainter, at: _RectFunction, left: int, max_width: int, text: str, role: str, font: QFont
    ) -> int:
        """Draw a text and return its width in pixels."""
        if max_width <= 0 or not text:
            return 0
        painter.setFont(font)
        painter.setPen(self._theme.palette.color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, max_width)
        side = QStyle.visualAlignment(self._list.layoutDirection(), Qt.AlignmentFlag.AlignLeft)
        painter.drawText(at(left, max_width), int(side | Qt.AlignmentFlag.AlignVCenter), shown)
        return painter.fontMetrics().horizontalAdvance(shown)
