"""Popover with the servers that Play Now queries or excludes."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.ui.widgets.basic_widgets import (
    Button,
    Label,
    draw_box,
    draw_elided_text,
    draw_icon,
    fill_edges,
    mirrored_rect,
)
from browser_app.ui.widgets.box_layouts import Aligned, Stretch, fill_box
from browser_app.ui.widgets.theme import Theme

POPOVER_WIDTH, EXCLUSIONS_WIDTH, POPOVER_ROW_HEIGHT, POPOVER_MARGIN = 600, 304, 24, 12
MIN_EXCLUSION_ROWS = 6
"""Height, in rows, of the suggestion beside the exclusions."""
_COUNT_LABEL_WIDTH, _COUNT_BAR_LEFT, _COUNT_BAR_WIDTH = 136, 144, 80


class ExclusionCount(NamedTuple):
    """The number of servers that a rule was the first to exclude."""

    label: str
    servers: int


class PlayNowSuggestion(NamedTuple):
    """The suggested next step: reason, effect and button text."""

    headline: str
    sentence: str
    button_text: str


class VerificationStep(NamedTuple):
    """One server that is queried again.

    `state`: `checking`, `chosen`, `eligible`, `suspicious` or `excluded`.
    """

    state: str
    name: str
    scores: str
    note: str


_STEP_ICONS = {
    "checking": ("clock", "text2"),
    "chosen": ("check", "accent"),
    "eligible": ("check", "text3"),
    "suspicious": ("warning", "warning"),
    "excluded": ("close", "text3"),
}


class PlayNowPopover(QWidget):
    """A framed list inside the window.

    It is not a window of its own, so it never takes the focus by itself.

    Signals:
        suggestion_accepted: the user wants the suggested step.
        stop_requested: the user wants no further search.
    """

    suggestion_accepted = Signal()
    stop_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._theme = theme
        self._steps: tuple[VerificationStep, ...] = ()
        self._exclusions: tuple[ExclusionCount, ...] = ()
        self._headline_label = Label(theme, weight=QFont.Weight.DemiBold)
        self._sentence_label = Label(theme, role="text2", wraps=True)
        self.suggestion_button = Button(theme, accented=True)
        self.suggestion_button.clicked.connect(self.suggestion_accepted)
        self.stop_button = Button(theme, _("Stop looking"))
        self.stop_button.clicked.connect(self.stop_requested)
        self._suggestion_widget = QWidget(self)
        buttons = [Aligned(each, Qt.AlignmentFlag.AlignLeft) for each in (self.suggestion_button, self.stop_button)]
        fill_box(QVBoxLayout(self._suggestion_widget), self._headline_label, self._sentence_label, *buttons, Stretch())
        self.setAccessibleName(_("Play Now"))
        theme.changed.connect(self.update)
        self.hide()

    def show_steps(self, corner: QPoint, steps: Sequence[VerificationStep]) -> None:
        """Show the servers that are queried again.

        `corner`: where in the parent if the window runs from left to right.
        """
        self._steps, self._exclusions = tuple(steps), ()
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._suggestion_widget.hide()
        self._show_at(corner, len(steps))

    def show_exclusions(
        self, corner: QPoint, exclusions: Sequence[ExclusionCount], suggestion: PlayNowSuggestion | None
    ) -> None:
        """Show how many servers each rule excluded, and the suggestion.

        The counts sum to all known servers.
        """
        self._steps, self._exclusions = (), tuple(exclusions)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        self._suggestion_widget.show()
        for widget in (self._headline_label, self._sentence_label, self.suggestion_button):
            widget.setVisible(suggestion is not None)
        if suggestion is not None:
            self._headline_label.setText(suggestion.headline)
            self._sentence_label.setText(suggestion.sentence)
            self.suggestion_button.setText(suggestion.button_text)
            self.suggestion_button.setAccessibleDescription(f"{suggestion.headline} {suggestion.sentence}")
            self.suggestion_button.updateGeometry()
        self._show_at(corner, max(len(exclusions) + 2, MIN_EXCLUSION_ROWS))

    def line_texts(self) -> tuple[str, ...]:
        """Return the content as text."""
        steps = (f"{step.name} {step.scores} {step.note}" for step in self._steps)
        return (*steps, *(f"{each.label} {integer_text(each.servers)}" for each in self._exclusions))

    def _show_at(self, corner: QPoint, rows: int) -> None:
        self.setAccessibleDescription(". ".join(self.line_texts()))
        width = min(POPOVER_WIDTH, self._window.width() - corner.x() - 12)
        box = QRect(corner, QSize(width, rows * POPOVER_ROW_HEIGHT + 2 * POPOVER_MARGIN))
        self.setGeometry(mirrored_rect(self._window, box))
        inner = self.rect().adjusted(EXCLUSIONS_WIDTH + 8, POPOVER_MARGIN, -POPOVER_MARGIN, -POPOVER_MARGIN)
        self._suggestion_widget.setGeometry(mirrored_rect(self, inner))
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint box and lines."""
        colors = self._theme.palette
        painter = QPainter(self)
        draw_box(painter, self.rect(), QColor(colors.raised), QColor(colors.border))
        if self._steps:
            for index, step in enumerate(self._steps):
                self._paint_step(painter, self._line_rect(index), step)
        else:
            self._paint_exclusions(painter)

    def _line_rect(self, index: int) -> QRect:
        width = self.width() if self._steps else min(self.width(), EXCLUSIONS_WIDTH)
        return QRect(
            POPOVER_MARGIN, POPOVER_MARGIN + index * POPOVER_ROW_HEIGHT, width - 2 * POPOVER_MARGIN, POPOVER_ROW_HEIGHT
        )

    def _paint_step(self, painter: QPainter, line: QRect, step: VerificationStep) -> None:
        colors = self._theme.palette
        name, role = _STEP_ICONS[step.state]
        icon_box = mirrored_rect(self, QRect(line.x(), line.y(), 16, line.height()))
        draw_icon(painter, name, getattr(colors, role), icon_box)
        self._draw_text(
            painter, line.adjusted(24, 0, 24 + 190 - line.width(), 0), step.name, "text1", QFont.Weight.Medium
        )
        self._draw_text(painter, line.adjusted(222, 0, 0, 0), step.scores, "text2")
        self._draw_text(painter, line.adjusted(330, 0, 0, 0), step.note, "text2")

    def _paint_exclusions(self, painter: QPainter) -> None:
        self._draw_text(painter, self._line_rect(0), _("Excluded"), "text1", QFont.Weight.DemiBold)
        most = max((each.servers for each in self._exclusions), default=1)
        for index, each in enumerate(self._exclusions, 1):
            line = self._line_rect(index)
            label = QRect(line.x(), line.y(), _COUNT_LABEL_WIDTH, line.height())
            self._draw_text(painter, label, each.label, "text2")
            width = max(2, round(each.servers / most * _COUNT_BAR_WIDTH))
            bar = mirrored_rect(self, QRect(line.x() + _COUNT_BAR_LEFT, line.y() + 8, width, 8))
            painter.fillRect(bar, self._theme.palette.color("ping_unknown"))
            self._draw_text(painter, line, integer_text(each.servers), "text1", align_right=True)
        line = self._line_rect(len(self._exclusions) + 1)
        fill_edges(painter, mirrored_rect(self, line), "T", self._theme.palette.color("border"))
        total = integer_text(sum(each.servers for each in self._exclusions))
        self._draw_text(painter, line, _("Known servers"), "text1", QFont.Weight.DemiBold)
        self._draw_text(painter, line, total, "text1", QFont.Weight.DemiBold, align_right=True)

    def _draw_text(
        self,
        painter: QPainter,
        box: QRect,
        text: str,
        role: str,
        weight: QFont.Weight = QFont.Weight.Normal,
        *,
        align_right: bool = False,
    ) -> None:
        font, color = self._theme.font(weight=weight), self._theme.palette.color(role)
        draw_elided_text(painter, self, box, text, font, color, align_right=align_right)
