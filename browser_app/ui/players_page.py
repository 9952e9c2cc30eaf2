"""The inspector's players: who is on, who of them is a friend, and one click to make one."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from browser_app.catalogue.facts import Facts, PlayerRow
from browser_app.language import gettext as _
from browser_app.ui.controls import Button, Hairline, Text
from browser_app.ui.line_list import MARGIN
from browser_app.ui.player_lines import FriendOf, headline, lines_of
from browser_app.ui.players_list import NAME_AT, PlayersList, PlayersModel
from browser_app.ui.theme import Theme


class PlayersPage(QWidget):
    """Shows the last player list.

    Signals:
        friend_wanted: a player's name; make a friend of whoever is none, and the other way round.
        menu_wanted: the menu of a player's line, to be added to, and the player's name; then it opens.
        friends_wanted: the list of all friends.
        told: news for the status line.
        reached: how far down (px) the line is that was chosen by key.

    Attributes:
        friend_of: the user's group of friends that a player is in.
    """

    friend_wanted = Signal(str)
    menu_wanted = Signal(QMenu, str)
    friends_wanted = Signal()
    told = Signal(str)
    reached = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.friend_of: FriendOf = _nobody
        self._theme = theme
        self._headline = Text(theme, role="text2", size=12)
        self._headline.setWordWrap(True)
        self._last_title = Text(theme, role="text2", size=12)
        self._model = PlayersModel()
        self.list = PlayersList(theme, self._model)
        self.copy = Button(theme, _("Copy all"), "copy")
        self.friends = Button(theme, _("Friends…"), "friend")
        self._table = QWidget()
        self._lay_out()
        self.list.viewport().installEventFilter(self)
        self.list.installEventFilter(self)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.selectionModel().currentChanged.connect(self._reach)
        self.copy.clicked.connect(lambda: self._copy("\n".join(self.lines())))
        self.friends.clicked.connect(self.friends_wanted)
        self.setAccessibleName(_("Players"))

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN, 0, MARGIN, 0)
        head.addSpacing(NAME_AT - MARGIN)  # a margin would not turn with the direction
        name, score = (Text(self._theme, words, role="text2", size=12) for words in (_("Name"), _("Score")))
        self._last_title.setFixedWidth(66)
        self._last_title.setAlignment(Qt.AlignmentFlag.AlignRight)
        head.addWidget(name, 1)
        head.addWidget(score)
        head.setSpacing(0)
        head.addWidget(self._last_title)
        table = QVBoxLayout(self._table)
        table.setContentsMargins(0, 0, 0, 0)
        table.setSpacing(4)
        table.addLayout(head)
        table.addWidget(Hairline(self._theme))
        table.addWidget(self.list)
        buttons = QHBoxLayout()
        buttons.setContentsMargins(MARGIN, 8, MARGIN, 12)
        buttons.setSpacing(8)
        buttons.addWidget(self.copy)
        buttons.addWidget(self.friends)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 10, 0, 0)
        column.setSpacing(8)
        self._headline.setContentsMargins(MARGIN, 0, MARGIN, 0)
        column.addWidget(self._headline)
        column.addWidget(self._table)
        column.addLayout(buttons)
        column.addStretch(1)

    def show_players(self, facts: Facts | None, *, asking: bool, team_names: bool) -> None:
        """Show who is on.

        `asking`: the answer is on its way. `team_names`: team numbers are DarkPlaces' colours.
        """
        players = (facts.player_list if facts else None) or ()
        times = any(player.duration_s is not None for player in players)
        self.list.show_lines(lines_of(players, self.friend_of, team_names=team_names, times=times))
        self._last_title.setText(_("Here for") if times else _("Ping"))
        self._headline.setText(headline(facts, asking=asking))
        self._table.setVisible(bool(players))
        self.copy.setVisible(bool(players))
        self.setAccessibleDescription(self._headline.text())

    def lines(self) -> list[str]:
        """Its content as text."""
        return [self._headline.text(), *(line.text for line in self._model.lines)]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on a line's mark, F and Ctrl+C on the chosen line."""
        if watched is self.list and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._pressed(event)
        if watched is self.list and event.type() == QEvent.Type.ShortcutOverride:
            event.setAccepted(isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy))
            return event.isAccepted()  # the window's key copies the server's address
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            line = self.list.mark_at(event) if watched is self.list.viewport() else None
            if line is not None and event.type() == QEvent.Type.MouseButtonRelease:
                self.friend_wanted.emit(line.name)
        return super().eventFilter(watched, event)

    def _pressed(self, event: QKeyEvent) -> bool:
        line = self.list.chosen()
        if line is not None and event.matches(QKeySequence.StandardKey.Copy):
            self._copy(line.name)
        elif line is not None and event.key() == Qt.Key.Key_F and not event.modifiers() and not line.bot:
            self.friend_wanted.emit(line.name)
        else:
            return False
        return True

    def _open_menu(self, where: QPoint) -> None:
        line = self.list.line_at(self.list.indexAt(where))
        if line is not None:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            if not line.bot:
                self.menu_wanted.emit(menu, line.name)
            menu.addAction(_("Copy the name"), lambda: self._copy(line.name))
            menu.popup(self.list.viewport().mapToGlobal(where))

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.told.emit(_("Copied"))

    def _reach(self, current: QModelIndex) -> None:
        if current.isValid():
            self.reached.emit(self.list.mapTo(self, self.list.visualRect(current).center()).y())


def _nobody(_player: PlayerRow) -> str | None:
    return None
