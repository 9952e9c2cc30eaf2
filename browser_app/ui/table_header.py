"""The table's header: flat titles over one hairline, a chevron at the column that sorts."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QHeaderView, QStyle

from browser_app.language import gettext as _
from browser_app.ui.cells import PADDING
from browser_app.ui.controls import draw_icon
from browser_app.ui.permuted_model import Titled
from browser_app.ui.theme import Theme

HEIGHT = 26
_CHEVRON = 12


class TableHeader(QHeaderView):
    """Shows the columns' titles; the owner decides what a click sorts.

    Signals:
        sort_moved: another column is marked, whose title needs more room now.
    """

    sort_moved = Signal()

    def __init__(self, theme: Theme, columns: Sequence[Titled]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme, self._columns = theme, columns
        self._sorted = -1
        self._reversed = False
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(24)
        self.setFixedHeight(HEIGHT)
        theme.changed.connect(self.viewport().update)

    def set_sorted(self, column: int, *, reverse: bool) -> None:
        """Mark the column the rows are ordered by."""
        moved = column != self._sorted
        self._sorted, self._reversed = column, reverse
        self.viewport().update()
        if moved:
            self.sort_moved.emit()

    def title_width(self, section: int) -> int:
        """Room for a column's whole title, and for the chevron where the rows are ordered by it."""
        title = _(self._columns[section].title)
        if section != self._sorted or not title:
            return self.text_width(title)
        return self.text_width(title, QFont.Weight.DemiBold) + _CHEVRON + 2

    def text_width(self, text: str, weight: QFont.Weight = QFont.Weight.Medium) -> int:
        """Room that a column needs for a title or a text."""
        wide = QFontMetricsF(self._theme.font(12, weight)).horizontalAdvance(text)
        return ceil(wide) + 2 * PADDING

    def sizeHint(self) -> QSize:
        """Always 26 high."""
        return QSize(super().sizeHint().width(), HEIGHT)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """Draw one title."""
        colors = self._theme.palette
        painter.fillRect(rect, colors.color("window"))
        painter.setPen(colors.color("hairline"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        is_sorted = logical == self._sorted
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if is_sorted else QFont.Weight.Medium))
        painter.setPen(colors.color("text1" if is_sorted else "text2"))
        column = self._columns[logical]
        if column.icon:
            draw_icon(painter, column.icon, colors.text1 if is_sorted else colors.text2, rect.adjusted(4, 0, -4, 0))
            return
        room = rect.adjusted(PADDING, 0, -PADDING, 0)
        if is_sorted:
            room.setWidth(room.width() - _CHEVRON - 2)
        text = painter.fontMetrics().elidedText(_(column.title), Qt.TextElideMode.ElideRight, room.width())
        side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
        room_at = QStyle.visualRect(self.layoutDirection(), rect, room)
        painter.drawText(room_at, int(Qt.AlignmentFlag.AlignVCenter | side), text)
        if is_sorted and column.title:
            left = room.right() + 3 if column.right else room.x() + painter.fontMetrics().horizontalAdvance(text) + 2
            place = QRect(left, rect.y(), _CHEVRON, rect.height())
            chevron = QStyle.visualRect(self.layoutDirection(), rect, place)
            painter.save()
            if self._reversed:
                painter.translate(0, 2 * chevron.center().y() + 1)
                painter.scale(1, -1)
            draw_icon(painter, "down", colors.text1, chevron)
            painter.restore()
