"""The Play Now button: the one accented control. Its size and place never change; its words and meaning do."""

import enum

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QStyle

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_box, draw_focus, draw_icon, placed
from browser_app.ui.theme import Theme

WIDTH, HEIGHT, MENU_WIDTH = 136, 40, 26
_LEFT, _RIGHT = 36, 6
"""Before and after the words."""


class PlayState(enum.Enum):
    """What a press would do. With nothing eligible it looks again and again, until cancelled."""

    READY = "play now"
    BUSY = "cancel"
    NOTHING = "nothing eligible"


class PlayButton(QAbstractButton):
    """Play Now with its menu part, or Cancel in the same place. `clicked` is the main part's.

    Signals:
        menu_wanted: the menu part, with the point to open the menu at (global).
    """

    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._state = PlayState.NOTHING
        words = QFontMetrics(self._font()).horizontalAdvance(_("Play Now"))
        self._width = max(WIDTH, _LEFT + words + _RIGHT + MENU_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Play Now"))
        self.menu_part = MenuPart(theme, self)
        self.menu_part.clicked.connect(self.open_menu)
        theme.changed.connect(self.update)

    @property
    def state(self) -> PlayState:
        """What a press would do now."""
        return self._state

    def set_state(self, state: PlayState) -> None:
        """Change words and meaning."""
        self._state = state
        busy = state is PlayState.BUSY
        self.setAccessibleName(_("Cancel") if busy else _("Play Now"))
        self.menu_part.setHidden(busy)
        self.update()

    def _font(self) -> QFont:
        return self._theme.font(14, QFont.Weight.DemiBold)

    def role(self) -> str:
        """The role of words and signs on it."""
        return "text3" if self._state is PlayState.NOTHING else "on_accent"

    def sizeHint(self) -> QSize:
        """136 × 40, or as wide as the words of this language need; the same in every state."""
        return QSize(self._width, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the state."""
        colors, role = self._theme.palette, self.role()
        painter = QPainter(self)
        quiet, busy = self._state is PlayState.NOTHING, self._state is PlayState.BUSY
        fill = colors.window if quiet else colors.accent
        draw_box(painter, self.rect(), QColor(fill), QColor(colors.border if quiet else colors.accent))
        icon = "close" if busy else "play"
        draw_icon(painter, icon, getattr(colors, role), placed(self, QRect(12, 0, 16, HEIGHT)), filled=not busy)
        painter.setPen(colors.color(role))
        painter.setFont(self._font())
        label = _("Cancel") if busy else _("Play Now")
        painter.drawText(
            placed(self, QRect(_LEFT, 0, self._width - _LEFT, HEIGHT)), int(Qt.AlignmentFlag.AlignVCenter), label
        )
        if not busy:
            painter.setPen(colors.color("border" if quiet else "accent_line"))
            line = placed(self, QRect(self._width - MENU_WIDTH, 1, 1, HEIGHT - 2))
            painter.drawLine(line.topLeft(), line.bottomLeft())
        if self.hasFocus():
            draw_focus(painter, self.rect().adjusted(2, 2, -2, -2), colors.color(role))

    def changeEvent(self, event: QEvent) -> None:
        """The layout may run the other way now."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LayoutDirectionChange:
            self.menu_part.place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses as Space does, once however long it is held down; Down opens the menu."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not event.isAutoRepeat():
                self.click()
        elif event.key() == Qt.Key.Key_Down and self._state is not PlayState.BUSY:
            self.open_menu()
        else:
            super().keyPressEvent(event)

    def open_menu(self) -> None:
        """Ask for the menu under the button."""
        self.menu_wanted.emit(self.mapToGlobal(QPoint(0, HEIGHT)))


class MenuPart(QAbstractButton):
    """The button's right end, which opens its menu; Down does the same, so it takes no focus of its own."""

    def __init__(self, theme: Theme, button: PlayButton) -> None:
        super().__init__(button)
        self._theme, self._button = theme, button
        self.place()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(_("Play Now menu"))

    def place(self) -> None:
        """At the end of the button, on whatever side that is."""
        whole = QRect(QPoint(0, 0), self._button.sizeHint())
        own = whole.adjusted(whole.width() - MENU_WIDTH, 0, 0, 0)
        self.setGeometry(QStyle.visualRect(self._button.layoutDirection(), whole, own))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the chevron; the button has drawn the rest."""
        color = getattr(self._theme.palette, self._button.role())
        draw_icon(QPainter(self), "down", color, QRect(7, 0, 12, HEIGHT))
