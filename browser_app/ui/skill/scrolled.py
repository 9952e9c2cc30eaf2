"""A page that scrolls where it is higher than its room: as high as its sentences need at the width they have."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from browser_app.ui.controls import draw_focus
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.theme import Theme


class Scrolled(QScrollArea):
    """Fill `column`. Where there is something to scroll the keys can do it, too."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName(name)
        self._inner = QWidget()
        self.column = QVBoxLayout(self._inner)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBar(ScrollBar(theme))
        self.setWidgetResizable(True)
        self.setWidget(self._inner)
        for ground in (self._inner, self.viewport()):
            ground.setAutoFillBackground(False)

    def fit(self) -> None:
        """The words are others."""
        self.column.activate()
        height = max(1, self.column.totalHeightForWidth(self.viewport().width()))
        self._inner.setMinimumHeight(height)
        scrolls = height > self.viewport().height()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.NoFocus)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The height follows from the width."""
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        """Something inside was shown, hidden or worded anew."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the focus ring."""
        super().paintEvent(event)
        if self.hasFocus():
            draw_focus(QPainter(self.viewport()), self.viewport().rect(), self._theme.palette.color("accent"))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring comes."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The ring goes."""
        super().focusOutEvent(event)
        self.viewport().update()
