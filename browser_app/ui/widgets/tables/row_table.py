"""Shared parts of tables that paint whole rows."""

from collections.abc import Sequence
from functools import partial
from math import ceil
from typing import Protocol

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QTableView

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Panel, ScrollBar, draw_icon, fill_edges
from browser_app.ui.widgets.page_elements import accept_copy_shortcut
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING
from browser_app.ui.widgets.tables.sorted_table_model import ColumnSpec, SortedTableModel
from browser_app.ui.widgets.theme import Theme

ROW_HEIGHT = 28


def configure_row_table(table: QTableView, model: SortedTableModel, height: int) -> None:
    """Configure a table that shows a model and paints its own rows of `height` px.

    One row can be selected, nothing is edited, there is no grid, frame or row header, it scrolls vertically by
    pixels and never sideways, and Tab leaves it.
    """
    table.setModel(model)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    table.selectionModel().currentColumnChanged.connect(partial(_set_current_column, model))
    rows = table.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(height)


class RowTableView(QTableView):
    """Table of whole rows, in which Home and End go to the first and the last row."""

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Return where a key leads.

        Home and End stay in their column; Qt's would stay in their row.
        """
        ends = {QAbstractItemView.CursorAction.MoveHome: 0, QAbstractItemView.CursorAction.MoveEnd: -1}
        if action not in ends or not self.currentIndex().isValid():
            return super().moveCursor(action, modifiers)
        return self.model().index(range(self.model().rowCount())[ends[action]], self.currentIndex().column())


def _set_current_column(model: SortedTableModel, current: QModelIndex, _previous: QModelIndex) -> None:
    model.current_column = max(current.column(), 0)


TABLE_HEADER_HEIGHT = 26


def continue_header_over_scroll_bar(theme: Theme, table: QTableView) -> None:
    """Continue the header's background and line above the vertical scroll bar."""
    corner = Panel(theme, "window", "B")
    corner.setFixedHeight(TABLE_HEADER_HEIGHT)
    table.addScrollBarWidget(corner, Qt.AlignmentFlag.AlignTop)


_SORT_CHEVRON_PX = 12


class TableHeader(QHeaderView):
    """A header that marks the sort column; its owner decides what a click does.

    Signals:
        sort_column_changed: another column is marked, whose title needs more space now.
    """

    sort_column_changed = Signal()

    def __init__(self, theme: Theme, columns: Sequence[ColumnSpec], background_role: str = "window") -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme, self._columns, self._background_role = theme, columns, background_role
        self._sorted = -1
        self._reversed = False
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(24)
        self.setFixedHeight(TABLE_HEADER_HEIGHT)
        theme.changed.connect(self.viewport().update)

    def set_sort_column(self, column: int, *, reverse: bool) -> None:
        """Mark the column the rows are sorted by."""
        moved = column != self._sorted
        self._sorted, self._reversed = column, reverse
        self.viewport().update()
        if moved:
            self.sort_column_changed.emit()

    def title_width(self, section: int) -> int:
        """Return the width of a column's whole title.

        It includes the chevron if it is the sort column.
        """
        title = _(self._columns[section].title)
        if section != self._sorted or not title:
            return self.text_width(title)
        return self.text_width(title, QFont.Weight.DemiBold) + _SORT_CHEVRON_PX + 2

    def text_width(self, text: str, weight: QFont.Weight = QFont.Weight.Medium) -> int:
        """Return the column width that a text needs."""
        wide = QFontMetricsF(self._theme.font(12, weight)).horizontalAdvance(text)
        return ceil(wide) + 2 * CELL_PADDING

    def sizeHint(self) -> QSize:
        """Return the preferred size: 26 px high."""
        return QSize(super().sizeHint().width(), TABLE_HEADER_HEIGHT)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """Paint one title."""
        colors = self._theme.palette
        painter.fillRect(rect, colors.color(self._background_role))
        fill_edges(painter, rect, "B", colors.color("hairline"))
        is_sorted = logical == self._sorted
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if is_sorted else QFont.Weight.Medium))
        painter.setPen(colors.color("text1" if is_sorted else "text2"))
        column = self._columns[logical]
        if column.icon:
            draw_icon(painter, column.icon, colors.text1 if is_sorted else colors.text2, rect.adjusted(4, 0, -4, 0))
            return
        space = rect.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        if is_sorted:
            space.setWidth(space.width() - _SORT_CHEVRON_PX - 2)
        text = painter.fontMetrics().elidedText(_(column.title), Qt.TextElideMode.ElideRight, space.width())
        side = Qt.AlignmentFlag.AlignRight if column.align_right else Qt.AlignmentFlag.AlignLeft
        text_box = QStyle.visualRect(self.layoutDirection(), rect, space)
        painter.drawText(text_box, int(Qt.AlignmentFlag.AlignVCenter | side), text)
        if is_sorted and column.title:
            left = (
                space.right() + 3
                if column.align_right
                else space.x() + painter.fontMetrics().horizontalAdvance(text) + 2
            )
            box = QRect(left, rect.y(), _SORT_CHEVRON_PX, rect.height())
            chevron = QStyle.visualRect(self.layoutDirection(), rect, box)
            painter.save()
            if self._reversed:
                painter.translate(0, 2 * chevron.center().y() + 1)
                painter.scale(1, -1)
            draw_icon(painter, "down", colors.text1, chevron)
            painter.restore()


