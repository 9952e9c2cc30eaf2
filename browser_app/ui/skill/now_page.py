"""The page *Now*: how good the user is, how sure that is, what it is made of, and where it comes from."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from browser_app.bridge.skill.shown import Shown
from browser_app.language import gettext as _
from browser_app.ui.controls import Text
from browser_app.ui.skill.now_head import WIDE_FROM, NowHead
from browser_app.ui.skill.now_words import expected_words, trend_words
from browser_app.ui.skill.numbers import change_words, decimals_of
from browser_app.ui.skill.parts_table import PartsTable
from browser_app.ui.skill.round_marks import DRAWN, LOST, WON, RoundMark, outcome_words
from browser_app.ui.skill.scrolled import Scrolled
from browser_app.ui.skill.section import Section
from browser_app.ui.skill.selectable import selectable, sentence
from browser_app.ui.skill.services import SkillServices
from browser_app.ui.skill.sources_block import SourcesBlock
from browser_app.ui.skill.trend_plot import TrendPlot
from browser_app.ui.skill.use_block import UseBlock, fed_servers
from browser_app.ui.texts import UNKNOWN
from browser_app.ui.theme import Theme

ASIDE = 320
ASIDE_GAP = 16


class NowPage(Scrolled):
    """Scrolls where it is higher than its room.

    Signals:
        list_wanted: the servers by their distance to the user's skill.
        sources_wanted: switch sources on or off.
    """

    list_wanted = Signal()
    sources_wanted = Signal()

    def __init__(self, theme: Theme, services: SkillServices) -> None:
        super().__init__(theme, _("Now"))
        self._services = services
        self.head = NowHead(theme)
        self.parts = PartsTable(theme)
        self.change = selectable(Text(theme, size=22, weight=QFont.Weight.DemiBold))
        self.trend_words, self.expected = Text(theme, role="text2"), sentence(theme)
        self.plot = TrendPlot(theme)
        self.told = sentence(theme)
        self.sources = SourcesBlock(theme)
        self.use = UseBlock(theme)
        self._parts = Section(theme)
        self._trend = Section(theme, self.plot.accessibleName())
        self._grid = QGridLayout()
        self._two: bool | None = None
        self._fill(theme)
        self._lay_out()
        self._arrange(two=True)
        self.sources.change_wanted.connect(self.sources_wanted)
        self.use.list_wanted.connect(self.list_wanted)
        self.plot.pointed.connect(self._tell_round)
        services.live.rescored.connect(self._show_use)
        services.panel.points_changed.connect(self._show_use)

    def _fill(self, theme: Theme) -> None:
        self._parts.column.addWidget(self.parts)
        line, legend = QHBoxLayout(), QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.change)
        line.addWidget(self.trend_words, 1)
        legend.setSpacing(6)
        legend.setContentsMargins(0, 0, 0, 0)
        for outcome in (WON, LOST, DRAWN):
            legend.addWidget(RoundMark(theme, outcome))
            legend.addWidget(Text(theme, outcome_words(outcome), role="text2", size=12))
            legend.addSpacing(6)
        legend.addStretch(1)
        self._trend.column.addLayout(line)
        self._trend.column.addWidget(self.plot)
        self._legend = QWidget()
        self._legend.setLayout(legend)
        self._trend.column.addWidget(self._legend)
        self._trend.column.addWidget(self.told)

    def _lay_out(self) -> None:
        self.column.setContentsMargins(0, 0, 0, 12)
        self.column.setSpacing(10)
        self._grid.setHorizontalSpacing(ASIDE_GAP)
        self._grid.setVerticalSpacing(14)
        self.column.addWidget(self.head)
        self.column.addLayout(self._grid)
        self.column.addStretch(1)

    def _arrange(self, *, two: bool) -> None:
        if two == self._two:
            return
        self._two = two
        sections = (self._parts, self._trend, self.sources, self.use)
        for place, section in enumerate(sections):
            self._grid.removeWidget(section)
            self._grid.addWidget(section, *(divmod(place, 2) if two else (place, 0)))
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnMinimumWidth(1, ASIDE if two else 0)

    def show_data(self, shown: Shown | None) -> None:
        """Show where the user stands."""
        if shown is None:
            return
        now, system = shown.now, shown.system
        self.head.show_now(now, system, solving=shown.solving)
        self.parts.show_now(now, system, shown.history.player)
        rated = now.trend20.rounds > 0
        self.change.setText(change_words(now.trend20.change, decimals_of(system)) if rated else UNKNOWN)
        self.trend_words.setText(trend_words(now.trend20))
        self.expected.setText(expected_words(now.trend20))
        for widget in (self.plot, self._legend):
            widget.setVisible(rated)
        self.plot.show_history(shown.history)
        self._tell_round("")
        self.use.show_rank(now, int(shown.history.approximate.sum()))
        self.show_sources()
        self._show_use()

    def show_sources(self) -> None:
        """The sources say something else, or what they said is older now."""
        panel = self._services.panel
        if panel.shown is not None:
            self.sources.show_sources(self._services.sources(panel.game), panel.shown.now.value, panel.system)

    def _show_use(self) -> None:
        """What the list makes of it; servers come and go while the page is shown."""
        if self.isVisible():
            game = self._services.panel.game
            profile = self._services.games.get(game)
            servers = fed_servers(self._services.live.catalogue, game)
            told = profile is not None and profile.reports_skill
            panel, short = self._services.panel, profile.short if profile is not None else game
            self.use.show_use(panel.points(game), servers, short, told=told, system=panel.system)

    def _tell_round(self, words: str) -> None:
        self.told.setText(words or self.expected.text())

    def showEvent(self, event: QShowEvent) -> None:
        """The list may have changed meanwhile."""
        super().showEvent(event)
        self._show_use()

    def fit(self) -> None:
        """What stands aside goes below where room is short."""
        room = self.viewport().width()
        self._arrange(two=self._parts.minimumSizeHint().width() + ASIDE_GAP + ASIDE <= room)
        self.head.arrange(wide=room >= WIDE_FROM)
        super().fit()
