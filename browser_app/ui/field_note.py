"""A sentence under a field that says what is wrong in it. It lies over what stands there and moves nothing."""

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from browser_app.ui.controls import Text, draw_box
from browser_app.ui.theme import Theme


class FieldNote(QWidget):
    """Hidden while there is nothing to say."""

    def __init__(self, theme: Theme, field: QWidget) -> None:
        super().__init__(field.window())
        self._theme, self._field = theme, field
        self.words = Text(theme, role="warning", size=12)
        self.words.setWordWrap(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.addWidget(self.words)
        theme.changed.connect(self.update)
        self.hide()

    def tell(self, words: str) -> None:
        """Say this; nothing where it is empty."""
        self.words.setText(words)
        window = self._field.window()
        if self.parentWidget() is not window:
            self.setParent(window)
        corner = self._field.mapTo(window, QPoint(0, self._field.height() + 2))
        width = self._field.width()
        self.setGeometry(corner.x(), corner.y(), width, self.heightForWidth(width))
        self.setVisible(bool(words))
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the box."""
        colors = self._theme.palette
        draw_box(QPainter(self), self.rect(), QColor(colors.raised), QColor(colors.warning))
