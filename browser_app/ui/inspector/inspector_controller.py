"""Controller that shows the selected server in the inspector."""

import math
import time
from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QObject, QTimer

from browser_app.application.own_skill.skill_state import OwnSkillSource
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.catalogue.catalogue_columns import Floats
from browser_app.catalogue.server_info import QueryStatus, ServerInfo
from browser_app.catalogue.server_value_text import server_name
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.protocols.query_protocols import QUERY_PROTOCOLS
from browser_app.protocols.server_code import address_text
from browser_app.ranking.score_explanation import ScoreExplanation, explain_score
from browser_app.ranking.score_text import TranslatableText
from browser_app.ui.inspector.inspector_pages import ServerDetails
from browser_app.ui.inspector.inspector_panel import InspectorPanel
from browser_app.ui.inspector.server_history_text import forecast_text
from browser_app.ui.inspector.server_notices import server_notices
from browser_app.ui.servers.server_row import rank_scores
from browser_app.ui.widgets.value_text import ping_spread_text

QUERY_DELAY_MS = 150
"""Delay before the selected server is queried, so that moving through the list with the arrow keys queries nothing."""
DETAILS_MAX_AGE_S = 5.0
"""A newer answer with players and rules is not queried again."""


_SKILL_SOURCE_TEXTS: Mapping[OwnSkillSource, str] = {
    "game": N_("Yours is the in-game skill."),
    "anchored": N_("Yours is the latest in-game skill in your round files, plus the rating changes since."),
    "record": N_("Yours is calculated from your rounds."),
    "entered": N_("Yours is the number you entered."),
}


class InspectorController(QObject):
    """Fills the inspector and queries the selected server for its details.

    The list does not need these.
    """

    def __init__(
        self,
        inspector: InspectorPanel,
        server_list: ServerListController,
        games: Mapping[str, GameProfile],
        own_skill: Callable[[], Mapping[str, float]],
        own_skill_source: Callable[[str], OwnSkillSource | None],
        preset: Callable[[], RankingConstants | None],
        ranked_scores: Callable[[], Floats],
        is_requested: Callable[[], bool],
    ) -> None:
        """Create the controller.

        `ranked_scores` returns the scores that ranks are among, in ascending order; `is_requested` whether the user
        asked for the server that is being shown.
        """
        super().__init__(inspector)
        self._inspector, self._server_list, self._games = inspector, server_list, games
        self._ranked_scores, self._is_requested = ranked_scores, is_requested
        self._own_skill, self._own_skill_source, self._preset = own_skill, own_skill_source, preset
        self.server = -1
        """The server shown, -1 for none."""
        self._is_querying = False
        self._query_timer = QTimer(self, singleShot=True, interval=QUERY_DELAY_MS)
        self._query_timer.timeout.connect(self._query_server)
        # As an event of its own, so that a frame is painted first.
        self._refresh_timer = QTimer(self, singleShot=True, interval=1)
        self._refresh_timer.timeout.connect(self.refresh)
        server_list.rescored.connect(self._refresh_timer.start)
        server_list.changed.connect(self._on_servers_changed)

    def show_server(self, server: int) -> None:
        """Show another server, -1 for none."""
        self.server = server
        self._is_querying = False
        self._query_timer.stop()
        if server < 0:
            self._inspector.clear()
            return
        if self._is_requested() or not self._server_list.queries_on_request:
            self._query_timer.start()
        self.refresh()

    def request_details(self) -> None:
        """Query the shown server where selecting it has not done so: the user asks for it."""
        if self.server >= 0 and self._server_list.queries_on_request:
            self._query_timer.start()

    def close(self) -> None:
        """Stop queries and updates."""
        self._query_timer.stop()
        self._refresh_timer.stop()

    def refresh(self) -> None:
        """Show what is known about the server now."""
        if self.server < 0 or self.server >= len(self._server_list.catalogue.score):
            return
        catalogue, server = self._server_list.catalogue, self.server
        target, info = catalogue.targets[server], catalogue.server_info(server)
        self._show_header(info)
        age_s = self._server_list.seconds_since_answer(server)
        self._inspector.show_notices(server_notices(catalogue, server, time.time(), age_s))
        self._inspector.show_details(
            ServerDetails(
                self.explanation(),
                *self._rank(),
                info,
                is_querying=self._is_querying or self._query_timer.isActive(),
                team_names=QUERY_PROTOCOLS[target.protocol].team_names,
                forecast_text=self._forecast_text(),
                ping_spread_text=self._ping_spread_text(),
            )
        )

    def _show_header(self, info: ServerInfo | None) -> None:
        catalogue, server = self._server_list.catalogue, self.server
        game = self._games.get(catalogue.game[server])
        map_name = info.map if info else ""
        parts = [game.name if game else _("unknown game"), map_name]
        where = address_text(info.connect if info else catalogue.targets[server].address)
        country = catalogue.country[server]
        if catalogue.rows.is_country_corrected(server):
            country = _("{country}, set by you").format(country=country)
        self._inspector.show_server(
            server_name(catalogue, server),
            " · ".join(word for word in parts if word),
            f"{where} · {country}" if country else where,
            favourite=bool(catalogue.favourite[server]),
        )

    def _forecast_text(self) -> str:
        likely = self._server_list.catalogue.forecasts.forecasts_of(np.array([self.server]))
        return forecast_text(float(likely.low[0]), float(likely.high[0]), float(likely.weeks[0]))

    def _ping_spread_text(self) -> str:
        pings = self._server_list.catalogue.ping_spreads(np.array([self.server]))
        return ping_spread_text(float(pings.median_ms[0]), float(pings.spread_ms[0]), int(pings.sample_count[0]))

    def explanation(self) -> ScoreExplanation:
        """Return the explanation of the shown server's score."""
        catalogue, server = self._server_list.catalogue, self.server
        inputs = catalogue.ranking_inputs(self._own_skill()).select_rows(np.array([server]))
        skill_source = self._own_skill_source(catalogue.game[server])
        source = None if skill_source is None else TranslatableText(_SKILL_SOURCE_TEXTS[skill_source])
        preset, game, mode = self._preset(), self._games.get(catalogue.game[server]), catalogue.mode[server]
        if preset is not None or game is None:
            return explain_score(inputs, preset or RankingConstants(), own_skill_source=source)
        return explain_score(inputs, game.ranking_constants(mode), game.ranking_constant_reasons(mode), source)

    def _rank(self) -> tuple[int | None, int, float | None]:
        scores, own = self._ranked_scores(), float(self._server_list.catalogue.score[self.server])
        if math.isnan(own) or not len(scores):
            return None, len(scores), None
        return int(rank_scores(scores, np.array([own]))[0]), len(scores), float(scores[-1])

    def _query_server(self) -> None:
        catalogue, server = self._server_list.catalogue, self.server
        info = catalogue.info_by_row[server]
        is_complete = info is not None and info.player_list is not None and info.rules is not None
        is_recent = (
            catalogue.status[server] == QueryStatus.OK
            and self._server_list.seconds_since_answer(server) < DETAILS_MAX_AGE_S
        )
        if server >= 0 and catalogue.targets[server].is_queryable and not (is_complete and is_recent):
            self._is_querying = True
            self._server_list.query(server)

    def _on_servers_changed(self, changes: object) -> None:
        if self.server >= 0 and np.isin(self.server, getattr(changes, "ids", ())):
            self._is_querying = False
            self.refresh()
