"""How a line of a side list is drawn: icon, title, and a number at its end; folded, the icon alone."""

from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QListView, QStyle

from browser_app.ui.controls import draw_focus, draw_icon
from browser_app.ui.theme import Theme


class DrawnLine(NamedTuple):
    """What is to be seen of a line; an icon without a name is none."""

    icon: str
    title: str
    number: str
    current: bool
    filled: bool = True
    """The current line has the selection's fill and mark, not only bold words."""
    faint: bool = False
    sign: str = ""
    """An icon in the place of the number."""
    left: int = 12
    """Where a title without an icon begins."""


class SideDrawing:
    """Draws the lines of one view, mirrored where its layout runs from right to left."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        self._theme, self._view = theme, view

    def draw(self, painter: QPainter, box: QRect, line: DrawnLine, *, narrow: bool) -> None:
        """Draw a line, the current one with a focus frame where the view has the focus."""
        colors = self._theme.palette
        if line.current and line.filled:
            painter.fillRect(box, colors.color("selected"))
            painter.fillRect(self._placed(box, QRect(0, box.y(), 3, box.height())), colors.color("accent"))
        if narrow:
            draw_icon(painter, line.icon, colors.accent if line.current else colors.text2, box, size=20)
        else:
            self._draw_words(painter, box, line)
        if line.current and self._view.hasFocus():
            draw_focus(painter, box.adjusted(4, 1, -2, -1), colors.color("accent"))

    def _placed(self, box: QRect, inner: QRect) -> QRect:
        return QStyle.visualRect(self._view.layoutDirection(), box, inner)

    def _draw_words(self, painter: QPainter, box: QRect, line: DrawnLine) -> None:
        colors, left = self._theme.palette, line.left
        if line.icon:
            place = self._placed(box, QRect(12, box.y(), 16, box.height()))
            draw_icon(painter, line.icon, colors.accent if line.current else colors.text2, place)
            left = 36
        if line.sign:
            place = self._placed(box, QRect(box.right() - 27, box.y(), 16, box.height()))
            draw_icon(painter, line.sign, colors.text2, place)
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        end = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.drawText(self._placed(box, box.adjusted(0, 0, -12, 0)), end, line.number)
        room = box.width() - left - 20 - painter.fontMetrics().horizontalAdvance(line.number)
        painter.setFont(self._theme.font(13, QFont.Weight.DemiBold if line.current else QFont.Weight.Normal))
        painter.setPen(colors.color("text3" if line.faint else "text1"))
        title = painter.fontMetrics().elidedText(line.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(self._placed(box, box.adjusted(left, 0, 0, 0)), int(Qt.AlignmentFlag.AlignVCenter), title)
