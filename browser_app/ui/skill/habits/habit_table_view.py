"""The table of habits in groups, with its model."""

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QObject, QRect, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent

from browser_app.language import gettext as _
from browser_app.player.habits import Habit, HabitKind
from browser_app.ui.skill.habits.habit_columns import HABIT_COLUMNS, HABIT_GROUP_TITLES
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.tables.row_table import ROW_HEIGHT, SortedTableView
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex, SortedTableModel
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_bars import INTERVAL_HEIGHT, IntervalMark, draw_interval

_COLUMN_KEYS = [column.key for column in HABIT_COLUMNS]

HabitTableEntry = Habit | HabitKind
"""A habit, or the title of a group."""


class HabitTableModel(SortedTableModel):
    """Table model in groups.

    Entries have fixed numbers: first the group titles, then the habits as set.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(HABIT_COLUMNS, parent)
        self._entries: tuple[HabitTableEntry, ...] = tuple(HABIT_GROUP_TITLES)

    def set_habits(self, habits: Sequence[Habit]) -> None:
        """Set the habits; `arrange` shows them."""
        self.set_order(np.empty(0, np.int64))
        self._entries = (*HABIT_GROUP_TITLES, *habits)

    def arrange(self, kinds: Sequence[HabitKind], min_rounds: int, column: str) -> None:
        """Show groups with rows of at least `min_rounds` rounds, sorted by a column.

        A `-` before the column's key reverses the order.
        """
        order: list[int] = []
        sort_key = HABIT_COLUMNS[_COLUMN_KEYS.index(column.removeprefix("-"))].sort_key
        for kind in kinds:
            habits = {
                number: entry
                for number, entry in enumerate(self._entries)
                if isinstance(entry, Habit) and entry.kind == kind and entry.rounds >= min_rounds
            }
            if habits:
                rows = sorted(habits, key=lambda number: sort_key(habits[number]), reverse=column.startswith("-"))
                order += [list(HABIT_GROUP_TITLES).index(kind), *rows]
        self.set_order(np.array(order, np.int64))

    def entry_at(self, row: int) -> HabitTableEntry:
        """Return the entry in a row."""
        return self._entries[int(self.order[row])]

    def cell_text(self, row: int, column: int) -> str:
        """Return a cell's text; a group title is in the first column."""
        entry = self.entry_at(row)
        if isinstance(entry, Habit):
            return HABIT_COLUMNS[column].text(entry)
        return "" if column else _(HABIT_GROUP_TITLES[entry])

    def cell_accessible_text(self, row: int, column: int) -> str:
        """Return a cell's text for screen readers."""
        entry = self.entry_at(row)
        if isinstance(entry, Habit):
            return HABIT_COLUMNS[column].accessible_text(entry)
        return self.cell_text(row, column)

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        """Make group titles unselectable."""
        if index.isValid() and isinstance(self.entry_at(index.row()), Habit):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.NoItemFlags

    def to_tsv(self) -> str:
        """Return all rows as tab-separated values with a header."""
        head = "\t".join(column.name for column in HABIT_COLUMNS)
        rows = range(self.rowCount())
        lines = ["\t".join(self.cell_text(row, column) for column in range(len(HABIT_COLUMNS))) for row in rows]
        return "\n".join((head, *lines))


_INTERVAL_COLUMN, _VERDICT_COLUMN = _COLUMN_KEYS.index("range"), _COLUMN_KEYS.index("verdict")
_CLEAR_VERDICTS = ("good", "bad")


class HabitTableView(SortedTableView):
    """Table view of habits."""

    def __init__(self, theme: Theme, model: HabitTableModel) -> None:
        super().__init__(theme, model, HABIT_COLUMNS, _("Habits"))
        self._model = model

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.palette.color("surface"))
        cells, selected = CellPainter(painter, self._theme), self.selected_row
        for row in self.rows_in(event.rect()):
            entry = self._model.entry_at(row)
            box = QRect(0, self.rowViewportPosition(row), self.viewport().width(), ROW_HEIGHT)
            if isinstance(entry, Habit):
                self._paint_row(cells, box, entry, selected=row == selected)
            else:
                cells.begin_cell(box)
                title_font = self._theme.font(12, QFont.Weight.DemiBold)
                cells.draw_text(box.adjusted(CELL_PADDING, 6, 0, 0), _(HABIT_GROUP_TITLES[entry]), "text2", title_font)
                cells.draw_row_line(box)

    def _paint_row(self, cells: CellPainter, box: QRect, habit: Habit, *, selected: bool) -> None:
        cells.draw_row_background(box, "selected" if selected else "surface")
        for index in self.visible_columns():
            column = HABIT_COLUMNS[index]
            cell = QRect(self.columnViewportPosition(index), box.y(), self.columnWidth(index), ROW_HEIGHT - 1)
            cells.begin_cell(cell)
            inner = cell.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
            if index == _INTERVAL_COLUMN:
                self._paint_interval(cells, inner, habit)
            elif column.align_right:
                font, role = (cells.bold_font, "text1") if column.is_bold else (cells.plain_font, "text2")
                cells.draw_text(inner, column.text(habit), role, font, right=True)
            else:
                clear = index != _VERDICT_COLUMN or habit.verdict in _CLEAR_VERDICTS
                font = cells.bold_font if index == _VERDICT_COLUMN and clear else cells.plain_font
                cells.draw_elided_text(inner, column.text(habit), "text1" if clear else "text2", font)
        if selected and self.hasFocus():
            cells.draw_row_focus(box)

    def _paint_interval(self, cells: CellPainter, box: QRect, habit: Habit) -> None:
        shares = [each / habit.rounds for each in (habit.wins, habit.low, habit.high, habit.expected)]
        bar = QRectF(box.x(), box.y() + (box.height() - INTERVAL_HEIGHT) / 2, box.width(), INTERVAL_HEIGHT)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        draw_interval(cells.painter, self._theme, bar, IntervalMark(0.0, 1.0, *shares), mirrored=mirrored)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Make the first row current if none is."""
        super().focusInEvent(event)
        if not self.selectionModel().hasSelection() and self._model.rowCount() > 1:
            self.selectRow(max(1, self.currentIndex().row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy all rows with Ctrl+C; pass other keys on."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._model.to_tsv())
        else:
            super().keyPressEvent(event)
