"""The server table: view, model and type-ahead search by name.

Header, scrolling, selection, keys, tooltips and accessibility are QTableView's. Rows are painted here: a delegate with
one call per cell takes three times as long.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QItemSelectionModel,
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
from PySide6.QtWidgets import QHeaderView, QStyle

from browser_app.language import gettext as _
from browser_app.ui.servers.row_pixmap_cache import RowPixmapCache
from browser_app.ui.servers.server_columns import SERVER_COLUMNS
from browser_app.ui.servers.server_order import HoldReason
from browser_app.ui.servers.server_row import ServerRow
from browser_app.ui.servers.server_sentence import SENTENCE_KEYS, server_sentence
from browser_app.ui.widgets.basic_widgets import ScrollBar, draw_frame
from browser_app.ui.widgets.tables.cell_painter import CellPainter
from browser_app.ui.widgets.tables.row_table import (
    RowTableView,
    TableHeader,
    configure_row_table,
    continue_header_over_scroll_bar,
)
from browser_app.ui.widgets.tables.sorted_table_model import RowNumbers, SortedTableModel
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import list_age_text, short_age_text

TYPE_AHEAD_PAUSE_MS = 1000
"""A letter typed after this pause starts a new search."""


class TypeAheadSearch:
    """Type-ahead search; `row_names` returns the names of all rows in order."""

    def __init__(self, row_names: Callable[[], Sequence[str]]) -> None:
        self._row_names = row_names
        self._typed = ""
        self._typing_clock = QElapsedTimer()

    @property
    def is_active(self) -> bool:
        """Whether the next letter continues the search."""
        return bool(self._typed) and self._typing_clock.isValid() and self._typing_clock.elapsed() < TYPE_AHEAD_PAUSE_MS

    def type_letters(self, letters: str, current: int) -> int:
        """Add letters to the search; return the matching row, -1 if there is none.

        The search starts at `current`.
        """
        is_continued = self.is_active
        self._typed = (self._typed if is_continued else "") + letters.casefold()
        self._typing_clock.start()
        names = [name.casefold() for name in self._row_names()]
        first = max(current, 0) + (0 if is_continued else 1)
        rows: list[int] = [*range(first, len(names)), *range(min(first, len(names)))]
        for fits in (str.startswith, _has_word_starting_with):
            for row in rows:
                if fits(names[row], self._typed):
                    return row
        return -1


def _has_word_starting_with(name: str, prefix: str) -> bool:
    at = name.find(prefix)
    while at >= 0:
        if at == 0 or not name[at - 1].isalnum():
            return True
        at = name.find(prefix, at + 1)
    return False


class ServerTableModel(SortedTableModel):
    """A model of the servers in `order`.

    `read_rows` reads whole rows, `read_names` only their names, `read_age` the seconds since a server's last answer.
    """

    def __init__(
        self,
        read_rows: Callable[[Sequence[int]], list[ServerRow]],
        read_names: Callable[[RowNumbers], list[str]] = lambda _servers: [],
        read_age: Callable[[int], float] = lambda _server: float("nan"),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(SERVER_COLUMNS, parent)
        self._read_rows, self._read_names, self._read_age = read_rows, read_names, read_age

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a column means as its tooltip, else what every table returns."""
        meaning = SERVER_COLUMNS[section].meaning if role == Qt.ItemDataRole.ToolTipRole else ""
        return _(meaning) if meaning else super().headerData(section, orientation, role)

    def rows(self, first: int, last: int) -> list[ServerRow]:
        """Return the rows from position `first` to `last` inclusive."""
        return self._read_rows(self.order[first : last + 1].tolist())

    def server_names(self) -> list[str]:
        """Return the names of all servers in order."""
        return self._read_names(self.order)

    def cell_text(self, row: int, column: int) -> str:
        """Return the column's text."""
        return SERVER_COLUMNS[column].text(self.rows(row, row)[0])

    def cell_accessible_text(self, row: int, column: int) -> str:
        """Return the column's accessible text."""
        return SERVER_COLUMNS[column].accessible_text(self.rows(row, row)[0])

    def row_accessible_text(self, row: int) -> str:
        """Return what matters most of a server as one text."""
        return server_sentence(self.rows(row, row)[0])

    def is_in_row_text(self, column: int) -> bool:
        """Return whether a server's accessible text has this column's value."""
        return SERVER_COLUMNS[column].key in SENTENCE_KEYS

    def cell_tool_tip(self, row: int, column: int) -> str:
        """Return the column's accessible text.

        For the name, the age of the row is added, and whether a list describes the server; for the ping, its spread.
        """
        server = self.rows(row, row)[0]
        text = SERVER_COLUMNS[column].accessible_text(server)
        if SERVER_COLUMNS[column].key == "ping":
            return "\n".join(filter(None, (text, server.ping_spread_text)))
        if SERVER_COLUMNS[column].key != "name":
            return text
        lines = [text, answer_age_text(self._read_age(int(self.order[row])))]
        if server.described_at is not None:
            lines.append(list_age_text(max(0.0, time.time() - server.described_at)))
        return "\n".join(lines)


