"""A server's tags as small buttons, as many in a row as have room."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Button, placed
from browser_app.ui.texts import tool_tip
from browser_app.ui.theme import Theme

MOST = 24
_HEIGHT, _GAP, _LETTERS = 22, 4, 28


class TagRow(QWidget):
    """Shows tags.

    Signals:
        filter_wanted: the filter's term for a tag.
    """

    filter_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tags: tuple[str, ...] = ()
        self.buttons: list[Button] = []
        self.hide()

    def show_tags(self, tags: Sequence[str]) -> None:
        """Show the first of these; a tag that the filter cannot name is left out."""
        shown = tuple(tag for tag in dict.fromkeys(tags) if tag.strip() and '"' not in tag)[:MOST]
        if shown == self.tags:
            return
        self.tags = shown
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(tag) for tag in shown]
        self._place()
        self.setVisible(bool(shown))

    def _button(self, tag: str) -> Button:
        button = Button(self._theme, tag if len(tag) <= _LETTERS else f"{tag[: _LETTERS - 1]}…", height=_HEIGHT)
        button.setFont(self._theme.font(12))
        button.setParent(self)
        button.setAccessibleName(_("Filter by the tag {tag}").format(tag=tag))
        button.setToolTip(tool_tip(button.accessibleName()))
        button.clicked.connect(partial(self.filter_wanted.emit, f'tag:"{tag}"'))
        button.show()
        return button

    def _place(self) -> None:
        """Put them side by side, and on the next line where the room ends."""
        left, top = 0, 0
        for button in self.buttons:
            width = min(button.sizeHint().width(), max(self.width(), _HEIGHT))
            if left and left + width > self.width():
                left, top = 0, top + _HEIGHT + _GAP
            button.setGeometry(placed(self, QRect(left, top, width, _HEIGHT)))
            left += width + _GAP
        self.setFixedHeight(top + _HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has other lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._place()

    def minimumSizeHint(self) -> QSize:
        """Lines break as narrow as need be."""
        return QSize(_HEIGHT, _HEIGHT)
