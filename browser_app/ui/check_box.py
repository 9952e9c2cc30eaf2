"""A box to tick, drawn by the house's rules: its outline is seen on every ground, ticked it is the accent's."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle

from browser_app.ui.controls import draw_focus, draw_icon
from browser_app.ui.theme import Theme

BOX, RADIUS, GAP, MARGIN, HEIGHT = 16, 2, 8, 4, 26


class CheckBox(QCheckBox):
    """Qt's box with the house's drawing; keys, speech and signals are Qt's own."""

    def __init__(self, theme: Theme, text: str = "") -> None:
        super().__init__(text)
        self._theme = theme
        self.setFont(theme.font())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw box, tick, words and the focus ring."""
        painter, colors = QPainter(self), self._theme.palette
        box = QRect(MARGIN, (self.height() - BOX) // 2, BOX, BOX)
        box = QStyle.visualRect(self.layoutDirection(), self.rect(), box)
        on, usable = self.isChecked(), self.isEnabled()
        lit = on and usable
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors.color("accent" if lit else "border"), 1))
        painter.setBrush(colors.color("accent" if lit else "raised"))
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if on:
            draw_icon(painter, "check", colors.on_accent if usable else colors.text3, box, size=14)
        painter.setPen(colors.color("text1" if usable else "text3"))
        words = QStyle.visualRect(
            self.layoutDirection(), self.rect(), self.rect().adjusted(MARGIN + BOX + GAP, 0, 0, 0)
        )
        leading = QStyle.visualAlignment(
            self.layoutDirection(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        painter.drawText(words, int(leading), self.text())
        if self.hasFocus():
            draw_focus(painter, self.rect(), colors.color("accent"))

    def sizeHint(self) -> QSize:
        """Room for box, words and the focus ring."""
        words = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(BOX + MARGIN * 2 + (words + GAP if words else 0), HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Words are never cut."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 (Qt's name)
        """A click anywhere on box and words ticks."""
        return QRect(QPoint(0, 0), self.sizeHint()).contains(pos)
