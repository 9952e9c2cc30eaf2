"""A filter chip: what it lets pass, whether it is on, and what it hides or would leave."""

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_box, draw_focus, draw_icon, placed
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

HEIGHT = 24
_PADDING, _GAP, _TICK, _CHEVRON = 8, 6, 14, 12


class ChipState(NamedTuple):
    """What a chip shows."""

    key: str
    title: str
    on: bool = False
    number: int | None = None
    """On: the rows that come back if only this goes off; off: those that would be left. None where it says nothing."""
    menu: bool = False
    tip: str = ""

    @property
    def note(self) -> str:
        """The count in words."""
        if self.number is None:
            return ""
        return _("hides {n}").format(n=thousands(self.number)) if self.on else thousands(self.number)

    @property
    def spoken(self) -> str:
        """The chip in words."""
        if self.on:
            return _("{filter}, on, {note}").format(filter=self.title, note=self.note)
        if self.number is None:
            return self.title
        return _("{filter}, off, would leave {n}").format(filter=self.title, n=self.number)


class Chip(QAbstractButton):
    """Drawn by the house's rules, 24 px high.

    Signals:
        menu_wanted: the point (global) for its own menu, by the right button or the menu key.
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.state = ChipState("", "")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCheckable(True)
        theme.changed.connect(self.update)

    def show_state(self, state: ChipState) -> None:
        """Show this."""
        if state != self.state:
            self.state = state
            self.setChecked(state.on)
            self.setText(state.title)
            self.setAccessibleName(state.spoken)
            self.setAccessibleDescription(_("opens a menu") if state.menu else "")
            self.setToolTip(state.tip)
            self.updateGeometry()
            self.update()

    def nextCheckState(self) -> None:
        """It is on when its filter is in force, which a press may or may not bring about."""

    def corner(self) -> QPoint:
        """Where its menu opens (global)."""
        return self.mapToGlobal(QPoint(0, HEIGHT + 2))

    def sizeHint(self) -> QSize:
        """As wide as what it shows."""
        state = self.state
        width = 2 * _PADDING + self._title_width()
        width += _TICK + _GAP if state.on else 0
        width += _GAP + QFontMetrics(self._theme.font(12)).horizontalAdvance(state.note) if state.note else 0
        return QSize(width + (_GAP + _CHEVRON if state.menu and not state.on else 0), HEIGHT)

    def _title_font(self) -> QFont:
        return self._theme.font(12, QFont.Weight.DemiBold if self.state.on else QFont.Weight.Normal)

    def _title_width(self) -> int:
        return QFontMetrics(self._title_font()).horizontalAdvance(self.state.title)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw box, tick, title, count and chevron."""
        colors, state = self._theme.palette, self.state
        painter = QPainter(self)
        fill = colors.selected if state.on else colors.hover if self.underMouse() else colors.raised
        draw_box(painter, self.rect(), QColor(fill), QColor(colors.accent if state.on else colors.border))
        left = _PADDING
        if state.on:
            draw_icon(painter, "check", colors.accent, placed(self, QRect(left, 0, _TICK, HEIGHT)))
            left += _TICK + _GAP
        middle = int(Qt.AlignmentFlag.AlignVCenter)
        painter.setFont(self._title_font())
        painter.setPen(colors.color("text1"))
        painter.drawText(placed(self, QRect(left, 0, self.width() - left, HEIGHT)), middle, state.title)
        left += self._title_width() + _GAP
        painter.setFont(self._theme.font(12))
        painter.setPen(colors.color("text2"))
        painter.drawText(placed(self, QRect(left, 0, self.width() - left, HEIGHT)), middle, state.note)
        if state.menu and not state.on:
            chevron = QRect(self.width() - _PADDING - _CHEVRON, 0, _CHEVRON, HEIGHT)
            draw_icon(painter, "down", colors.text2, placed(self, chevron))
        if self.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses as Space does, once however long it is held down; Down opens a menu."""
        opens = event.key() == Qt.Key.Key_Down and self.state.menu
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or opens:
            if not event.isAutoRepeat():
                self.click()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for its own menu."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_wanted.emit(self.corner() if by_key else event.globalPos())
