"""Notification bar: a message with buttons, which does not block the window."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QFont, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QWidget

from browser_app.ui.widgets.accessibility import announce, set_accessible_role
from browser_app.ui.widgets.basic_widgets import Button, ElidedLabel, Panel, draw_icon
from browser_app.ui.widgets.menus import MenuEntry
from browser_app.ui.widgets.theme import Theme

NOTIFICATION_BAR_HEIGHT = 44
_NOTIFICATION_ICON_PX, _NOTIFICATION_GAP, _STACKED_MARGIN = 16, 12, 5


class NotificationBar(Panel):
    """Icon, headline, sentence and buttons; hidden when empty.

    Takes the focus only for a question. It belongs below the list, so that no row moves under the pointer. Where space
    is short, the sentence is below the headline.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "T")
        set_accessible_role(self, QAccessible.Role.AlertMessage)
        self._icon, self._icon_role = "clock", "accent"
        self._headline = ElidedLabel(theme, weight=QFont.Weight.DemiBold)
        self._sentence = ElidedLabel(theme, role="text2")
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._previous_focus: QWidget | None = None
        self._buttons: list[Button] = []
        self._row_layout = QHBoxLayout(self)
        self._row_layout.setContentsMargins(12, 1, 12, 0)
        self._row_layout.setSpacing(_NOTIFICATION_GAP)
        self._row_layout.addSpacing(_NOTIFICATION_ICON_PX + 16)  # a margin would not follow the layout direction
        self._text_layout = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._text_layout.addWidget(self._headline)
        self._text_layout.addWidget(self._sentence, 1)
        self._row_layout.addLayout(self._text_layout, 1)
        self.setFixedHeight(NOTIFICATION_BAR_HEIGHT)
        self.hide()

    def add_widget(self, widget: QWidget) -> None:
        """Add a widget between the text and the buttons."""
        self._row_layout.insertWidget(self._row_layout.count() - len(self._buttons), widget)

    def show_message(self, headline: str, sentence: str, icon: str = "clock", role: str = "accent") -> None:
        """Show a message; announce it to screen readers if the headline is new."""
        is_new = headline != self._headline.text() or self.isHidden()
        if self.isHidden():
            self._previous_focus = self.window().focusWidget()
        self._icon, self._icon_role = icon, role
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{headline} {sentence}")
        self.show()
        self._arrange()
        self.update()
        if is_new:
            announce(self, headline, sentence)

    def show_buttons(self, *buttons: MenuEntry, take_focus: bool = False) -> None:
        """Show buttons; `take_focus` gives the first the focus.

        The focus of a button that is replaced goes to the new one with its text, else to where it was before. The
        accent colour stays with Play Now.
        """
        focused = next((button.text() for button in self._buttons if button.hasFocus()), None)
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        for text, on_click in buttons:
            button = Button(self._theme, text)
            button.clicked.connect(on_click)
            self._row_layout.addWidget(button)
            button.show()
            self._buttons.append(button)
        self._arrange()
        if take_focus and self._buttons:
            self._buttons[0].setFocus()
        elif focused is not None:
            same = (button for button in self._buttons if button.text() == focused)
            if (successor := next(same, self._previous_focus)) is not None:
                successor.setFocus()

    def _arrange(self) -> None:
        """Put the sentence beside the headline.

        It goes below if one line is too narrow for both.
        """
        self._row_layout.activate()
        wanted = self._headline.sizeHint().width() + _NOTIFICATION_GAP + self._sentence.sizeHint().width()
        beside = wanted <= self._text_layout.geometry().width()
        self._text_layout.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self._text_layout.setSpacing(_NOTIFICATION_GAP if beside else 0)
        margin = 0 if beside else _STACKED_MARGIN
        self._text_layout.setContentsMargins(0, margin, 0, margin)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the text for the new width."""
        super().resizeEvent(event)
        self._arrange()

    def hide_message(self) -> None:
        """Hide the bar; return the focus to where it was."""
        focus = self.window().focusWidget()
        inside = focus is not None and self.isAncestorOf(focus)
        self.hide()
        if inside and self._previous_focus is not None:
            self._previous_focus.setFocus()
        self._previous_focus = None

    def shown_texts(self) -> tuple[str, str]:
        """Return headline and sentence."""
        return self._headline.text(), self._sentence.text()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the icon beside the text."""
        super().paintEvent(event)
        left = (
            self.width() - 16 - _NOTIFICATION_ICON_PX
            if self.layoutDirection() is Qt.LayoutDirection.RightToLeft
            else 16
        )
        box = QRect(left, 0, _NOTIFICATION_ICON_PX, self.height())
        draw_icon(QPainter(self), self._icon, getattr(self._theme.palette, self._icon_role), box)
