"""The table view that compares rating systems."""

from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from browser_app.language import gettext as _
from browser_app.rating.evaluation.system_comparison import ComparedSystem
from browser_app.ui.skill.rating_format import format_change
from browser_app.ui.skill.systems.plot_series import draw_series_sample
from browser_app.ui.skill.systems.systems_comparison_model import (
    ACCURACY,
    BRIER,
    LOG_LOSS,
    LOSS_DIFFERENCE,
    PLOTTED,
    SYSTEM,
    SystemComparisonModel,
)
from browser_app.ui.widgets.basic_widgets import draw_focus_ring
from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.page_elements import claims_copy
from browser_app.ui.widgets.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme

HEADER_HEIGHT = 26
_INTERVAL_WIDTH, _NUMBER_WIDTH = 104, 64
"""Widths of the last column's interval and of the number after it."""
_MARK_WIDTH = 3
_RIGHT_ALIGNED = (LOG_LOSS, ACCURACY, BRIER)


class SystemComparisonHeader(QHeaderView):
    """Header above a thin line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._theme = theme
        self.setSectionsClickable(False)
        self.setFixedHeight(HEADER_HEIGHT)
        theme.changed.connect(self.viewport().update)

    def sizeHint(self) -> QSize:
        """Return a fixed height."""
        return QSize(super().sizeHint().width(), HEADER_HEIGHT)

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """Paint one title."""
        colors = self._theme.palette
        painter.fillRect(rect, colors.color("surface"))
        painter.setPen(colors.color("hairline"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        if logical == PLOTTED:
            return
        sorts = logical == LOG_LOSS
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if sorts else QFont.Weight.Medium))
        painter.setPen(colors.color("text1" if sorts else "text2"))
        side = Qt.AlignmentFlag.AlignRight if logical in _RIGHT_ALIGNED else Qt.AlignmentFlag.AlignLeft
        side = QStyle.visualAlignment(self.layoutDirection(), side)
        title = self.model().headerData(logical, Qt.Orientation.Horizontal)
        painter.drawText(rect.adjusted(6, 0, -6, 0), int(Qt.AlignmentFlag.AlignVCenter | side), title)


class SystemComparisonDelegate(QStyledItemDelegate):
    """Paints the cells."""

    def __init__(self, theme: Theme, table: QTableView, model: SystemComparisonModel) -> None:
        super().__init__(table)
        self._theme, self._table, self._model = theme, table, model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint background, lines and content of a cell."""
        colors, box, model = self._theme.palette, QRect(option.rect), self._model
        row, column = model.rows[index.row()], index.column()
        judge = row.name == model.active_system
        painter.save()
        if column != SYSTEM:  # keeps signs before their numbers
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        if judge:
            painter.fillRect(box, colors.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("hover"))
        painter.setPen(colors.color("rowline"))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        if column == PLOTTED:
            self._paint_sample(painter, box, row, is_active=judge)
        elif column == LOSS_DIFFERENCE and row.name != (model.comparison.best if model.comparison else None):
            self._paint_loss_difference(painter, box, row)
        else:
            painter.setFont(
                self._theme.font(13, QFont.Weight.DemiBold if judge and column == SYSTEM else QFont.Weight.Normal)
            )
            painter.setPen(colors.color("text2" if row.is_baseline or column == LOSS_DIFFERENCE else "text1"))
            side = Qt.AlignmentFlag.AlignRight if column in _RIGHT_ALIGNED else Qt.AlignmentFlag.AlignLeft
            side = QStyle.visualAlignment(self._table.layoutDirection(), side)
            room = box.adjusted(6, 0, -6, 0)
            text = painter.fontMetrics().elidedText(
                model.cell_text(row, column), Qt.TextElideMode.ElideRight, room.width()
            )
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | side), text)
        if self._table.hasFocus() and index.row() == self._table.currentIndex().row() and column == SYSTEM:
            draw_focus_ring(painter, box, colors.color("accent"))
        painter.restore()

    def _paint_sample(self, painter: QPainter, box: QRect, row: ComparedSystem, *, is_active: bool) -> None:
        if is_active:
            mark = QRect(box.x(), box.y(), _MARK_WIDTH, box.height())
            painter.fillRect(
                QStyle.visualRect(self._table.layoutDirection(), box, mark), self._theme.palette.color("accent")
            )
        series = self._model.plotted_series.get(row.name)
        if series is not None:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_series_sample(painter, series, QRectF(box.adjusted(9, 0, -7, 0)), self._theme.palette)

    def _paint_loss_difference(self, painter: QPainter, box: QRect, row: ComparedSystem) -> None:
        """Paint the interval on an axis shared by all rows, never mirrored, with a line at the best system."""
        colors = self._theme.palette
        bar = QRectF(box.x() + 6, box.y(), _INTERVAL_WIDTH, box.height())
        least, most = self._interval_range()

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
        number = QRect(box.right() - _NUMBER_WIDTH, box.y(), _NUMBER_WIDTH - 4, box.height())
        painter.drawText(
            number, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), format_change(row.behind, 3)
        )

    def _interval_range(self) -> tuple[float, float]:
        """Return an axis range with 0 and all intervals."""
        values = [value for row in self._model.rows for value in (row.low, row.high, row.behind) if value is not None]
        least, most = min(values, default=0.0), max(values, default=0.0)
        return min(least, 0.0), max(most, 0.001)


