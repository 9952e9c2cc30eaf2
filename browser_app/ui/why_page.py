"""The inspector's first page: the score taken apart, what would change it most, and what joining would do."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from browser_app.language import gettext as _
from browser_app.ranking.explain import Explanation, FactorRow
from browser_app.ranking.wording import factor_text
from browser_app.ui.controls import Hairline, Text
from browser_app.ui.texts import ordinal, percent, thousands, tool_tip
from browser_app.ui.theme import Theme
from browser_app.ui.worded_page import WordedPage, paragraph

BAR_WIDTH, BAR_HEIGHT = 104, 8
_BOLD = QFont.Weight.DemiBold
_DEAR = 0.4
"""A factor with this share of the loss or more is drawn as the dear one."""


class FactorBar(QWidget):
    """A factor on a scale of 0…1; a boost fills it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._value = 0.0
        self._role = "border"
        self.setFixedSize(QSize(BAR_WIDTH, BAR_HEIGHT))
        theme.changed.connect(self.update)

    def show_value(self, value: float, role: str) -> None:
        """Fill up to `value` in a role's colour."""
        self._value, self._role = value, role
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        """Draw frame and fill."""
        painter = QPainter(self)
        painter.setPen(self._theme.palette.color("hairline"))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        width = max(1, round(min(1.0, self._value) * BAR_WIDTH))
        painter.fillRect(0, 0, width, BAR_HEIGHT, self._theme.palette.color(self._role))


