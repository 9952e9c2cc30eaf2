"""A section of a page: a line above it, a small title, and what belongs to it."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.ui.controls import ElidedText, Hairline
from browser_app.ui.theme import Theme

HEAD = 24


class Section(QWidget):
    """Fill `column`; `head` is the line of the title, which leaves room for what stands beside it."""

    def __init__(self, theme: Theme, title: str = "") -> None:
        super().__init__()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(Hairline(theme, "border"))
        outer.addSpacing(6)
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        if title:
            words = ElidedText(theme, title, role="text2", size=12, weight=QFont.Weight.DemiBold)
            words.setFixedHeight(HEAD)
            self.head.addWidget(words)
            self.head.addStretch(1)
            outer.addLayout(self.head)
        self.column = QVBoxLayout()
        self.column.setSpacing(4)
        outer.addLayout(self.column)
        outer.addStretch(1)
