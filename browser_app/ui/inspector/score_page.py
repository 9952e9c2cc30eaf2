"""Inspector page that explains a server's score."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.number_text import decimal_text
from browser_app.ranking.score_explanation import FactorExplanation, ScoreExplanation
from browser_app.ranking.score_text import format_factor
from browser_app.ui.inspector.inspector_page_base import InspectorTextPage
from browser_app.ui.widgets.basic_widgets import Label, Separator
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import percent_text, plain_tool_tip, thousands_text

FACTOR_BAR_WIDTH, FACTOR_BAR_HEIGHT = 104, 8
_BOLD_WEIGHT = QFont.Weight.DemiBold
_LARGE_LOSS = 0.4
"""A factor with at least this share of the loss is drawn in the warning colour."""


class FactorBar(QWidget):
    """A bar for a factor from 0 to 1; a boost fills it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._value = 0.0
        self._role = "border"
        self.setFixedSize(QSize(FACTOR_BAR_WIDTH, FACTOR_BAR_HEIGHT))
        theme.changed.connect(self.update)

    def show_value(self, value: float, role: str) -> None:
        """Show a value in the colour of a role."""
        self._value, self._role = value, role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Paint frame and bar."""
        painter = QPainter(self)
        painter.setPen(self._theme.palette.color("hairline"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        width = max(1, round(min(1.0, self._value) * FACTOR_BAR_WIDTH))
        painter.fillRect(0, 0, width, FACTOR_BAR_HEIGHT, self._theme.palette.color(self._role))


class FactorRowWidget(QWidget):
    """A factor: name, bar, value, share of the loss, and a sentence."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._title_label = Label(theme, weight=QFont.Weight.Medium)
        self._factor_bar = FactorBar(theme)
        self._value_label = Label(theme, weight=QFont.Weight.Medium)
        self._share_label = Label(theme, role="text2", size=11)
        self._sentence_label = create_wrapping_label(theme)
        for right in (self._value_label, self._share_label):
            right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._title_label.setMinimumWidth(82)
        self._value_label.setFixedWidth(44)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 4)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.addWidget(Separator(theme, "rowline"), 0, 0, 1, 4)
        for column, widget in enumerate((self._title_label, self._factor_bar, self._value_label, self._share_label)):
            grid.addWidget(widget, 2, column)
        grid.setColumnStretch(3, 1)
        grid.addWidget(self._sentence_label, 3, 0, 1, 4)
        grid.setRowMinimumHeight(1, 4)

    def show_factor(self, row: FactorExplanation) -> None:
        """Show another factor."""
        share = row.loss_share or 0.0
        role = "ping_bad" if share >= _LARGE_LOSS else "score_mid" if (row.value or 0.0) < 1 else "border"
        self._title_label.setText(row.title.translated(_))
        self._factor_bar.show_value(row.value or 0.0, role)
        value = "–" if row.value is None else factor_column_text(row.value)
        self._value_label.setText(f"×{value}" if (row.value or 0.0) > 1 else value)
        self._share_label.setText(percent_text(share) if share >= 0.005 else "")
        self._sentence_label.setText(row.sentence.translated(_))
        self.setToolTip(plain_tool_tip("\n".join(note.translated(_) for note in row.notes)))
        spoken = _("{factor} {value}, {share} of the penalty. {sentence}")
        texts = {"factor": row.title.translated(_), "sentence": row.sentence.translated(_)}
        self.setAccessibleName(spoken.format(value=value, share=percent_text(share), **texts))


