"""Popover with the servers that Play Now queries or excludes."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.ranking.play_now_choice import RejectionReason
from browser_app.ui.widgets.basic_widgets import Button, Label, draw_box, draw_icon
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import thousands_text

VERIFY_STEPS_WIDTH, REJECTED_LIST_WIDTH, POPOVER_ROW_HEIGHT, POPOVER_MARGIN = 600, 304, 24, 12
SUGGESTION_WIDTH, SUGGESTION_ROWS = 600, 5
_COUNT_BAR_WIDTH = 80
_REASON_LABELS: Mapping[RejectionReason, str] = {
    RejectionReason.NO_ANSWER: N_("No answer"),
    RejectionReason.FULL: N_("Full"),
    RejectionReason.PASSWORD: N_("Needs a password"),
    RejectionReason.BLOCKED: N_("Blocked"),
    RejectionReason.VERSION: N_("Other version"),
    RejectionReason.ROOKIE_ONLY: N_("Rookies only"),
    RejectionReason.FILTERED: N_("Hidden by filter"),
    RejectionReason.RECENTLY_LEFT: N_("Recently left"),
    RejectionReason.NOT_INSTALLED: N_("Game not installed"),
    RejectionReason.SUSPICIOUS: N_("Suspicious"),
}


def rejection_text(reason: RejectionReason) -> str:
    """Return the label of a reason."""
    return _(_REASON_LABELS[reason])


class PlayNowSuggestion(NamedTuple):
    """The suggested next step: reason, effect and button text."""

    headline: str
    sentence: str
    button_text: str


class VerifyStep(NamedTuple):
    """One server that is queried again. `state`: `asking`, `good`, `doubt` or `out`."""

    state: str
    name: str
    scores: str
    note: str


_STEP_ICONS = {
    "asking": ("clock", "text2"),
    "good": ("check", "accent"),
    "doubt": ("doubt", "warning"),
    "out": ("close", "text3"),
}


class PlayNowPopover(QWidget):
    """A framed list inside the window; not a window of its own, so it never takes the focus by itself.

    Signals:
        suggestion_accepted: the user wants the suggested step.
    """

    suggestion_accepted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._theme = theme
        self._steps: tuple[VerifyStep, ...] = ()
        self._rejected: tuple[tuple[RejectionReason, int], ...] = ()
        self._headline_label = Label(theme, weight=QFont.Weight.DemiBold)
        self._sentence_label = Label(theme, role="text2", wraps=True)
        self.suggestion_button = Button(theme, accented=True)
        self.suggestion_button.clicked.connect(self.suggestion_accepted)
        self._suggestion_widget = QWidget(self)
        column = QVBoxLayout(self._suggestion_widget)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (self._headline_label, self._sentence_label, self.suggestion_button):
            column.addWidget(widget)
        column.addStretch(1)
        self.setAccessibleName(_("Play Now"))
        theme.changed.connect(self.update)
        self.hide()

    def show_steps(self, corner: QPoint, steps: Sequence[VerifyStep]) -> None:
        """Show the servers that are queried again, at `corner` of the parent."""
        self._steps, self._rejected = tuple(steps), ()
        self._show_suggestion(None)
        self._show_at(corner, VERIFY_STEPS_WIDTH, len(steps))

    def show_rejected(
        self, corner: QPoint, rejected: Mapping[RejectionReason, int], suggestion: PlayNowSuggestion | None
    ) -> None:
        """Show how many servers each rule excluded, which sums to all known servers, and the suggestion."""
        self._steps = ()
        self._rejected = tuple(sorted(rejected.items(), key=lambda item: -item[1]))
        self._show_suggestion(suggestion)
        rows = len(self._rejected) + 1
        self._show_at(
            corner,
            SUGGESTION_WIDTH if suggestion else REJECTED_LIST_WIDTH,
            max(rows, SUGGESTION_ROWS) if suggestion else rows,
        )

    def line_texts(self) -> tuple[str, ...]:
        """Return the content as text."""
        steps = (f"{step.name} {step.scores} {step.note}" for step in self._steps)
        return (*steps, *(f"{rejection_text(reason)} {number}" for reason, number in self._rejected))

    def _show_suggestion(self, suggestion: PlayNowSuggestion | None) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, suggestion is None)
        self._suggestion_widget.setVisible(suggestion is not None)
        if suggestion is not None:
            self._headline_label.setText(suggestion.headline)
            self._sentence_label.setText(suggestion.sentence)
            self.suggestion_button.setText(suggestion.button_text)
            self.suggestion_button.setAccessibleDescription(f"{suggestion.headline} {suggestion.sentence}")
            self.suggestion_button.updateGeometry()

    def _show_at(self, corner: QPoint, width: int, rows: int) -> None:
        self.setAccessibleDescription(". ".join(self.line_texts()))
        self.resize(
            QSize(min(width, self._window.width() - corner.x() - 12), rows * POPOVER_ROW_HEIGHT + 2 * POPOVER_MARGIN)
        )
        self.move(corner)
        self._suggestion_widget.setGeometry(
            self.rect().adjusted(REJECTED_LIST_WIDTH + 8, POPOVER_MARGIN, -POPOVER_MARGIN, -POPOVER_MARGIN)
        )
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
            self._paint_rejected(painter)

    def _line_rect(self, index: int) -> QRect:
        width = self.width() if self._steps else min(self.width(), REJECTED_LIST_WIDTH)
        return QRect(
            POPOVER_MARGIN, POPOVER_MARGIN + index * POPOVER_ROW_HEIGHT, width - 2 * POPOVER_MARGIN, POPOVER_ROW_HEIGHT
        )

    def _paint_step(self, painter: QPainter, line: QRect, step: VerifyStep) -> None:
        colors = self._theme.palette
        name, role = _STEP_ICONS[step.state]
        draw_icon(painter, name, getattr(colors, role), QRect(line.x(), line.y(), 16, line.height()))
        self._draw_text(
            painter, line.adjusted(24, 0, 24 + 190 - line.width(), 0), step.name, "text1", QFont.Weight.Medium
        )
        self._draw_text(painter, line.adjusted(222, 0, 0, 0), step.scores, "text2")
        self._draw_text(painter, line.adjusted(330, 0, 0, 0), step.note, "text2")

    def _paint_rejected(self, painter: QPainter) -> None:
        total = sum(number for _, number in self._rejected)
        most = max((number for _, number in self._rejected), default=1)
        for index, (reason, number) in enumerate(self._rejected):
            line = self._line_rect(index)
            self._draw_text(painter, line, rejection_text(reason), "text2")
            width = max(2, round(number / most * _COUNT_BAR_WIDTH))
            painter.fillRect(line.x() + 144, line.y() + 8, width, 8, self._theme.palette.color("ping_unknown"))
            self._draw_text(painter, line.adjusted(240, 0, 0, 0), thousands_text(number), "text1")
        line = self._line_rect(len(self._rejected))
        painter.setPen(self._theme.palette.color("border"))
        painter.drawLine(line.topLeft(), line.topRight())
        self._draw_text(painter, line, _("known servers"), "text1", QFont.Weight.DemiBold)
        self._draw_text(painter, line.adjusted(240, 0, 0, 0), thousands_text(total), "text1", QFont.Weight.DemiBold)

    def _draw_text(
        self, painter: QPainter, box: QRect, text: str, role: str, weight: QFont.Weight = QFont.Weight.Normal
    ) -> None:
        painter.setFont(self._theme.font(weight=weight))
        painter.setPen(self._theme.palette.color(role))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), shown)
