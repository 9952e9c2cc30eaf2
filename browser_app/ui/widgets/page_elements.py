"""Building blocks of text pages: scroll page, sections, suggestions, labels."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from browser_app.ui.widgets.basic_widgets import (
    Button,
    ElidedLabel,
    IconLabel,
    Label,
    ScrollBar,
    Separator,
    draw_focus_ring,
)
from browser_app.ui.widgets.theme import Theme

_Label = TypeVar("_Label", bound=Label)


def make_selectable(label: _Label) -> _Label:
    """Make a label's text selectable by mouse, and return the label."""
    label.setTextInteractionFlags(label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def create_scroll_area(theme: Theme, page: QWidget, role: str = "raised") -> QScrollArea:
    """Return a frameless area that scrolls a page vertically.

    It shows what is behind it, a surface of `role`.
    """
    area = QScrollArea()
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBar(ScrollBar(theme, role))
    area.viewport().setAutoFillBackground(False)
    page.setAutoFillBackground(False)
    return area


def clear_layout(layout: QLayout, keep: int = 0) -> None:
    """Hide and delete the widgets of a layout, except for the first `keep` ones."""
    while (item := layout.takeAt(keep)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


def accept_copy_shortcut(event: QEvent) -> bool:
    """Accept Ctrl+C for a widget that copies by itself.

    A shortcut of the window would get it otherwise. Returns False for other events.
    """
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    if not event.matches(QKeySequence.StandardKey.Copy):
        return False
    event.accept()
    return True


def create_wrapping_label(theme: Theme, role: str = "text2", size: int = 12) -> Label:
    """Return an empty label whose text wraps."""
    label = make_selectable(Label(theme, role=role, size=size))
    label.setWordWrap(True)
    label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    return label


SECTION_HEADER_HEIGHT = 24


class PageSection(QWidget):
    """A section with a separator and an optional title.

    Add content to `content_layout`, and widgets beside the title to `header_layout`.
    """

    def __init__(self, theme: Theme, title: str = "") -> None:
        super().__init__()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(Separator(theme, "border"))
        outer.addSpacing(6)
        self.header_layout = QHBoxLayout()
        self.header_layout.setSpacing(8)
        if title:
            text = ElidedLabel(theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold)
            text.setFixedHeight(SECTION_HEADER_HEIGHT)
            self.header_layout.addWidget(text)
            self.header_layout.addStretch(1)
            outer.addLayout(self.header_layout)
        self.content_layout = QVBoxLayout()
        self.content_layout.setSpacing(4)
        outer.addLayout(self.content_layout)
        outer.addStretch(1)


class ScrollPage(QScrollArea):
    """A scrolling page; add content to `content_layout`.

    It accepts the keyboard focus only while there is something to scroll.
    """

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name)
        self._content = QWidget()
        self.content_layout = QVBoxLayout(self._content)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBar(ScrollBar(theme))
        self.setHorizontalScrollBar(ScrollBar(theme, orientation=Qt.Orientation.Horizontal))
        self.setWidgetResizable(True)
        self.setWidget(self._content)
        for background in (self._content, self.viewport()):
            background.setAutoFillBackground(False)

    def fit_height(self) -> None:
        """Adapt the height to changed content."""
        self.content_layout.activate()
        height = max(1, self.content_layout.totalHeightForWidth(self.viewport().width()))
        self._content.setMinimumHeight(height)
        scrolls = height > self.viewport().height()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.NoFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the height to the new width."""
        super().resizeEvent(event)
        self.fit_height()

    def event(self, event: QEvent) -> bool:
        """Adapt the height when a widget inside was shown, hidden or changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit_height()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the focus ring."""
        super().paintEvent(event)
        if self.hasFocus():
            draw_focus_ring(QPainter(self.viewport()), self.viewport().rect(), self._theme.palette.color("accent"))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus ring."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus ring."""
        super().focusOutEvent(event)
        self.viewport().update()


class SuggestionBlock(QWidget):
    """A suggestion with an icon, a headline, a reason and a button."""

    def __init__(self, theme: Theme, icon: str, button_text: str, on_click: Callable[[], object]) -> None:
        super().__init__()
        self._headline_label = Label(theme, weight=QFont.Weight.DemiBold)
        self._reason_label = Label(theme, role="text2", size=12, wraps=True)
        self.button = Button(theme, button_text)
        self.button.clicked.connect(on_click)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        grid.addWidget(Separator(theme), 0, 0, 1, 2)
        grid.setRowMinimumHeight(1, 6)
        grid.addWidget(IconLabel(theme, icon, size=16), 2, 0, Qt.AlignmentFlag.AlignTop)
        for row, widget in enumerate((self._headline_label, self._reason_label), 2):
            grid.addWidget(widget, row, 1)
        grid.addWidget(self.button, 4, 1, Qt.AlignmentFlag.AlignLeft)

    def show_texts(self, what: str, why: str) -> None:
        """Show headline and reason."""
        self._headline_label.setText(what)
        self._reason_label.setText(why)
        self.show()
