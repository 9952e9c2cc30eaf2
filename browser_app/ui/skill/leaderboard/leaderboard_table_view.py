"""The table view of the leaderboard, with its model."""

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView

from browser_app.language import gettext as _
from browser_app.ui.skill.leaderboard.leaderboard_columns import (
    LEADERBOARD_COLUMNS,
    RANGE_COLUMN,
    LeaderboardColumn,
)
from browser_app.ui.skill.leaderboard.leaderboard_rows import LeaderboardRow, LeaderboardRowSource
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.tables.row_table import ROW_HEIGHT, SortedTableView
from browser_app.ui.widgets.tables.sorted_table_model import RowNumbers, SortedTableModel
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_bars import INTERVAL_HEIGHT, draw_interval

_FRIEND_ICON_PX = 14


class LeaderboardTableModel(SortedTableModel):
    """Table model of the players in `order`, rows of the board of `source`."""

    def __init__(self) -> None:
        super().__init__(LEADERBOARD_COLUMNS)
        self.source: LeaderboardRowSource | None = None

    def set_source(self, source: LeaderboardRowSource | None, order: RowNumbers) -> None:
        """Replace the board."""
        self.beginResetModel()
        self.source, self.order = source, order if source is not None else np.empty(0, np.int64)
        self.endResetModel()

    def rows(self, first: int, last: int) -> list[LeaderboardRow]:
        """Return the rows from `first` to `last`, inclusive."""
        return [] if self.source is None else self.source(self.order[first : last + 1].tolist())

    def cell_text(self, row: int, column: int) -> str:
        """Return a cell's text."""
        return LEADERBOARD_COLUMNS[column].text(self.rows(row, row)[0])

    def cell_accessible_text(self, row: int, column: int) -> str:
        """Return a cell's text for screen readers."""
        return LEADERBOARD_COLUMNS[column].accessible_text(self.rows(row, row)[0])

    def row_text(self, index: int) -> str:
        """Return a row as tab-separated values."""
        row = self.rows(index, index)[0]
        return "\t".join(column.text(row) for column in LEADERBOARD_COLUMNS)


class LeaderboardTableView(SortedTableView):
    """Table view of players.

    Signals:
        row_copied: the current row was copied.
    """

    row_copied = Signal()

    def __init__(self, theme: Theme, model: LeaderboardTableModel) -> None:
        super().__init__(theme, model, LEADERBOARD_COLUMNS, _("Leaderboard"))
        self._model = model

    def show_row(self, number: int) -> None:
        """Select a row of the board and scroll to it, if it is shown."""
        row = self._model.row_of(number)
        if row is not None:
            self.selectRow(row)
            self.scrollTo(self._model.index(row, 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.palette.color("surface"))
        shown = self.rows_in(event.rect())
        if not shown:
            return
        cells, selected = CellPainter(painter, self._theme), self.selected_row
        for index, row in zip(shown, self._model.rows(shown[0], shown[-1]), strict=True):
            line = QRect(0, self.rowViewportPosition(index), self.viewport().width(), ROW_HEIGHT)
            cells.draw_row_background(line, "selected" if index == selected else "surface")
            for column in self.visible_columns():
                box = QRect(self.columnViewportPosition(column), line.y(), self.columnWidth(column), ROW_HEIGHT - 1)
                cells.begin_cell(box)
                self._paint_cell(
                    cells, box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0), LEADERBOARD_COLUMNS[column], row
                )
            if index == selected and self.hasFocus():
                cells.draw_row_focus(line)

    def _paint_cell(self, cells: CellPainter, box: QRect, column: LeaderboardColumn, row: LeaderboardRow) -> None:
        font = cells.bold_font if row.is_own else cells.plain_font
        if column.key == RANGE_COLUMN:
            bar = QRectF(box.x(), box.y() + (box.height() - INTERVAL_HEIGHT) / 2, box.width(), INTERVAL_HEIGHT)
            mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
            draw_interval(cells.painter, self._theme, bar, row.interval, mirrored=mirrored)
        elif column.align_right:
            cells.draw_text(box, column.text(row), "text1" if column.key == "rating" else "text2", font, right=True)
        else:
            self._paint_name(cells, box, column.text(row), row)

    def _paint_name(self, cells: CellPainter, box: QRect, name: str, row: LeaderboardRow) -> None:
        """Paint the name after a space for the friend icon; the user's has a note."""
        if row.is_own or row.is_friend:
            cells.draw_icon(box.x(), box, "friend", "accent" if row.is_own else "friend", _FRIEND_ICON_PX)
        inner = box.adjusted(_FRIEND_ICON_PX + CELL_PADDING, 0, 0, 0)
        width = cells.draw_elided_text(inner, name, "text1", cells.bold_font if row.is_own else cells.plain_font)
        if row.is_own:
            cells.draw_elided_text(inner.adjusted(width + CELL_PADDING, 0, 0, 0), _("you"), "text2", cells.small_font)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select a row if none is."""
        super().focusInEvent(event)
        if not self.selectionModel().hasSelection() and self._model.rowCount():
            self.selectRow(max(0, self.currentIndex().row()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the current row with Ctrl+C; pass other keys on."""
        row = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Copy) and row >= 0:
            QGuiApplication.clipboard().setText(self._model.row_text(row))
            self.row_copied.emit()
        else:
            super().keyPressEvent(event)
