"""Base classes of inspector pages: lists and wrapped text."""

from collections.abc import Sequence
from typing import Any, Generic

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QListView, QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import draw_focus_ring
from browser_app.ui.widgets.menus import create_menu
from browser_app.ui.widgets.tables.painted_list_model import ListItem, PaintedListModel, set_up_painted_list
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme


class InspectorTextPage(QWidget):
    """A page as high as its wrapped text.

    Qt's own minimum height is computed for a narrower page, which would scroll over empty space.
    """

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the new width."""
        super().resizeEvent(event)
        self.fit_height()

    def event(self, event: QEvent) -> bool:
        """Adapt the height when a widget inside was shown, hidden or changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit_height()
        return super().event(event)

    def fit_height(self) -> None:
        """Adapt the height to changed texts."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setMinimumHeight(max(0, layout.totalHeightForWidth(self.width())))


LIST_LINE_HEIGHT, LIST_MARGIN = 24, 14


class InspectorListView(QListView, Generic[ListItem]):
    """A list without scroll bars that is as high as its items; its owner scrolls it."""

    def __init__(self, name: str, model: PaintedListModel[ListItem]) -> None:
        """Create a list; `name` is its accessible name."""
        super().__init__()
        self.list_model = model
        set_up_painted_list(self, model, name)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_items(self, items: Sequence[ListItem]) -> None:
        """Show these items; the selected one stays selected."""
        chosen = self.selected_item()
        if self.list_model.set_items(items):
            self.setFixedHeight(LIST_LINE_HEIGHT * len(items))
            row = -1 if chosen is None else self.list_model.row_of(self.list_model.key(chosen))
            self.setCurrentIndex(self.list_model.index(row))

    def selected_item(self) -> ListItem | None:
        """Return the selected item."""
        return self.list_model.item_at(self.currentIndex())


class InspectorListDelegate(QStyledItemDelegate):
    """Base of the delegates that paint the items."""

    def __init__(self, theme: Theme, view: InspectorListView[Any]) -> None:
        super().__init__(view)
        self._theme, self._list = theme, view

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: ARG002
        """Return the same height for all rows."""
        return QSize(0, LIST_LINE_HEIGHT)

    def draw_background(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        """Mark the selected row while the list has the focus, else the hovered one."""
        box, colors = QRect(option.rect), self._theme.palette
        if option.state & QStyle.StateFlag.State_Selected and self._list.hasFocus():
            painter.fillRect(box, colors.color("selected"))
            draw_focus_ring(painter, box.adjusted(2, 0, -2, 0), colors.color("accent"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, colors.color("hover"))


class InspectorListPage(QWidget):
    """A page with a list whose rows can be copied and have a menu.

    Signals:
        status_reported: text for the status bar.
        line_reached: vertical position (px) of the row that was selected by keyboard.
    """

    status_reported = Signal(str)
    line_reached = Signal(int)

    def __init__(self, lines: InspectorListView[Any]) -> None:
        super().__init__()
        self._list_view = lines
        lines.installEventFilter(self)
        lines.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        lines.customContextMenuRequested.connect(self._open_menu)
        lines.selectionModel().currentChanged.connect(self._on_current_changed)

    def text_to_copy(self) -> str:
        """Return what Ctrl+C copies from the selected row, empty if none is selected."""
        raise NotImplementedError

    def fill_menu(self, menu: QMenu, index: ModelIndex) -> None:
        """Add a row's actions; a menu that stays empty is not shown."""
        raise NotImplementedError

    def copy_text(self, text: str) -> None:
        """Copy a text and report it."""
        QGuiApplication.clipboard().setText(text)
        self.status_reported.emit(_("Copied"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Copy the selected row with Ctrl+C.

        The window's shortcut would copy the server's address.
        """
        key = event if watched is self._list_view and isinstance(event, QKeyEvent) else None
        text = self.text_to_copy() if key is not None and key.matches(QKeySequence.StandardKey.Copy) else ""
        if text and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if text and event.type() == QEvent.Type.KeyPress:
            self.copy_text(text)
            return True
        return super().eventFilter(watched, event)

    def _open_menu(self, where: QPoint) -> None:
        index = self._list_view.indexAt(where)
        if not index.isValid():
            return
        menu = create_menu(self, ())
        self.fill_menu(menu, index)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(self._list_view.viewport().mapToGlobal(where))

    def _on_current_changed(self, current: QModelIndex) -> None:
        if current.isValid():
            self.line_reached.emit(self._list_view.mapTo(self, self._list_view.visualRect(current).center()).y())
