"""The server table: its view, its model and type-ahead search by name.

Header, scrolling, selection, keys, tooltips and accessibility are QTableView's own; only the painting is ours, since a
delegate with a call per cell is three times dearer.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyle, QTableView

from browser_app.language import gettext as _
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.servers.server_order import HoldReason
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.widgets.basic_widgets import ScrollBar
from browser_app.ui.widgets.cell_painter import CellPainter
from browser_app.ui.widgets.row_table import RowPixmapCache, TableHeader, configure_row_table
from browser_app.ui.widgets.sorted_table_model import ROW_NUMBER_ROLE, RowNumbers, SortedTableModel
from browser_app.ui.widgets.theme import Theme

TYPE_AHEAD_PAUSE_MS = 1000
"""A letter that comes later begins a new name."""


class TypeAheadSearch:
    """Collects letters. `row_names`: what the rows are called, top down."""

    def __init__(self, row_names: Callable[[], Sequence[str]]) -> None:
        self._row_names = row_names
        self._typed = ""
        self._typing_clock = QElapsedTimer()

    @property
    def is_active(self) -> bool:
        """The next letter belongs to what was typed."""
        return bool(self._typed) and self._typing_clock.isValid() and self._typing_clock.elapsed() < TYPE_AHEAD_PAUSE_MS

    def type_letters(self, letters: str, current: int) -> int:
        """Take letters in; the place of the row to go to, -1 for none. `current`: where one is."""
        going_on = self.is_active
        self._typed = (self._typed if going_on else "") + letters.casefold()
        self._typing_clock.start()
        names = [name.casefold() for name in self._row_names()]
        first = max(current, 0) + (0 if going_on else 1)
        places: list[int] = [*range(first, len(names)), *range(min(first, len(names)))]
        for fits in (_starts_with, _has_word_starting_with):
            for place in places:
                if fits(names[place], self._typed):
                    return place
        return -1


def _starts_with(name: str, begun: str) -> bool:
    return name.startswith(begun)


def _has_word_starting_with(name: str, begun: str) -> bool:
    at = name.find(begun)
    while at >= 0:
        if at == 0 or not name[at - 1].isalnum():
            return True
        at = name.find(begun, at + 1)
    return False


__all__ = ["ROW_NUMBER_ROLE", "RowNumbers", "ServerTableModel"]


class ServerTableModel(SortedTableModel):
    """Shows the servers of `order`. `read_rows` cuts rows from the catalogue in one go; `read_names` names them."""

    def __init__(
        self,
        read_rows: Callable[[Sequence[int]], list[ServerRow]],
        read_names: Callable[[RowNumbers], list[str]] = lambda _servers: [],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(SERVER_COLUMNS, parent)
        self._read_rows, self._read_names = read_rows, read_names

    def rows(self, first: int, last: int) -> list[ServerRow]:
        """The rows in places `first` to `last`, last included."""
        return self._read_rows(self.order[first : last + 1].tolist())

    def server_names(self) -> list[str]:
        """What the servers are called, top down."""
        return self._read_names(self.order)

    def cell_text(self, row: int, column: int) -> str:
        """The column's text."""
        return SERVER_COLUMNS[column].text(self.rows(row, row)[0])

    def cell_accessible_text(self, row: int, column: int) -> str:
        """The column's words."""
        return SERVER_COLUMNS[column].accessible_text(self.rows(row, row)[0])


