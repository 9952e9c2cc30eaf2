"""The Play Now button: the one accented control. Its size and place never change; its words and meaning do."""

import enum

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.ui.controls import draw_box, draw_focus, draw_icon
from browser_app.ui.theme import Theme

WIDTH, HEIGHT, MENU_WIDTH = 136, 40, 26


class PlayState(enum.Enum):
    """What a press would do. With nothing eligible it looks again and again, until cancelled."""

    READY = "play now"
    BUSY = "cancel"
    NOTHING = "nothing eligible"


class PlayButton(QWidget):
    """Play Now with its menu part, or Cancel in the same place.

    Signals:
        pressed: the main part, by mouse, Space or Enter.
        menu_wanted: the menu part, with the point to open the menu at (global).
    """

    pressed = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._state = PlayState.NOTHING
        self._down = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Play Now")
        theme.changed.connect(self.update)

    @property
    def state(self) -> PlayState:
        """What a press would do now."""
        return self._state

    def set_state(self, state: PlayState) -> None:
        """Change words and meaning."""
        self._state = state
        self.setAccessibleName("Cancel" if state is PlayState.BUSY else "Play Now")
        self.update()

    def sizeHint(self) -> QSize:
        """136 × 40, always."""
        return QSize(WIDTH, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the state."""
        colors = self._theme.palette
        painter = QPainter(self)
        quiet = self._state is PlayState.NOTHING
        text = "text3" if quiet else "on_accent"
        fill = colors.window if quiet else colors.accent
        draw_box(painter, self.rect(), QColor(fill), QColor(colors.border if quiet else colors.accent))
        busy = self._state is PlayState.BUSY
        draw_icon(
            painter, "close" if busy else "play", getattr(colors, text), QRect(12, 0, 16, HEIGHT), filled=not busy
        )
        painter.setPen(colors.color(text))
        painter.setFont(self._theme.font(14, QFont.Weight.DemiBold))
        label = "Cancel" if busy else "Play Now"
        painter.drawText(QRect(36, 0, WIDTH - 36, HEIGHT), int(Qt.AlignmentFlag.AlignVCenter), label)
        if not busy:
            painter.setPen(colors.color("border" if quiet else "accent_line"))
            painter.drawLine(WIDTH - MENU_WIDTH, 1, WIDTH - MENU_WIDTH, HEIGHT - 2)
            draw_icon(painter, "down", getattr(colors, text), QRect(WIDTH - MENU_WIDTH + 7, 0, 12, HEIGHT))
        if self.hasFocus():
            draw_focus(painter, self.rect().adjusted(2, 2, -2, -2), colors.color("text3" if quiet else "on_accent"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where the press began."""
        self._down = event.button() == Qt.MouseButton.LeftButton

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on the main or on the menu part."""
        if self._down and self.rect().contains(event.position().toPoint()):
            in_menu = event.position().x() >= WIDTH - MENU_WIDTH
            if in_menu and self._state is not PlayState.BUSY:
                self.open_menu()
            else:
                self.pressed.emit()
        self._down = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space or Enter presses, Down opens the menu."""
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.pressed.emit()
        elif event.key() == Qt.Key.Key_Down and self._state is not PlayState.BUSY:
            self.open_menu()
        else:
            super().keyPressEvent(event)

    def open_menu(self) -> None:
        """Ask for the menu under the button."""
        self.menu_wanted.emit(self.mapToGlobal(QPoint(0, HEIGHT)))
