"""What a game would do to my rating, in a line a side: `Marines 44 %: win +9, lose −14`."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Text
from browser_app.ui.skill.fair.fair_words import known_words, side_words, team_title, win_lose
from browser_app.ui.skill.fair.outlook import Outlook
from browser_app.ui.skill.numbers import chance_words
from browser_app.ui.skill.selectable import selectable
from browser_app.ui.theme import Theme


class ExpectedChange(QWidget):
    """Shows an outlook; hidden where nothing can be said."""

    def __init__(self, theme: Theme, title: str = "") -> None:
        """`title`: over the lines; empty for none."""
        super().__init__()
        self._theme = theme
        self._title = Text(theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._known = Text(theme, role="text2", size=12)
        self._lines = [tuple(selectable(Text(theme, size=size)) for size in (13, 13, 13)) for _side in range(2)]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(3, 1)
        grid.addWidget(self._title, 0, 0, 1, 4)
        for row, line in enumerate(self._lines, 1):
            for column, text in enumerate(line):
                grid.addWidget(text, row, column)
        grid.addWidget(self._known, 3, 0, 1, 4)
        self._title.setVisible(bool(title))
        self.hide()

    def show_outlook(self, outlook: Outlook | None, system: str) -> None:
        """Show one, or nothing."""
        sides = outlook.sides if outlook is not None else ()
        for place, (team, chance, changes) in enumerate(self._lines):
            shown = place < len(sides)
            for text in (team, chance, changes):
                text.setVisible(shown)
            if shown:
                side = sides[place]
                team.setText(team_title(side.team) or _("Even teams"))
                chance.setText(chance_words(side.what.chance))
                changes.setText(win_lose(side.what, system))
        self._known.setText(known_words(outlook) if outlook is not None else "")
        self.setAccessibleName(". ".join([*(side_words(side, system) for side in sides), self._known.text()]))
        self.setVisible(bool(sides))
