"""Keeps the history page on the selected server: its past is read when the page is in sight, and anew as it grows."""

import time
from collections.abc import Mapping
from functools import partial
from math import ceil

import numpy as np
from PySide6.QtCore import QObject

from browser_app.bridge.live_list import LiveList
from browser_app.bridge.past_reader import PastReader
from browser_app.bridge.sampling import Sampling
from browser_app.catalogue.facts import Status
from browser_app.catalogue.series import Series
from browser_app.games.profile import GameProfile, RankingConstants
from browser_app.language import gettext as _
from browser_app.storage.samples import ROWS_A_MEGABYTE
from browser_app.ui.history_curves import Now
from browser_app.ui.history_page import HistoryPage
from browser_app.ui.texts import thousands


class HistoryControl(QObject):
    """Fills the history page."""

    def __init__(
        self,
        page: HistoryPage,
        live: LiveList,
        games: Mapping[str, GameProfile],
        past: PastReader,
        sampling: Sampling,
    ) -> None:
        super().__init__(page)
        self._page, self._live, self._games = page, live, games
        self._past, self._sampling = past, sampling
        self._server = -1
        page.shown.connect(self._read)
        sampling.saved.connect(self._read)
        sampling.recalled.connect(self._read)

    def show_server(self, server: int) -> None:
        """Turn to a server, -1 for none."""
        if server != self._server:
            self._server = server
            self._read()

    def _read(self) -> None:
        if self._server >= 0 and self._page.isVisible():
            address = self._live.catalogue.targets[self._server].address
            self._past.read(address, partial(self._show, self._server))

    def _show(self, server: int, series: Series) -> None:
        """Called when the past has been read; by then another server may be selected."""
        if server == self._server:
            self._page.show_past(series, self._now(), self._alive_from(), self._size())

    def _now(self) -> Now:
        c, server = self._live.catalogue, self._server
        heard = c.status[server] == Status.OK and not c.old[server]
        likely = c.forecasts.of(np.array([server]))
        numbers = tuple(float(each[0]) for each in (likely.players, likely.low, likely.high, likely.weeks))
        return Now(
            time.time(),
            _whole(c.players[server]) if heard else None,
            _whole(c.usable_slots[server]),
            None if np.isnan(numbers[0]) else (numbers[0], numbers[1], numbers[2], numbers[3]),
        )

    def _alive_from(self) -> int:
        """Half of a full game's life, by the game's own numbers."""
        c, server = self._live.catalogue, self._server
        game = self._games.get(c.game[server])
        constants = game.constants(c.mode[server]) if game else RankingConstants()
        return ceil(constants.viability_midpoint)

    def _size(self) -> str:
        rows = self._sampling.rows
        if rows is None:
            return ""
        size = thousands(max(1, round(rows / ROWS_A_MEGABYTE)))
        most = thousands(round(self._sampling.most_rows() / ROWS_A_MEGABYTE))
        return _("The history of all servers takes {size} of at most {most} MB.").format(size=size, most=most)


def _whole(value: float) -> int | None:
    return None if np.isnan(value) else int(value)
