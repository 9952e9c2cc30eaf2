"""A page of the inspector around a list of lines: a line is reached by keys, copied, and has a menu."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from browser_app.language import gettext as _
from browser_app.ui.line_list import LineList
from browser_app.ui.side_model import Index


class LinesPage(QWidget):
    """What a line says and offers is told by the page's own `copied` and `fill_menu`.

    Signals:
        told: news for the status line.
        reached: how far down (px) the line is that was chosen by key.
    """

    told = Signal(str)
    reached = Signal(int)

    def __init__(self, lines: LineList) -> None:
        """`lines` has its model."""
        super().__init__()
        self._lines = lines
        lines.installEventFilter(self)
        lines.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        lines.customContextMenuRequested.connect(self._open_menu)
        lines.selectionModel().currentChanged.connect(self._reach)

    def copied(self) -> str:
        """What Ctrl+C copies of the chosen line; empty while none is chosen."""
        raise NotImplementedError

    def fill_menu(self, menu: QMenu, index: Index) -> None:
        """Add what can be done with a line; it has no menu where that is nothing."""
        raise NotImplementedError

    def copy_text(self, text: str) -> None:
        """Put it on the clipboard, and say so."""
        QGuiApplication.clipboard().setText(text)
        self.told.emit(_("Copied"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+C on the chosen line; the window's key would copy the server's address."""
        key = event if watched is self._lines and isinstance(event, QKeyEvent) else None
        text = self.copied() if key is not None and key.matches(QKeySequence.StandardKey.Copy) else ""
        if text and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if text and event.type() == QEvent.Type.KeyPress:
            self.copy_text(text)
            return True
        return super().eventFilter(watched, event)

    def _open_menu(self, where: QPoint) -> None:
        index = self._lines.indexAt(where)
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu, index)
        if menu.isEmpty():
            menu.deleteLater()
        else:
            menu.popup(self._lines.viewport().mapToGlobal(where))

    def _reach(self, current: QModelIndex) -> None:
        if current.isValid():
            self.reached.emit(self._lines.mapTo(self, self._lines.visualRect(current).center()).y())
