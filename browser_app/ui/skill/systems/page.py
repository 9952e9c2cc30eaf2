"""The page *Systems*."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from browser_app.bridge.skill.panel import SkillPanel
from browser_app.bridge.skill.shown import Shown
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.player.comparison import ROLLING, Comparison
from browser_app.ui.controls import Text
from browser_app.ui.link_button import LinkButton
from browser_app.ui.menu_button import MenuButton
from browser_app.ui.scroll_bar import ScrollBar
from browser_app.ui.skill.numbers import points_words
from browser_app.ui.skill.section import Section
from browser_app.ui.skill.selectable import selectable, sentence
from browser_app.ui.skill.system_titles import system_title
from browser_app.ui.skill.systems.calibration_plot import CalibrationPlot
from browser_app.ui.skill.systems.comparison_table import ComparisonTable
from browser_app.ui.skill.systems.parameters_panel import ParametersPanel
from browser_app.ui.skill.systems.rolling_plot import RollingPlot
from browser_app.ui.skill.systems.verdict import details, headline
from browser_app.ui.skill.systems.work_bar import WorkBar
from browser_app.ui.theme import Theme

ALL, MINE = "all", "mine"
_GAP, _TWO_COLUMNS = 32, 980


class SystemsPage(QWidget):
    """Every system on the same record. It is compared when the page is in sight, not before: it takes its time."""

    def __init__(self, theme: Theme, panel: SkillPanel) -> None:
        super().__init__()
        self._theme, self._panel = theme, panel
        self._compared: tuple[object, ...] = ()
        self._settled = False
        """Whether that was answered, or stopped; the panel drops what is asked while it turns to something else."""
        self._parameters: dict[tuple[str, str], object] = {}
        self._changes = 0
        self.record = MenuButton(theme, _("Rounds that are compared"))
        self.table = ComparisonTable(theme)
        self.work = WorkBar(theme, "compare", panel)
        self.again = LinkButton(theme, _("Compare"))
        self.again.hide()
        self.headline = selectable(Text(theme, weight=QFont.Weight.DemiBold))
        self.headline.setWordWrap(True)
        self.details = sentence(theme, size=13)
        self.judge = MenuButton(theme, _("This game is judged by"))
        self.parameters = ParametersPanel(theme, panel)
        self.calibration, self.rolling = CalibrationPlot(theme), RollingPlot(theme)
        self.pointed = sentence(theme)
        self._lay_out()
        self.record.chosen.connect(self._choose_record)
        self.judge.chosen.connect(panel.choose_system)
        self.table.drawn_changed.connect(self._draw)
        self.work.cancel.clicked.connect(self._stop)
        self.again.clicked.connect(self._compare_again)
        for plot in (self.calibration, self.rolling):
            plot.pointed.connect(self._tell_point)
        self._tell_point("")

    # Layout

    def _lay_out(self) -> None:
        inner = QWidget()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, inner)
        self._columns.setContentsMargins(0, 0, 4, 8)
        self._columns.setSpacing(_GAP)
        self._columns.addLayout(self._plots_column(), 2)
        self._columns.addLayout(self._comparison_column(), 3)
        scroll = QScrollArea()
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it follows what is inside
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setVerticalScrollBar(ScrollBar(self._theme))
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        for area in (scroll.viewport(), inner):
            area.setAutoFillBackground(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def _plots_column(self) -> QVBoxLayout:
        calibration = Section(self._theme, _("Calibration: what was said, what came"))
        calibration.column.addWidget(self.calibration)
        calibration.column.addWidget(self.pointed)
        rolling = Section(self._theme, _("Log loss, last {n} rounds each (lower is better)").format(n=ROLLING))
        rolling.column.addWidget(self.rolling)
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(calibration)
        column.addWidget(rolling)
        column.addStretch(1)
        return column

    def _comparison_column(self) -> QVBoxLayout:
        comparison = Section(self._theme, _("Comparison on the same rounds, each said before it was known"))
        comparison.head.addWidget(self.work)
        comparison.head.addWidget(self.again)
        for widget in (self.table, self.headline, self.details):
            comparison.column.addWidget(widget)
        judged = QHBoxLayout()
        judged.setSpacing(8)
        judged.addWidget(Text(self._theme, _("This game is judged by"), role="text2"))
        judged.addWidget(self.judge)
        judged.addStretch(1)
        comparison.column.addLayout(judged)
        column = QVBoxLayout()
        column.setSpacing(8)
        for part in (comparison, self.parameters):
            column.addWidget(part)
        column.addStretch(1)
        return column

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is no room for two columns, the comparison stands above the plots."""
        super().resizeEvent(event)
        wide = self.width() >= _TWO_COLUMNS
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.BottomToTop)

    def header_controls(self) -> QWidget:
        """Which rounds are compared."""
        return self.record

    # Data

    def show_data(self, shown: Shown | None) -> None:  # noqa: ARG002 (systems are compared without rounds of one's own)
        """Show what the panel has; compare anew where rounds or parameters differ."""
        self._name_record()
        self._name_judge()
        if self._panel.game and self._panel.system:
            self.parameters.show_parameters(self._panel.system, self._panel.parameters)
        self.parameters.setVisible(bool(self._panel.game))
        if self.isVisible():
            self._compare()

    def showEvent(self, event: QShowEvent) -> None:
        """Now it is time to compare."""
        super().showEvent(event)
        self._compare()

    def _compare(self) -> None:
        panel = self._panel
        rounds = next(((game.rounds, game.mine) for game in panel.games if game.id == panel.game), None)
        if rounds is None:
            self._show_comparison(None)
            return
        mine = self.record.value == MINE
        wanted = (panel.game, rounds, mine, self._changes_of_parameters())
        if wanted == self._compared and (self._settled or self.work.is_busy):
            return
        if self._compared[:1] != wanted[:1]:
            self._show_comparison(None)
        self._compared, self._settled = wanted, False
        self.again.hide()
        panel.compare(lambda comparison: self._take(wanted, comparison), mine=mine)

    def _compare_again(self) -> None:
        self._settled = False
        self._compare()

    def _stop(self) -> None:
        """The user did not want to wait: what was shown stays, until it is asked for or something else is wanted."""
        self._settled = True
        self.again.show()

    def _changes_of_parameters(self) -> int:
        """How often those of a system were changed while the page was there; another judge changes none."""
        key, now = (self._panel.game, self._panel.system), self._panel.parameters
        if self._parameters.setdefault(key, now) != now:
            self._parameters[key] = now
            self._changes += 1
        return self._changes

    def _take(self, wanted: tuple[object, ...], comparison: Comparison) -> None:
        if wanted == self._compared:
            self._settled = True
            self._show_comparison(comparison)

    def _show_comparison(self, comparison: Comparison | None) -> None:
        self.table.rows.show_comparison(comparison, self._panel.system)
        self.headline.setText(headline(comparison) if comparison is not None else "")
        self.details.setText(details(comparison) if comparison is not None else "")
        self._name_judge()
        self._draw()

    def _draw(self) -> None:
        comparison, drawn = self.table.rows.comparison, self.table.rows.drawn
        if comparison is None:
            self.calibration.show_bins({}, {}, "")
            return
        bins = {row.name: row.calibration for row in comparison.rows}
        self.calibration.show_bins(bins, drawn, self.table.current_name)
        self.rolling.show_lines(comparison.rolling_round, comparison.rolling, drawn)
        self._tell_point("")

    # Words and choices

    def _choose_record(self, value: str) -> None:
        self._name_record(value)
        self._compare()

    def _name_record(self, value: str = "") -> None:
        game = next((game for game in self._panel.games if game.id == self._panel.game), None)
        choices: list[tuple[str, str]] = []
        if game is not None:
            rounds, mine = points_words(game.rounds), points_words(game.mine)
            words = ngettext("{n} round, {mine} of them mine", "{n} rounds, {mine} of them mine", game.rounds)
            choices = [(ALL, words.format(n=rounds, mine=mine))]
            if game.mine:
                own = ngettext("{n} round of mine", "{n} rounds of mine", game.mine)
                choices.append((MINE, own.format(n=mine)))
        value = value or self.record.value
        self.record.show_choices(choices, value if value in dict(choices) else ALL)

    def _name_judge(self) -> None:
        comparison = self.table.rows.comparison
        best = comparison.best if comparison is not None else None
        self.judge.show_choices([(name, _judge_words(name, best)) for name in self._panel.systems], self._panel.system)
        if self.table.rows.judge != self._panel.system:
            self.table.rows.show_judge(self._panel.system)

    def _tell_point(self, words: str) -> None:
        if not words:
            words = _("On the dashed line, a said 70 % is won 7 times in 10. The bars show how far luck alone reaches.")
            if name := self.table.current_name:
                words += " " + _("Bars and counts: {system}.").format(system=system_title(name))
        self.pointed.setText(words)


def _judge_words(name: str, best: str | None) -> str:
    return _("{system}, the best here").format(system=system_title(name)) if name == best else system_title(name)
