"""The legend of the rating plot."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from browser_app.ui.skill.outcome_marker import DRAWN, LOST, WON, draw_outcome_marker, outcome_text
from browser_app.ui.skill.over_time.rating_plot_curves import BAND_ALPHA, draw_sample_legend, overlay_pen
from browser_app.ui.widgets.theme import Theme

LEGEND_HEIGHT = 20
_SAMPLE_PX, _MARKER_PX, _LABEL_GAP_PX, _ENTRY_GAP_PX = 22, 12, 6, 16


class RatingLegendEntry(NamedTuple):
    """An entry of the legend.

    A line with or without a band, a dashed line, steps of samples, or an outcome's marker.
    """

    kind: Literal["band", "line", "overlay", "sampled", "outcome"]
    label: str
    outcome: float = WON

    @property
    def sample_width_px(self) -> int:
        """Width of its symbol."""
        return _MARKER_PX if self.kind == "outcome" else _SAMPLE_PX


def outcome_legend_entries() -> list[RatingLegendEntry]:
    """Return the entries of the outcomes."""
    return [RatingLegendEntry("outcome", outcome_text(outcome), outcome) for outcome in (WON, LOST, DRAWN)]


class RatingPlotLegend(QWidget):
    """Legend on one line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.entries: tuple[RatingLegendEntry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_entries(self, entries: Sequence[RatingLegendEntry]) -> None:
        """Show these entries."""
        self.entries = tuple(entries)
        self.setAccessibleName(", ".join(entry.label for entry in entries))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the width of all entries."""
        metrics = QFontMetrics(self._theme.font(12))
        width = sum(
            metrics.horizontalAdvance(entry.label) + 1 + entry.sample_width_px + _LABEL_GAP_PX for entry in self.entries
        )
        return QSize(width + _ENTRY_GAP_PX * len(self.entries), LEGEND_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint the entries."""
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        draw_legend(QPainter(self), QRectF(self.rect()), self.entries, self._theme, mirrored=mirrored)


def draw_legend(
    painter: QPainter, box: QRectF, entries: Sequence[RatingLegendEntry], theme: Theme, *, mirrored: bool = False
) -> None:
    """Draw the entries on one line; `mirrored` starts at the right."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.font(12))
    start = 0.0
    for entry in entries:
        label_width = painter.fontMetrics().horizontalAdvance(entry.label) + 1
        label_start = start + entry.sample_width_px + _LABEL_GAP_PX
        _draw_sample(painter, _section(box, start, entry.sample_width_px, mirrored=mirrored), entry, theme)
        painter.setPen(theme.palette.color("text1"))
        label_box = _section(box, label_start, label_width, mirrored=mirrored)
        painter.drawText(label_box, int(Qt.AlignmentFlag.AlignVCenter), entry.label)
        start = label_start + label_width + _ENTRY_GAP_PX


def _section(box: QRectF, start: float, width: float, *, mirrored: bool) -> QRectF:
    """Return a section of a line from its left, or right if mirrored."""
    left = box.right() - start - width if mirrored else box.left() + start
    return QRectF(left, box.top(), width, box.height())


def _draw_sample(painter: QPainter, box: QRectF, entry: RatingLegendEntry, theme: Theme) -> None:
    colors, middle = theme.palette, box.center()
    if entry.kind == "outcome":
        draw_outcome_marker(painter, theme, entry.outcome, QPointF(middle), 3.5)
        return
    if entry.kind == "band":
        faint = QColor(colors.plot1)
        faint.setAlpha(BAND_ALPHA)
        painter.fillRect(QRectF(box.left(), middle.y() - 5, box.width(), 10), faint)
    if entry.kind == "sampled":
        draw_sample_legend(painter, QPointF(box.left(), middle.y()), QPointF(box.right(), middle.y()), colors)
        return
    painter.setPen(overlay_pen(colors) if entry.kind == "overlay" else QPen(colors.color("plot1"), 2))
    painter.drawLine(QLineF(box.left(), middle.y(), box.right(), middle.y()))
