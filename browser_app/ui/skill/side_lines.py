"""A short list of lines of which one is current: icon, title, number; as high as its lines."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QFrame, QListView, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.ui.side_drawing import DrawnLine, SideDrawing
from browser_app.ui.side_list import ITEM_HEIGHT, NARROW_HEIGHT
from browser_app.ui.side_model import Index
from browser_app.ui.skill.side_lines_model import SideLine, SideLinesModel
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme


class SideLines(QListView):
    """Keys and speech are Qt's own, the drawing is the house's.

    Signals:
        chosen: the key of the line the user chose.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, name: str, *, filled: bool) -> None:
        """`filled`: the current line has the selection's fill and mark, not only bold words."""
        super().__init__()
        self._lines = SideLinesModel()
        self._lines.setParent(self)
        self.setModel(self._lines)
        self.current = ""
        self.narrow = False
        self.setItemDelegate(_LinePainter(theme, self, self._lines, filled=filled))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(name)
        self.selectionModel().selectionChanged.connect(self._selected)
        theme.changed.connect(self.viewport().update)

    def show_lines(self, lines: Sequence[SideLine], current: str) -> None:
        """Show these lines; says nothing about the current one."""
        self.current = current
        self._lines.set_lines(tuple(lines))
        self._fit()
        self._mark()

    def set_narrow(self, narrow: bool) -> None:
        """Show icons only, or titles and numbers too."""
        self.narrow = narrow
        self._fit()
        self.doItemsLayout()

    def choose(self, key: str) -> None:
        """Make a line current and say so."""
        if key != self.current and any(line.key == key for line in self._lines.lines):
            self.current = key
            self._mark()
            self.chosen.emit(key)

    def step(self, by: int) -> None:
        """Choose the line so many further on, round the ends."""
        keys = [line.key for line in self._lines.lines]
        self.choose(keys[(keys.index(self.current) + by) % len(keys)])

    def lines(self) -> tuple[SideLine, ...]:
        """What is shown."""
        return self._lines.lines

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:  # noqa: ARG002
        """A line is chosen, never let go."""
        flags = QItemSelectionModel.SelectionFlag
        return flags.ClearAndSelect if index.isValid() else flags.NoUpdate

    def _fit(self) -> None:
        self.setFixedHeight(len(self._lines.lines) * (NARROW_HEIGHT if self.narrow else ITEM_HEIGHT))

    def _mark(self) -> None:
        keys = [line.key for line in self._lines.lines]
        place = keys.index(self.current) if self.current in keys else -1
        self.setCurrentIndex(self._lines.index(place) if place >= 0 else QModelIndex())
        self.setAccessibleDescription(self._lines.lines[place].spoken if place >= 0 else "")
        self.viewport().update()

    def _selected(self, selected: QItemSelection, _deselected: QItemSelection) -> None:
        for index in selected.indexes():
            self.choose(self._lines.lines[index.row()].key)


class _LinePainter(QStyledItemDelegate):
    """Draws a line."""

    def __init__(self, theme: Theme, parent: SideLines, model: SideLinesModel, *, filled: bool) -> None:
        super().__init__(parent)
        self._list, self._model, self._filled = parent, model, filled
        self._drawing = SideDrawing(theme, parent)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """26 high, an icon alone 36."""
        return QSize(0, NARROW_HEIGHT if self._list.narrow else ITEM_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one line."""
        line = self._model.lines[index.row()]
        number = "" if line.number is None else thousands(line.number)
        current = line.key == self._list.current
        drawn = DrawnLine(line.icon, line.title, number, current, filled=self._filled, left=14)
        self._drawing.draw(painter, QRect(option.rect), drawn, narrow=self._list.narrow)
