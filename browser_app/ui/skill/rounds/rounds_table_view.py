"""The table view of the user's rounds, with its model."""

import numpy as np
from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QWidget

from browser_app.language import gettext as _
from browser_app.ui.skill.rounds.rounds_table_columns import MARKER_WIDTH, ROUND_COLUMNS, RoundCellPainter
from browser_app.ui.skill.rounds.rounds_table_rows import NEWEST_FIRST, RoundsRowSource, RoundsTableRow
from browser_app.ui.skill.rounds.row_expander import RowExpander
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING
from browser_app.ui.widgets.tables.row_table import ROW_HEIGHT, SortedTableView
from browser_app.ui.widgets.tables.sorted_table_model import RowNumbers, SortedTableModel
from browser_app.ui.widgets.theme import Theme


class RoundsTableModel(SortedTableModel):
    """Table model of the rounds in `order`, as rows of the history of `source`."""

    def __init__(self) -> None:
        super().__init__(ROUND_COLUMNS)
        self.source: RoundsRowSource | None = None
        self.explanation = -1, ""
        """The number of the expanded round and the text below it, which screen readers find in its row only."""

    def set_source(self, source: RoundsRowSource | None, order: RowNumbers) -> None:
        """Replace the history."""
        self.beginResetModel()
        self.source, self.order = source, order if source is not None else np.empty(0, np.int64)
        self.endResetModel()

    def rows(self, first: int, last: int) -> list[RoundsTableRow]:
        """Return the rows from `first` to `last`, inclusive."""
        return [] if self.source is None else self.source(self.order[first : last + 1].tolist())

    def row(self, index: int) -> RoundsTableRow:
        """Return one row."""
        return self.rows(index, index)[0]

    def cell_text(self, row: int, column: int) -> str:
        """Return a cell's text."""
        return ROUND_COLUMNS[column].text(self.row(row))

    def cell_accessible_text(self, row: int, column: int) -> str:
        """Return a cell's text for screen readers."""
        return ROUND_COLUMNS[column].accessible_text(self.row(row))

    def row_accessible_text(self, row: int) -> str:
        """Return a round as one text, with its explanation if it is expanded."""
        number, explanation = self.explanation
        text = super().row_accessible_text(row)
        return f"{text}. {explanation}" if int(self.order[row]) == number else text


