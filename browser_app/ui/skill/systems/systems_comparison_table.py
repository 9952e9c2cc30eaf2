"""The table view that compares rating systems."""

from PySide6.QtCore import QEvent, QLineF, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from browser_app.language import gettext as _
from browser_app.rating.evaluation.system_comparison import ComparedSystem
from browser_app.ui.skill.rating_format import format_change
from browser_app.ui.skill.systems.plot_series import draw_series_sample
from browser_app.ui.skill.systems.systems_comparison_model import (
    COMPARISON_COLUMNS,
    LOG_LOSS,
    LOSS_DIFFERENCE,
    PLOTTED,
    SYSTEM,
    SystemComparisonModel,
)
from browser_app.ui.widgets.basic_widgets import draw_focus_ring
from browser_app.ui.widgets.cached_paint_widget import CachedPaintWidget
from browser_app.ui.widgets.page_elements import accept_copy_shortcut
from browser_app.ui.widgets.tables.cell_painter import CELL_PADDING, CellPainter
from browser_app.ui.widgets.tables.row_table import (
    ROW_HEIGHT,
    TABLE_HEADER_HEIGHT,
    RowTableView,
    TableHeader,
    configure_row_table,
)
from browser_app.ui.widgets.theme import Theme

_INTERVAL_WIDTH, _NUMBER_WIDTH = 104, 64
"""Widths of the last column's interval and of the number after it."""
_MARK_WIDTH = 3


class SystemComparisonTable(RowTableView):
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
        configure_row_table(self, self.table_model, ROW_HEIGHT)
        self._hovered = -1
        self._cached_paint = CachedPaintWidget(self.viewport(), theme, self._paint_rows)
        self.setAccessibleName(_("System comparison"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._set_up_header()
        for changed in (self.table_model.dataChanged, self.table_model.modelReset):
            changed.connect(self._cached_paint.invalidate)
        self.table_model.dataChanged.connect(lambda *_which: self.plotted_changed.emit())
        self.selectionModel().currentRowChanged.connect(lambda *_which: self.plotted_changed.emit())
        self.table_model.modelReset.connect(self._fit_height)
        theme.changed.connect(self.viewport().update)
        self._fit_height()

    def _set_up_header(self) -> None:
        header = TableHeader(self._theme, COMPARISON_COLUMNS, "surface")
        header.setSectionsClickable(False)
        header.set_sort_column(LOG_LOSS, reverse=False)
        self.setHorizontalHeader(header)
        for index, column in enumerate(COMPARISON_COLUMNS):
            mode = QHeaderView.ResizeMode.Fixed if column.width else QHeaderView.ResizeMode.Stretch
            header.setSectionResizeMode(index, mode)
            if column.width:
                header.resizeSection(index, max(column.width, header.title_width(index)))

    def _fit_height(self) -> None:
        self.setFixedHeight(TABLE_HEADER_HEIGHT + ROW_HEIGHT * self.table_model.rowCount() + 2)

    @property
    def current_system(self) -> str:
        """The system of the current row if it is plotted, else the first plotted one.

        Empty for none.
        """
        plotted, row = list(self.table_model.plotted_series), self.currentIndex().row()
        name = self.table_model.rows[row].name if 0 <= row < len(self.table_model.rows) else ""
        return name if name in plotted else plotted[0] if plotted else ""

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the rows from a cache."""
        self._cached_paint.draw(QPainter(self.viewport()), self._hovered, self.currentIndex().row(), self.hasFocus())

    def _paint_rows(self, painter: QPainter) -> None:
        cells = CellPainter(painter, self._theme)
        for index, row in enumerate(self.table_model.rows):
            is_active = row.name == self.table_model.active_system
            line = QRect(0, self.rowViewportPosition(index), self.viewport().width(), ROW_HEIGHT)
            if is_active or index == self._hovered:
                painter.fillRect(line, cells.colors["selected" if is_active else "hover"])
            cells.draw_row_line(line)
            for column in range(len(COMPARISON_COLUMNS)):
                box = QRect(self.columnViewportPosition(column), line.y(), self.columnWidth(column), ROW_HEIGHT)
                cells.begin_cell(box)
                self._paint_cell(cells, box, index, column)

    def _paint_cell(self, cells: CellPainter, box: QRect, index: int, column: int) -> None:
        row, model = self.table_model.rows[index], self.table_model
        is_active = row.name == model.active_system
        inner = box.adjusted(CELL_PADDING, 0, -CELL_PADDING, 0)
        if column == PLOTTED:
            self._paint_sample(cells, box, row, is_active=is_active)
        elif column == LOSS_DIFFERENCE and model.comparison is not None and row.name != model.comparison.best:
            self._paint_loss_difference(cells, box, row)
        elif COMPARISON_COLUMNS[column].align_right:
            role = "text2" if row.is_baseline else "text1"
            cells.draw_text(inner, model.cell_text(index, column), role, cells.plain_font, right=True)
        else:
            role = "text2" if row.is_baseline or column == LOSS_DIFFERENCE else "text1"
            font = cells.bold_font if is_active and column == SYSTEM else cells.plain_font
            cells.draw_elided_text(inner, model.cell_text(index, column), role, font)
        if column == SYSTEM and self.hasFocus() and index == self.currentIndex().row():
            draw_focus_ring(cells.painter, box, cells.colors["accent"])

    def _paint_sample(self, cells: CellPainter, box: QRect, row: ComparedSystem, *, is_active: bool) -> None:
        if is_active:
            mark = QRect(box.x(), box.y(), _MARK_WIDTH, box.height())
            cells.painter.fillRect(cells.mirrored(mark), cells.colors["accent"])
        series = self.table_model.plotted_series.get(row.name)
        if series is not None:
            cells.painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            draw_series_sample(cells.painter, series, QRectF(box.adjusted(9, 0, -7, 0)), cells.palette)
            cells.painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_loss_difference(self, cells: CellPainter, box: QRect, row: ComparedSystem) -> None:
        """Paint the interval on an axis shared by all rows.

        It is never mirrored and has a line at the best system.
        """
        painter, colors = cells.painter, cells.colors
        bar = QRectF(box.x() + CELL_PADDING, box.y(), _INTERVAL_WIDTH, box.height())
        least, most = self._interval_range()

        def left(value: float) -> float:
            return bar.left() + (value - least) / (most - least) * bar.width()

        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors["border"], 1))
        painter.drawLine(QLineF(left(0.0), bar.top() + 7, left(0.0), bar.bottom() - 7))
        middle = bar.center().y()
        painter.setPen(QPen(colors["text2"], 1.5))
        if row.low is not None and row.high is not None:
            painter.drawLine(QLineF(left(row.low), middle, left(row.high), middle))
        if row.behind is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors["text2"])
            painter.drawEllipse(QPointF(left(row.behind), middle), 3.5, 3.5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(cells.small_font)
        painter.setPen(colors["text2"])
        number = QRect(box.right() - _NUMBER_WIDTH, box.y(), _NUMBER_WIDTH - 4, box.height())
        side = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(number, side, format_change(row.behind, 3))

    def _interval_range(self) -> tuple[float, float]:
        """Return an axis range with 0 and all intervals."""
        values = [
            value for row in self.table_model.rows for value in (row.low, row.high, row.behind) if value is not None
        ]
        least, most = min(values, default=0.0), max(values, default=0.0)
        return min(least, 0.0), max(most, 0.001)

    # Pointer and keys

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
        return accept_copy_shortcut(event) or super().event(event)
