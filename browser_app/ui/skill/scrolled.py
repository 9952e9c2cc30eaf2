"""A page that scrolls where it is higher than its room: as high as its sentences need at the width they have."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.theme import Theme


class Scrolled(QScrollArea):
    """Fill `column`."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._inner = QWidget()
        self.column = QVBoxLayout(self._inner)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(ScrollBar(theme))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setWidget(self._inner)
        for ground in (self._inner, self.viewport()):
            ground.setAutoFillBackground(False)

    def fit(self) -> None:
        """The words are others."""
        self.column.activate()
        self._inner.setMinimumHeight(max(1, self.column.totalHeightForWidth(self.viewport().width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The height follows from the width."""
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        """Something inside was shown, hidden or worded anew."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)