class SortedColumnSpec(ColumnSpec, Protocol):
    """What a sorted table needs to know about a column beside its title."""

    @property
    def key(self) -> str:
        """Sort key."""

    @property
    def width(self) -> int:
        """Least width in pixels when the table opens."""

    @property
    def stretch(self) -> bool:
        """Whether the column takes the free space."""

    @property
    def drop_order(self) -> int:
        """Where space is short, columns with a number are hidden, the lowest first."""


_MIN_STRETCH_WIDTH = 90


class SortedTableView(RowTableView):
    """Table that asks its owner to sort on a click on a column title.

    Scrolling, selection and keys are Qt's.

    Signals:
        sort_requested: key of the column whose title was clicked.
    """

    sort_requested = Signal(str)

    def __init__(
        self, theme: Theme, model: SortedTableModel, columns: Sequence[SortedColumnSpec], accessible_name: str
    ) -> None:
        super().__init__()
        self._theme, self._columns = theme, columns
        self.setAccessibleName(accessible_name)
        self.setVerticalScrollBar(ScrollBar(theme))
        configure_row_table(self, model, ROW_HEIGHT)
        continue_header_over_scroll_bar(theme, self)
        self.header = TableHeader(theme, columns)
        self.setHorizontalHeader(self.header)
        self._is_width_shared = False
        """All columns are wider than by default, since none takes the free space."""
        for index, column in enumerate(columns):
            self.header.resizeSection(index, self.default_width(index))
            if column.stretch:
                self.header.setSectionResizeMode(index, QHeaderView.ResizeMode.Stretch)
        self.header.sectionClicked.connect(lambda section: self.sort_requested.emit(columns[section].key))
        theme.changed.connect(self.viewport().update)

    def default_width(self, index: int) -> int:
        """Return the declared width of a column, or what its title needs in this language."""
        return max(self._columns[index].width, self.header.title_width(index))

    def fit_columns(self) -> None:
        """Hide the least important columns if there is not enough space.

        If the column that takes the free space is hidden, all others share it.
        """
        shown = dict(enumerate(self._columns))
        free_width = self.viewport().width()
        for index, column in sorted(shown.items(), key=lambda each: each[1].drop_order):
            if column.drop_order and sum(map(self._needed_width, shown)) > free_width:
                del shown[index]
        for index in range(len(self._columns)):
            self.header.setSectionHidden(index, index not in shown)
        if not any(column.stretch for column in shown.values()):
            self._share_width(list(shown), free_width)
        elif self._is_width_shared:
            self._share_width(range(len(self._columns)), 0)

    def _share_width(self, indices: Sequence[int], width: int) -> None:
        """Give columns their default widths and even shares of the rest of `width`."""
        defaults = {index: self.default_width(index) for index in indices if not self._columns[index].stretch}
        spare = max(0, width - sum(defaults.values()))
        self._is_width_shared = spare > 0
        for number, (index, default) in enumerate(defaults.items()):
            share = spare * (number + 1) // len(defaults) - spare * number // len(defaults)
            self.header.resizeSection(index, default + share)

    def _needed_width(self, index: int) -> int:
        return _MIN_STRETCH_WIDTH if self._columns[index].stretch else self.default_width(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns."""
        super().resizeEvent(event)
        self.fit_columns()

    def show_sort_order(self, key: str) -> None:
        """Show which column sorts the rows; `-` before its key if reversed."""
        keys = [column.key for column in self._columns]
        self.header.set_sort_column(keys.index(key.removeprefix("-")), reverse=key.startswith("-"))

    def rows_in(self, area: QRect) -> range:
        """Return the positions of the rows in an area of the viewport."""
        first, last = self.rowAt(area.top()), self.rowAt(area.bottom())
        if first < 0:
            return range(0)
        return range(first, (last if last >= 0 else self.model().rowCount() - 1) + 1)

    def visible_columns(self) -> list[int]:
        """Return the columns that are not hidden."""
        return [index for index in range(len(self._columns)) if not self.header.isSectionHidden(index)]

    @property
    def selected_row(self) -> int:
        """Position of the selected row, -1 for none."""
        return self.currentIndex().row() if self.selectionModel().hasSelection() else -1

    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+C for this table."""
        return accept_copy_shortcut(event) or super().event(event)
