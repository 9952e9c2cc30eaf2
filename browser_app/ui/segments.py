"""A small switch between a few words in one frame, the current one filled and underlined."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar

from browser_app.ui.controls import draw_box, draw_focus
from browser_app.ui.theme import Theme

HEIGHT = 24
_PADDING = 9


class Segments(QTabBar):
    """Qt's tabs with the house's drawing; keys, speech and `currentChanged` are Qt's own."""

    def __init__(self, theme: Theme, titles: Sequence[str], about: str) -> None:
        super().__init__()
        self._theme = theme
        for title in titles:
            self.addTab(title)
        self.setFixedHeight(HEIGHT)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(about)  # its name is the current title, by Qt
        theme.changed.connect(self.update)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the title in bold."""
        metrics = QFontMetrics(self._theme.font(12, QFont.Weight.DemiBold))
        return QSize(metrics.horizontalAdvance(self.tabText(index)) + 2 * _PADDING, HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Titles are never cut."""
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the frame, the titles and the lines between them."""
        colors = self._theme.palette
        painter = QPainter(self)
        frame = self.tabRect(0).united(self.tabRect(self.count() - 1))
        draw_box(painter, frame, colors.color("raised"), colors.color("border"))
        for place in range(self.count()):
            box, current = self.tabRect(place), place == self.currentIndex()
            if current:
                painter.fillRect(box.adjusted(1, 1, -1, -1), colors.color("selected"))
                painter.fillRect(QRect(box.x() + 1, HEIGHT - 3, box.width() - 2, 2), colors.color("accent"))
            if place:
                painter.setPen(colors.color("border"))
                painter.drawLine(box.x(), 1, box.x(), HEIGHT - 2)
            painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if current else QFont.Weight.Normal))
            painter.setPen(colors.color("text1" if current else "text2"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(place))
        if self.hasFocus():
            draw_focus(painter, frame, colors.color("accent"))
