"""Inspector page with a server's history, and its controller."""

import time
from collections.abc import Mapping
from functools import partial
from math import ceil

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from browser_app.bridge.sample_recorder import SampleRecorder, SampleSeriesReader
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.sample_series import SampleSeries, week_profile
from browser_app.catalogue.server_info import QueryStatus
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.language import gettext as _
from browser_app.number_text import integer_text
from browser_app.storage.server_samples import ROWS_PER_MEGABYTE
from browser_app.ui.inspector.inspector_page_base import InspectorTextPage
from browser_app.ui.inspector.server_history_curves import (
    DAY_SPAN,
    MONTH_SPAN,
    WEEK_SPAN,
    CurrentServerState,
    ping_curve,
    players_curve,
)
from browser_app.ui.inspector.server_history_text import active_times_text, current_players_text, stored_days_text
from browser_app.ui.inspector.week_grid_plot import WeekGridPlot
from browser_app.ui.widgets.basic_widgets import Label
from browser_app.ui.widgets.page_elements import create_wrapping_label
from browser_app.ui.widgets.plots.line_plot import LinePlot
from browser_app.ui.widgets.plots.painted_plot import PlotPanel
from browser_app.ui.widgets.tab_widgets import SegmentedSwitch
from browser_app.ui.widgets.theme import Theme

_HISTORY_SPANS = (DAY_SPAN, WEEK_SPAN, MONTH_SPAN)


class ServerHistoryPage(InspectorTextPage):
    """The page of plots of a server's history.

    Signals:
        page_shown: the page became visible and needs data.
    """

    page_shown = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._series = SampleSeries.from_rows([])
        self._now = CurrentServerState(0.0, None, None, None)
        self._active_threshold = 1
        self.span_switch = SegmentedSwitch(theme, (_("Day"), _("Week"), _("Month")), _("Time range"))
        self.stored_label = Label(theme, role="text2", size=12)
        self.players_plot = LinePlot(theme, _("Players"), 96)
        self.ping_plot = LinePlot(theme, _("Ping"), 44, "plot3", filled=False)
        self.week_plot = LinePlot(theme, _("Players, last 7 days"), 64, filled=False)
        self.week_grid = WeekGridPlot(theme, _("Usually active"))
        self._panels = [
            PlotPanel(theme, plot) for plot in (self.players_plot, self.ping_plot, self.week_plot, self.week_grid)
        ]
        self.current_label, self.active_label = (create_wrapping_label(theme) for _each in range(2))
        self._build_layout()
        self.span_switch.currentChanged.connect(self._update_plots)

    def _build_layout(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.span_switch)
        head.addStretch(1)
        head.addWidget(self.stored_label)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        column.addLayout(head)
        players, ping, week, grid = self._panels
        for part in (players, self.current_label, ping, week, grid, self.active_label):
            if isinstance(part, PlotPanel):
                column.addSpacing(6)
            column.addWidget(part)
        column.addStretch(1)

    def show_history(
        self, series: SampleSeries, now: CurrentServerState, active_threshold: int, stored_size_text: str
    ) -> None:
        """Show a server's history.

        Args:
            series: recorded samples.
            now: current state.
            active_threshold: players from which the server counts as active.
            stored_size_text: size of all stored history, for a tooltip.
        """
        self._series, self._now, self._active_threshold = series, now, active_threshold
        self.stored_label.setText(stored_days_text(series.days))
        self.stored_label.setToolTip(stored_size_text)
        self._update_plots()

    def _update_plots(self) -> None:
        span, series, now = _HISTORY_SPANS[self.span_switch.currentIndex()], self._series, self._now
        players, ping, week, grid = self._panels
        length = (_("last 24 hours"), _("last 7 days"), _("last 30 days"))[self.span_switch.currentIndex()]
        players.set_title(_("Players, {length}").format(length=length))
        ping.set_title(_("Ping in ms, {length}").format(length=length))
        grid.set_title(_("Usually active ({n} or more players)").format(n=self._active_threshold))
        self.players_plot.show_curve(players_curve(series, now, span))
        self.ping_plot.show_curve(ping_curve(series, now, span))
        week.setVisible(span is DAY_SPAN)
        self.week_plot.show_curve(players_curve(series, now, WEEK_SPAN))
        week_of_hours = week_profile(series, self._active_threshold)
        self.week_grid.show_week(week_of_hours)
        self.current_label.setText(current_players_text(now.players, now.forecast))
        self.active_label.setText(active_times_text(week_of_hours))
        self.fit_height()

    def showEvent(self, event: QShowEvent) -> None:
        """Request current data."""
        super().showEvent(event)
        self.page_shown.emit()


class ServerHistoryController(QObject):
    """Fills the history page."""

    def __init__(
        self,
        page: ServerHistoryPage,
        server_list: ServerListController,
        games: Mapping[str, GameProfile],
        series_reader: SampleSeriesReader,
        sample_recorder: SampleRecorder,
    ) -> None:
        super().__init__(page)
        self._page, self._server_list, self._games = page, server_list, games
        self._series_reader, self._sample_recorder = series_reader, sample_recorder
        self._server = -1
        page.page_shown.connect(self._read_history)
        sample_recorder.samples_saved.connect(self._read_history)
        sample_recorder.history_changed.connect(self._read_history)

    def show_server(self, server: int) -> None:
        """Show another server, -1 for none."""
        if server != self._server:
            self._server = server
            self._read_history()

    def _read_history(self) -> None:
        if self._server >= 0 and self._page.isVisible():
            address = self._server_list.catalogue.targets[self._server].address
            self._series_reader.read(address, partial(self._show_history, self._server))

    def _show_history(self, server: int, series: SampleSeries) -> None:
        if server == self._server:
            self._page.show_history(series, self._current_state(), self._active_threshold(), self._stored_size_text())

    def _current_state(self) -> CurrentServerState:
        c, server = self._server_list.catalogue, self._server
        answered = c.status[server] == QueryStatus.OK and not c.saved[server]
        likely = c.forecasts.forecasts_of(np.array([server]))
        numbers = tuple(float(each[0]) for each in (likely.players, likely.low, likely.high, likely.weeks))
        return CurrentServerState(
            time.time(),
            _int_or_none(c.players[server]) if answered else None,
            _int_or_none(c.usable_slots[server]),
            None if np.isnan(numbers[0]) else (numbers[0], numbers[1], numbers[2], numbers[3]),
        )

    def _active_threshold(self) -> int:
        """Return the number of players from which on a game is viable.

        That is a constant of its ranking.
        """
        c, server = self._server_list.catalogue, self._server
        game = self._games.get(c.game[server])
        constants = game.ranking_constants(c.mode[server]) if game else RankingConstants()
        return ceil(constants.viability_midpoint)

    def _stored_size_text(self) -> str:
        rows = self._sample_recorder.stored_rows
        if rows is None:
            return ""
        size = integer_text(max(1, round(rows / ROWS_PER_MEGABYTE)))
        most = integer_text(self._sample_recorder.max_rows() / ROWS_PER_MEGABYTE)
        return _("The history of all servers uses {size} of at most {most} MB.").format(size=size, most=most)


def _int_or_none(value: float) -> int | None:
    return None if np.isnan(value) else int(value)
