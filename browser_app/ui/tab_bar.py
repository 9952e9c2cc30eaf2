"""Flat tabs: words in a row, the current one underlined in the accent."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus
from browser_app.ui.theme import Theme

HEIGHT = 30
_PADDING, _MARGIN = 8, 6


class TabBar(QTabBar):
    """Qt's tabs with the house's drawing; keys, speech and `currentChanged` are Qt's own."""

    def __init__(self, theme: Theme, titles: Sequence[str]) -> None:
        super().__init__()
        self._theme = theme
        for title in titles:
            self.addTab(title)
        self.setFixedHeight(HEIGHT)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(_("Pages"))  # its name is the current title, by Qt
        theme.changed.connect(self.update)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the title in bold; the first tab has the margin before it, too."""
        metrics = QFontMetrics(self._theme.font(12, QFont.Weight.DemiBold))
        margin = 0 if index else _MARGIN
        return QSize(metrics.horizontalAdvance(self.tabText(index)) + 2 * _PADDING + margin, HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Titles are never cut."""
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the titles over a hairline."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(0, HEIGHT - 1, self.width(), 1, colors.color("hairline"))
        for place in range(self.count()):
            current = place == self.currentIndex()
            box = self._box(place)
            painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if current else QFont.Weight.Normal))
            painter.setPen(colors.color("text1" if current else "text2"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(place))
            if current:
                painter.fillRect(box.x(), HEIGHT - 2, box.width(), 2, colors.color("accent"))
                if self.hasFocus():
                    draw_focus(painter, box.adjusted(0, 2, 0, -3), colors.color("accent"))

    def _box(self, place: int) -> QRect:
        return self.tabRect(place).adjusted(0 if place else _MARGIN, 0, 0, 0)
