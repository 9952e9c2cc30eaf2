"""The side list: which servers the table shows. Favourites are a list of their own that no filter empties."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from browser_app.ui.controls import draw_focus, draw_icon
from browser_app.ui.theme import Theme

ITEM_HEIGHT, TITLE_HEIGHT, WIDTH = 26, 30, 156


class SideItem(NamedTuple):
    """One line: `key` names it, an empty key makes it a section's title."""

    key: str
    icon: str
    title: str
    servers: int


class SideList(QWidget):
    """A painted list with one current item.

    Signals:
        chosen: the key of the item the user chose.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._items: tuple[SideItem, ...] = ()
        self.current = "all"
        self.setFixedWidth(WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Lists")
        theme.changed.connect(self.update)

    def set_items(self, items: Sequence[SideItem]) -> None:
        """Show these; the current one stays current while it exists, otherwise the first is."""
        if tuple(items) != self._items:
            self._items = tuple(items)
            self._describe()
            self.update()

    def choose(self, key: str) -> None:
        """Make `key` current and say so."""
        if key != self.current:
            self.current = key
            self._describe()
            self.update()
            self.chosen.emit(key)

    def sizeHint(self) -> QSize:
        """Room for all lines."""
        return QSize(WIDTH, sum(self._height(item) for item in self._items) + 12)

    def items(self) -> tuple[SideItem, ...]:
        """The lines shown."""
        return self._items

    @staticmethod
    def _height(item: SideItem) -> int:
        return ITEM_HEIGHT if item.key else TITLE_HEIGHT

    def _describe(self) -> None:
        shown = next((item for item in self._items if item.key == self.current), None)
        self.setAccessibleDescription(f"{shown.title}, {shown.servers} servers" if shown else "")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the lines."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.palette.color("window"))
        painter.setPen(self._theme.palette.color("hairline"))
        painter.drawLine(self.width() - 1, 0, self.width() - 1, self.height())
        top = 6
        for item in self._items:
            box = QRect(0, top, self.width() - 1, self._height(item))
            if item.key:
                self._paint_item(painter, box, item)
            else:
                self._paint_title(painter, box, item.title)
            top += box.height()

    def _paint_title(self, painter: QPainter, box: QRect, title: str) -> None:
        painter.setFont(self._theme.font(12, QFont.Weight.DemiBold))
        painter.setPen(self._theme.palette.color("text2"))
        painter.drawText(box.adjusted(12, 8, -12, 0), int(Qt.AlignmentFlag.AlignVCenter), title)

    def _paint_item(self, painter: QPainter, box: QRect, item: SideItem) -> None:
        colors = self._theme.palette
        current = item.key == self.current
        if current:
            painter.fillRect(box, colors.color("selected"))
            painter.fillRect(0, box.y(), 3, box.height(), colors.color("accent"))
        left = 12
        if item.icon:
            draw_icon(
                painter, item.icon, colors.accent if current else colors.text2, QRect(12, box.y(), 16, box.height())
            )
            left = 36
        number = str(item.servers)
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        painter.drawText(
            box.adjusted(0, 0, -12, 0), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), number
        )
        room = box.width() - left - 20 - painter.fontMetrics().horizontalAdvance(number)
        painter.setFont(self._theme.font(13, QFont.Weight.DemiBold if current else QFont.Weight.Normal))
        painter.setPen(colors.color("text1" if item.servers or current else "text3"))
        title = painter.fontMetrics().elidedText(item.title, Qt.TextElideMode.ElideRight, room)
        painter.drawText(box.adjusted(left, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), title)
        if current and self.hasFocus():
            draw_focus(painter, box.adjusted(4, 1, -2, -1), colors.color("accent"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the line under the pointer."""
        top = 6
        for item in self._items:
            height = self._height(item)
            if top <= event.position().y() < top + height and item.key:
                self.choose(item.key)
            top += height

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down move the choice."""
        keys = [item.key for item in self._items if item.key]
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()), 0)
        if not step or self.current not in keys:
            super().keyPressEvent(event)
            return
        self.choose(keys[max(0, min(len(keys) - 1, keys.index(self.current) + step))])
