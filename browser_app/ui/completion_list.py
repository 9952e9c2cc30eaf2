"""The list under the filter field that offers what may stand there."""

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, QStringListModel, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListView, QStyledItemDelegate, QStyleOptionViewItem

from browser_app.ui.filter_completion import Completion
from browser_app.ui.side_model import Index
from browser_app.ui.theme import Theme

_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
LEAST_WIDTH, LINE = 180, 24


class _Line(QStyledItemDelegate):
    """Qt's own line, 24 high."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as its words."""
        return QSize(super().sizeHint(option, index).width() + 8, LINE)


class CompletionList(QListView):
    """Opens as one writes. It lies in the window and never has the focus: the field's keys move in it.

    Down and Up choose an offer, Enter takes the chosen one and Tab that or the first, Esc closes.
    """

    def __init__(self, theme: Theme, edit: QLineEdit, completion: Completion) -> None:
        super().__init__(edit.window())
        self._theme, self._edit, self._completion = theme, edit, completion
        self._start = 0
        self._offers: list[tuple[str, str]] = []
        self._lines = QStringListModel(self)
        self.setModel(self._lines)
        self.setFont(theme.font(12))
        self.setFrameShape(QFrame.Shape.Box)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setUniformItemSizes(True)
        self.setItemDelegate(_Line(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(edit.accessibleName())
        self.clicked.connect(lambda index: self._take(index.row()))
        edit.textEdited.connect(self._written)
        edit.installEventFilter(self)
        self.hide()

    @property
    def offers(self) -> list[str]:
        """What is offered now, as shown."""
        return [shown for shown, _written in self._offers] if self.isVisible() else []

    def _written(self, text: str) -> None:
        self._start, self._offers = self._completion.offers(text, self._edit.cursorPosition())
        self._lines.setStringList([shown for shown, _written in self._offers])
        self.setVisible(bool(self._offers))
        if self._offers:
            self._place()

    def _place(self) -> None:
        window = self._edit.window()
        if self.parentWidget() is not window:
            self.setParent(window)
            self.show()
        corner = self._edit.mapTo(window, QPoint(0, self._edit.height() + 2))
        width = max(LEAST_WIDTH, self.sizeHintForColumn(0) + 12)
        self.setGeometry(corner.x(), corner.y(), width, LINE * len(self._offers) + 2)
        self.raise_()

    def _move(self, step: int) -> None:
        row = self.currentIndex().row()
        to = (row + step) % len(self._offers) if row >= 0 else 0 if step > 0 else len(self._offers) - 1
        self.setCurrentIndex(self._lines.index(to))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._edit, self._offers[to][0]))

    def _take(self, row: int) -> None:
        written = self._offers[row][1]
        text, cursor = self._edit.text(), self._edit.cursorPosition()
        self.hide()
        self._edit.setText(text[: self._start] + written + text[cursor:])
        self._edit.setCursorPosition(self._start + len(written))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field's keys while something is offered."""
        if watched is not self._edit or not self.isVisible():
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if isinstance(event, QKeyEvent) and event.key() in _KEYS and not event.modifiers():
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._obey(Qt.Key(event.key()))
        return super().eventFilter(watched, event)

    def _obey(self, key: Qt.Key) -> bool:
        """Whether the key was for the list."""
        row = self.currentIndex().row()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._move(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Tab or row >= 0:
            if key == Qt.Key.Key_Escape:
                self.hide()
            else:
                self._take(max(row, 0))
        else:
            self.hide()
            return key == Qt.Key.Key_Escape
        return True
