"""The table's view: whole rows painted in one go from slices of the columns.

Header, scrolling, selection, keys, tooltips and accessibility are QTableView's own; only the painting is ours, since a
delegate with a call per cell is three times dearer.
"""

import time
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QTableView

from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.cells import CellPainter
from browser_app.ui.columns import COLUMNS
from browser_app.ui.name_search import NameSearch
from browser_app.ui.row import Row
from browser_app.ui.row_pictures import RowPictures
from browser_app.ui.row_table import set_up_rows
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.table_header import TableHeader
from browser_app.ui.table_model import Ids, ServerTableModel
from browser_app.ui.theme import Theme

COMFORTABLE, COMPACT = 28, 22
POINTER, KEYS = later("while you point"), later("while you select")
"""Why the order is held."""
_KEY_REST_MS = 2000
_SELECTING = frozenset(
    (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
)


class ServerTableView(QTableView):
    """The ranked list.

    Signals:
        server_selected: id of the current server, -1 for none.
        join_wanted: id of the server the user wants to join (double click, Enter).
        favourite_wanted: id of the server whose star was clicked.
        menu_wanted: id of a server and the point for its menu (global).
        resized: there is more room for columns, or less.
        held: why the order must hold still, and True, or False when that is over: from a movement of the pointer over
            the rows until it leaves them (one that merely rests where the window opened points at nothing), and from a
            key that selects until two seconds after the last.
    """

    server_selected = Signal(int)
    join_wanted = Signal(int)
    favourite_wanted = Signal(int)
    menu_wanted = Signal(int, QPoint)
    held = Signal(str, bool)
    resized = Signal()

    def __init__(self, theme: Theme, model: ServerTableModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._hovered = -1
        self._pressed_star = -1
        self._missed = -1
        self._pointed = False
        self._key_rest = QTimer(self, singleShot=True, interval=_KEY_REST_MS)
        self._key_rest.timeout.connect(lambda: self.held.emit(KEYS, False))
        self._chosen = -1
        self._pictures = RowPictures()
        self._search = NameSearch(model.names)
        self.setModel(model)
        self.setAccessibleName(_("Servers"))
        self.setVerticalScrollBar(ScrollBar(theme))
        self._set_up_rows()
        self._set_up_header()
        theme.changed.connect(self.viewport().update)

    def _set_up_rows(self) -> None:
        set_up_rows(self, COMFORTABLE)
        self.verticalHeader().setMinimumSectionSize(COMPACT)
        self.setMouseTracking(True)
        self.selectionModel().currentRowChanged.connect(self._current_changed)

    def _set_up_header(self) -> None:
        header = TableHeader(self._theme, COLUMNS)
        self.setHorizontalHeader(header)
        self.header = header
        header.setSectionsMovable(True)
        header.setFirstSectionMovable(False)
        for index, column in enumerate(COLUMNS):
            header.resizeSection(index, column.width)
            stretch = QHeaderView.ResizeMode.Stretch if column.stretch else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(index, stretch)

    def set_compact(self, compact: bool) -> None:
        """Rows of 22 pixels in place of 28."""
        self.verticalHeader().setDefaultSectionSize(COMPACT if compact else COMFORTABLE)

    def show_order(self, order: Ids) -> None:
        """Show these servers in this order. In a scrolled list a selected server in sight stays in its place.

        One that is hidden now is selected again when it comes back, unless another one was chosen meanwhile.
        """
        bar, current = self.verticalScrollBar(), QPersistentModelIndex(self.currentIndex())
        before = self.visualRect(self.currentIndex())
        follow = bar.value() > 0 and before.intersects(self.viewport().rect())
        if current.isValid() and self.selected_server() not in order:
            self._missed = self.selected_server()
            self.setCurrentIndex(QModelIndex())  # Qt would take one that happens to be near the end
            current = QPersistentModelIndex()
        self._model.set_order(order)
        self.select_in_place(self._missed)
        if follow and current.isValid():
            bar.setValue(bar.value() + self.rowViewportPosition(current.row()) - before.top())

    def set_chosen(self, server: int) -> None:
        """Mark the server Play Now would choose, -1 for none."""
        if server != self._chosen:
            self._chosen = server
            self.viewport().update()

    def places_in_sight(self) -> tuple[int, int]:
        """First and last place painted; (0, -1) when there are none."""
        return self._places(self.viewport().rect())

    def _places(self, area: QRect) -> tuple[int, int]:
        last = self._model.rowCount() - 1
        first_hit, last_hit = self.rowAt(area.top()), self.rowAt(area.bottom())
        return (first_hit, last if last_hit < 0 else last_hit) if first_hit >= 0 else (0, -1)

    def selected_server(self) -> int:
        """Id of the current server, -1 for none."""
        current = self.currentIndex()
        return int(self._model.order[current.row()]) if current.isValid() else -1

    def select_server(self, server: int) -> bool:
        """Make a server current and bring it into sight; False if it is not shown."""
        place = self._model.place_of(server)
        if place is None:
            return False
        self.setCurrentIndex(self._model.index(place, 0))
        return True

    def select_in_place(self, server: int) -> None:
        """Make a server current where it is shown, if it is: nobody asked for it, so the list does not jump to it."""
        self.setAutoScroll(False)
        self.select_server(server)
        self.setAutoScroll(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that there is more room, or less."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        ground = self._theme.palette.color("surface")
        painter.fillRect(event.rect(), ground)
        first, last = self._places(event.rect())
        if first > last:
            return
        boxes = tuple((self.columnViewportPosition(i), self.columnWidth(i)) for i in range(len(COLUMNS)))
        size = QSize(self.viewport().width(), self.verticalHeader().defaultSectionSize())
        minute = int(time.time() // 60)  # some cells say how long ago something was
        look = (self._theme.palette, boxes, size, self.layoutDirection(), self.devicePixelRatioF(), minute)
        self._pictures.begin(look, self.viewport().height() // size.height() + 2)
        current = self.currentIndex().row()
        selected = current if self.selectionModel().hasSelection() else -1
        for place, row in enumerate(self._model.rows(first, last), first):
            state = (place == selected, place == self._hovered, row.id == self._chosen)
            paint = partial(self._paint_row, QRect(QPoint(0, 0), size), boxes, row, state)
            where = QPoint(0, self.rowViewportPosition(place))
            self._pictures.draw(painter, where, size, ground, (row.painted, state), paint)
            if place == current and self.hasFocus():
                painter.setPen(self._theme.palette.color("accent"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRect(where, size).adjusted(0, 0, -1, -2))

    def _paint_row(
        self,
        line: QRect,
        boxes: tuple[tuple[int, int], ...],
        row: Row,
        state: tuple[bool, bool, bool],
        painter: QPainter,
    ) -> None:
        """Paint a row, which may be selected, hovered and Play Now's choice."""
        selected, hovered, chosen = state
        cells = CellPainter(painter, self._theme)
        if selected or hovered:
            painter.fillRect(line, cells.colors["selected" if selected else "hover"])
        if selected:
            mark = QRect(line.x(), line.y(), 3, line.height())
            painter.fillRect(QStyle.visualRect(self.layoutDirection(), line, mark), cells.colors["accent"])
        painter.setPen(cells.colors["rowline"])
        painter.drawLine(line.x(), line.bottom(), line.right(), line.bottom())
        for column, (left, width) in zip(COLUMNS, boxes, strict=True):
            if not width:
                continue
            cell = QRect(left, line.y(), width, line.height() - 1)
            cells.begin(cell)
            column.paint(cells, cell, row, selected, chosen)

    def _current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._missed = -1
        self.server_selected.emit(int(self._model.order[current.row()]) if current.isValid() else -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer with the hover mark."""
        place = self.rowAt(event.position().toPoint().y())
        self._hover(place)
        self._hold(place >= 0)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Let the order go when the pointer leaves the rows."""
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
            self._hold(False)
        return super().viewportEvent(event)

    def _hold(self, held: bool) -> None:
        if held != self._pointed:
            self._pointed = held
            self.held.emit(POINTER, held)

    def _hover(self, place: int) -> None:
        if place != self._hovered:
            for each in (place, self._hovered):
                if each >= 0:
                    top = self.rowViewportPosition(each)
                    self.viewport().update(0, top, self.viewport().width(), self.rowHeight(each))
            self._hovered = place

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember on whose star the press began."""
        self._pressed_star = self._star_at(event)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the star toggles it."""
        super().mouseReleaseEvent(event)
        server = self._star_at(event)
        if server >= 0 and server == self._pressed_star:
            self.favourite_wanted.emit(server)
        self._pressed_star = -1

    def _star_at(self, event: QMouseEvent) -> int:
        """The server whose star is under the left button, -1 for none."""
        index = self.indexAt(event.position().toPoint())
        on_star = event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.column() == 0
        return int(self._model.order[index.row()]) if on_star else -1

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click joins, but on the star."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() != 0:
            self.join_wanted.emit(int(self._model.order[index.row()]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row current when the keys come in; it is to be selected then, too."""
        super().focusInEvent(event)
        if self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.selectRow(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter joins, once however long it is held down; everything else is the table's own."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected_server() >= 0:
            if not event.isAutoRepeat():
                self.join_wanted.emit(self.selected_server())
        else:
            if event.key() in _SELECTING:
                self.held.emit(KEYS, True)
                self._key_rest.start()
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the name that begins with what is typed."""
        place = self._search.type(search, self.currentIndex().row())
        if place >= 0:
            self.held.emit(KEYS, True)
            self._key_rest.start()
            self.setCurrentIndex(self._model.index(place, 0))

    def event(self, event: QEvent) -> bool:
        """A letter that continues a name is no shortcut."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if plain and event.text().isprintable() and event.text() and self._search.going_on:
                event.accept()
                return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the server under the pointer, or of the selected one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            where = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.menu_wanted.emit(int(self._model.order[index.row()]), where)
