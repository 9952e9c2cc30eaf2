"""The balance: two even teams from the players of a server or from pasted ones, with as few moves as that takes."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.bridge.background import Background
from browser_app.language import gettext as _
from browser_app.rating.errors import MatchError
from browser_app.storage.kept import Kept
from browser_app.ui.check_box import CheckBox
from browser_app.ui.controls import Button, Hairline, Text
from browser_app.ui.dialogs.dialog import SizedDialog
from browser_app.ui.skill.fair import team_list
from browser_app.ui.skill.fair.chance_scale import ChanceScale
from browser_app.ui.skill.fair.even_teams import EvenTeams, even_teams
from browser_app.ui.skill.fair.fair_words import (
    as_text,
    chances_words,
    count_words,
    end_words,
    mean_words,
    swaps_words,
)
from browser_app.ui.skill.fair.line_up import LineUp, Seat, Wanted, seat_of
from browser_app.ui.skill.fair.paste import read_pasted
from browser_app.ui.skill.fair.paste_dialog import PasteDialog
from browser_app.ui.skill.fair.roster import Roster
from browser_app.ui.skill.fair.swap_lines import SwapLines
from browser_app.ui.skill.fair.team_lines import team_lines
from browser_app.ui.skill.fair.team_list import TeamList
from browser_app.ui.skill.selectable import selectable, sentence
from browser_app.ui.skill.team_titles import numbered_title
from browser_app.ui.theme import Theme

_SIZE = QSize(820, 600)
_BOLD = QFont.Weight.DemiBold
_CHANGES: Mapping[str, Callable[[Seat, int], Seat]] = {
    team_list.MOVE: lambda seat, team: replace(seat, team=1 - team, locked=True),
    team_list.LOCK: lambda seat, team: replace(seat, team=team, locked=not seat.locked),
    team_list.CHAIR: lambda seat, team: replace(seat, team=team, commands=not seat.commands),
    team_list.WISH: lambda seat, team: replace(seat, wishes=None if seat.wishes == team else team),
}
"""What is done with somebody who is shown on a team."""


class BalanceDialog(SizedDialog):
    """Every change is balanced anew, beside the window.

    Signals:
        told: news for the status line.
    """

    told = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept, roster: Roster, system: str, line_up: LineUp) -> None:
        super().__init__(theme, parent, kept, "balance", _("Balance"), _SIZE)
        self._roster, self._system, self._line_up = roster, system, line_up
        self.result_shown: EvenTeams | None = None
        self._asked = 0
        self._background = Background()
        self.count = Text(theme, role="text2")
        self.chances = selectable(Text(theme, size=22, weight=_BOLD))
        self.about = selectable(Text(theme, role="text2"))
        self.scale = ChanceScale(theme)
        names = [numbered_title(name, place) for place, name in enumerate(line_up.teams)]
        self.titles = [Text(theme, name, weight=_BOLD) for name in names]
        self.means = [selectable(Text(theme, role="text2", size=12)) for _team in names]
        self.lists = [TeamList(theme, name) for name in names]
        self.fewest = Text(theme, _("The fewest moves, best first"), role="text2", size=12, weight=_BOLD)
        self.swaps = SwapLines(theme)
        self.end = sentence(theme)
        self.paste = Button(theme, _("Paste players…"))
        self.boxes = [
            CheckBox(theme, words) for words in (_("friends together"), _("mind wishes"), _("commanders stay"))
        ]
        self.close_button = Button(theme, _("Close"))
        self.copy = Button(theme, _("Copy as text"), "copy", accented=True)
        self._lay_out()
        self._connect()
        self._balance()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.chances)
        head.addWidget(self.about, 1)
        teams = QHBoxLayout()
        teams.setSpacing(28)
        for team in (0, 1):
            teams.addLayout(self._team(team), 1)
        inside = QVBoxLayout()
        inside.setContentsMargins(24, 12, 24, 12)
        inside.setSpacing(4)
        inside.addWidget(self.count)
        inside.addLayout(head)
        inside.addWidget(self.scale)
        inside.addSpacing(8)
        inside.addLayout(teams, 1)
        inside.addSpacing(6)
        inside.addWidget(self.fewest)
        inside.addWidget(self.swaps)
        inside.addWidget(self.end)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(inside, 1)
        column.addWidget(Hairline(self._theme))
        column.addLayout(self._buttons())

    def _team(self, team: int) -> QVBoxLayout:
        title = QHBoxLayout()
        title.addWidget(self.titles[team], 1)
        title.addWidget(self.means[team])
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addLayout(title)
        column.addWidget(self.lists[team], 1)
        return column

    def _buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(24, 12, 24, 12)
        row.setSpacing(8)
        row.addWidget(self.paste)
        for box in self.boxes:
            row.addWidget(box)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.copy)
        return row

    def _connect(self) -> None:
        for team, players in enumerate(self.lists):
            players.wanted.connect(lambda action, player, team=team: self.change(action, player, team))
            players.dropped.connect(lambda player, team=team: self.change(team_list.MOVE, player, 1 - team))
        for box in self.boxes:
            box.setChecked(True)
            box.toggled.connect(self._balance)
        self.paste.clicked.connect(self.open_paste)
        self.close_button.clicked.connect(self.reject)
        self.copy.clicked.connect(self._copy)

    def change(self, action: str, player: str, team: int) -> None:
        """Do something with a player who is shown on a team."""
        if action == team_list.REMOVE:
            self._line_up = self._line_up.without(player)
        else:
            self._line_up = self._line_up.changed(player, lambda seat: _CHANGES[action](seat, team))
        self._balance()

    def open_paste(self) -> None:
        """Ask who is to play."""
        dialog = PasteDialog(self._theme, self, self._kept, lambda text: count_words(self._pasted(text)))
        dialog.pasted.connect(self.take)
        dialog.open()

    def take(self, text: str) -> None:
        """These play."""
        self._line_up = self._pasted(text)
        self._balance()

    def _pasted(self, text: str) -> LineUp:
        """Who a text names; the word for oneself, as the lists have it, is the user."""
        line_up, named = self._line_up, read_pasted(text, self._line_up.teams)
        if line_up.me:
            me = _("you").casefold()
            named = [replace(each, text=line_up.me) if each.text.casefold() == me else each for each in named]
        return line_up.with_seats([seat_of(each, self._roster, line_up.mode) for each in named])

    def _balance(self) -> None:
        """Make the teams anew; of several wishes the last one is shown."""
        self._asked += 1
        asked, run, line_up = self._asked, self._roster.run, self._line_up
        wanted = Wanted(*(box.isChecked() for box in self.boxes))

        def work() -> EvenTeams | str:
            try:
                return even_teams(run, line_up, wanted)
            except MatchError as error:
                return str(error)

        self.count.setText(count_words(line_up))
        self._background.run(work, lambda result: self._show(result) if asked == self._asked else None)

    def _show(self, result: EvenTeams | str) -> None:
        if isinstance(result, str):
            self.end.setText(result)
            return
        chosen = self.lists[0].chosen() or self.lists[1].chosen()
        before = result.placed if result.before is None else result.before
        self.result_shown = result
        self.chances.setText(chances_words(result))
        self.about.setText(swaps_words(result))
        self.scale.show_chances(before, result.after)
        for team, players in enumerate(self.lists):
            players.players.set_lines(team_lines(result, team, self._system))
            self.means[team].setText(mean_words(result, team, self._system))
            players.choose(chosen)
        self.fewest.setVisible(bool(result.swaps))
        self.swaps.show_swaps(result)
        self.end.setText(end_words(result, self._system))
        self.copy.setEnabled(bool(result.line_up.seats))

    def _copy(self) -> None:
        if self.result_shown is not None:
            QGuiApplication.clipboard().setText(as_text(self.result_shown, self._system))
            self.told.emit(_("Copied"))

    def done(self, result: int) -> None:
        """Nothing is shown any more."""
        self._background.close()
        super().done(result)
