"""Centred words of several lines."""

from PySide6.QtCore import Qt

from browser_app.ui.controls import Text
from browser_app.ui.theme import Theme


class Paragraph(Text):
    """A label of a fixed width that is as high as its words need: layouts that align a label do not ask it."""

    def __init__(self, theme: Theme, text: str = "", *, width: int, size: int = 13) -> None:
        super().__init__(theme, "", role="text2", size=size)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setFixedWidth(width)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Show these words."""
        if text != self.text() or not text:
            self.setText(text)
            self.setFixedHeight(self.heightForWidth(self.width()) if text else 0)
