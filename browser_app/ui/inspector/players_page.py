"""Inspector page with a server's players."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from browser_app.catalogue.server_info import ServerInfo
from browser_app.language import gettext as _
from browser_app.ui.inspector.inspector_page_base import (
    LIST_LINE_HEIGHT,
    LIST_MARGIN,
    InspectorListDelegate,
    InspectorListPage,
    InspectorListView,
)
from browser_app.ui.inspector.player_list_text import FriendLookup, PlayerLine, player_lines, players_headline
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import (
    Button,
    Label,
    Separator,
    draw_elided_text,
    draw_icon,
    mirrored_rect,
)
from browser_app.ui.widgets.box_layouts import Stretch, fill_box
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme

PLAYER_NAME_LEFT = 36
"""Start of the names, px: space for the friend icon is before them."""


class PlayerListView(InspectorListView[PlayerLine]):
    """The list of players by team, whose headings cannot be selected."""

    def __init__(self, theme: Theme) -> None:
        model = PaintedListModel[PlayerLine](
            lambda line: (line.is_heading, line.name), lambda line: not line.is_heading
        )
        super().__init__(_("Players"), model)
        self.setItemDelegate(_PlayerDelegate(theme, self))

    def player_mark_at(self, event: QMouseEvent) -> PlayerLine | None:
        """Return the player whose friend icon is under the pointer.

        None if they cannot be a friend.
        """
        where = event.position().toPoint()
        mark = mirrored_rect(self.viewport(), QRect(0, where.y(), PLAYER_NAME_LEFT, 1))
        line = self.list_model.item_at(self.indexAt(where)) if mark.contains(where) else None
        return line if line is not None and line.can_be_friend else None


class _PlayerDelegate(InspectorListDelegate):
    """Paints a row: friend icon, name, marks, score, and time or ping."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one row."""
        line, box = self._list.list_model.items[index.row()], QRect(option.rect)
        inner = box.adjusted(LIST_MARGIN, 0, -LIST_MARGIN, 0)
        if line.is_heading:
            self._draw_text(painter, inner, line.name, "text2", 12, QFont.Weight.DemiBold)
            self._draw_text(painter, inner, line.time_or_ping, "text2", 12, right=True)
            return
        self.draw_background(painter, option)
        hovered, colors = bool(option.state & QStyle.StateFlag.State_MouseOver), self._theme.palette
        if line.group or (hovered and line.can_be_friend):
            mark = QRect(LIST_MARGIN, box.y(), 14, LIST_LINE_HEIGHT)
            color = colors.friend if line.group else colors.border
            draw_icon(painter, "friend", color, mirrored_rect(self._list.viewport(), mark), size=14)
        self._draw_player(painter, inner.adjusted(PLAYER_NAME_LEFT - LIST_MARGIN, 0, 0, 0), line)

    def _draw_player(self, painter: QPainter, box: QRect, line: PlayerLine) -> None:
        space = box.adjusted(0, 0, -110, 0)
        weight = QFont.Weight.DemiBold if line.group else QFont.Weight.Normal
        end = self._draw_text(painter, space, line.title, "text1" if line.name else "text2", 13, weight)
        self._draw_text(painter, space.adjusted(end + 4, 1, 0, 0), line.marks_text, "text2", 11)
        self._draw_text(painter, box.adjusted(0, 0, -66, 0), line.score, "text1", 13, right=True)
        self._draw_text(painter, box, line.time_or_ping, "text2", 13, right=True)

    def _draw_text(
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
        font, color = self._theme.font(size, weight), self._theme.palette.color(role)
        return draw_elided_text(painter, self._list.viewport(), box, text, font, color, align_right=right)


class PlayersPage(InspectorListPage):
    """The page of the last player list.

    Signals:
        friend_toggle_requested: name of a player to add to the friends or to remove.
        player_menu_requested: a player's menu, to be extended before it opens, and the name.
        friends_dialog_requested: open the list of friends.

    Attributes:
        friend_lookup: returns a player's friend group.
    """

    friend_toggle_requested = Signal(str)
    player_menu_requested = Signal(QMenu, str)
    friends_dialog_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        self.list_view = PlayerListView(theme)
        super().__init__(self.list_view)
        self.friend_lookup: FriendLookup = lambda _player: None
        self._theme = theme
        self._headline_label = Label(theme, role="text2", size=12, wraps=True)
        self._last_column_label = Label(theme, role="text2", size=12)
        self.copy_button = Button(theme, _("Copy all"), "copy")
        self.friends_button = Button(theme, _("Friends…"), "friend")
        self._table = QWidget()
        self._build_layout()
        self.list_view.viewport().installEventFilter(self)
        self.copy_button.clicked.connect(lambda: self.copy_text("\n".join(self.line_texts())))
        self.friends_button.clicked.connect(self.friends_dialog_requested)
        self.setAccessibleName(_("Players"))

    def _build_layout(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(LIST_MARGIN, 0, LIST_MARGIN, 0)
        head.addSpacing(PLAYER_NAME_LEFT - LIST_MARGIN)  # a margin would not be mirrored
        name, score = (Label(self._theme, text, role="text2", size=12) for text in (_("Name"), _("Points")))
        self._last_column_label.setFixedWidth(66)
        self._last_column_label.setAlignment(Qt.AlignmentFlag.AlignRight)
        head.addWidget(name, 1)
        head.addWidget(score)
        head.setSpacing(0)
        head.addWidget(self._last_column_label)
        fill_box(QVBoxLayout(self._table), head, Separator(self._theme), self.list_view, spacing=4)
        buttons = fill_box(
            QHBoxLayout(), self.copy_button, self.friends_button, Stretch(), margins=(LIST_MARGIN, 8, LIST_MARGIN, 12)
        )
        self._headline_label.setContentsMargins(LIST_MARGIN, 0, LIST_MARGIN, 0)
        fill_box(QVBoxLayout(self), self._headline_label, self._table, buttons, Stretch(), margins=(0, 10, 0, 0))

    def show_players(self, info: ServerInfo | None, *, is_querying: bool, team_names: Mapping[int, str]) -> None:
        """Show the players of an answer.

        Args:
            info: the last answer, None if there was none.
            is_querying: a new answer is on its way.
            team_names: names of team numbers.
        """
        players = (info.player_list if info else None) or ()
        times = any(player.time_on_server_s is not None for player in players)
        self.list_view.show_items(player_lines(players, self.friend_lookup, team_names=team_names, times=times))
        self._last_column_label.setText(_("Time") if times else _("Ping"))
        self._headline_label.setText(players_headline(info, is_querying=is_querying))
        self._table.setVisible(bool(players))
        self.copy_button.setVisible(bool(players))
        update_texts(self, description=self._headline_label.text())

    def line_texts(self) -> list[str]:
        """Return the page's content as text."""
        return [self._headline_label.text(), *(line.accessible_text for line in self.list_view.list_model.items)]

    def text_to_copy(self) -> str:
        """Return the selected player's name."""
        line = self.list_view.selected_item()
        return "" if line is None else line.name

    def fill_menu(self, menu: QMenu, index: ModelIndex) -> None:
        """Add the friend groups and copying."""
        line = self.list_view.list_model.item_at(index)
        if line is None or not line.name:
            return
        if line.can_be_friend:
            self.player_menu_requested.emit(menu, line.name)
        menu.addAction(_("Copy name"), lambda: self.copy_text(line.name))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Toggle a friend by a click on the icon or Space.

        The base class's keys work, too.
        """
        line = None
        if watched is self.list_view and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            line = self.list_view.selected_item() if event.key() == Qt.Key.Key_Space and not event.modifiers() else None
        elif watched is self.list_view.viewport() and isinstance(event, QMouseEvent):
            released = event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton
            line = self.list_view.player_mark_at(event) if released else None
        if line is not None and line.can_be_friend:
            self.friend_toggle_requested.emit(line.name)
            return watched is self.list_view
        return super().eventFilter(watched, event)
