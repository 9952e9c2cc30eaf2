"""What all rows of tabs have in common."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QTabBar

from browser_app.ui.theme import Theme


class Tabs(QTabBar):
    """Qt's tabs for the house's drawing, which is the heirs'; keys, speech and `currentChanged` are Qt's own."""

    def __init__(
        self, theme: Theme, titles: Sequence[str], about: str, *, height: int, padding: int, font: int = 12
    ) -> None:
        """`about`: what they choose, for speech; height and padding in pixels."""
        super().__init__()
        self._theme, self._height, self._padding, self._font = theme, height, padding, font
        for title in titles:
            self.addTab(title)
        self.setFixedHeight(height)
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(about)  # its name is the current title, by Qt
        theme.changed.connect(self.update)

    def title_font(self, *, current: bool) -> QFont:
        """The current title is bold."""
        return self._theme.font(self._font, QFont.Weight.DemiBold if current else QFont.Weight.Normal)

    def tabSizeHint(self, index: int) -> QSize:
        """Room for the title in bold."""
        metrics = QFontMetrics(self.title_font(current=True))
        return QSize(metrics.horizontalAdvance(self.tabText(index)) + 2 * self._padding, self._height)

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Titles are never cut."""
        return self.tabSizeHint(index)
