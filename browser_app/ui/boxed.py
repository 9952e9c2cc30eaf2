"""Qt's own editors in the house's box: a 1 px border, and the focus ring while one writes in it."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QAbstractScrollArea, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from browser_app.ui.controls import draw_box, draw_focus
from browser_app.ui.theme import Theme


class Boxed(QWidget):
    """Holds one editor, whose own frame it takes away."""

    def __init__(self, theme: Theme, editor: QLineEdit | QAbstractScrollArea, height: int) -> None:
        """`height` of the box, px."""
        super().__init__()
        self._theme, self._editor = theme, editor
        if isinstance(editor, QLineEdit):
            editor.setFrame(False)
        else:
            editor.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        editor.setFont(theme.font())
        editor.installEventFilter(self)
        self.setFocusProxy(editor)
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(6, 3, 6, 3)
        inside.addWidget(editor)
        theme.changed.connect(self._recolor)
        self._recolor()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Draw the ring anew when the focus comes or goes."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw box and ring."""
        painter, colors = QPainter(self), self._theme.palette
        draw_box(painter, self.rect(), colors.color("raised"), colors.color("border"))
        if self._editor.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))

    def _recolor(self) -> None:
        palette = QPalette(self._editor.palette())
        palette.setColor(QPalette.ColorRole.Base, self._theme.palette.color("raised"))
        palette.setColor(QPalette.ColorRole.Text, self._theme.palette.color("text1"))
        self._editor.setPalette(palette)
        self.update()
