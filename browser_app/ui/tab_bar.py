"""Flat tabs: words in a row, the current one underlined in the accent."""

from collections.abc import Sequence

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus
from browser_app.ui.tabs import Tabs
from browser_app.ui.theme import Theme

HEIGHT = 30
_MARGIN = 6


class TabBar(Tabs):
    """Titles over a hairline, with a margin before the first."""

    def __init__(self, theme: Theme, titles: Sequence[str]) -> None:
        super().__init__(theme, titles, _("Pages"), height=HEIGHT, padding=8)

    def tabSizeHint(self, index: int) -> QSize:
        """The first tab has the margin before it, too."""
        size = super().tabSizeHint(index)
        return size if index else size.grownBy(QMargins(_MARGIN, 0, 0, 0))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the titles over a hairline."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(0, HEIGHT - 1, self.width(), 1, colors.color("hairline"))
        for place in range(self.count()):
            current = place == self.currentIndex()
            box = self._box(place)
            painter.setFont(self.title_font(current=current))
            painter.setPen(colors.color("text1" if current else "text2"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(place))
            if current:
                painter.fillRect(box.x(), HEIGHT - 2, box.width(), 2, colors.color("accent"))
                if self.hasFocus():
                    draw_focus(painter, box.adjusted(0, 2, 0, -3), colors.color("accent"))

    def _box(self, place: int) -> QRect:
        return self.tabRect(place).adjusted(0 if place else _MARGIN, 0, 0, 0)