class FactorLine(QWidget):
    """One factor: name, bar, value, share of the loss, and a sentence."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._title = Text(theme, weight=QFont.Weight.Medium)
        self._bar = FactorBar(theme)
        self._value = Text(theme, weight=QFont.Weight.Medium)
        self._share = Text(theme, role="text2", size=11)
        self._sentence = paragraph(theme)
        for right in (self._value, self._share):
            right.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._title.setMinimumWidth(82)
        self._value.setFixedWidth(44)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 4)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(1)
        grid.addWidget(Hairline(theme, "rowline"), 0, 0, 1, 4)
        for column, widget in enumerate((self._title, self._bar, self._value, self._share)):
            grid.addWidget(widget, 2, column)
        grid.setColumnStretch(3, 1)
        grid.addWidget(self._sentence, 3, 0, 1, 4)
        grid.setRowMinimumHeight(1, 4)

    def show_factor(self, row: FactorRow) -> None:
        """Show one factor."""
        share = row.loss_share or 0.0
        role = "ping_bad" if share >= _DEAR else "score_mid" if (row.value or 0.0) < 1 else "border"
        self._title.setText(row.title.translated(_))
        self._bar.show_value(row.value or 0.0, role)
        value = "–" if row.value is None else column_text(row.value)
        self._value.setText(f"×{value}" if (row.value or 0.0) > 1 else value)
        self._share.setText(percent(share) if share >= 0.005 else "")
        self._sentence.setText(row.sentence.translated(_))
        self.setToolTip(tool_tip("\n".join(note.translated(_) for note in row.notes)))
        spoken = _("{factor} {value}, {share} of the loss. {sentence}")
        words = {"factor": row.title.translated(_), "sentence": row.sentence.translated(_)}
        self.setAccessibleName(spoken.format(value=value, share=percent(share), **words))


class WhyPage(WordedPage):
    """Shows an explanation; nothing when there is none."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._score = Text(theme, size=28, weight=QFont.Weight.DemiBold)
        self._place = Text(theme, role="text2", size=12)
        self._headline = paragraph(theme)
        self._lines: list[FactorLine] = []
        self._product = paragraph(theme, "text1")
        self._changes_title = Text(
            theme, _("What would change it most"), role="text2", size=12, weight=QFont.Weight.DemiBold
        )
        self._changes = [
            (paragraph(theme, "text1"), Text(theme, role="text2", size=12), Text(theme, size=12, weight=_BOLD))
            for _place in range(3)
        ]
        self._join_title = Text(theme, _("If you join"), role="text2", size=12, weight=QFont.Weight.DemiBold)
        self._join = paragraph(theme)
        self._factors = QVBoxLayout()
        self._factors.setSpacing(0)
        self._lay_out()

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._score, 0, Qt.AlignmentFlag.AlignBottom)
        top.addWidget(self._place, 1, Qt.AlignmentFlag.AlignBottom)
        page = QVBoxLayout(self)
        page.setContentsMargins(14, 8, 14, 12)
        page.setSpacing(4)
        page.addLayout(top)
        page.addWidget(self._headline)
        page.addLayout(self._titles())
        page.addLayout(self._factors)
        page.addWidget(Hairline(self._theme, "border"))
        page.addWidget(self._product)
        page.addSpacing(6)
        page.addWidget(self._changes_title)
        for what, before, after in self._changes:
            row = QHBoxLayout()
            row.addWidget(what, 1)
            row.addWidget(before)
            row.addWidget(after)
            page.addLayout(row)
        page.addSpacing(6)
        page.addWidget(self._join_title)
        page.addWidget(self._join)
        page.addStretch(1)

    def _titles(self) -> QHBoxLayout:
        """What the two columns of numbers are."""
        titles = QHBoxLayout()
        titles.setSpacing(20)
        titles.addStretch(1)
        for words in (_("factor"), _("of the loss")):
            titles.addWidget(Text(self._theme, words, role="text2", size=11))
        return titles

    def show_explanation(
        self, explanation: Explanation, place: int | None, ranked: int, best: float | None, likely: str
    ) -> None:
        """Show it, with the server's place among all that are ranked, and what is likely in half an hour."""
        score = explanation.score
        self._score.setText("–" if score is None else f"{score:.2f}")
        self._place.setText(_place_text(place, ranked, best))
        self._headline.setText(explanation.headline.translated(_))
        shown = explanation.shown
        while len(self._lines) < len(shown):
            line = FactorLine(self._theme)
            self._lines.append(line)
            self._factors.addWidget(line)
        for index, line in enumerate(self._lines):
            line.setVisible(index < len(shown))
            if index < len(shown):
                line.show_factor(shown[index])
        self._product.setText(product_text(explanation))
        self._show_changes(explanation)
        self._join.setText(f"{explanation.if_you_join.translated(_)} {likely}".rstrip())
        self.fit()

    def _show_changes(self, explanation: Explanation) -> None:
        self._changes_title.setVisible(bool(explanation.changes))
        for index, (what, before, after) in enumerate(self._changes):
            has_one = index < len(explanation.changes)
            for text in (what, before, after):
                text.setVisible(has_one)
            if has_one:
                change = explanation.changes[index]
                what.setText(change.what.translated(_))
                before.setText(f"{change.before:.2f} →")
                after.setText(f"{change.after:.2f}")


def column_text(value: float) -> str:
    """A factor as it stands among others: `0.90` where `factor_text` would say `0.9`, so that the points line up."""
    return f"{value:.2f}" if 0.1 <= value < 0.995 else factor_text(value)


def product_text(explanation: Explanation) -> str:
    """`0.686 × 0.790 × 1 = 0.542`, the shown factors in the product's own order."""
    if explanation.score is None:
        return ""
    shown = {row.name for row in explanation.shown}
    values = [row.value for row in explanation.rows if row.name in shown and row.value is not None]
    written = ("1" if abs(value - 1) < 5e-4 else f"{value:.3f}" for value in values)
    return f"{' × '.join(written)} = {explanation.score:.3f}"


def _place_text(place: int | None, ranked: int, best: float | None) -> str:
    if place is None or best is None:
        return _("not ranked")
    words = _("{place} of {n} ranked. Best: {best}")
    return words.format(place=ordinal(place), n=thousands(ranked), best=f"{best:.2f}")
