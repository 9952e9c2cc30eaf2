"""A button that is nothing but its words in the accent's colour."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from browser_app.ui.controls import draw_focus, placed
from browser_app.ui.theme import Theme

HEIGHT = 24


class LinkButton(QAbstractButton):
    """For small steps beside what they change."""

    def __init__(self, theme: Theme, text: str, *, flush: bool = False) -> None:
        """`flush`: the words begin at the very edge, under other words."""
        super().__init__()
        self._padding = 0 if flush else 4
        self._theme = theme
        self.setText(text)
        self.setFont(theme.font(12, QFont.Weight.Medium))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 8, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the words; underlined under the pointer."""
        painter = QPainter(self)
        font = QFont(self.font())
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(self._theme.palette.color("accent"))
        box = placed(self, self.rect().adjusted(self._padding, 0, 0, 0))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        if self.hasFocus():
            draw_focus(painter, self.rect(), self._theme.palette.color("accent"))