class ScorePage(InspectorTextPage):
    """The page that explains the score."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._score_label = Label(theme, size=28, weight=QFont.Weight.DemiBold)
        self._rank_label = Label(theme, role="text2", size=12)
        self._headline_label = create_wrapping_label(theme)
        self._factor_rows: list[FactorRowWidget] = []
        self._product_label = create_wrapping_label(theme, "text1")
        self._changes_title_label = Label(
            theme, _("Biggest possible improvements"), role="text2", size=12, weight=QFont.Weight.DemiBold
        )
        self._change_labels = [
            (
                create_wrapping_label(theme, "text1"),
                Label(theme, role="text2", size=12),
                Label(theme, size=12, weight=_BOLD_WEIGHT),
            )
            for _place in range(3)
        ]
        self._join_title_label = Label(theme, _("If you join"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._join_label = create_wrapping_label(theme)
        self._factors_layout = QVBoxLayout()
        self._factors_layout.setSpacing(0)
        self._build_layout()

    def _build_layout(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._score_label, 0, Qt.AlignmentFlag.AlignBottom)
        top.addWidget(self._rank_label, 1, Qt.AlignmentFlag.AlignBottom)
        page = QVBoxLayout(self)
        page.setContentsMargins(14, 8, 14, 12)
        page.setSpacing(4)
        page.addLayout(top)
        page.addWidget(self._headline_label)
        page.addLayout(self._make_column_titles())
        page.addLayout(self._factors_layout)
        page.addWidget(Separator(self._theme, "border"))
        page.addWidget(self._product_label)
        page.addSpacing(6)
        page.addWidget(self._changes_title_label)
        for what, before, after in self._change_labels:
            row = QHBoxLayout()
            row.addWidget(what, 1)
            row.addWidget(before)
            row.addWidget(after)
            page.addLayout(row)
        page.addSpacing(6)
        page.addWidget(self._join_title_label)
        page.addWidget(self._join_label)
        page.addStretch(1)

    def _make_column_titles(self) -> QHBoxLayout:
        titles = QHBoxLayout()
        titles.setSpacing(20)
        titles.addStretch(1)
        for text in (_("Value"), _("Share of penalty")):
            titles.addWidget(Label(self._theme, text, role="text2", size=11))
        return titles

    def show_explanation(
        self, explanation: ScoreExplanation, rank: int | None, ranked_count: int, best: float | None, forecast_text: str
    ) -> None:
        """Show an explanation, the server's rank and the forecast."""
        score = explanation.score
        self._score_label.setText("–" if score is None else decimal_text(score, 2))
        self._rank_label.setText(_rank_text(rank, ranked_count, best))
        self._headline_label.setText(explanation.headline.translated(_))
        shown = explanation.displayed_factors
        while len(self._factor_rows) < len(shown):
            line = FactorRowWidget(self._theme)
            self._factor_rows.append(line)
            self._factors_layout.addWidget(line)
        for index, line in enumerate(self._factor_rows):
            line.setVisible(index < len(shown))
            if index < len(shown):
                line.show_factor(shown[index])
        self._product_label.setText(product_text(explanation))
        self._show_changes(explanation)
        self._join_label.setText(f"{explanation.if_you_join.translated(_)} {forecast_text}".rstrip())
        self.fit_height()

    def _show_changes(self, explanation: ScoreExplanation) -> None:
        self._changes_title_label.setVisible(bool(explanation.improvements))
        for index, (what, before, after) in enumerate(self._change_labels):
            has_one = index < len(explanation.improvements)
            for text in (what, before, after):
                text.setVisible(has_one)
            if has_one:
                change = explanation.improvements[index]
                what.setText(change.description.translated(_))
                before.setText(f"{decimal_text(change.score_before, 2)} →")
                after.setText(decimal_text(change.score_after, 2))


def factor_column_text(value: float) -> str:
    """Return a factor for a column: like `format_factor`, but `0.90` instead of `0.9` so that decimal points align."""
    return decimal_text(value, 2) if 0.1 <= value < 0.995 else format_factor(value)


def product_text(explanation: ScoreExplanation) -> str:
    """Return `0.686 × 0.790 × 1 = 0.542`, the displayed factors in their order."""
    if explanation.score is None:
        return ""
    shown = {row.name for row in explanation.displayed_factors}
    values = [row.value for row in explanation.factors if row.name in shown and row.value is not None]
    written = ("1" if abs(value - 1) < 5e-4 else decimal_text(value, 3) for value in values)
    return f"{' × '.join(written)} = {decimal_text(explanation.score, 3)}"


def _rank_text(rank: int | None, ranked: int, best: float | None) -> str:
    if rank is None or best is None:
        return _("not ranked")
    text = _("Rank {place} of {n}. Best: {best}")
    return text.format(place=thousands_text(rank), n=thousands_text(ranked), best=decimal_text(best, 2))
