"""The inspector's history: players and ping over a day, a week or a month, and when the server is usually alive."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from browser_app.catalogue.series import Series
from browser_app.catalogue.week import week_of
from browser_app.language import gettext as _
from browser_app.ui.controls import Text
from browser_app.ui.history_curves import DAY, MONTH, WEEK, Now, ping_curve, players_curve
from browser_app.ui.history_words import alive_words, kept_words, now_words
from browser_app.ui.plots.line_plot import LinePlot
from browser_app.ui.plots.panel import PlotPanel
from browser_app.ui.plots.week_grid import WeekGrid
from browser_app.ui.segments import Segments
from browser_app.ui.theme import Theme
from browser_app.ui.worded_page import WordedPage, paragraph

_SPANS = (DAY, WEEK, MONTH)


class HistoryPage(WordedPage):
    """Shows what is kept of one server.

    Signals:
        shown: it came into sight and wants to know.
    """

    shown = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._series = Series.of_rows([])
        self._now = Now(0.0, None, None, None)
        self._alive_from = 1
        self.spans = Segments(theme, (_("Day"), _("Week"), _("Month")), _("How far back"))
        self.kept = Text(theme, role="text2", size=12)
        self.players = LinePlot(theme, _("Players"), 96)
        self.ping = LinePlot(theme, _("Ping"), 44, "plot3", filled=False)
        self.week = LinePlot(theme, _("Players, last 7 days"), 64, filled=False)
        self.grid = WeekGrid(theme, _("Usually alive"))
        self._panels = [PlotPanel(theme, plot) for plot in (self.players, self.ping, self.week, self.grid)]
        self.now_text, self.alive_text = (paragraph(theme) for _each in range(2))
        self._lay_out()
        self.spans.currentChanged.connect(self._draw)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.spans)
        head.addStretch(1)
        head.addWidget(self.kept)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        column.addLayout(head)
        players, ping, week, grid = self._panels
        for part in (players, self.now_text, ping, week, grid, self.alive_text):
            if isinstance(part, PlotPanel):
                column.addSpacing(6)
            column.addWidget(part)
        column.addStretch(1)

    def show_past(self, series: Series, now: Now, alive_from: int, size: str) -> None:
        """Show a server's past; `alive_from` so many players it counts as alive. `size`: of all that is kept."""
        self._series, self._now, self._alive_from = series, now, alive_from
        self.kept.setText(kept_words(series.days))
        self.kept.setToolTip(size)
        self._draw()

    def _draw(self) -> None:
        span, series, now = _SPANS[self.spans.currentIndex()], self._series, self._now
        players, ping, week, grid = self._panels
        length = (_("last 24 hours"), _("last 7 days"), _("last 30 days"))[self.spans.currentIndex()]
        players.set_title(_("Players, {length}").format(length=length))
        ping.set_title(_("Ping, {length}").format(length=length))
        grid.set_title(_("Usually alive ({n} or more players)").format(n=self._alive_from))
        self.players.show_curve(players_curve(series, now, span))
        self.ping.show_curve(ping_curve(series, now, span))
        week.setVisible(span is DAY)
        self.week.show_curve(players_curve(series, now, WEEK))
        habit = week_of(series, self._alive_from)
        self.grid.show_week(habit)
        self.now_text.setText(now_words(now.players, now.likely, dotted=span is DAY))
        self.alive_text.setText(alive_words(habit))
        self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is new."""
        super().showEvent(event)
        self.shown.emit()
