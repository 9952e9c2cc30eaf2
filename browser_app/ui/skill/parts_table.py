"""The rating by team, in the commander's chair and by mode: one grid, so that the columns stand under one another."""

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QGridLayout, QWidget

from browser_app.language import gettext as _
from browser_app.player.now import Now, Part
from browser_app.ui.controls import ElidedText, Hairline, Text
from browser_app.ui.skill.now_words import mark_words, part_title, record_words, sd_mark
from browser_app.ui.skill.numbers import decimals_of, points_words
from browser_app.ui.skill.range_bar import Range, RangeBar
from browser_app.ui.skill.scale import round_step
from browser_app.ui.skill.section import HEAD
from browser_app.ui.skill.selectable import selectable
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

ROW, GAP = 27, 8
BAR = 168
_COLUMNS = 7
_WIDTHS = (104, 56, 40, 52, 104, BAR)
"""The least of each; German words make some wider."""
_NUMBERS = range(1, 5)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PartsTable(QWidget):
    """Rebuilt when what it shows is new: there are some ten rows at most."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: tuple[Now, str, str] | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(_COLUMNS - 1, 1)
        for column, width in enumerate(_WIDTHS):
            self._grid.setColumnMinimumWidth(column, width)
        self.setAccessibleName(_("Rating by team, job and mode"))

    def show_now(self, now: Now, system: str, player: str) -> None:
        """Show the parts of a rating; `player` is the user's id in the record."""
        if (now, system, player) == self._shown:
            return
        self._shown = now, system, player
        self._empty()
        ends = range_ends(now)
        line = 0
        for title, kinds in ((_("By team and job"), ("team", "chair")), (_("By mode"), ("mode",))):
            parts = [part for part in now.parts if part.kind in kinds]
            if parts:
                line = self._add_section(line, title, parts, now, ends)

    def _empty(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for line in range(self._grid.rowCount()):
            self._grid.setRowMinimumHeight(line, 0)

    def _add_section(
        self, line: int, title: str, parts: Sequence[Part], now: Now, ends: tuple[float, float] | None
    ) -> int:
        """The next free line."""
        if line:
            self._grid.setRowMinimumHeight(line, GAP)
            line += 1
        head = Text(self._theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold)
        head.setFixedHeight(HEAD)
        self._grid.addWidget(head, line, 0, 1, _COLUMNS)
        self._add_head(line + 1, ends)
        line += 2
        for part in parts:
            self._grid.addWidget(Hairline(self._theme, "rowline"), line, 0, 1, _COLUMNS)
            self._add_part(line + 1, part, now, ends)
            line += 2
        return line

    def _add_head(self, line: int, ends: tuple[float, float] | None) -> None:
        self._grid.setRowMinimumHeight(line, HEAD)
        titles = ("", _("Rating"), _("sd"), _("Rounds"), _("Won, lost"), self._range_title(ends))
        for column, words in enumerate(titles):
            label = Text(self._theme, words, role="text2", size=12)
            if column in _NUMBERS:
                label.setAlignment(_RIGHT)
            if words == _("sd"):
                label.setToolTip(_("Standard deviation: 2 times in 3 the rating is right within so much"))
            self._grid.addWidget(label, line, column)

    def _range_title(self, ends: tuple[float, float] | None) -> str:
        if ends is None:
            return ""
        low, high = (points_words(each, self._decimals()) for each in ends)
        return _("9 in 10 range, {low} to {high}").format(low=low, high=high)

    def _decimals(self) -> int:
        return decimals_of(self._shown[1] if self._shown else "")

    def _add_part(self, line: int, part: Part, now: Now, ends: tuple[float, float] | None) -> None:
        self._grid.setRowMinimumHeight(line, ROW)
        decimals = self._decimals()
        cells = (
            (points_words(part.value, decimals), "text1", 13, QFont.Weight.DemiBold),
            (sd_words(part, now, decimals), "text2", 13, QFont.Weight.Normal),
            (thousands(part.rounds), "text2", 13, QFont.Weight.Normal),
            (record_words(part.won, part.lost, part.drawn), "text2", 13, QFont.Weight.Normal),
        )
        title = ElidedText(self._theme, part_title(part, self._shown[2] if self._shown else ""))
        self._grid.addWidget(selectable(title), line, 0)
        for column, (words, role, size, weight) in enumerate(cells, 1):
            label = selectable(Text(self._theme, words, role=role, size=size, weight=weight))
            label.setAlignment(_RIGHT)
            self._grid.addWidget(label, line, column)
        if ends is not None and part.value is not None:
            shown = Range(*ends, part.value, part.low, part.high, now.value)
            bar = RangeBar(self._theme, shown, range_words(part, now, decimals), BAR)
            self._grid.addWidget(bar, line, len(cells) + 1, Qt.AlignmentFlag.AlignVCenter)
        mark = Text(self._theme, mark_words(part, self._shown[1] if self._shown else ""), role="text2", size=12)
        self._grid.addWidget(selectable(mark), line, _COLUMNS - 1)


def sd_words(part: Part, now: Now, decimals: int) -> str:
    """A part's standard deviation, marked where it is an estimate; empty where there is no rating."""
    if part.value is None:
        return ""
    return points_words(None) if part.sd is None else sd_mark(now) + points_words(part.sd, decimals)


def range_words(part: Part, now: Now, decimals: int) -> str:
    """A part's range in words, marked alike."""
    if part.low is None or part.high is None:
        return _("How sure this is, is unknown.")
    low, high = (sd_mark(now) + points_words(each, decimals) for each in (part.low, part.high))
    return _("9 times in 10 between {low} and {high}").format(low=low, high=high)


def range_ends(now: Now) -> tuple[float, float] | None:
    """Round ends of a line that has room for every part; None where nothing has a value."""
    values = [
        each for part in now.parts for each in (part.value, part.low, part.high) if each is not None
    ]  # a part without a value has no range
    if not values:
        return None
    low, high = min(values), max(values)
    step = round_step((high - low) / 10)
    return math.floor(low / step) * step, math.ceil(max(high, low + step / 2) / step) * step
