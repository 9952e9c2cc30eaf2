"""The small button that folds a panel or opens it again."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from browser_app.language import gettext as _
from browser_app.ui.controls import draw_focus, draw_icon
from browser_app.ui.theme import Theme

HEIGHT = 26


class FoldButton(QAbstractButton):
    """An icon without a frame."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.show_folded(folded=False)
        theme.changed.connect(self.update)

    def show_folded(self, *, folded: bool) -> None:
        """What a press does."""
        words = _("Show the names of the lists") if folded else _("Fold the lists to icons")
        self.setAccessibleName(words)
        self.setToolTip(_("{what} (Ctrl+L)").format(what=words))

    def sizeHint(self) -> QSize:
        """26 high."""
        return QSize(HEIGHT, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw the icon at the right end."""
        colors = self._theme.palette
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), colors.color("hover"))
        box = self.rect().adjusted(max(0, self.width() - 44), 0, 0, 0)
        draw_icon(painter, "fold", colors.text2, box)
        if self.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))
