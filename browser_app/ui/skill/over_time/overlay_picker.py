"""The list of what can be laid over: other systems, other modes, and everybody in the record; found by typing."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QListView, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.boxed import Boxed
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.theme import Theme

WIDTH, HEIGHT = 280, 360
_LINE_GAP = 3
_MOST = 200
"""Lines at a time: nobody reads more, and typing finds the others."""
_MOVING = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class Offer(NamedTuple):
    """One line: what it is chosen by, and its words."""

    key: str
    title: str
    note: str = ""

    @property
    def line(self) -> str:
        """Title and note."""
        return f"{self.title}, {self.note}" if self.note else self.title


class OverlayPicker(QFrame):
    """A popup; Enter and a click choose, Escape closes.

    Signals:
        chosen: the `Offer`.
    """

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.Box)
        self._offers: tuple[Offer, ...] = ()
        self._found: list[Offer] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText(_("System or player"))
        self.field.setAccessibleName(_("Lay over"))
        self.field.textEdited.connect(self._find)
        self.field.installEventFilter(self)
        self._lines = QStringListModel(self)
        self.list = QListView()
        self.list.setModel(self._lines)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(_LINE_GAP)
        self.list.setVerticalScrollBar(ScrollBar(theme))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setAccessibleName(_("What can be laid over"))
        self.list.clicked.connect(self._choose)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(8)
        column.addWidget(Boxed(theme, self.field, 32))
        column.addWidget(self.list)
        self.setFixedSize(WIDTH, HEIGHT)

    def open_at(self, where: QPoint, offers: Sequence[Offer]) -> None:
        """Show it with its corner at a point of the screen."""
        self.field.clear()
        self.show_offers(offers)
        self.move(where)
        self.show()
        self.field.setFocus()

    def show_offers(self, offers: Sequence[Offer]) -> None:
        """Offer these; what was typed holds."""
        self._offers = tuple(offers)
        self._find(self.field.text())

    def lines(self) -> list[str]:
        """The lines in sight."""
        return self._lines.stringList()

    def _find(self, text: str) -> None:
        wanted = text.casefold().split()
        passing = (each for each in self._offers if all(word in each.line.casefold() for word in wanted))
        self._found = [offer for _number, offer in zip(range(_MOST), passing, strict=False)]
        self._lines.setStringList([offer.line for offer in self._found])
        self.list.setCurrentIndex(self._lines.index(0))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.close()
            self.chosen.emit(self._found[index.row()])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The keys of the list work while one types."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _MOVING:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentIndex())
                return True
        return super().eventFilter(watched, event)
