"""The sidebar of server lists."""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.ui.settings.keyboard_shortcuts import text_with_shortcut
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import ScrollBar, fill_edges
from browser_app.ui.widgets.buttons import CollapseButton
from browser_app.ui.widgets.sidebar_parts import (
    COLLAPSED_ITEM_HEIGHT,
    COLLAPSED_SIDEBAR_WIDTH,
    SIDEBAR_ITEM_HEIGHT,
    SidebarItemContent,
    SidebarItemPainter,
)
from browser_app.ui.widgets.tables.painted_list_model import PaintedListModel
from browser_app.ui.widgets.tables.sorted_table_model import ModelIndex
from browser_app.ui.widgets.theme import Theme


class SidebarItem(NamedTuple):
    """One line; an item without `key` is the title of a section."""

    key: str
    icon: str
    title: str
    server_count: int
    needs_key: bool = False
    """Whether its server list needs a key that is missing."""
    short_title: str = ""
    """Shown in place of an icon in the collapsed sidebar."""

    @property
    def accessible_text(self) -> str:
        """The line as text."""
        if not self.key:
            return self.title
        if self.needs_key:
            return _("{list}, needs a key").format(list=self.title)
        servers = ngettext("{n} server", "{n} servers", self.server_count).format(n=integer_text(self.server_count))
        return _("{list}, {servers}").format(list=self.title, servers=servers)


SIDEBAR_TITLE_HEIGHT, SIDEBAR_TOP_MARGIN = 30, 6
SIDEBAR_WIDTH = 178
"""Fits “Natural Selection 2”, a count of three digits and a scroll bar; longer titles have a tooltip."""


class ServerListSidebar(QWidget):
    """The list of server lists, with one current line.

    Signals:
        list_chosen: the key of the chosen list.
        list_menu_requested: the key of a list, and the global position of its menu.
        collapse_requested: collapse the sidebar to icons, or expand it.
    """

    list_chosen = Signal(str)
    list_menu_requested = Signal(str, QPoint)
    collapse_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._model = PaintedListModel[SidebarItem](lambda item: item.key, lambda item: bool(item.key))
        self._model.setParent(self)
        self.view = _SidebarListView(theme, self)
        self.view.setModel(self._model)
        self.view.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.current_key = "all"
        self.is_collapsed = False
        """Whether only icons are shown."""
        self.collapse_button = CollapseButton(theme, partial(text_with_shortcut, name="side"))
        self.collapse_button.clicked.connect(self.collapse_requested)
        self.setFixedWidth(SIDEBAR_WIDTH)
        self.setFocusProxy(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, SIDEBAR_TOP_MARGIN, 1, 4)
        column.addWidget(self.view)
        column.addWidget(self.collapse_button)
        theme.changed.connect(self.update)

    def set_collapsed(self, collapsed: bool) -> None:
        """Show icons and short titles only, or titles and counts, too."""
        self.is_collapsed = collapsed
        self.setFixedWidth(COLLAPSED_SIDEBAR_WIDTH if collapsed else SIDEBAR_WIDTH)
        self.collapse_button.show_collapsed(collapsed=collapsed)
        self.view.doItemsLayout()
        self._hide_section_titles()

    def _hide_section_titles(self) -> None:
        """Hide them while the sidebar is collapsed."""
        for place, item in enumerate(self._model.items):
            self.view.setRowHidden(place, self.is_collapsed and not item.key)

    def set_items(self, items: Sequence[SidebarItem]) -> None:
        """Show these items.

        The current one stays current if it still exists, otherwise the first becomes it.
        """
        if tuple(items) == self._model.items:
            return
        scrolled = self.view.verticalScrollBar().value()
        if self._model.set_items(items):
            if self._model.row_of(self.current_key) < 0:
                self.select_list(items[0].key)
            self._hide_section_titles()
            self._select_current()
            self.view.verticalScrollBar().setValue(scrolled)
        self._update_description()

    def select_list(self, key: str) -> None:
        """Make a list current and emit `list_chosen`."""
        if key != self.current_key:
            self.current_key = key
            self._select_current()
            self._update_description()
            self.list_chosen.emit(key)

    def items(self) -> tuple[SidebarItem, ...]:
        """Return the items."""
        return self._model.items

    def _select_current(self) -> None:
        self.view.setCurrentIndex(self._model.index(self._model.row_of(self.current_key)))
        self.view.viewport().update()

    def _on_selection_changed(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in selected.indexes():
            if (item := self._model.item_at(index)) is not None:
                self.select_list(item.key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the line under the pointer, or of the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        where = self.view.viewport().mapFromGlobal(event.globalPos())
        index = self.view.currentIndex() if by_key else self.view.indexAt(where)
        item = self._model.item_at(index)
        if item is not None:
            corner = self.view.viewport().mapToGlobal(self.view.visualRect(index).center())
            self.list_menu_requested.emit(item.key, corner if by_key else event.globalPos())

    def _update_description(self) -> None:
        shown = next((item for item in self._model.items if item.key == self.current_key), None)
        update_texts(self.view, description=shown.accessible_text if shown else "")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the background and the line at the trailing edge."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.palette.color("window"))
        fill_edges(painter, self.rect(), "R", self._theme.palette.color("hairline"))


class _SidebarListView(QListView):
    """A list view in which one line is always current."""

    def __init__(self, theme: Theme, side: ServerListSidebar) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_SidebarDelegate(theme, side, self))
        self.setVerticalScrollBar(ScrollBar(theme, "window"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(_("Sidebar"))

    def selectionCommand(self, index: ModelIndex, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:  # noqa: ARG002
        """Never clear the selection; section titles and the space below do not change it."""
        flags = QItemSelectionModel.SelectionFlag
        selectable = index.isValid() and index.flags() & Qt.ItemFlag.ItemIsSelectable
        return flags.ClearAndSelect if selectable else flags.NoUpdate


class _SidebarDelegate(QStyledItemDelegate):
    """Paints icon, title and count of a line."""

    def __init__(self, theme: Theme, side: ServerListSidebar, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._sidebar, self._item_painter = theme, side, SidebarItemPainter(theme, view)

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:  # noqa: ARG002
        """Return a height of 26, of 30 for a section title, of 36 for an icon alone."""
        item = self._sidebar.items()[index.row()]
        if self._sidebar.is_collapsed and item.icon:
            return QSize(0, COLLAPSED_ITEM_HEIGHT)
        return QSize(0, SIDEBAR_ITEM_HEIGHT if item.key else SIDEBAR_TITLE_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Paint one line."""
        item, box = self._sidebar.items()[index.row()], QRect(option.rect)
        if item.key:
            self._item_painter.draw_item(painter, box, self._item_content(item), narrow=self._sidebar.is_collapsed)
        else:
            painter.setFont(self._theme.font(12, QFont.Weight.DemiBold))
            painter.setPen(self._theme.palette.color("text2"))
            painter.drawText(box.adjusted(12, 8, -12, 0), int(Qt.AlignmentFlag.AlignVCenter), item.title)

    def _item_content(self, item: SidebarItem) -> SidebarItemContent:
        current = item.key == self._sidebar.current_key
        return SidebarItemContent(
            item.icon,
            item.title,
            "" if item.needs_key else integer_text(item.server_count),
            current,
            is_dimmed=not item.server_count and not current,
            mark_icon="key" if item.needs_key else "",
            short_title=item.short_title,
        )
