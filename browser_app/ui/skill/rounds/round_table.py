"""The rounds' table: whole rows painted in one go, one of them unfolded at most."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QTableView, QWidget

from browser_app.language import gettext as _
from browser_app.ui.cells import PADDING
from browser_app.ui.row_table import set_up_rows
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.rounds.round_cells import SIGN, RoundCells
from browser_app.ui.skill.rounds.round_columns import COLUMNS
from browser_app.ui.skill.rounds.round_model import RoundTableModel
from browser_app.ui.skill.rounds.round_orders import NEWEST
from browser_app.ui.skill.rounds.round_row import RoundRow
from browser_app.ui.skill.rounds.unfolded import Unfolded
from browser_app.ui.table_header import TableHeader
from browser_app.ui.theme import Theme

ROW = 28
_SERVER_ROOM, _YEAR_ROOM = 90, 36
_TOGGLES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class RoundTable(QTableView):
    """Newest first until a title is clicked.

    Signals:
        opened: the number of the round that was unfolded, -1 when it was folded again.
        sort_wanted: the key of the column whose title was clicked.
        copy_wanted: Ctrl+C.
    """

    opened = Signal(int)
    sort_wanted = Signal(str)
    copy_wanted = Signal()

    def __init__(self, theme: Theme, model: RoundTableModel, inside: QWidget) -> None:
        """`inside` is what is unfolded."""
        super().__init__()
        self._theme, self._model = theme, model
        self._hovered = self._pressed = -1
        self._second_click = self._years = False
        self.setModel(model)
        self.setAccessibleName(_("Rounds"))
        self.setVerticalScrollBar(ScrollBar(theme))
        set_up_rows(self, ROW)
        self.setMouseTracking(True)
        self.header = TableHeader(theme, COLUMNS)
        self._set_up_header()
        self._unfolded = Unfolded(self, inside)
        theme.changed.connect(self.viewport().update)

    def _set_up_header(self) -> None:
        self.setHorizontalHeader(self.header)
        for place, column in enumerate(COLUMNS):
            self.header.resizeSection(place, self._usual(place))
            stretch = QHeaderView.ResizeMode.Stretch if column.stretch else QHeaderView.ResizeMode.Interactive
            self.header.setSectionResizeMode(place, stretch)
        self.header.sectionClicked.connect(lambda section: self.sort_wanted.emit(COLUMNS[section].key))

    @property
    def unfolded_round(self) -> int:
        """Number of the round that is unfolded, -1 for none."""
        return int(self._model.order[self._unfolded.row]) if self._unfolded.row >= 0 else -1

    def show_round(self, number: int) -> bool:
        """Bring a round into sight and unfold it; False where it is not shown."""
        place = self._model.place_of(number)
        if place is None:
            return False
        self.setCurrentIndex(self._model.index(place, 0))
        self._unfold(place)
        self._reach(QAbstractItemView.ScrollHint.PositionAtTop)
        return True

    def toggle(self, place: int) -> None:
        """Unfold a row, or fold it."""
        if place == self._unfolded.row:
            self.fold()
        elif place >= 0:
            self._unfold(place)
            self._reach()

    def fold(self) -> None:
        """No row is unfolded."""
        if self._unfolded.row >= 0:
            self._unfolded.fold()
            self.opened.emit(-1)

    def _unfold(self, place: int) -> None:
        number = int(self._model.order[place])
        if number != self.unfolded_round:
            self._unfolded.unfold(place)
            self.opened.emit(number)

    def settle(self) -> None:
        """What is unfolded has other contents: make room for it, and bring it into sight."""
        self._unfolded.place()
        self._reach()

    def _reach(self, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible) -> None:
        """Bring the row that is unfolded into sight, with what is under it."""
        self.updateGeometries()  # the scroll bar is to know of the higher row
        self.scrollTo(self._model.index(self._unfolded.row, 0), hint)

    def fit_columns(self) -> None:
        """Columns go where there is no room for all, the least needed first."""
        shown = dict(enumerate(COLUMNS))
        room = self.viewport().width()
        for place, column in sorted(shown.items(), key=lambda each: each[1].goes):
            if column.goes and sum(map(self._room, shown)) > room:
                del shown[place]
        for place in range(len(COLUMNS)):
            self.header.setSectionHidden(place, place not in shown)

    def _room(self, place: int) -> int:
        return _SERVER_ROOM if COLUMNS[place].stretch else self._usual(place)

    def _usual(self, place: int) -> int:
        """As declared, or what its title and its words need in this language; moments may have a year."""
        column = COLUMNS[place]
        wider = _YEAR_ROOM if self._years and column.key == NEWEST else 0
        plain = QFontMetrics(self._theme.font(13))
        words = [2 * PADDING + SIGN + plain.horizontalAdvance(_(each)) for each in column.words]
        return max(column.width + wider, self.header.title_width(place), *words)

    def set_years(self, shown: bool) -> None:
        """Whether moments are told with their year."""
        self._years = shown
        self.header.resizeSection(0, self._usual(0))
        self.fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room for columns, or less."""
        super().resizeEvent(event)
        self.fit_columns()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: N802 (Qt's name)
        """What is unfolded goes with its row."""
        super().scrollContentsBy(dx, dy)
        self._unfolded.place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.palette.color("surface"))
        first, last = self._places(event.rect())
        if first > last:
            return
        cells = RoundCells(painter, self._theme)
        boxes = [(self.columnViewportPosition(i), self.columnWidth(i)) for i in range(len(COLUMNS))]
        selected = self.currentIndex().row() if self.selectionModel().hasSelection() else -1
        for place, row in enumerate(self._model.rows(first, last), first):
            line = QRect(0, self.rowViewportPosition(place), self.viewport().width(), ROW)
            cells.ground = "selected" if place == selected else "hover" if place == self._hovered else "surface"
            self._paint_row(cells, line, boxes, row)
            if place == selected and self.hasFocus():
                painter.setPen(cells.colors["accent"])
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(line.adjusted(0, 0, -1, -2))

    def _paint_row(self, cells: RoundCells, line: QRect, boxes: list[tuple[int, int]], row: RoundRow) -> None:
        selected = cells.ground == "selected"
        if cells.ground != "surface":
            cells.painter.fillRect(line, cells.colors[cells.ground])
        if selected:
            mark = QRect(line.x(), line.y(), 3, line.height())
            cells.painter.fillRect(QStyle.visualRect(self.layoutDirection(), line, mark), cells.colors["accent"])
        cells.painter.setPen(cells.colors["rowline"])
        cells.painter.drawLine(line.x(), line.bottom(), line.right(), line.bottom())
        for column, (left, width) in zip(COLUMNS, boxes, strict=True):
            if width:
                cell = QRect(left, line.y(), width, line.height() - 1)
                cells.begin(cell)
                column.paint(cells, cell, row, selected)

    def _places(self, area: QRect) -> tuple[int, int]:
        last = self._model.rowCount() - 1
        first_hit, last_hit = self.rowAt(area.top()), self.rowAt(area.bottom())
        return (first_hit, last if last_hit < 0 else last_hit) if first_hit >= 0 else (0, -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer with the hover mark."""
        self._hover(self.rowAt(event.position().toPoint().y()))
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """The pointer leaves the rows."""
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            for each in (place, self._hovered):
                if each >= 0:
                    self.viewport().update(0, self.rowViewportPosition(each), self.viewport().width(), ROW)
            self._hovered = place

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember on which row the press began."""
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = self.rowAt(event.position().toPoint().y()) if left else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click unfolds a row, or folds it; a double click is one click."""
        super().mouseReleaseEvent(event)
        place = self.rowAt(event.position().toPoint().y())
        if 0 <= place == self._pressed and not self._second_click:
            self.toggle(place)
        self._pressed, self._second_click = -1, False

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: ARG002
        """The first click has done it."""
        self._second_click = True

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row current when the keys come in; it is to be selected then, too."""
        super().focusInEvent(event)
        if self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.selectRow(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter unfolds and folds, Escape folds, Ctrl+C copies; everything else is the table's own."""
        place = self.currentIndex().row()
        if event.key() in _TOGGLES and place >= 0:
            self.toggle(place)
        elif event.key() == Qt.Key.Key_Escape and self._unfolded.row >= 0:
            self.fold()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)
