"""The habits' table: whole rows painted in one go, groups under their titles."""

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QTableView

from browser_app.language import gettext as _
from browser_app.player.habits import Habit
from browser_app.ui.cells import PADDING, CellPainter
from browser_app.ui.row_table import set_up_rows
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.habit_columns import COLUMNS
from browser_app.ui.skill.habit_model import HabitModel
from browser_app.ui.skill.habit_words import KINDS
from browser_app.ui.skill.range_bar import HEIGHT, Range, draw_range
from browser_app.ui.table_header import TableHeader
from browser_app.ui.theme import Theme

ROW = 28
_BAR = next(place for place, column in enumerate(COLUMNS) if column.key == "range")
_VERDICT = next(place for place, column in enumerate(COLUMNS) if column.key == "verdict")
_CLEAR = ("good", "bad")


class HabitTable(QTableView):
    """Scrolling, selection, keys and speech are Qt's own.

    Signals:
        sort_wanted: the key of the column whose title was clicked.
    """

    sort_wanted = Signal(str)

    def __init__(self, theme: Theme, model: HabitModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model
        self.setModel(model)
        self.setAccessibleName(_("Habits"))
        self.setVerticalScrollBar(ScrollBar(theme))
        set_up_rows(self, ROW)
        self.header = TableHeader(theme, COLUMNS)
        self.setHorizontalHeader(self.header)
        for place, column in enumerate(COLUMNS):
            self.header.resizeSection(place, max(column.width, self.header.title_width(place)))
            stretch = QHeaderView.ResizeMode.Stretch if column.stretch else QHeaderView.ResizeMode.Interactive
            self.header.setSectionResizeMode(place, stretch)
        self.header.sectionClicked.connect(lambda section: self.sort_wanted.emit(COLUMNS[section].key))
        theme.changed.connect(self.viewport().update)

    def mark_sorted(self, column: str) -> None:
        """Mark the column that sorts."""
        keys = [each.key for each in COLUMNS]
        self.header.set_sorted(keys.index(column.removeprefix("-")), reverse=column.startswith("-"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.palette.color("surface"))
        first, last = self.rowAt(event.rect().top()), self.rowAt(event.rect().bottom())
        if first < 0:
            return
        cells = CellPainter(painter, self._theme)
        selected = self.currentIndex().row() if self.selectionModel().hasSelection() else -1
        for place in range(first, (last if last >= 0 else self._model.rowCount() - 1) + 1):
            line, box = self._model.line(place), QRect(0, self.rowViewportPosition(place), self.viewport().width(), ROW)
            if isinstance(line, Habit):
                self._paint_row(cells, box, line, selected=place == selected)
            else:
                cells.begin(box)
                title_font = self._theme.font(12, QFont.Weight.DemiBold)
                cells.text(box.adjusted(PADDING, 6, 0, 0), _(KINDS[line]), "text2", title_font)
                cells.painter.setPen(cells.colors["rowline"])
                cells.painter.drawLine(box.bottomLeft(), box.bottomRight())

    def _paint_row(self, cells: CellPainter, box: QRect, habit: Habit, *, selected: bool) -> None:
        if selected:
            cells.painter.fillRect(box, cells.colors["selected"])
            mark = QRect(box.x(), box.y(), 3, box.height())
            cells.painter.fillRect(QStyle.visualRect(self.layoutDirection(), box, mark), cells.colors["accent"])
        cells.painter.setPen(cells.colors["rowline"])
        cells.painter.drawLine(box.bottomLeft(), box.bottomRight())
        for place, column in enumerate(COLUMNS):
            cell = QRect(self.columnViewportPosition(place), box.y(), self.columnWidth(place), ROW - 1)
            cells.begin(cell)
            inner = cell.adjusted(PADDING, 0, -PADDING, 0)
            if place == _BAR:
                self._paint_range(cells, inner, habit)
            elif column.right:
                font, role = (cells.bold, "text1") if column.strong else (cells.plain, "text2")
                cells.text(inner, column.text(habit), role, font, right=True)
            else:
                clear = place != _VERDICT or habit.verdict in _CLEAR
                font = cells.bold if place == _VERDICT and clear else cells.plain
                cells.elided(inner, column.text(habit), "text1" if clear else "text2", font)
        if selected and self.hasFocus():
            cells.painter.setPen(cells.colors["accent"])
            cells.painter.setBrush(Qt.BrushStyle.NoBrush)
            cells.painter.drawRect(box.adjusted(0, 0, -1, -2))

    def _paint_range(self, cells: CellPainter, box: QRect, habit: Habit) -> None:
        shares = [each / habit.rounds for each in (habit.wins, habit.low, habit.high, habit.expected)]
        bar = QRectF(box.x(), box.y() + (box.height() - HEIGHT) / 2, box.width(), HEIGHT)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        draw_range(cells.painter, self._theme, bar, Range(0.0, 1.0, *shares), mirrored=mirrored)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keys begin at the first row."""
        super().focusInEvent(event)
        if not self.selectionModel().hasSelection() and self._model.rowCount() > 1:
            self.selectRow(max(1, self.currentIndex().row()))

    def event(self, event: QEvent) -> bool:
        """Ctrl+C copies the rows here, not what it copies elsewhere."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies all rows; everything else is the table's own."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self._model.rows_as_text())
        else:
            super().keyPressEvent(event)
