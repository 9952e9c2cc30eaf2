"""The table of ratings by team, role and mode."""

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.player.skill_summary import RatingPart, SkillSummary
from browser_app.ui.skill.now.now_text import breakdown_note, breakdown_title, win_loss_text
from browser_app.ui.skill.rating_format import estimate_mark, format_points, rating_decimals
from browser_app.ui.widgets.basic_widgets import ElidedLabel, Label, Separator
from browser_app.ui.widgets.box_layouts import create_grid
from browser_app.ui.widgets.page_elements import SECTION_HEADER_HEIGHT, clear_layout, make_selectable
from browser_app.ui.widgets.plots.tick_steps import nice_tick_step
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_bars import IntervalBar, IntervalMark

ROW_HEIGHT, SECTION_GAP = 27, 8
BAR_WIDTH = 144
_COLUMN_COUNT = 7
_MIN_COLUMN_WIDTHS = (104, 56, 40, 52, 104, BAR_WIDTH)
"""In pixels; long translations make some columns wider."""
_NUMBER_COLUMNS = range(1, 5)
_ALIGN_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RatingBreakdownTable(QWidget):
    """Grid of at most about ten rows, rebuilt for each new rating."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown_rating: tuple[SkillSummary, str, str] | None = None
        self._system = self._player = ""
        self._grid = create_grid(self, spacing=(16, 0), stretch=_COLUMN_COUNT - 1)
        for column, width in enumerate(_MIN_COLUMN_WIDTHS):
            self._grid.setColumnMinimumWidth(column, width)
        self.setAccessibleName(_("Rating by team, role and mode"))

    def show_rating(self, now: SkillSummary, system: str, player: str) -> None:
        """Show the parts of a rating; `player` is the user's id in the record."""
        if (now, system, player) == self._shown_rating:
            return
        self._shown_rating, self._system, self._player = (now, system, player), system, player
        clear_layout(self._grid)
        for line in range(self._grid.rowCount()):
            self._grid.setRowMinimumHeight(line, 0)
        ends = interval_axis_ends(now)
        line = 0
        for title, kinds in ((_("By team and role"), ("team", "commander")), (_("By mode"), ("mode",))):
            parts = [part for part in now.parts if part.kind in kinds]
            if parts:
                line = self._add_section(line, title, parts, now, ends)

    def _add_section(
        self,
        first_row: int,
        title: str,
        parts: Sequence[RatingPart],
        now: SkillSummary,
        ends: tuple[float, float] | None,
    ) -> int:
        """Add a section and return the next free row."""
        if first_row:
            self._grid.setRowMinimumHeight(first_row, SECTION_GAP)
            first_row += 1
        head = Label(self._theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold)
        head.setFixedHeight(SECTION_HEADER_HEIGHT)
        self._grid.addWidget(head, first_row, 0, 1, _COLUMN_COUNT)
        self._add_column_titles(first_row + 1, ends)
        first_row += 2
        for part in parts:
            self._grid.addWidget(Separator(self._theme, "rowline"), first_row, 0, 1, _COLUMN_COUNT)
            self._add_row(first_row + 1, part, now, ends)
            first_row += 2
        return first_row

    def _add_column_titles(self, row: int, ends: tuple[float, float] | None) -> None:
        self._grid.setRowMinimumHeight(row, SECTION_HEADER_HEIGHT)
        titles = ("", _("Rating"), _("Uncertainty"), _("Rounds"), _("Won, lost"), self._interval_title(ends))
        for column, words in enumerate(titles):
            label = Label(self._theme, words, role="text2", size=12)
            if column in _NUMBER_COLUMNS:
                label.setAlignment(_ALIGN_RIGHT)
            if words == _("Uncertainty"):
                label.setToolTip(
                    _("Standard deviation: the rating is within this distance of the true value 2 times in 3")
                )
            self._grid.addWidget(label, row, column)

    def _interval_title(self, ends: tuple[float, float] | None) -> str:
        if ends is None:
            return ""
        low, high = (format_points(each, rating_decimals(self._system)) for each in ends)
        return _("90 % range, {low} to {high}").format(low=low, high=high)

    def _add_row(self, row: int, part: RatingPart, now: SkillSummary, ends: tuple[float, float] | None) -> None:
        self._grid.setRowMinimumHeight(row, ROW_HEIGHT)
        decimals = rating_decimals(self._system)
        cells = (
            (format_points(part.value, decimals), "text1", 13, QFont.Weight.DemiBold),
            (sd_text(part, now, decimals), "text2", 13, QFont.Weight.Normal),
            (integer_text(part.rounds), "text2", 13, QFont.Weight.Normal),
            (win_loss_text(part.won, part.lost, part.drawn), "text2", 13, QFont.Weight.Normal),
        )
        title = ElidedLabel(self._theme, breakdown_title(part, self._player))
        self._grid.addWidget(make_selectable(title), row, 0)
        for column, (words, role, size, weight) in enumerate(cells, 1):
            label = make_selectable(Label(self._theme, words, role=role, size=size, weight=weight))
            label.setAlignment(_ALIGN_RIGHT)
            self._grid.addWidget(label, row, column)
        if ends is not None and part.value is not None:
            shown = IntervalMark(*ends, part.value, part.low, part.high, now.value)
            bar = IntervalBar(self._theme, shown, rating_interval_text(part, now, decimals), BAR_WIDTH)
            self._grid.addWidget(bar, row, len(cells) + 1, Qt.AlignmentFlag.AlignVCenter)
        note = Label(self._theme, breakdown_note(part, self._system), role="text2", size=12)
        self._grid.addWidget(make_selectable(note), row, _COLUMN_COUNT - 1)


def sd_text(part: RatingPart, now: SkillSummary, decimals: int) -> str:
    """Return a part's standard deviation, marked if estimated; empty without a rating."""
    if part.value is None:
        return ""
    mark = estimate_mark(now.has_estimated_sd)
    return format_points(None) if part.sd is None else mark + format_points(part.sd, decimals)


def rating_interval_text(part: RatingPart, now: SkillSummary, decimals: int) -> str:
    """Return a part's 90 % interval, marked if estimated."""
    if part.low is None or part.high is None:
        return _("Uncertainty unknown.")
    mark = estimate_mark(now.has_estimated_sd)
    low, high = (mark + format_points(each, decimals) for each in (part.low, part.high))
    return _("90 % range {low} to {high}").format(low=low, high=high)


def interval_axis_ends(now: SkillSummary) -> tuple[float, float] | None:
    """Return round numbers that enclose the intervals of all parts.

    None without values.
    """
    # a part without a value has no interval
    values = [each for part in now.parts for each in (part.value, part.low, part.high) if each is not None]
    if not values:
        return None
    low, high = min(values), max(values)
    step = nice_tick_step((high - low) / 10)
    return math.floor(low / step) * step, math.ceil(max(high, low + step / 2) / step) * step
