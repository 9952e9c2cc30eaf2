"""The inspector's players: who is on, who of them is a friend, and one click to make one."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from browser_app.catalogue.facts import Facts, PlayerRow
from browser_app.language import gettext as _
from browser_app.ui.controls import Button, Hairline, Text
from browser_app.ui.line_list import MARGIN
from browser_app.ui.lines_page import LinesPage
from browser_app.ui.player_lines import FriendOf, headline, lines_of
from browser_app.ui.players_list import NAME_AT, PlayersList, PlayersModel
from browser_app.ui.side_model import Index
from browser_app.ui.theme import Theme


class PlayersPage(LinesPage):
    """Shows the last player list.

    Signals:
        friend_wanted: a player's name; make a friend of whoever is none, and the other way round.
        menu_wanted: the menu of a player's line, to be added to, and the player's name; then it opens.
        friends_wanted: the list of all friends.

    Attributes:
        friend_of: the user's group of friends that a player is in.
    """

    friend_wanted = Signal(str)
    menu_wanted = Signal(QMenu, str)
    friends_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        self._model = PlayersModel()
        self.list = PlayersList(theme, self._model)
        super().__init__(self.list)
        self.friend_of: FriendOf = _nobody
        self._theme = theme
        self._headline = Text(theme, role="text2", size=12)
        self._headline.setWordWrap(True)
        self._last_title = Text(theme, role="text2", size=12)
        self.copy = Button(theme, _("Copy all"), "copy")
        self.friends = Button(theme, _("Friends…"), "friend")
        self._table = QWidget()
        self._lay_out()
        self.list.viewport().installEventFilter(self)
        self.copy.clicked.connect(lambda: self.copy_text("\n".join(self.lines())))
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
        times = any(player.stay_s is not None for player in players)
        self.list.show_lines(lines_of(players, self.friend_of, team_names=team_names, times=times))
        self._last_title.setText(_("Here for") if times else _("Ping"))
        self._headline.setText(headline(facts, asking=asking))
        self._table.setVisible(bool(players))
        self.copy.setVisible(bool(players))
        self.setAccessibleDescription(self._headline.text())

    def lines(self) -> list[str]:
        """Its content as text."""
        return [self._headline.text(), *(line.text for line in self._model.lines)]

    def copied(self) -> str:
        """The chosen player's name."""
        line = self.list.chosen()
        return "" if line is None else line.name

    def fill_menu(self, menu: QMenu, index: Index) -> None:
        """Groups of friends, and the name."""
        line = self.list.line_at(index)
        if line is None or not line.name:
            return
        if line.can_be_friend:
            self.menu_wanted.emit(menu, line.name)
        menu.addAction(_("Copy the name"), lambda: self.copy_text(line.name))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on a line's mark, and F on the chosen line, besides what every page of lines has."""
        line = None
        if watched is self.list and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            line = self.list.chosen() if event.key() == Qt.Key.Key_F and not event.modifiers() else None
        elif watched is self.list.viewport() and isinstance(event, QMouseEvent):
            released = event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton
            line = self.list.mark_at(event) if released else None
        if line is not None and line.can_be_friend:
            self.friend_wanted.emit(line.name)
            return watched is self.list
        return super().eventFilter(watched, event)


def _nobody(_player: PlayerRow) -> str | None:
    return None
