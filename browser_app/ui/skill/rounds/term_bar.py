"""A term of a model as a bar: right of zero is good for the player."""

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.ui.controls import placed
from browser_app.ui.theme import Theme

_WIDTH, _HEIGHT, _BAR = 180, 12, 8


class TermBar(QWidget):
    """Shows a value in −1…1; its number stands beside it as text."""

    def __init__(self, theme: Theme, value: float = 0.0) -> None:
        super().__init__()
        self._theme = theme
        self.show_value(value)
        self.setMinimumSize(QSize(60, _HEIGHT))
        self.setMaximumSize(QSize(_WIDTH, _HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_value(self, value: float) -> None:
        """Draw another one."""
        self._value = min(1.0, max(-1.0, value))
        self.update()

    def sizeHint(self) -> QSize:
        """180 pixels wide where there is room."""
        return QSize(_WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw zero and the bar."""
        painter, colors = QPainter(self), self._theme.palette
        middle = self.width() // 2
        length = round(abs(self._value) * (middle - 2))
        left = middle if self._value > 0 else middle - length
        bar = QRect(left, (_HEIGHT - _BAR) // 2, length, _BAR)
        painter.fillRect(placed(self, bar), colors.color("score_mid"))
        painter.fillRect(placed(self, QRect(middle, 0, 1, _HEIGHT)), colors.color("border"))
