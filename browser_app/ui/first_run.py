"""What can be done at the first start, in the inspector's place: all of it can wait, nothing stands in the way."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import Button, Hairline, Surface, Text
from browser_app.ui.status_line import IconMark
from browser_app.ui.theme import Theme

WIDTH = 304


class Block(QWidget):
    """One thing that can be done: icon, headline, a sentence, a button."""

    def __init__(self, theme: Theme, icon: str, step: str, do: Callable[[], object]) -> None:
        super().__init__()
        self._what = Text(theme, weight=QFont.Weight.DemiBold)
        self._why = Text(theme, role="text2", size=12)
        self._why.setWordWrap(True)
        self.button = Button(theme, step)
        self.button.clicked.connect(do)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.addWidget(Hairline(theme), 0, 0, 1, 2)
        grid.setRowMinimumHeight(1, 6)
        grid.addWidget(IconMark(theme, icon, size=16), 2, 0, Qt.AlignmentFlag.AlignTop)
        for row, widget in enumerate((self._what, self._why), 2):
            grid.addWidget(widget, row, 1)
        grid.addWidget(self.button, 4, 1, Qt.AlignmentFlag.AlignLeft)

    def say(self, what: str, why: str) -> None:
        """What is so, and why it matters."""
        self._what.setText(what)
        self._why.setText(why)
        self.show()


class FirstRun(Surface):
    """Shown until the user turns to a server.

    Signals:
        key_wanted, skill_wanted, masters_wanted, closed: the buttons.
    """

    key_wanted = Signal()
    skill_wanted = Signal()
    masters_wanted = Signal()
    closed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "raised", "L")
        self.setAccessibleName(_("Ready to play"))
        self._bring: Callable[[], object] = lambda: None
        self.favourites = Block(theme, "star", _("Bring them in"), self._take)
        self.key = Block(theme, "key", _("Add a key…"), self.key_wanted.emit)
        self.skill = Block(theme, "gauge", _("Say who I am…"), self.skill_wanted.emit)
        self.sent = Block(theme, "globe", _("The whole list"), self.masters_wanted.emit)
        self.close_button = Button(theme, "", "close")
        self.close_button.setAccessibleName(_("Close this page"))
        self.close_button.setToolTip(_("Close this page"))
        self.close_button.clicked.connect(self.closed)
        self._lay_out(theme)
        self.favourites.hide()
        self.key.hide()
        self.show_skill(False)
        self.sent.say(
            _("What is sent"),
            _("Queries to the master servers and game servers listed here. Nothing else, to nobody else."),
        )

    def _lay_out(self, theme: Theme) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Text(theme, _("Ready to play"), size=15, weight=QFont.Weight.DemiBold))
        wait = Text(theme, _("All below can wait. Play Now works already."), role="text2", size=12)
        wait.setWordWrap(True)
        words.addWidget(wait)
        head = QHBoxLayout()
        head.addLayout(words, 1)
        head.addWidget(self.close_button, alignment=Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 14, 12)
        column.setSpacing(12)
        column.addLayout(head)
        for block in (self.favourites, self.key, self.skill, self.sent):
            column.addWidget(block)
        column.addStretch(1)
        self.setFixedWidth(WIDTH)

    def _take(self) -> None:
        self.favourites.hide()
        self._bring()

    def show_skill(self, known: bool) -> None:
        """Whether the list goes by the user's skill in any game."""
        unknown = _("Unknown, so skill does not count in the score yet. Your own round files tell it best.")
        self.skill.say(_("Your skill"), _("Known: servers whose skill is like yours come first.") if known else unknown)

    def show_found(self, found: Sequence[tuple[str, int]], bring: Callable[[], object]) -> None:
        """Favourites in the games' own files, by game; `bring` takes them over."""
        number = sum(each for _game, each in found)
        self.favourites.setVisible(number > 0)
        if number:
            self._bring = bring
            what = ngettext("{n} favourite found", "{n} favourites found", number).format(n=number)
            games = ", ".join(f"{game} ({each})" for game, each in found)
            self.favourites.say(what, _("In the files of {games}.").format(games=games))

    def show_lacking_key(self, games: Sequence[str]) -> None:
        """Games whose servers are listed to those with a key only."""
        self.key.setVisible(bool(games))
        if games:
            one = _("{game} needs a key").format(game=games[0])
            what = one if len(games) == 1 else _("{n} games need a key").format(n=len(games))
            why = _("Valve’s list of servers is open only with a Steam Web API key. It is free and stays secret.")
            self.key.say(what, why)
