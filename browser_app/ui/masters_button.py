"""The status line's part about masters: how many answered, how many failed; a press shows each."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from browser_app.ui.controls import draw_focus, draw_icon, placed
from browser_app.ui.theme import Theme

HEIGHT = 22
_ICON, _GAP = 14, 6


class MastersButton(QAbstractButton):
    """An icon and two texts, the second a warning."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.warning = ""
        self.setFont(theme.font(12))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_words(self, text: str, warning: str, tip: str) -> None:
        """What is so, what is wrong, and with whom."""
        if (text, warning) != (self.text(), self.warning):
            self.warning = warning
            self.setText(text)
            self.updateGeometry()
            self.update()
        self.setToolTip(tip)
        self.setAccessibleName(", ".join(each for each in (text, warning) if each))
        self.setAccessibleDescription(tip)

    def sizeHint(self) -> QSize:
        """As wide as its words."""
        metrics = QFontMetrics(self.font())
        warning = metrics.horizontalAdvance(self.warning) + _GAP if self.warning else 0
        return QSize(_ICON + _GAP + metrics.horizontalAdvance(self.text()) + warning + 4, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw icon and words, underlined under the pointer."""
        colors = self._theme.palette
        painter = QPainter(self)
        icon, role = ("doubt", colors.warning) if self.warning else ("check", colors.text2)
        draw_icon(painter, icon, role, placed(self, QRect(0, 0, _ICON, HEIGHT)))
        font = self._theme.font(12)
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        left = _ICON + _GAP
        for text, color in ((self.text(), "text2"), (self.warning, "warning")):
            painter.setPen(colors.color(color))
            room = placed(self, QRect(left, 0, self.width() - left, HEIGHT))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
            left += painter.fontMetrics().horizontalAdvance(text) + _GAP
        if self.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))
