"""What Play Now is doing, under its button: the servers asked again, or what excluded how many."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ui.controls import Button, Text, draw_box, draw_icon
from browser_app.ui.texts import thousands
from browser_app.ui.theme import Theme

STEPS_WIDTH, REJECTED_WIDTH, ROW_HEIGHT, MARGIN = 600, 304, 24, 12
OFFER_WIDTH, OFFER_ROWS = 600, 5
_BAR = 80


class Offer(NamedTuple):
    """The one thing to do next: why, what it would bring, and the button's words."""

    headline: str
    sentence: str
    words: str


class Step(NamedTuple):
    """One server asked again. `state`: `asking`, `good`, `doubt` or `out`."""

    state: str
    name: str
    scores: str
    note: str


_ICONS = {
    "asking": ("clock", "text2"),
    "good": ("check", "accent"),
    "doubt": ("doubt", "warning"),
    "out": ("close", "text3"),
}


class PlayPopover(QWidget):
    """A framed list inside the window (no window of its own: it never takes the focus by itself).

    Signals:
        offer_taken: the user wants the step that is offered.
    """

    offer_taken = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._theme = theme
        self._steps: tuple[Step, ...] = ()
        self._rejected: tuple[tuple[str, int], ...] = ()
        self._headline = Text(theme, weight=QFont.Weight.DemiBold)
        self._sentence = Text(theme, role="text2")
        self._sentence.setWordWrap(True)
        self.offer = Button(theme, accented=True)
        self.offer.clicked.connect(self.offer_taken)
        self._offered = QWidget(self)
        column = QVBoxLayout(self._offered)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self._headline, self._sentence, self.offer):
            column.addWidget(widget)
        column.addStretch(1)
        self.setAccessibleName(_("Play Now"))
        theme.changed.connect(self.update)
        self.hide()

    def show_steps(self, corner: QPoint, steps: Sequence[Step]) -> None:
        """Show the servers that are asked again, at `corner` of the parent."""
        self._steps, self._rejected = tuple(steps), ()
        self._make_offer(None)
        self._appear(corner, STEPS_WIDTH, len(steps))

    def show_rejected(self, corner: QPoint, rejected: Mapping[str, int], offer: Offer | None) -> None:
        """Show what excluded how many, which sums to the known servers, and beside it what would help most."""
        self._steps = ()
        self._rejected = tuple(sorted(rejected.items(), key=lambda item: -item[1]))
        self._make_offer(offer)
        rows = len(self._rejected) + 1
        self._appear(corner, OFFER_WIDTH if offer else REJECTED_WIDTH, max(rows, OFFER_ROWS) if offer else rows)

    def lines(self) -> tuple[str, ...]:
        """Its content as text."""
        steps = (f"{step.name} {step.scores} {step.note}" for step in self._steps)
        return (*steps, *(f"{_(why)} {number}" for why, number in self._rejected))

    def _make_offer(self, offer: Offer | None) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, offer is None)
        self._offered.setVisible(offer is not None)
        if offer is not None:
            self._headline.setText(offer.headline)
            self._sentence.setText(offer.sentence)
            self.offer.setText(offer.words)
            self.offer.setAccessibleDescription(f"{offer.headline} {offer.sentence}")
            self.offer.updateGeometry()

    def _appear(self, corner: QPoint, width: int, rows: int) -> None:
        self.setAccessibleDescription(". ".join(self.lines()))
        self.resize(QSize(min(width, self._window.width() - corner.x() - 12), rows * ROW_HEIGHT + 2 * MARGIN))
        self.move(corner)
        self._offered.setGeometry(self.rect().adjusted(REJECTED_WIDTH + 8, MARGIN, -MARGIN, -MARGIN))
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw box and lines."""
        colors = self._theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), QColor(colors.raised), QColor(colors.border))
        if self._steps:
            for index, step in enumerate(self._steps):
                self._paint_step(painter, self._line(index), step)
        else:
            self._paint_rejected(painter)

    def _line(self, index: int) -> QRect:
        width = self.width() if self._steps else min(self.width(), REJECTED_WIDTH)
        return QRect(MARGIN, MARGIN + index * ROW_HEIGHT, width - 2 * MARGIN, ROW_HEIGHT)

    def _paint_step(self, painter: QPainter, line: QRect, step: Step) -> None:
        colors = self._theme.palette
        name, role = _ICONS[step.state]
        draw_icon(painter, name, getattr(colors, role), QRect(line.x(), line.y(), 16, line.height()))
        self._write(painter, line.adjusted(24, 0, 24 + 190 - line.width(), 0), step.name, "text1", QFont.Weight.Medium)
        self._write(painter, line.adjusted(222, 0, 0, 0), step.scores, "text2")
        self._write(painter, line.adjusted(330, 0, 0, 0), step.note, "text2")

    def _paint_rejected(self, painter: QPainter) -> None:
        total = sum(number for _, number in self._rejected)
        most = max((number for _, number in self._rejected), default=1)
        for index, (why, number) in enumerate(self._rejected):
            line = self._line(index)
            self._write(painter, line, _(why), "text2")
            width = max(2, round(number / most * _BAR))
            painter.fillRect(line.x() + 144, line.y() + 8, width, 8, self._theme.palette.color("ping_unknown"))
            self._write(painter, line.adjusted(240, 0, 0, 0), thousands(number), "text1")
        line = self._line(len(self._rejected))
        painter.setPen(self._theme.palette.color("border"))
        painter.drawLine(line.topLeft(), line.topRight())
        self._write(painter, line, _("known servers"), "text1", QFont.Weight.DemiBold)
        self._write(painter, line.adjusted(240, 0, 0, 0), thousands(total), "text1", QFont.Weight.DemiBold)

    def _write(
        self, painter: QPainter, box: QRect, text: str, role: str, weight: QFont.Weight = QFont.Weight.Normal
    ) -> None:
        painter.setFont(self._theme.font(weight=weight))
        painter.setPen(self._theme.palette.color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), shown)
