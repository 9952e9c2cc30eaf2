"""Shared parts of tables that paint whole rows."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from math import ceil

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QTableView

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import draw_icon
from browser_app.ui.widgets.cell_painter import CELL_PADDING
from browser_app.ui.widgets.sorted_table_model import ColumnSpec
from browser_app.ui.widgets.theme import Theme

PaintRow = Callable[[QPainter], object]


class RowPixmapCache:
    """Pixmaps of painted rows.

    A key must contain everything a row is painted from; `begin_paint` takes what all rows have in common and clears the
    cache when that changes. It holds at most twice as many rows as are visible.
    """

    def __init__(self) -> None:
        self._appearance: Hashable = None
        self._max_pixmaps = 0
        self._pixmaps: OrderedDict[Hashable, QPixmap] = OrderedDict()

    def begin_paint(self, appearance: Hashable, visible_rows: int) -> None:
        """Start painting rows with a common appearance."""
        if appearance != self._appearance:
            self._appearance = appearance
            self._pixmaps.clear()
        self._max_pixmaps = 2 * visible_rows

    def draw_row(
        self, painter: QPainter, position: QPoint, size: QSize, background: QColor, key: Hashable, paint: PaintRow
    ) -> None:
        """Draw a row of `size` at `position`; if it is not cached, `paint` draws it at 0, 0 on `background` first."""
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._pixmaps[key] = self._paint_pixmap(painter, size, background, paint)
            while len(self._pixmaps) > self._max_pixmaps:
                self._pixmaps.popitem(last=False)
        else:
            self._pixmaps.move_to_end(key)
        painter.drawPixmap(position, pixmap)

    def _paint_pixmap(self, painter: QPainter, size: QSize, background: QColor, paint: PaintRow) -> QPixmap:
        ratio = painter.device().devicePixelRatioF()
        pixmap = QPixmap(size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(background)
        inner = QPainter(pixmap)
        inner.setLayoutDirection(painter.layoutDirection())
        paint(inner)
        inner.end()
        return pixmap


def configure_row_table(table: QTableView, height: int) -> None:
    """Configure a table that paints its own rows of `height` px.

    One row can be selected, nothing is edited, there is no grid, frame or row header, it scrolls vertically by pixels
    and
    never sideways, and Tab leaves it.
    """
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setFrameShape(QTableView.Shape.NoFrame)
    rows = table.verticalHeader()
    rows.hide()
    rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    rows.setDefaultSectionSize(height)


TABLE_HEADER_HEIGHT = 26
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
        """Return the width of a column's whole title, with the chevron if it is the sort column."""
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
        painter.setPen(colors.color("hairline"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
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
        room_at = QStyle.visualRect(self.layoutDirection(), rect, space)
        painter.drawText(room_at, int(Qt.AlignmentFlag.AlignVCenter | side), text)
        if is_sorted and column.title:
            left = (
                space.right() + 3
                if column.align_right
                else space.x() + painter.fontMetrics().horizontalAdvance(text) + 2
            )
            place = QRect(left, rect.y(), _SORT_CHEVRON_PX, rect.height())
            chevron = QStyle.visualRect(self.layoutDirection(), rect, place)
            painter.save()
            if self._reversed:
                painter.translate(0, 2 * chevron.center().y() + 1)
                painter.scale(1, -1)
            draw_icon(painter, "down", colors.text1, chevron)
            painter.restore()
