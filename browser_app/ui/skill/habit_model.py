"""The habits as a table: groups with their titles, sorted inside each."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from browser_app.language import gettext as _
from browser_app.player.habits import Habit, Kind
from browser_app.ui.permuted_model import Index, PermutedModel
from browser_app.ui.skill.habit_columns import COLUMNS
from browser_app.ui.skill.habit_words import KINDS

_KEYS = [column.key for column in COLUMNS]
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)

Line = Habit | Kind
"""A row, or the title of a group."""


class HabitModel(PermutedModel):
    """Lines are numbered once: titles first, then the habits as they came."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self._lines: tuple[Line, ...] = tuple(KINDS)

    def show(self, habits: Sequence[Habit]) -> None:
        """Have these to show; none is shown before `arrange`."""
        self.set_order(np.empty(0, np.int64))
        self._lines = (*KINDS, *habits)

    def arrange(self, kinds: Sequence[Kind], least: int, column: str) -> None:
        """Show groups, their rows of `least` rounds or more, sorted by a column (`-` before its key: reversed)."""
        order: list[int] = []
        titles = list(KINDS)
        for kind in kinds:
            rows = [
                number
                for number, line in enumerate(self._lines)
                if isinstance(line, Habit) and line.kind == kind and line.rounds >= least
            ]
            if rows:
                order += [titles.index(kind), *self._sorted(rows, column)]
        self.set_order(np.array(order, np.int64))

    def _sorted(self, rows: list[int], column: str) -> list[int]:
        key = COLUMNS[_KEYS.index(column.removeprefix("-"))].order

        def value(number: int) -> Any:
            line = self._lines[number]
            return key(line) if isinstance(line, Habit) else 0

        return sorted(rows, key=value, reverse=column.startswith("-"))

    def line(self, place: int) -> Line:
        """What stands in a row of the table."""
        return self._lines[int(self.order[place])]

    def cell_text(self, place: int, column: int) -> str:
        """A cell's text; a title stands in the first column."""
        line = self.line(place)
        if isinstance(line, Habit):
            return COLUMNS[column].text(line)
        return "" if column else _(KINDS[line])

    def cell_spoken(self, place: int, column: int) -> str:
        """A cell in words."""
        line = self.line(place)
        return COLUMNS[column].spoken(line) if isinstance(line, Habit) else self.cell_text(place, column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A title cannot be chosen."""
        if index.isValid() and isinstance(self.line(index.row()), Habit):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.NoItemFlags

    def rows_as_text(self) -> str:
        """All rows shown, as lines of values parted by tabs, with a head."""
        head = "\t".join(column.name for column in COLUMNS)
        places = range(self.rowCount())
        lines = ["\t".join(self.cell_text(place, column) for column in range(len(COLUMNS))) for place in places]
        return "\n".join((head, *lines))