_YEAR_WIDTH = 36
_TOGGLE_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class RoundsTableView(SortedTableView):
    """Table of rounds in which one row can be expanded.

    Signals:
        expanded_round_changed: history row of the round that was expanded, -1 if it was collapsed.
        copy_requested: Ctrl+C was pressed.
    """

    expanded_round_changed = Signal(int)
    copy_requested = Signal()
    _shows_years = False

    def __init__(self, theme: Theme, model: RoundsTableModel, expanded_widget: QWidget) -> None:
        """`expanded_widget` is shown below the expanded row."""
        super().__init__(theme, model, ROUND_COLUMNS, _("Rounds"))
        self._model = model
        self._hovered = self._pressed = -1
        self._is_second_click = False
        self.setMouseTracking(True)
        self._row_expander = RowExpander(self, expanded_widget)

    @property
    def expanded_round(self) -> int:
        """History row of the expanded round, -1 for none."""
        return int(self._model.order[self._row_expander.expanded_row]) if self._row_expander.expanded_row >= 0 else -1

    def show_round(self, number: int) -> bool:
        """Scroll to a round and expand it; return False if it is filtered out."""
        row = self._model.row_of(number)
        if row is None:
            return False
        self.setCurrentIndex(self._model.index(row, 0))
        self._expand(row)
        self._scroll_to_expanded_row(QAbstractItemView.ScrollHint.PositionAtTop)
        return True

    def toggle_row(self, row: int) -> None:
        """Expand a row, or collapse it."""
        if row == self._row_expander.expanded_row:
            self.collapse()
        elif row >= 0:
            self._expand(row)
            self._scroll_to_expanded_row()

    def collapse(self) -> None:
        """Collapse the expanded row."""
        if self._row_expander.expanded_row >= 0:
            self._row_expander.collapse()
            self.expanded_round_changed.emit(-1)

    def _expand(self, row: int) -> None:
        number = int(self._model.order[row])
        if number != self.expanded_round:
            self._row_expander.expand(row)
            self.expanded_round_changed.emit(number)

    def update_expanded_row(self) -> None:
        """Adapt the row's height to new content, and scroll to it."""
        self._row_expander.update_position()
        self._scroll_to_expanded_row()

    def _scroll_to_expanded_row(
        self, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        self.updateGeometries()  # updates the scroll bar's range to the taller row
        self.scrollTo(self._model.index(self._row_expander.expanded_row, 0), hint)

    def default_width(self, index: int) -> int:
        """Return the declared width, or what title and texts need in this language.

        Dates may include a year.
        """
        column = ROUND_COLUMNS[index]
        wider = _YEAR_WIDTH if self._shows_years and column.key == NEWEST_FIRST else 0
        plain = QFontMetrics(self._theme.font(13))
        words = [2 * CELL_PADDING + MARKER_WIDTH + plain.horizontalAdvance(_(each)) for each in column.fitted_texts]
        return max(super().default_width(index), column.width + wider, *words)

    def show_years(self, shown: bool) -> None:
        """Show dates with or without their year."""
        self._shows_years = shown
        self.header.resizeSection(0, self.default_width(0))
        self.fit_columns()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """Move the expanded widget with its row."""
        super().scrollContentsBy(dx, dy)
        self._row_expander.update_position()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.palette.color("surface"))
        shown = self.rows_in(event.rect())
        if not shown:
            return
        cells = RoundCellPainter(painter, self._theme)
        selected = self.selected_row
        for index, row in zip(shown, self._model.rows(shown[0], shown[-1]), strict=True):
            line = QRect(0, self.rowViewportPosition(index), self.viewport().width(), ROW_HEIGHT)
            marked = "hover" if index == self._hovered else "surface"
            cells.background_role = "selected" if index == selected else marked
            self._paint_row(cells, line, row)
            if index == selected and self.hasFocus():
                cells.draw_row_focus(line)

    def _paint_row(self, cells: RoundCellPainter, line: QRect, row: RoundsTableRow) -> None:
        cells.draw_row_background(line, cells.background_role)
        selected = cells.background_role == "selected"
        for index in self.visible_columns():
            cell = QRect(self.columnViewportPosition(index), line.y(), self.columnWidth(index), line.height() - 1)
            cells.begin_cell(cell)
            ROUND_COLUMNS[index].paint(cells, cell, row, selected)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the row under the pointer."""
        self._hover(self.rowAt(event.position().toPoint().y()))
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Remove the highlight when the pointer leaves."""
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            for each in (row, self._hovered):
                if each >= 0:
                    self.viewport().update(0, self.rowViewportPosition(each), self.viewport().width(), ROW_HEIGHT)
            self._hovered = row

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember the pressed row."""
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = self.rowAt(event.position().toPoint().y()) if left else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Expand or collapse the clicked row."""
        super().mouseReleaseEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        if 0 <= row == self._pressed and not self._is_second_click:
            self.toggle_row(row)
        self._pressed, self._is_second_click = -1, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: ARG002
        """Ignore the second click."""
        self._is_second_click = True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the row that Qt makes current when the focus arrives."""
        super().focusInEvent(event)
        if self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.selectRow(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Expand or collapse with Enter, collapse with Escape, copy with Ctrl+C.

        Other keys are passed on.
        """
        row = self.currentIndex().row()
        if event.key() in _TOGGLE_KEYS and row >= 0:
            self.toggle_row(row)
        elif event.key() == Qt.Key.Key_Escape and self._row_expander.expanded_row >= 0:
            self.collapse()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        else:
            super().keyPressEvent(event)
