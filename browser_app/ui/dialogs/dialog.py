"""What all dialogs have in common: beside the window, their colours the theme's, the larger ones' size kept."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from browser_app.storage.kept import Kept
from browser_app.ui.field_style import field_style
from browser_app.ui.theme import Theme


class Dialog(QDialog):
    """Window-modal, gone when closed."""

    def __init__(self, theme: Theme, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        theme.changed.connect(self._recolor)
        self._recolor()

    def stack(self, parts: Sequence[QWidget], buttons: QHBoxLayout, width: int) -> None:
        """The parts one below the other, then the buttons, in a dialog of a fixed `width`."""
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        for part in parts:
            column.addWidget(part)
        column.addSpacing(4)
        column.addLayout(buttons)
        self.setFixedWidth(width)

    def _recolor(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self._theme.palette.color("raised"))
        palette.setColor(QPalette.ColorRole.Base, self._theme.palette.color("raised"))
        self.setPalette(palette)
        self.setStyleSheet(field_style(self._theme.palette))


def button_row(left: Sequence[QWidget], right: Sequence[QWidget]) -> QHBoxLayout:
    """The last row of every dialog: what can be done on the left, what ends it on the right."""
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in left:
        row.addWidget(widget)
    row.addStretch(1)
    for widget in right:
        row.addWidget(widget)
    return row


class SizedDialog(Dialog):
    """As large as it was left."""

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept, name: str, title: str, size: QSize) -> None:
        """`name` is what its size is kept under."""
        super().__init__(theme, parent, title)
        self._kept, self._key = kept, f"dialog {name}"
        self.resize(self._last_size(size).boundedTo(parent.screen().availableSize()))

    def done(self, result: int) -> None:
        """Keep the size, however it is closed."""
        self._kept.put(self._key, [self.width(), self.height()])
        super().done(result)

    def _last_size(self, usual: QSize) -> QSize:
        kept = self._kept.get(self._key)
        if isinstance(kept, list) and len(kept) == 2 and all(isinstance(each, int) and each > 0 for each in kept):
            return QSize(*kept)
        return usual
