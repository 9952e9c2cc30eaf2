"""Files that are dropped on a widget; while they are held over it, it says that they may be."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_box, draw_focus
from browser_app.ui.theme import Theme

_SIZE = (280, 56)


class DropFrame(QWidget):
    """Lies over a widget while files are held there; the pointer goes through it.

    Signals:
        dropped: the paths of the files and folders that were dropped, as a list; never an empty one.
    """

    dropped = Signal(object)

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._theme, self._over = theme, over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        over.setAcceptDrops(True)
        over.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Files come over the widget, go, or are dropped."""
        if isinstance(event, QDragEnterEvent) and _paths(event.mimeData()):
            event.acceptProposedAction()
            self.setGeometry(self._over.rect())
            self.raise_()
            self.show()
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
        elif event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.hide()
            event.acceptProposedAction()
            self.dropped.emit(_paths(event.mimeData()))
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """A frame round all of it, and words in the middle."""
        painter, colors = QPainter(self), self._theme.palette
        draw_focus(painter, self.rect(), colors.color("accent"))
        box = QRect(0, 0, *_SIZE)
        box.moveCenter(self.rect().center())
        draw_box(painter, box, colors.color("raised"), colors.color("accent"))
        painter.setFont(self._theme.font(13, QFont.Weight.DemiBold))
        painter.setPen(colors.color("text1"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), _("Drop to read the rounds"))


def _paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
