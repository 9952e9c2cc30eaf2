"""A quiet scroll bar: a thin rounded handle, no buttons, no groove."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider

from browser_app.ui.theme import Theme

THICKNESS = 10


class ScrollBar(QScrollBar):
    """Qt's scroll bar with the house's drawing; all behaviour is Qt's."""

    def __init__(self, theme: Theme, role: str = "surface") -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._theme = theme
        self._role = role
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """10 pixels wide."""
        return QSize(THICKNESS, super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the handle."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.palette.color(self._role))
        if self.maximum() <= self.minimum():
            return
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        handle = self.style().subControlRect(
            QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarSlider, self
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.palette.color("border"))
        painter.drawRoundedRect(QRectF(handle).adjusted(2, 1, -2, -1), 3, 3)