def answer_age_text(seconds: float) -> str:
    """Return when a server last answered; NaN is never."""
    return _("Updated {age} ago").format(age=short_age_text(seconds)) if seconds == seconds else _("Never answered")


COMFORTABLE_ROW_HEIGHT, COMPACT_ROW_HEIGHT = 28, 22
_KEY_HOLD_MS = 2000
_SELECTION_KEYS = frozenset(
    (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End)
)
_KEY_FOCUS_REASONS = frozenset(
    (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
)


class ServerTableView(RowTableView):
    """The ranked list of servers.

    Signals:
        server_selected: id of the current server, -1 for none.
        join_requested: id of a server (double click, Enter).
        favourite_toggle_requested: id of the server whose star was clicked.
        server_menu_requested: id of a server and the global position for its menu.
        resized: the space for columns changed.
        hold_changed: a `HoldReason` and whether it applies: from a pointer movement over the rows until the pointer
            leaves (a pointer that rests where the window opened does not count), and from a selecting key until 2 s
            after the last one.
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
        self.is_selected_by_focus = False
        """Whether the selected server is the one that was first when the focus arrived."""
        self.is_selection_requested = False
        """Whether the user asks for the server that is being selected."""
        self._is_pointer_hold = False
        self._key_hold_timer = QTimer(self, singleShot=True, interval=_KEY_HOLD_MS)
        self._key_hold_timer.timeout.connect(lambda: self.hold_changed.emit(HoldReason.KEYS, False))
        self._play_now_choice = -1
        self._pixmap_cache = RowPixmapCache()
        self._type_ahead = TypeAheadSearch(model.server_names)
        self.setAccessibleName(_("Servers"))
        self.setVerticalScrollBar(ScrollBar(theme))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # its space stays, so columns do
        continue_header_over_scroll_bar(theme, self)
        self._set_up_rows()
        self._set_up_header()
        theme.changed.connect(self.viewport().update)

    def _set_up_rows(self) -> None:
        configure_row_table(self, self._model, COMFORTABLE_ROW_HEIGHT)
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
        """Use rows of 22 px instead of 28 px."""
        self.verticalHeader().setDefaultSectionSize(COMPACT_ROW_HEIGHT if compact else COMFORTABLE_ROW_HEIGHT)

    def show_order(self, order: RowNumbers) -> None:
        """Show these servers in this order.

        In a scrolled list a visible selected server stays in place. A selected server that is hidden now is selected
        again when it returns, unless another one is selected meanwhile.
        """
        bar, current = self.verticalScrollBar(), QPersistentModelIndex(self.currentIndex())
        before = self.visualRect(self.currentIndex())
        follow = bar.value() > 0 and before.intersects(self.viewport().rect())
        if current.isValid() and self.selected_server() not in order:
            self._hidden_selection = self.selected_server()
            self.setCurrentIndex(QModelIndex())  # Qt would select a neighbour
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
        """Return the first and last visible position; (0, -1) if there is none."""
        return self._places_in(self.viewport().rect())

    def _places_in(self, area: QRect) -> tuple[int, int]:
        last = self._model.rowCount() - 1
        first_hit, last_hit = self.rowAt(area.top()), self.rowAt(area.bottom())
        return (first_hit, last if last_hit < 0 else last_hit) if first_hit >= 0 else (0, -1)

    def selected_server(self) -> int:
        """Return the id of the current server, -1 for none."""
        current = self.currentIndex()
        return int(self._model.order[current.row()]) if current.isValid() else -1

    @property
    def has_selection(self) -> bool:
        """Whether a server is selected, shown or hidden."""
        return self.currentIndex().isValid() or self._hidden_selection >= 0

    def neighbours_of_selection(self) -> RowNumbers:
        """Return the servers below the selected one, then those above it, nearest first.

        Empty if no server is selected.
        """
        order, row = self._model.order, self.currentIndex().row()
        return np.concatenate((order[row + 1 :], order[:row][::-1])) if row >= 0 else order[:0]

    @property
    def rows_in_use(self) -> list[int]:
        """The server that is selected again when it returns, if there is one."""
        return [self._hidden_selection] if self._hidden_selection >= 0 else []

    def select_server(self, server: int, *, is_requested: bool = True) -> bool:
        """Make a server current and scroll to it; return False if it is not shown.

        `is_requested`: the user asked for this server.
        """
        row = self._model.row_of(server)
        if row is None:
            return False
        with self._selecting(is_requested=is_requested):
            self.setCurrentIndex(self._model.index(row, 0))
        return True

    @contextmanager
    def _selecting(self, *, is_requested: bool = True) -> Iterator[None]:
        before, self.is_selection_requested = self.is_selection_requested, is_requested
        try:
            yield
        finally:
            self.is_selection_requested = before

    def select_without_scrolling(self, server: int) -> None:
        """Make a server current if it is shown, without scrolling to it.

        The user has not asked for it.
        """
        self.setAutoScroll(False)
        self.select_server(server, is_requested=False)
        self.setAutoScroll(True)

    def keep_rows_under_pointer(self, moved: int) -> None:
        """Scroll as far as the table moves down, px, if the pointer is over the rows."""
        if self._is_pointer_hold:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + moved)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Report that the space for columns changed."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the exposed rows."""
        painter = QPainter(self.viewport())
        background = self._theme.palette.color("surface")
        painter.fillRect(event.rect(), background)
        first, last = self._places_in(event.rect())
        if first > last:
            return
        boxes = tuple((self.columnViewportPosition(i), self.columnWidth(i)) for i in range(len(SERVER_COLUMNS)))
        size = QSize(self.viewport().width(), self.verticalHeader().defaultSectionSize())
        minute = int(time.time() // 60)  # some cells show how long ago something was
        appearance = (self._theme.palette, boxes, size, self.layoutDirection(), self.devicePixelRatioF(), minute)
        self._pixmap_cache.begin_paint(appearance, self.viewport().height() // size.height() + 2)
        current = self.currentIndex().row()
        selected = current if self.selectionModel().hasSelection() else -1
        for index, row in enumerate(self._model.rows(first, last), first):
            state = (index == selected, index == self._hovered, row.id == self._play_now_choice)
            paint = partial(self._paint_row, QRect(QPoint(0, 0), size), boxes, row, state)
            where = QPoint(0, self.rowViewportPosition(index))
            self._pixmap_cache.draw_row(painter, where, size, background, (row.paint_key, state), paint)
            if index == current and self.hasFocus():
                draw_frame(painter, QRect(where, size).adjusted(0, 0, 0, -1), self._theme.palette.color("accent"))

    def _paint_row(
        self,
        line: QRect,
        boxes: tuple[tuple[int, int], ...],
        row: ServerRow,
        state: tuple[bool, bool, bool],
        painter: QPainter,
    ) -> None:
        selected, hovered, chosen = state
        cells = CellPainter(painter, self._theme)
        if selected or hovered:
            painter.fillRect(line, cells.colors["selected" if selected else "hover"])
        if selected:
            mark = QRect(line.x(), line.y(), 3, line.height())
            painter.fillRect(QStyle.visualRect(self.layoutDirection(), line, mark), cells.colors["accent"])
        cells.draw_row_line(line)
        for column, (left, width) in zip(SERVER_COLUMNS, boxes, strict=True):
            if not width:
                continue
            cell = QRect(left, line.y(), width, line.height() - 1)
            cells.begin_cell(cell)
            column.paint(cells, cell, row, selected, chosen)

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self._hidden_selection, self.is_selected_by_focus = -1, False
        self.server_selected.emit(int(self._model.order[current.row()]) if current.isValid() else -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Update hover mark and hold."""
        row = self.rowAt(event.position().toPoint().y())
        self._set_hovered(row)
        self._set_pointer_hold(row >= 0)
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """Release the hold when the pointer leaves the rows."""
        if event.type() == QEvent.Type.Leave:
            self._set_hovered(-1)
            self._set_pointer_hold(False)
        return super().viewportEvent(event)

    def _set_pointer_hold(self, held: bool) -> None:
        if held != self._is_pointer_hold:
            self._is_pointer_hold = held
            self.hold_changed.emit(HoldReason.POINTER, held)

    def _set_hovered(self, row: int) -> None:
        if row != self._hovered:
            for each in (row, self._hovered):
                if each >= 0:
                    top = self.rowViewportPosition(each)
                    self.viewport().update(0, top, self.viewport().width(), self.rowHeight(each))
            self._hovered = row

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember on whose star the press started."""
        self._pressed_star_server = self._server_of_star_at(event)
        with self._selecting():
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Toggle the favourite if press and release were on the same star."""
        super().mouseReleaseEvent(event)
        server = self._server_of_star_at(event)
        if server >= 0 and server == self._pressed_star_server:
            self.favourite_toggle_requested.emit(server)
        self._pressed_star_server = -1

    def _server_of_star_at(self, event: QMouseEvent) -> int:
        """Return the server whose star is under the left button, -1 for none."""
        index = self.indexAt(event.position().toPoint())
        on_star = event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.column() == 0
        return int(self._model.order[index.row()]) if on_star else -1

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Join, except on the star."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() != 0:
            self.join_requested.emit(int(self._model.order[index.row()]))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the current row; show it if the focus came by a key.

        Qt makes the first row current when the focus arrives for the first time, without selecting it.
        """
        had_current = self.currentIndex().isValid()
        super().focusInEvent(event)
        if event.reason() in _KEY_FOCUS_REASONS:
            if not self.currentIndex().isValid():
                first = self._model.index(self.visible_places()[0], 0)
                self.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(self.currentIndex())
        if self.currentIndex().isValid() and not self.selectionModel().hasSelection():
            self.selectRow(self.currentIndex().row())
            self.is_selected_by_focus = not had_current

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Join with Enter, once per press; pass other keys to the table."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected_server() >= 0:
            if not event.isAutoRepeat():
                self.join_requested.emit(self.selected_server())
        else:
            if event.key() in _SELECTION_KEYS:
                self.hold_changed.emit(HoldReason.KEYS, True)
                self._key_hold_timer.start()
            with self._selecting():
                super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Go to the name that starts with the typed letters."""
        row = self._type_ahead.type_letters(search, self.currentIndex().row())
        if row >= 0:
            self.hold_changed.emit(HoldReason.KEYS, True)
            self._key_hold_timer.start()
            self.setCurrentIndex(self._model.index(row, 0))

    def event(self, event: QEvent) -> bool:
        """Keep letters that continue a search from triggering shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
            if plain and event.text().isprintable() and event.text() and self._type_ahead.is_active:
                event.accept()
                return True
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the server under the pointer, or of the selected one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            where = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.server_menu_requested.emit(int(self._model.order[index.row()]), where)