COMFORTABLE_ROW_HEIGHT, COMPACT_ROW_HEIGHT = 28, 22
_KEY_HOLD_MS = 2000
_SELECTION_KEYS = frozenset(
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
    join_requested = Signal(int)
    favourite_toggle_requested = Signal(int)
    server_menu_requested = Signal(int, QPoint)
    hold_changed = Signal(object, bool)
    resized = Signal()

    def __init__(self, theme: Theme, model: ServerTableModel) -> None:
        super().__init__()
        self._theme = theme
        self._model = model
        self._hovered = -1
        self._pressed_star_server = -1
        self._hidden_selection = -1
        self._is_pointer_hold = False
        self._key_hold_timer = QTimer(self, singleShot=True, interval=_KEY_HOLD_MS)
        self._key_hold_timer.timeout.connect(lambda: self.hold_changed.emit(HoldReason.KEYS, False))
        self._play_now_choice = -1
        self._pixmap_cache = RowPixmapCache()
        self._type_ahead = TypeAheadSearch(model.server_names)
        self.setModel(model)
        self.setAccessibleName(_("Servers"))
        self.setVerticalScrollBar(ScrollBar(theme))
        self._set_up_rows()
        self._set_up_header()
        theme.changed.connect(self.viewport().update)

    def _set_up_rows(self) -> None:
        configure_row_table(self, COMFORTABLE_ROW_HEIGHT)
        self.verticalHeader().setMinimumSectionSize(COMPACT_ROW_HEIGHT)
        self.setMouseTracking(True)
        self.selectionModel().currentRowChanged.connect(self._on_current_changed)

    def _set_up_header(self) -> None:
        header = TableHeader(self._theme, SERVER_COLUMNS)
        self.setHorizontalHeader(header)
        self.header = header
        header.setSectionsMovable(True)
        header.setFirstSectionMovable(False)
        for index, column in enumerate(SERVER_COLUMNS):
            header.resizeSection(index, column.width)
            stretch = QHeaderView.ResizeMode.Stretch if column.stretch else QHeaderView.ResizeMode.Interactive
            header.setSectionResizeMode(index, stretch)

    def set_compact(self, compact: bool) -> None:
        """Rows of 22 pixels in place of 28."""
        self.verticalHeader().setDefaultSectionSize(COMPACT_ROW_HEIGHT if compact else COMFORTABLE_ROW_HEIGHT)

    def show_order(self, order: RowNumbers) -> None:
        """Show these servers in this order. In a scrolled list a selected server in sight stays in its place.

        One that is hidden now is selected again when it comes back, unless another one was chosen meanwhile.
        """
        bar, current = self.verticalScrollBar(), QPersistentModelIndex(self.currentIndex())
        before = self.visualRect(self.currentIndex())
        follow = bar.value() > 0 and before.intersects(self.viewport().rect())
        if current.isValid() and self.selected_server() not in order:
            self._hidden_selection = self.selected_server()
            self.setCurrentIndex(QModelIndex())  # Qt would take one that happens to be near the end
            current = QPersistentModelIndex()
        self._model.set_order(order)
        self.select_without_scrolling(self._hidden_selection)
        if follow and current.isValid():
            bar.setValue(bar.value() + self.rowViewportPosition(current.row()) - before.top())

    def set_play_now_choice(self, server: int) -> None:
        """Mark the server Play Now would choose, -1 for none."""
        if server != self._play_now_choice:
            self._play_now_choice = server
            self.viewport().update()

    def visible_places(self) -> tuple[int, int]:
        """First and last place painted; (0, -1) when there are none."""
        return self._places_in(self.viewport().rect())

    def _places_in(self, area: QRect) -> tuple[int, int]:
        last = self._model.rowCount() - 1
        first_hit, last_hit = self.rowAt(area.top()), self.rowAt(area.bottom())
        return (first_hit, last if last_hit < 0 else last_hit) if first_hit >= 0 else (0, -1)

    def selected_server(self) -> int:
        """Id of the current server, -1 for none."""
        current = self.currentIndex()
        return int(self._model.order[current.row()]) if current.isValid() else -1

    def select_server(self, server: int) -> bool:
        """Make a server current and bring it into sight; False if it is not shown."""
        place = self._model.row_of(server)
        if place is None:
            return False
        self.setCurrentIndex(self._model.index(place, 0))
        return True

    def select_without_scrolling(self, server: int) -> None:
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
        first, last = self._places_in(event.rect())
        if first > last:
            return
        boxes = tuple((self.columnViewportPosition(i), self.columnWidth(i)) for i in range(len(SERVER_COLUMNS)))
        size = QSize(self.viewport().width(), self.verticalHeader().defaultSectionSize())
        minute = int(time.time() // 60)  # some cells say how long ago something was
        look = (self._theme.palette, boxes, size, self.layoutDirection(), self.devicePixelRatioF(), minute)
        self._pixmap_cache.begin_paint(look, self.viewport().height() // size.height() + 2)
        current = self.currentIndex().row()
        selected = current if self.selectionModel().hasSelection() else -1
        for place, row in enumerate(self._model.rows(first, last), first):
            state = (place == selected, place == self._hovered, row.id == self._play_now_choice)
            paint = partial(self._paint_row, QRect(QPoint(0, 0), size), boxes, row, state)
            where = QPoint(0, self.rowViewportPosition(place))
            self._pixmap_cache.draw_row(painter, where, size, ground, (row.paint_key, state), paint)
            if place == current and self.hasFocus():
                painter.setPen(self._theme.palette.color("accent"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(QRect(where, size).adjusted(0, 0, -1, -2))

    def _paint_row(
        self,
        line: QRect,
        boxes: tuple[tuple[int, int], ...],
        row: ServerRow,
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
        for column, (left, width) in zip(SERVER_COLUMNS, boxes, strict=True):
            if not width:
                continue
            cell = QRect(left, line.y(), width, line.height() - 1)
            cells.begin_cell(cell)
            column.paint(cells, cell, row, selected, chosen)

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._hidden_selection = -1
        self.server_selected.emit(int(self._model.order[current.row()]) if current.isValid() else -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the pointer with the hover mark."""
        place = self.rowAt(event.position().toPoint().y())
        self._set_hovered(place)
        self._set_pointer_hold(place >= 0)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Let the order go when the pointer leaves the rows."""
        if event.type() == QEvent.Type.Leave:
            self._set_hovered(-1)
            self._set_pointer_hold(False)
        return super().viewportEvent(event)

    def _set_pointer_hold(self, held: bool) -> None:
        if held != self._is_pointer_hold:
            self._is_pointer_hold = held
            self.hold_changed.emit(HoldReason.POINTER, held)

    def _set_hovered(self, place: int) -> None:
        if place != self._hovered:
            for each in (place, self._hovered):
                if each >= 0:
                    top = self.rowViewportPosition(each)
                    self.viewport().update(0, top, self.viewport().width(), self.rowHeight(each))
            self._hovered = place

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember on whose star the press began."""
        self._pressed_star_server = self._server_of_star_at(event)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the star toggles it."""
        super().mouseReleaseEvent(event)
        server = self._server_of_star_at(event)
        if server >= 0 and server == self._pressed_star_server:
            self.favourite_toggle_requested.emit(server)
        self._pressed_star_server = -1

    def _server_of_star_at(self, event: QMouseEvent) -> int:
        """The server whose star is under the left button, -1 for none."""
        index = self.indexAt(event.position().toPoint())
        on_star = event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.column() == 0
        return int(self._model.order[index.row()]) if on_star else -1

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click joins, but on the star."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() != 0:
            self.join_requested.emit(int(self._model.order[index.row()]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Qt makes the first row current when the keys come in; it is to be selected then, too."""
        super().focusInEvent(event)
        if self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.selectRow(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter joins, once however long it is held down; everything else is the table's own."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected_server() >= 0:
            if not event.isAutoRepeat():
                self.join_requested.emit(self.selected_server())
        else:
            if event.key() in _SELECTION_KEYS:
                self.hold_changed.emit(HoldReason.KEYS, True)
                self._key_hold_timer.start()
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the name that begins with what is typed."""
        place = self._type_ahead.type_letters(search, self.currentIndex().row())
        if place >= 0:
            self.hold_changed.emit(HoldReason.KEYS, True)
            self._key_hold_timer.start()
            self.setCurrentIndex(self._model.index(place, 0))

    def event(self, event: QEvent) -> bool:
        """A letter that continues a name is no shortcut."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if plain and event.text().isprintable() and event.text() and self._type_ahead.is_active:
                event.accept()
                return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the server under the pointer, or of the selected one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            where = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.server_menu_requested.emit(int(self._model.order[index.row()]), where)
