"""A switch between a few words in one frame, the current one filled and underlined."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent

from browser_app.ui.controls import draw_box, draw_focus
from browser_app.ui.tabs import Tabs
from browser_app.ui.theme import Theme


class Segments(Tabs):
    """Words side by side with lines between them."""

    def __init__(self, theme: Theme, titles: Sequence[str], about: str, *, large: bool = False) -> None:
        """`about`: what they choose, for speech; `large`: as high as a top bar's buttons."""
        height, padding, font = (32, 12, 13) if large else (24, 9, 12)
        super().__init__(theme, titles, about, height=height, padding=padding, font=font)
        self._role = "text1" if large else "text2"

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the frame, the titles and the lines between them."""
        colors = self._theme.palette
        painter = QPainter(self)
        frame = self.tabRect(0).united(self.tabRect(self.count() - 1))
        draw_box(painter, frame, colors.color("raised"), colors.color("border"))
        for place in range(self.count()):
            self._paint_title(painter, place)
        if self.hasFocus():
            draw_focus(painter, frame, colors.color("accent"))

    def _paint_title(self, painter: QPainter, place: int) -> None:
        colors, box, current = self._theme.palette, self.tabRect(place), place == self.currentIndex()
        if current:
            painter.fillRect(box.adjusted(1, 1, -1, -1), colors.color("selected"))
            painter.fillRect(box.x() + 1, box.height() - 3, box.width() - 2, 2, colors.color("accent"))
        if place:
            painter.setPen(colors.color("border"))
            painter.drawLine(box.x(), 1, box.x(), box.height() - 2)
        painter.setFont(self.title_font(current=current))
        painter.setPen(colors.color("text1" if current else self._role))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self.tabText(place))
