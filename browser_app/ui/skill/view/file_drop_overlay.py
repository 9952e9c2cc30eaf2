"""An overlay that accepts files dropped on a widget."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QRect, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import draw_box, draw_focus_ring
from browser_app.ui.widgets.theme import Theme

_BOX_SIZE = (280, 56)


class FileDropOverlay(QWidget):
    """Shown over a widget while files are dragged over it; transparent to the pointer.

    Signals:
        files_dropped: non-empty list of paths of dropped files and folders.
    """

    files_dropped = Signal(object)

    def __init__(self, theme: Theme, target: QWidget) -> None:
        super().__init__(target)
        self._theme, self._target = theme, target
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        target.setAcceptDrops(True)
        target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle drag and drop events of the widget."""
        if isinstance(event, QDragEnterEvent) and _local_paths(event.mimeData()):
            event.acceptProposedAction()
            self.setGeometry(self._target.rect())
            self.raise_()
            self.show()
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
        elif event.type() == QEvent.Type.Drop and isinstance(event, QDropEvent):
            self.hide()
            event.acceptProposedAction()
            self.files_dropped.emit(_local_paths(event.mimeData()))
            return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint a frame and a text in its centre."""
        painter, colors = QPainter(self), self._theme.palette
        draw_focus_ring(painter, self.rect(), colors.color("accent"))
        box = QRect(0, 0, *_BOX_SIZE)
        box.moveCenter(self.rect().center())
        draw_box(painter, box, colors.color("raised"), colors.color("accent"))
        painter.setFont(self._theme.font(13, QFont.Weight.DemiBold))
        painter.setPen(colors.color("text1"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), _("Drop to import rounds"))


def _local_paths(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
