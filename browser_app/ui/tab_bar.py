"""Flat tabs: words in a row, the current one underlined in the accent."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from browser_app.ui.controls import draw_focus
from browser_app.ui.theme import Theme

HEIGHT = 30
_PADDING, _MARGIN = 8, 6


class TabBar(QWidget):
    """One of several titles is current.

    Signals:
        chosen: the place of the title the user chose.
    """

    chosen = Signal(int)

    def __init__(self, theme: Theme, titles: Sequence[str]) -> None:
        super().__init__()
        self._theme = theme
        self._titles = tuple(titles)
        self._current = 0
        self.setFixedHeight(HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Pages")
        self.setAccessibleDescription(self._titles[0])
        theme.changed.connect(self.update)

    @property
    def current(self) -> int:
        """The current title's place."""
        return self._current

    def choose(self, place: int) -> None:
        """Make a title current and say so."""
        if place != self._current and 0 <= place < len(self._titles):
            self._current = place
            self.setAccessibleDescription(self._titles[place])
            self.update()
            self.chosen.emit(place)

    def sizeHint(self) -> QSize:
        """Room for all titles."""
        return QSize(self._boxes()[-1].right() + _MARGIN, HEIGHT)

    def _boxes(self) -> list[QRect]:
        metrics = QFontMetrics(self._theme.font(12, QFont.Weight.DemiBold))
        boxes, left = [], _MARGIN
        for title in self._titles:
            width = metrics.horizontalAdvance(title) + 2 * _PADDING
            boxes.append(QRect(left, 0, width, HEIGHT))
            left += width
        return boxes

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the titles over a hairline."""
        colors = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(0, HEIGHT - 1, self.width(), 1, colors.color("hairline"))
        for place, (title, box) in enumerate(zip(self._titles, self._boxes(), strict=True)):
            current = place == self._current
            painter.setFont(self._theme.font(12, QFont.Weight.DemiBold if current else QFont.Weight.Normal))
            painter.setPen(colors.color("text1" if current else "text2"))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), title)
            if current:
                painter.fillRect(box.x(), HEIGHT - 2, box.width(), 2, colors.color("accent"))
                if self.hasFocus():
                    draw_focus(painter, box.adjusted(0, 2, 0, -3), colors.color("accent"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the title under the pointer."""
        for place, box in enumerate(self._boxes()):
            if box.contains(event.position().toPoint()):
                self.choose(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right move the choice."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self.choose(self._current + step)
        else:
            super().keyPressEvent(event)
