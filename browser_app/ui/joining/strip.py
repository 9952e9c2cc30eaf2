"""A strip under the top bar: what is so with a join, and what can be done about it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QHBoxLayout, QSizePolicy, QWidget

from browser_app.ui.controls import Button, ElidedText, Surface, draw_icon
from browser_app.ui.theme import Theme

HEIGHT = 44
_ICON, _GAP, _STACKED_MARGIN = 16, 12, 5


class Choice(NamedTuple):
    """One thing to do."""

    words: str
    do: Callable[[], object]


class Strip(Surface):
    """Icon, headline, sentence, buttons; hidden while there is nothing to say. It takes the focus only when it asks.

    In less room the sentence stands under the headline.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "window", "B")
        self._icon, self._icon_role = "clock", "accent"
        self._headline = ElidedText(theme, weight=QFont.Weight.DemiBold)
        self._sentence = ElidedText(theme, role="text2")
        self._sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._before: QWidget | None = None
        self._buttons: list[Button] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 0, 12, 1)
        self._row.setSpacing(_GAP)
        self._row.addSpacing(_ICON + 16)  # a margin would not turn with the direction
        self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._words.addWidget(self._headline)
        self._words.addWidget(self._sentence, 1)
        self._row.addLayout(self._words, 1)
        self.setFixedHeight(HEIGHT)
        self.hide()

    def add(self, widget: QWidget) -> None:
        """Another widget between the words and the buttons."""
        self._row.insertWidget(self._row.count() - len(self._buttons), widget)

    def tell(self, headline: str, sentence: str, icon: str = "clock", role: str = "accent") -> None:
        """Show these words; said aloud when the headline is new."""
        news = headline != self._headline.text() or self.isHidden()
        self._icon, self._icon_role = icon, role
        self._headline.setText(headline)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{headline} {sentence}")
        self.show()
        self._arrange()
        self.update()
        if news:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def offer(self, choices: Sequence[Choice], *, ask: bool = False) -> None:
        """Show these buttons. `ask`: the first takes the focus. The accent stays with Play Now."""
        for button in self._buttons:
            button.hide()
            button.deleteLater()
        self._buttons = []
        for choice in choices:
            button = Button(self._theme, choice.words)
            button.clicked.connect(choice.do)
            self._row.addWidget(button)
            button.show()
            self._buttons.append(button)
        self._arrange()
        if ask and self._buttons:
            self._before = self.window().focusWidget()
            self._buttons[0].setFocus()

    def _arrange(self) -> None:
        """Put the sentence beside the headline, or under it where a line has no room for both."""
        self._row.activate()
        wanted = self._headline.sizeHint().width() + _GAP + self._sentence.sizeHint().width()
        beside = wanted <= self._words.geometry().width()
        self._words.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self._words.setSpacing(_GAP if beside else 0)
        margin = 0 if beside else _STACKED_MARGIN
        self._words.setContentsMargins(0, margin, 0, margin)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for a line, or none."""
        super().resizeEvent(event)
        self._arrange()

    def clear(self) -> None:
        """Nothing to say any more; the focus goes back to where it was."""
        focus = self.window().focusWidget()
        inside = focus is not None and self.isAncestorOf(focus)
        self.hide()
        if inside and self._before is not None:
            self._before.setFocus()
        self._before = None

    def buttons(self) -> dict[str, Button]:
        """By their words."""
        return {button.text(): button for button in self._buttons}

    def texts(self) -> tuple[str, str]:
        """Headline and sentence as shown."""
        return self._headline.text(), self._sentence.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus; held down, it does not."""
        focus = self.window().focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            if not event.isAutoRepeat():
                focus.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon beside the words."""
        super().paintEvent(event)
        left = self.width() - 16 - _ICON if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else 16
        box = QRect(left, 0, _ICON, self.height())
        draw_icon(QPainter(self), self._icon, getattr(self._theme.palette, self._icon_role), box)
