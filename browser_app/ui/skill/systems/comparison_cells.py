"""How the comparison is drawn: flat titles, a sample of each drawn line, intervals on a scale that all rows share."""

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView

from browser_app.player.comparison import SystemRow
from browser_app.ui.controls import draw_focus
from browser_app.ui.side_model import Index
from browser_app.ui.skill.numbers import change_words
from browser_app.ui.skill.systems.comparison_model import (
    ACCURACY,
    BEHIND,
    BRIER,
    DRAWN,
    LOG_LOSS,
    SYSTEM,
    ComparisonModel,
)
from browser_app.ui.skill.systems.series import draw_sample
from browser_app.ui.theme import Theme

HEAD = 26
_BAR, _NUMBER = 104, 64
"""Of the last column: the interval's picture, and the number after it."""
_MARK = 3
_RIGHT = (LOG_LOSS, ACCURACY, BRIER)


class ComparisonHeader(QHeaderView):
    """Titles over a hairline."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self.setSectionsClickable(False)
        self.setFixedHeight(HEAD)
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        """Always as high."""
        return QSize(super().sizeHint().width(), HEAD)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """Draw one title."""
        colors = self._theme.palette
        painter.fillRect(rect, colors.color("surface"))
        painter.setPen(colors.color("hairline"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if logical == DRAWN:
            return
        sorts = logical == LOG_LOSS
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if sorts else QFont.Weight.Medium))
        painter.setPen(colors.color("text1" if sorts else "text2"))
        side = Qt.AlignmentFlag.AlignRight if logical in _RIGHT else Qt.AlignmentFlag.AlignLeft
        side = QStyle.visualAlignment(self.layoutDirection(), side)
        title = self.model().headerData(logical, Qt.Orientation.Horizontal)
        painter.drawText(rect.adjusted(6, 0, -6, 0), int(Qt.AlignmentFlag.AlignVCenter | side), title)


class ComparisonCells(QStyledItemDelegate):
    """Draws a cell."""

    def __init__(self, theme: Theme, table: QTableView, model: ComparisonModel) -> None:
        super().__init__(table)
        self._theme, self._table, self._model = theme, table, model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Fill, lines, and what the cell has."""
        colors, box, model = self._theme.palette, QRect(option.rect), self._model
        row, column = model.rows[index.row()], index.column()
        judge = row.name == model.judge
        painter.save()
        if column != SYSTEM:  # numbers keep the order of their signs
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if judge:
            painter.fillRect(box, colors.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("hover"))
        painter.setPen(colors.color("rowline"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        if column == DRAWN:
            self._paint_sample(painter, box, row, judge=judge)
        elif column == BEHIND and row.name != (model.comparison.best if model.comparison else None):
            self._paint_behind(painter, box, row)
        else:
            painter.setFont(
                self._theme.font(13, QFont.Weight.DemiBold if judge and column == SYSTEM else QFont.Weight.Normal)
            )
            painter.setPen(colors.color("text2" if row.baseline or column == BEHIND else "text1"))
            side = Qt.AlignmentFlag.AlignRight if column in _RIGHT else Qt.AlignmentFlag.AlignLeft
            side = QStyle.visualAlignment(self._table.layoutDirection(), side)
            room = box.adjusted(6, 0, -6, 0)
            text = painter.fontMetrics().elidedText(model.text(row, column), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | side), text)
        if self._table.hasFocus() and index.row() == self._table.currentIndex().row() and column == SYSTEM:
            draw_focus(painter, box, colors.color("accent"))
        painter.restore()

    def _paint_sample(self, painter: QPainter, box: QRect, row: SystemRow, *, judge: bool) -> None:
        if judge:
            mark = QRect(box.x(), box.y(), _MARK, box.height())
            painter.fillRect(
                QStyle.visualRect(self._table.layoutDirection(), box, mark), self._theme.palette.color("accent")
            )
        series = self._model.drawn.get(row.name)
        if series is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_sample(painter, series, QRectF(box.adjusted(9, 0, -7, 0)), self._theme.palette)

    def _paint_behind(self, painter: QPainter, box: QRect, row: SystemRow) -> None:
        """The interval on a scale that all rows share; a line where the best is. Never mirrored: it is an axis."""
        colors = self._theme.palette
        bar = QRectF(box.x() + 6, box.y(), _BAR, box.height())
        least, most = self._ends()

        def left(value: float) -> float:
            return bar.left() + (value - least) / (most - least) * bar.width()

        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors.color("border"), 1))
        painter.drawLine(QLineF(left(0.0), bar.top() + 7, left(0.0), bar.bottom() - 7))
        middle = bar.center().y()
        painter.setPen(QPen(colors.color("text2"), 1.5))
        if row.low is not None and row.high is not None:
            painter.drawLine(QLineF(left(row.low), middle, left(row.high), middle))
        if row.behind is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.color("text2"))
            painter.drawEllipse(QPointF(left(row.behind), middle), 3.5, 3.5)
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        number = QRect(box.right() - _NUMBER, box.y(), _NUMBER - 4, box.height())
        painter.drawText(
            number, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), change_words(row.behind, 3)
        )

    def _ends(self) -> tuple[float, float]:
        """Of the scale: 0 and every interval are on it."""
        values = [value for row in self._model.rows for value in (row.low, row.high, row.behind) if value is not None]
        least, most = min(values, default=0.0), max(values, default=0.0)
        return min(least, 0.0), max(most, 0.001)
