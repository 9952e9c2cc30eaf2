"""What the lines and signs of the plot stand for, above it and in pictures of it."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.ui.skill.over_time.curves import BAND_ALPHA, overlay_pen
from browser_app.ui.skill.over_time.samples import draw_sampled_line
from browser_app.ui.skill.round_marks import DRAWN, LOST, WON, draw_round_mark, outcome_words
from browser_app.ui.theme import Theme

HEIGHT = 20
_SAMPLE, _SIGN, _GAP, _BETWEEN = 22, 12, 6, 16


class Entry(NamedTuple):
    """One of them: a line with a band or without, a dashed line, steps of what was read, or the sign of an outcome."""

    kind: Literal["band", "line", "overlay", "sampled", "sign"]
    words: str
    outcome: float = WON

    @property
    def sample_px(self) -> int:
        """How wide its sample is."""
        return _SIGN if self.kind == "sign" else _SAMPLE


def signs() -> list[Entry]:
    """Those of the outcomes."""
    return [Entry("sign", outcome_words(outcome), outcome) for outcome in (WON, LOST, DRAWN)]


class Legend(QWidget):
    """One line of entries, from the leading edge on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.entries: tuple[Entry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these."""
        self.entries = tuple(entries)
        self.setAccessibleName(", ".join(entry.words for entry in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as all entries."""
        metrics = QFontMetrics(self._theme.font(12))
        width = sum(metrics.horizontalAdvance(entry.words) + 1 + entry.sample_px + _GAP for entry in self.entries)
        return QSize(width + _BETWEEN * len(self.entries), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw them."""
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        draw_legend(QPainter(self), QRectF(self.rect()), self.entries, self._theme, mirrored=mirrored)


def draw_legend(
    painter: QPainter, box: QRectF, entries: Sequence[Entry], theme: Theme, *, mirrored: bool = False
) -> None:
    """Draw the entries in a line; mirrored, from right to left."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.font(12))
    along = 0.0
    for entry in entries:
        width = painter.fontMetrics().horizontalAdvance(entry.words) + 1
        for length, draw in ((entry.sample_px, True), (_GAP, None), (width, False)):
            if draw is not None:
                left = box.right() - along - length if mirrored else box.left() + along
                part = QRectF(left, box.top(), length, box.height())
                if draw:
                    _draw_sample(painter, part, entry, theme)
                else:
                    painter.setPen(theme.palette.color("text1"))
                    painter.drawText(part, int(Qt.AlignmentFlag.AlignVCenter), entry.words)
            along += length
        along += _BETWEEN


def _draw_sample(painter: QPainter, box: QRectF, entry: Entry, theme: Theme) -> None:
    colors, middle = theme.palette, box.center()
    if entry.kind == "sign":
        draw_round_mark(painter, theme, entry.outcome, QPointF(middle), 3.5)
        return
    if entry.kind == "band":
        faint = QColor(colors.plot1)
        faint.setAlpha(BAND_ALPHA)
        painter.fillRect(QRectF(box.left(), middle.y() - 5, box.width(), 10), faint)
    if entry.kind == "sampled":
        draw_sampled_line(painter, QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()), colors)
        return
    painter.setPen(overlay_pen(colors) if entry.kind == "overlay" else QPen(colors.color("plot1"), 2))
    painter.drawLine(QLineF(box.left(), middle.y(), box.right(), middle.y()))
