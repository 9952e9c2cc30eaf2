"""Buttons that look like links, open a menu or collapse a panel."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy

from browser_app.language import gettext as _
from browser_app.ui.widgets.basic_widgets import Button, PaintedButton, draw_focus_ring, draw_icon, mirrored_rect
from browser_app.ui.widgets.menus import ChoiceMenu, MenuChoice
from browser_app.ui.widgets.theme import Theme

COLLAPSE_BUTTON_HEIGHT = 26


class CollapseButton(PaintedButton):
    """A frameless button that collapses or expands the sidebar."""

    def __init__(self, theme: Theme, tool_tip: Callable[[str], str]) -> None:
        """Create the button.

        `tool_tip` returns the tooltip for the name of the action.
        """
        super().__init__(theme)
        self._tool_tip = tool_tip
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_collapsed(collapsed=False)

    def show_collapsed(self, *, collapsed: bool) -> None:
        """Name the action: expand if collapsed, else collapse."""
        text = _("Expand the sidebar") if collapsed else _("Collapse the sidebar to icons")
        self.setAccessibleName(text)
        self.setToolTip(self._tool_tip(text))

    def sizeHint(self) -> QSize:
        """Return a square of 26 px."""
        return QSize(COLLAPSE_BUTTON_HEIGHT, COLLAPSE_BUTTON_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the icon at the trailing end."""
        colors = self._theme.palette
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), colors.color("hover"))
        box = self.rect().adjusted(max(0, self.width() - 44), 0, 0, 0)
        draw_icon(painter, "fold", colors.text2, box)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), colors.color("accent"))


MENU_CHEVRON_PX = 12
_MENU_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up)


class MenuButton(Button):
    """A button that shows one of several values and opens a menu of them.

    Signals:
        value_chosen: the value the user chose.
    """

    value_chosen = Signal(str)

    def __init__(self, theme: Theme, description: str) -> None:
        """Create a button without values; `description` is its accessible name."""
        super().__init__(theme)
        self._description = description
        self.choices: tuple[tuple[str, str], ...] = ()
        self.current_value = ""
        self.setAccessibleName(description)
        self.clicked.connect(self._open_menu)

    def show_choices(self, choices: Sequence[tuple[str, str]], value: str) -> None:
        """Offer pairs of value and title; `value` is the current one."""
        self.choices, self.current_value = tuple(choices), value
        title = dict(choices).get(value, "")
        self.setText(title)
        self.setAccessibleName(f"{self._description}: {title}" if title else self._description)
        self.setEnabled(bool(choices))
        self.updateGeometry()
        self.update()

    def menu(self) -> QMenu:
        """Return the menu of values."""
        lines = [MenuChoice(value, title, None, value == self.current_value) for value, title in self.choices]
        return ChoiceMenu(self, lines, self._on_choice, multiple=False)

    def _on_choice(self, value: str, on: bool) -> None:
        if on and value != self.current_value:
            self.value_chosen.emit(value)

    def _open_menu(self) -> None:
        self.menu().popup(self.mapToGlobal(self.rect().bottomLeft()) + QPoint(0, 2))

    def sizeHint(self) -> QSize:
        """Return the size of title and chevron."""
        width = QFontMetrics(self.font()).horizontalAdvance(self.text()) + 20
        return QSize(width + MENU_CHEVRON_PX + 8, super().sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the menu with the up and down keys, too."""
        if event.key() in _MENU_KEYS:
            self._open_menu()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button and the chevron at its end."""
        super().paintEvent(event)
        box = mirrored_rect(self, QRect(self.width() - MENU_CHEVRON_PX - 9, 0, MENU_CHEVRON_PX, self.height()))
        role = "text2" if self.isEnabled() else "text3"
        draw_icon(QPainter(self), "down", getattr(self._theme.palette, role), box, size=MENU_CHEVRON_PX)


LINK_BUTTON_HEIGHT = 24


class LinkButton(PaintedButton):
    """A text button that looks like a link."""

    def __init__(self, theme: Theme, text: str, *, flush: bool = False) -> None:
        """Create a link.

        If `flush`, its text starts at the widget's edge, to align with text above it.
        """
        super().__init__(theme)
        self._padding = 0 if flush else 4
        self.setText(text)
        self.setFont(theme.font(12, QFont.Weight.Medium))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Return the size of the text."""
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self.text()) + 8, LINK_BUTTON_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the text, underlined under the pointer."""
        painter = QPainter(self)
        font = QFont(self.font())
        font.setUnderline(self.underMouse() and self.isEnabled())
        painter.setFont(font)
        painter.setPen(self._theme.palette.color("accent" if self.isEnabled() else "text3"))
        box = mirrored_rect(self, self.rect().adjusted(self._padding, 0, 0, 0))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), self._theme.palette.color("accent"))
