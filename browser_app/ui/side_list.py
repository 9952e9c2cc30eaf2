"""The side list: which servers the table shows. Favourites are a list of their own that no filter empties."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.fold_button import FoldButton
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.side_drawing import DrawnLine, SideDrawing
from browser_app.ui.side_model import Index, SideItem, SideModel
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

ITEM_HEIGHT, TITLE_HEIGHT, WIDTH, TOP = 26, 30, 156, 6
NARROW_WIDTH, NARROW_HEIGHT = 44, 36
"""Folded to icons."""


class SideList(QWidget):
    """A list with one current line; keys, scrolling and speech are Qt's own, the drawing is the house's.

    Signals:
        chosen: the key of the line the user chose.
        menu_wanted: the key of a line, and where its menu belongs (global).
        fold_wanted: fold it to icons, or open it.
    """

    chosen = Signal(str)
    menu_wanted = Signal(str, QPoint)
    fold_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._model = SideModel()
        self._model.setParent(self)
        self.view = _Lines(theme, self)
        self.view.setModel(self._model)
        self.view.selectionModel().selectionChanged.connect(self._selected)
        self.current = "all"
        self.narrow = False
        """Only icons are shown."""
        self.fold = FoldButton(theme)
        self.fold.clicked.connect(self.fold_wanted)
        self.setFixedWidth(WIDTH)
        self.setFocusProxy(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, TOP, 1, 4)
        column.addWidget(self.view)
        column.addWidget(self.fold)
        theme.changed.connect(self.update)

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or titles and counts, too. Games have no icon: they are reached by the chips then."""
        self.narrow = narrow
        self.setFixedWidth(NARROW_WIDTH if narrow else WIDTH)
        self.fold.show_folded(folded=narrow)
        self.view.doItemsLayout()
        self._hide_lines()

    def _hide_lines(self) -> None:
        for place, item in enumerate(self._model.items):
            self.view.setRowHidden(place, self.narrow and not item.icon)

    def set_items(self, items: Sequence[SideItem]) -> None:
        """Show these lines; the current one stays current while it is there, else the first is."""
        if tuple(items) == self._model.items:
            return
        scrolled = self.view.verticalScrollBar().value()
        if self._model.set_items(items):
            if not self._model.index_of(self.current).isValid():
                self.choose(items[0].key)
            self._hide_lines()
            self._mark_current()
            self.view.verticalScrollBar().setValue(scrolled)
        self._describe()

    def choose(self, key: str) -> None:
        """Make `key` current and say so."""
        if key != self.current:
            self.current = key
            self._mark_current()
            self._describe()
            self.chosen.emit(key)

    def items(self) -> tuple[SideItem, ...]:
        """The lines shown."""
        return self._model.items

    def _mark_current(self) -> None:
        self.view.setCurrentIndex(self._model.index_of(self.current))
        self.view.viewport().update()

    def _selected(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in selected.indexes():
            self.choose(self._model.item(index).key)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the line under the pointer, or of the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        where = self.view.viewport().mapFromGlobal(event.globalPos())
        index = self.view.currentIndex() if by_key else self.view.indexAt(where)
        if index.isValid() and self._model.item(index).key:
            corner = self.view.viewport().mapToGlobal(self.view.visualRect(index).center())
            self.menu_wanted.emit(self._model.item(index).key, corner if by_key else event.globalPos())

    def _describe(self) -> None:
        shown = next((item for item in self._model.items if item.key == self.current), None)
        self.view.setAccessibleDescription(shown.spoken if shown else "")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the ground and the line at its right edge."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.palette.color("window"))
        painter.setPen(self._theme.palette.color("hairline"))
        painter.drawLine(self.width() - 1, 0, self.width() - 1, self.height())


class _Lines(QListView):
    """The lines: one is always chosen."""

    def __init__(self, theme: Theme, side: SideList) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(_LinePainter(theme, side, self))
        self.setVerticalScrollBar(ScrollBar(theme, "window"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(_("Lists"))

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:  # noqa: ARG002
        """A line is chosen, never let go; titles and the room below change nothing."""
        flags = QItemSelectionModel.SelectionFlag
        selectable = index.isValid() and index.flags() & Qt.ItemFlag.ItemIsSelectable
        return flags.ClearAndSelect if selectable else flags.NoUpdate


class _LinePainter(QStyledItemDelegate):
    """Draws a line: icon, title, count; the current one with the selection's fill and mark."""

    def __init__(self, theme: Theme, side: SideList, view: QListView) -> None:
        super().__init__(view)
        self._theme, self._side, self._drawing = theme, side, SideDrawing(theme, view)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """26 high, a section's title 30, an icon alone 36."""
        if self._side.narrow:
            return QSize(0, NARROW_HEIGHT)
        return QSize(0, ITEM_HEIGHT if self._side.items()[index.row()].key else TITLE_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        item, box = self._side.items()[index.row()], QRect(option.rect)
        if item.key:
            self._drawing.draw(painter, box, self._drawn(item), narrow=self._side.narrow)
        else:
            painter.setFont(self._theme.font(12, QFont.Weight.DemiBold))
            painter.setPen(self._theme.palette.color("text2"))
            painter.drawText(box.adjusted(12, 8, -12, 0), int(Qt.AlignmentFlag.AlignVCenter), item.title)

    def _drawn(self, item: SideItem) -> DrawnLine:
        current = item.key == self._side.current
        return DrawnLine(
            item.icon,
            item.title,
            "" if item.needs_key else thousands(item.servers),
            current,
            faint=not item.servers and not current,
            sign="key" if item.needs_key else "",
        )