ROW_HEIGHT = 28
_COLUMN_WIDTHS = {PLOTTED: 40, LOG_LOSS: 70, ACCURACY: 76, BRIER: 62, LOSS_DIFFERENCE: 184}


class SystemComparisonTable(QTableView):
    """Table in which a click, Space or Enter adds a row to the plots or removes it.

    Signals:
        plotted_changed: the plotted rows or the current row changed.
    """

    plotted_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.table_model = SystemComparisonModel()
        self.table_model.setParent(self)
        self.setModel(self.table_model)
        self._hovered = -1
        self._cached_paint = CachedPaintWidget(self.viewport(), theme, self._paint_rows)
        self.setItemDelegate(SystemComparisonDelegate(theme, self, self.table_model))
        self.setAccessibleName(_("System comparison"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(SystemComparisonHeader(theme))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self._size_columns()
        for changed in (self.table_model.dataChanged, self.table_model.modelReset):
            changed.connect(self._cached_paint.invalidate)
        self.table_model.dataChanged.connect(lambda *_which: self.plotted_changed.emit())
        self.selectionModel().currentRowChanged.connect(lambda *_which: self.plotted_changed.emit())
        self.table_model.modelReset.connect(self._fit_height)
        theme.changed.connect(self.viewport().update)
        self._fit_height()

    def _size_columns(self) -> None:
        header = self.horizontalHeader()
        header.setMinimumSectionSize(24)
        for column in range(self.table_model.columnCount()):
            mode = QHeaderView.ResizeMode.Stretch if column == SYSTEM else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, mode)
            if column in _COLUMN_WIDTHS:
                header.resizeSection(column, _COLUMN_WIDTHS[column])

    def _fit_height(self) -> None:
        self.setFixedHeight(HEADER_HEIGHT + ROW_HEIGHT * self.table_model.rowCount() + 2)

    @property
    def current_system(self) -> str:
        """The system of the current row if it is plotted, else the first plotted one; empty for none."""
        plotted, row = list(self.table_model.plotted_series), self.currentIndex().row()
        name = self.table_model.rows[row].name if 0 <= row < len(self.table_model.rows) else ""
        return name if name in plotted else plotted[0] if plotted else ""

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the rows from a cache: Qt would query each cell in every frame."""
        self._cached_paint.draw(QPainter(self.viewport()), self._hovered, self.currentIndex().row(), self.hasFocus())

    def _paint_rows(self, painter: QPainter) -> None:
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        plain = option.state
        for row in range(self.table_model.rowCount()):
            option.state = plain | QStyle.StateFlag.State_MouseOver if row == self._hovered else plain
            for column in range(self.table_model.columnCount()):
                index = self.table_model.index(row, column)
                option.rect = self.visualRect(index)
                self.itemDelegate().paint(painter, option, index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the row under the pointer."""
        super().mouseMoveEvent(event)
        self._hover(self.rowAt(event.position().toPoint().y()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Remove the highlight when the pointer leaves."""
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Toggle the clicked row."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.row() == self.currentIndex().row():
            self.table_model.toggle_plotted(index.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle the current row with Space or Enter, copy all rows with Ctrl+C."""
        row = self.currentIndex().row()
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.table_model.to_tsv())
        elif row >= 0 and event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.table_model.toggle_plotted(row)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim Ctrl+C for this table."""
        return claims_copy(event) or super().event(event)
