"""What the inspector's pages of words have in common."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.ui.controls import Text
from browser_app.ui.theme import Theme


class WordedPage(QWidget):
    """As high as its wrapped words need; Qt's own guess is for narrower ones and would scroll over nothing."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Its height follows from its width."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """After other words."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.setMinimumHeight(max(0, layout.totalHeightForWidth(self.width())))


def paragraph(theme: Theme, role: str = "text2") -> Text:
    """Words that wrap and can be selected."""
    text = Text(theme, role=role, size=12)
    text.setWordWrap(True)
    text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
    return text
