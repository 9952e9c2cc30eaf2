"""What is seen while files are held over the view: that they may be dropped."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_box, draw_focus
from browser_app.ui.theme import Theme

_SIZE = (280, 56)


class DropFrame(QWidget):
    """Lies over a widget; the pointer goes through it."""

    def __init__(self, theme: Theme, over: QWidget) -> None:
        super().__init__(over)
        self._theme, self._over = theme, over
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_over(self) -> None:
        """Files are held over the widget."""
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()

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
