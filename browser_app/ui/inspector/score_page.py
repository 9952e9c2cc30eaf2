"""Inspector page that explains a server's score."""

from collections.abc import Sequence
from itertools import chain, pairwise

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from browser_app.catalogue.server_value_text import score_text
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import decimal_text, integer_text
from browser_app.ranking.score_explanation import FactorExplanation, ScoreExplanation, ScoreImprovement
from browser_app.ui.inspector.factor_row import CURVE_BUTTON_SIZE, FactorRowWidget
from browser_app.ui.inspector.inspector_page_base import InspectorTextPage
from browser_app.ui.widgets.accessibility import update_texts
from browser_app.ui.widgets.basic_widgets import Label, Separator
from browser_app.ui.widgets.box_layouts import Stretch, fill_box, set_margins
from browser_app.ui.widgets.buttons import LinkButton
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.text_direction import with_arrow
from browser_app.ui.widgets.theme import Theme
from browser_app.ui.widgets.value_text import plain_tool_tip

_NEUTRAL_DIFFERENCE = 5e-4
"""A factor this close to 1 is shown as 1, and changes no digit of the score."""


class ScorePage(InspectorTextPage):
    """The page that explains the score."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._score_label = Label(theme, size=28, weight=QFont.Weight.DemiBold)
        self._rank_label = Label(theme, role="text2", size=12)
        self._headline_label = create_wrapping_label(theme)
        self.factor_rows: dict[str, FactorRowWidget] = {}
        """By the factor's name; those shown are in the layout, in their order."""
        self._shown_factors: list[str] = []
        self._explanation: ScoreExplanation | None = None
        self.neutral_button = LinkButton(theme, "", flush=True)
        """Shows or hides the factors that are 1."""
        self.neutral_button.setCheckable(True)
        self.neutral_button.toggled.connect(self._on_neutral_toggled)
        self._product_label = create_wrapping_label(theme, "text1")
        self._changes_title_label = Label(
            theme, _("Biggest possible improvements"), role="text2", size=12, weight=QFont.Weight.DemiBold
        )
        self._change_labels = [
            (
                create_wrapping_label(theme, "text1"),
                Label(theme, role="text2", size=12),
                Label(theme, size=12, weight=QFont.Weight.DemiBold),
            )
            for _place in range(3)
        ]
        self._join_title_label = Label(theme, _("If you join"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._join_label = create_wrapping_label(theme)
        self._pings_title_label = Label(theme, _("Last pings"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._pings_label = create_wrapping_label(theme)
        self._factors_layout = QVBoxLayout()
        self._factors_layout.setSpacing(0)
        self._build_layout()

    def _build_layout(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(9)
        top.addWidget(self._score_label, 0, Qt.AlignmentFlag.AlignBottom)
        top.addWidget(self._rank_label, 1, Qt.AlignmentFlag.AlignBottom)
        page = QVBoxLayout(self)
        page.setContentsMargins(14, 8, 14, 12)
        page.setSpacing(4)
        page.addLayout(top)
        page.addWidget(self._headline_label)
        page.addLayout(self._create_column_title())
        page.addLayout(self._factors_layout)
        page.addWidget(self.neutral_button)
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
        page.addSpacing(6)
        page.addWidget(self._pings_title_label)
        page.addWidget(self._pings_label)
        page.addStretch(1)

    def _create_column_title(self) -> QHBoxLayout:
        """Return the title of both columns of numbers, which are too narrow for one each."""
        title = Label(self._theme, _("Value, share of penalty"), role="text2", size=11)
        title_line = fill_box(QHBoxLayout(), Stretch(), title)
        set_margins(title_line, 0, 0, CURVE_BUTTON_SIZE + 6, 0)
        return title_line

    def show_explanation(
        self, explanation: ScoreExplanation, rank: int | None, ranked_count: int, best: float | None, forecast_text: str
    ) -> None:
        """Show an explanation, the server's rank and the forecast."""
        score = explanation.score
        self._score_label.setText(score_text(score) or "–")
        self._rank_label.setText(_rank_text(rank, ranked_count, best))
        self._headline_label.setText(explanation.headline.translated(_))
        self._show_factors(explanation)
        self._product_label.setText(product_text(explanation))
        self._product_label.setVisible(score is not None)
        self._show_changes(explanation)
        self._join_label.setText(f"{explanation.if_you_join.translated(_)} {forecast_text}".rstrip())
        self.fit_height()

    def show_ping_spread(self, text: str) -> None:
        """Show the median and spread of the last pings; nothing while they are unknown."""
        self._pings_label.setText(text)
        for label in (self._pings_title_label, self._pings_label):
            label.setVisible(bool(text))
        self.fit_height()

    def _show_factors(self, explanation: ScoreExplanation) -> None:
        self._explanation = explanation
        rows = explanation.displayed_factors
        neutral = [row for row in rows if _is_neutral(row) and not row.is_notable and not self._has_curve(row.name)]
        shown = [row for row in rows if row not in neutral]
        self._show_neutral_count(neutral)
        if self.neutral_button.isChecked():
            shown += neutral
        for row in shown:
            if row.name not in self.factor_rows:
                self.factor_rows[row.name] = FactorRowWidget(self._theme)
            self.factor_rows[row.name].show_factor(row, explanation.server)
        names = [row.name for row in shown]
        if names != self._shown_factors:
            self._shown_factors = names
            self._arrange_factors()

    def _has_curve(self, factor: str) -> bool:
        """Return whether the user has opened a factor's curve, which then stays."""
        return factor in self.factor_rows and self.factor_rows[factor].curve_button.isChecked()

    def _show_neutral_count(self, neutral: Sequence[FactorExplanation]) -> None:
        number = len(neutral)
        if self.neutral_button.isChecked():
            text = ngettext("Hide {n} that does not count here", "Hide {n} that do not count here", number)
        else:
            text = ngettext("{n} more does not count here", "{n} more do not count here", number)
        titles = plain_tool_tip(", ".join(row.title.translated(_) for row in neutral))
        update_texts(self.neutral_button, tool_tip=titles)
        self.neutral_button.setVisible(number > 0)
        if (shown := text.format(n=number)) != self.neutral_button.text():
            self.neutral_button.setText(shown)
            self.neutral_button.updateGeometry()

    def _on_neutral_toggled(self) -> None:
        if self._explanation is not None:
            self._show_factors(self._explanation)
            self.fit_height()

    def _arrange_factors(self) -> None:
        """Put the shown factors in their order, also for the Tab key."""
        lines = [self.factor_rows[name] for name in self._shown_factors]
        for line in self.factor_rows.values():
            self._factors_layout.removeWidget(line)
        for line in lines:
            self._factors_layout.addWidget(line)  # before it is shown: without a parent it would be a window
        for line in self.factor_rows.values():
            line.setVisible(line in lines)
        widgets = chain.from_iterable(line.focus_order() for line in lines)
        # The button keeps its place among the other widgets of the window, and the rows move to it.
        for before, after in pairwise((self.neutral_button, *widgets, self.neutral_button)):
            QWidget.setTabOrder(before, after)

    def _show_changes(self, explanation: ScoreExplanation) -> None:
        changes = [each for each in explanation.improvements if _has_visible_gain(each)]
        self._changes_title_label.setVisible(bool(changes))
        for index, (what, before, after) in enumerate(self._change_labels):
            has_one = index < len(changes)
            for text in (what, before, after):
                text.setVisible(has_one)
            if has_one:
                change = changes[index]
                what.setText(change.description.translated(_))
                before.setText(with_arrow(score_text(change.score_before)))
                after.setText(score_text(change.score_after))


def _has_visible_gain(change: ScoreImprovement) -> bool:
    """Return whether the scores before and after look different."""
    return score_text(change.score_before) != score_text(change.score_after)


def product_text(explanation: ScoreExplanation) -> str:
    """Return `0.686 × 0.790 = 0.542`: the displayed factors in their order.

    Those that are 1 are left out.
    """
    if explanation.score is None:
        return ""
    shown = {row.name for row in explanation.displayed_factors if not _is_neutral(row)}
    values = [row.value for row in explanation.factors if row.name in shown and row.value is not None]
    shown_values = [decimal_text(value, 3) for value in values] or ["1"]
    return f"{' × '.join(shown_values)} = {decimal_text(explanation.score, 3)}"


def _is_neutral(row: FactorExplanation) -> bool:
    return row.value is not None and abs(row.value - 1) < _NEUTRAL_DIFFERENCE


def _rank_text(rank: int | None, ranked: int, best: float | None) -> str:
    if rank is None or best is None:
        return ""  # the headline explains it
    text = _("Rank {place} of {n}. Best: {best}")
    return text.format(place=integer_text(rank), n=integer_text(ranked), best=score_text(best))
