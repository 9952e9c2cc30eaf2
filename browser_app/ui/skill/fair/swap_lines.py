"""The swaps of a balance, one line each."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.ui.controls import ElidedText, Text
from browser_app.ui.skill.fair.even_teams import EvenTeams
from browser_app.ui.skill.fair.fair_words import step_words, swap_words
from browser_app.ui.skill.selectable import selectable
from browser_app.ui.status_line import IconMark
from browser_app.ui.theme import Theme

MOST, LINE = 4, 22


class SwapLines(QWidget):
    """The fewest moves, best first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(4, 1)
        self._grid.setColumnMinimumWidth(2, 210)

    def show_swaps(self, result: EvenTeams) -> None:
        """Show those of a balance."""
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for row, swap in enumerate(result.swaps[:MOST]):
            number = Text(self._theme, _("swap {n}").format(n=row + 1), role="text2", size=12)
            words = ElidedText(self._theme, swap_words(swap, result.line_up), weight=QFont.Weight.Medium)
            steps = selectable(Text(self._theme, step_words(swap), role="text2"))
            for column, widget in enumerate((number, IconMark(self._theme, "swap", "accent"), words, steps)):
                self._grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)
            self._grid.setRowMinimumHeight(row, LINE)
        more = len(result.swaps) - MOST
        if more > 0:
            rest = ngettext("and {n} more", "and {n} more", more).format(n=more)
            self._grid.addWidget(Text(self._theme, rest, role="text2", size=12), MOST, 2)
