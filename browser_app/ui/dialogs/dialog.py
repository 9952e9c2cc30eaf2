"""What the larger dialogs have in common: beside the window, their size kept, their colours the theme's."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialog, QWidget

from browser_app.storage.kept import Kept
from browser_app.ui.theme import Theme

_FIELDS = """
QLineEdit, QPlainTextEdit {{ background: {raised}; border: 1px solid {border}; border-radius: 4px; padding: 3px 6px; }}
QLineEdit:focus, QPlainTextEdit:focus {{ border: 2px solid {accent}; padding: 2px 5px; }}
QAbstractItemView::indicator, QCheckBox::indicator {{ border: 1px solid {border}; border-radius: 2px; width: 12px; \
height: 12px; }}
QAbstractItemView::indicator:checked, QCheckBox::indicator:checked {{ background: {accent}; border-color: {accent}; }}
QCheckBox::indicator:focus {{ border: 2px solid {accent}; }}
QAbstractSpinBox QLineEdit, QAbstractItemView QLineEdit {{ border: none; padding: 0; }}
"""
"""Fusion draws the outlines of fields and ticks too faintly for the dark palettes."""


class SizedDialog(QDialog):
    """Window-modal, gone when closed, and as large as it was left."""

    def __init__(self, theme: Theme, parent: QWidget, kept: Kept, name: str, title: str, size: QSize) -> None:
        """`name` is what its size is kept under."""
        super().__init__(parent)
        self._kept, self._key = kept, f"dialog {name}"
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(title)
        self._theme = theme
        theme.changed.connect(self._recolor)
        self._recolor()
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

    def _recolor(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Window, self._theme.palette.color("raised"))
        palette.setColor(QPalette.ColorRole.Base, self._theme.palette.color("raised"))
        self.setPalette(palette)
        colors = self._theme.palette
        self.setStyleSheet(_FIELDS.format(raised=colors.raised, border=colors.border, accent=colors.accent))
