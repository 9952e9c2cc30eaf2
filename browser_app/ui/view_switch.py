"""The switch between the window's views: words side by side in one frame, the current one filled and underlined."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QTabBar

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_box, draw_focus
from browser_app.ui.theme import Theme

HEIGHT = 32
_PADDING = 12


class ViewSwitch(QTabBar):
    """Qt's tabs with the house's drawing; keys, speech and `currentChanged` are Qt's own."""

    def __init__(self, theme: Theme, titles: Sequence[str]) -> None:
        super().__init__()
        self._theme = theme
        for place, title in enumerate(titles):
            self.addTab(title)
            self.setTabToolTip(place, _("{view} (Ctrl+{number})").format(view=title, number=place + 1))
        self.setFixedHeight(HEIGHT)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(_("Views"))  # its name is the current title, by Qt
        theme.changed.connect(self.update)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the title in bold."""
        metrics = QFontMetrics(self._theme.font(13, QFont.Weight.DemiBold))
        return QSize(metrics.horizontalAdvance(self.tabText(index)) + 2 * _PADDING, HEIGHT)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Titles are never cut."""
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the frame, the titles and the line between them."""
        colors = self._theme.palette
        painter = QPainter(self)
        frame = QRect(0, 0, self.tabRect(self.count() - 1).right() + 1, HEIGHT)
        draw_box(painter, frame, colors.color("raised"), colors.color("border"))
        for place in range(self.count()):
            self._paint_title(painter, place)
        if self.hasFocus():
            draw_focus(painter, frame, colors.color("accent"))

    def _paint_title(self, painter: QPainter, place: int) -> None:
        colors, box = self._theme.palette, self.tabRect(place)
        current = place == self.currentIndex()
        if current:
            painter.fillRect(box.adjusted(1, 1, -1, -1), QColor(colors.selected))
            painter.fillRect(box.x() + 1, HEIGHT - 3, box.width() - 2, 2, QColor(colors.accent))
        if place:
            painter.setPen(colors.color("border"))
            painter.drawLine(box.x(), 1, box.x(), HEIGHT - 2)
        painter.setFont(self._theme.font(13, QFont.Weight.DemiBold if current else QFont.Weight.Normal))
        painter.setPen(colors.color("text1"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(place))
