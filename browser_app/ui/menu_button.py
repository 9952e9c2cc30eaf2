"""A button that says what is chosen and opens the list of what else there is."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu

from browser_app.ui.choice_menu import Choice, ChoiceMenu
from browser_app.ui.controls import Button, draw_icon, placed
from browser_app.ui.theme import Theme

CHEVRON_PX = 12
_OPENING = (Qt.Key.Key_Down, Qt.Key.Key_Up)


class MenuButton(Button):
    """One of several values, by a menu under it.

    Signals:
        chosen: the value the user chose.
    """

    chosen = Signal(str)

    def __init__(self, theme: Theme, about: str) -> None:
        """`about`: what is chosen here, in words."""
        super().__init__(theme)
        self._about = about
        self.choices: tuple[tuple[str, str], ...] = ()
        self.value = ""
        self.setAccessibleName(about)
        self.clicked.connect(self._open)

    def show_choices(self, choices: Sequence[tuple[str, str]], value: str) -> None:
        """Offer these values with their titles; `value` is the one that holds."""
        self.choices, self.value = tuple(choices), value
        title = dict(choices).get(value, "")
        self.setText(title)
        self.setAccessibleName(f"{self._about}: {title}" if title else self._about)
        self.setEnabled(bool(choices))
        self.updateGeometry()
        self.update()

    def menu(self) -> QMenu:
        """The menu of the values."""
        lines = [Choice(value, title, None, value == self.value) for value, title in self.choices]
        return ChoiceMenu(self, lines, self._choose, several=False)

    def _choose(self, value: str, on: bool) -> None:
        if on and value != self.value:
            self.chosen.emit(value)

    def _open(self) -> None:
        self.menu().popup(self.mapToGlobal(self.rect().bottomLeft()) + QPoint(0, 2))

    def sizeHint(self) -> QSize:
        """Room for the title and the chevron."""
        width = QFontMetrics(self.font()).horizontalAdvance(self.text()) + 20
        return QSize(width + CHEVRON_PX + 8, super().sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows open the menu, too."""
        if event.key() in _OPENING:
            self._open()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The button, and the chevron at its end."""
        super().paintEvent(event)
        box = placed(self, QRect(self.width() - CHEVRON_PX - 9, 0, CHEVRON_PX, self.height()))
        role = "text2" if self.isEnabled() else "text3"
        draw_icon(QPainter(self), "down", getattr(self._theme.palette, role), box, size=CHEVRON_PX)
