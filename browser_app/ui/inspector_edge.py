"""What is left of the inspector when it is folded: an edge with its title and the selected server's score."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus, draw_icon
from browser_app.ui.theme import Theme

WIDTH = 32


class InspectorEdge(QAbstractButton):
    """A press opens the inspector."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(_("Open the inspector"))
        self.setToolTip(_("Open the inspector (I)"))
        self.setText(_("Why this score"))
        theme.changed.connect(self.update)

    def show_score(self, score: str) -> None:
        """The selected server's score as written; empty for none."""
        self.setText(f"{_('Why this score')}  {score}")

    def sizeHint(self) -> QSize:
        """32 wide."""
        return QSize(WIDTH, 200)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the icon, and the words from top to bottom."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colors.color("hover" if self.underMouse() else "raised"))
        painter.setPen(colors.color("hairline"))
        painter.drawLine(0, 0, 0, self.height())
        draw_icon(painter, "fold", colors.text2, QRect(0, 8, WIDTH, 16))
        painter.setPen(colors.color("text2"))
        painter.setFont(self._theme.font(12))
        painter.save()
        painter.translate(WIDTH, 36)
        painter.rotate(90)
        words = QRect(0, 0, self.height() - 36, WIDTH)
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        painter.restore()
        if self.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))
