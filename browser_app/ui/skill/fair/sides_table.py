"""What a game would do to my rating, a line a side: team, chance as a bar from even and as a number, changes."""

from itertools import zip_longest

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Text
from browser_app.ui.skill.fair.fair_words import side_title, side_words, win_lose
from browser_app.ui.skill.fair.outlook import Outlook, Side
from browser_app.ui.skill.numbers import chance_words
from browser_app.ui.skill.rounds.term_bar import TermBar
from browser_app.ui.skill.selectable import selectable
from browser_app.ui.theme import Theme

_BAR = 90


class SidesTable(QWidget):
    """Shows an outlook's sides; hidden where nothing can be said."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._lines = [_Line(theme) for _side in range(2)]
        title = Text(theme, _("What it would change"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(4, 1)
        grid.addWidget(title, 0, 0, 1, 5)
        for row, line in enumerate(self._lines, 1):
            for column, widget in enumerate(line.widgets):
                grid.addWidget(widget, row, column)
        self.hide()

    def show_outlook(self, outlook: Outlook | None, system: str) -> None:
        """Show one, or nothing."""
        sides = outlook.sides if outlook is not None else ()
        for line, side in zip_longest(self._lines, sides):
            line.show_side(side, system)
        self.setAccessibleName(". ".join(side_words(side, system) for side in sides))
        self.setVisible(bool(sides))


class _Line:
    """One side: team, chance as a bar from even and as a number, what it would change."""

    def __init__(self, theme: Theme) -> None:
        self._team = selectable(Text(theme, weight=QFont.Weight.Medium))
        self._bar = TermBar(theme)
        self._bar.setMaximumWidth(_BAR)
        self._chance = selectable(Text(theme))
        self._changes = selectable(Text(theme))
        self.widgets: tuple[QWidget, ...] = (self._team, self._bar, self._chance, self._changes)

    def show_side(self, side: Side | None, system: str) -> None:
        """Show a side, or nothing."""
        for widget in self.widgets:
            widget.setVisible(side is not None)
        if side is not None:
            chance = side.what.chance
            self._team.setText(side_title(side))
            self._bar.show_value(0.0 if chance is None else 2.0 * chance - 1.0)
            self._chance.setText(chance_words(chance))
            self._changes.setText(win_lose(side.what, system))
