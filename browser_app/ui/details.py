"""Keeps the inspector on the selected server: its explanation at once, players and rules as soon as they are told."""

from collections.abc import Callable, Mapping

import numpy as np
from PySide6.QtCore import QObject, QTimer

from browser_app.bridge.live_list import LiveList
from browser_app.catalogue.facts import Status
from browser_app.games.profile import GameProfile, RankingConstants
from browser_app.language import gettext as _
from browser_app.ranking.explain import Explanation, explain
from browser_app.ui.history_words import likely_words
from browser_app.ui.inspector import Inspector
from browser_app.ui.joining.wording import name_of

ASK_AFTER_MS = 150
"""Moving through the list with the arrow keys asks nobody; resting on a server does."""
FRESH_S = 5.0
"""An answer with players that is younger is not asked for again."""


class Details(QObject):
    """Fills the inspector; asks the selected server for what the list does not need."""

    def __init__(
        self,
        inspector: Inspector,
        live: LiveList,
        games: Mapping[str, GameProfile],
        own_skill: Callable[[], Mapping[str, float]],
        preset: Callable[[], RankingConstants | None],
    ) -> None:
        super().__init__(inspector)
        self._inspector, self._live, self._games = inspector, live, games
        self._own_skill, self._preset = own_skill, preset
        self._server = -1
        self._asking = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(ASK_AFTER_MS)
        self._rest.timeout.connect(self._ask)
        self._rescored = QTimer(self, singleShot=True, interval=1)  # an event of its own: a frame comes first
        self._rescored.timeout.connect(self.refresh)
        live.rescored.connect(self._rescored.start)
        live.changed.connect(self._changed)

    @property
    def server(self) -> int:
        """The server shown, -1 for none."""
        return self._server

    def show_server(self, server: int) -> None:
        """Turn to a server, -1 for none."""
        self._server = server
        self._asking = False
        self._rest.stop()
        if server < 0:
            self._inspector.clear()
            return
        self._rest.start()
        self.refresh()

    def close(self) -> None:
        """Ask nobody any more, and show nothing new."""
        self._rest.stop()
        self._rescored.stop()

    def refresh(self) -> None:
        """Show what is known of the server now."""
        if self._server < 0 or self._server >= len(self._live.catalogue.score):
            return
        catalogue, server = self._live.catalogue, self._server
        target, facts = catalogue.targets[server], catalogue.facts(server)
        game = self._games.get(catalogue.game[server])
        place = facts.map if facts else ""
        words = [game.name if game else _("unknown game"), place]
        where = str(facts.connect if facts else target.address)
        country = catalogue.country[server]
        self._inspector.show_server(
            name_of(catalogue, server),
            " · ".join(word for word in words if word),
            f"{where} · {country}" if country else where,
            favourite=bool(catalogue.favourite[server]),
        )
        self._inspector.show_details(
            self.explanation(),
            self._place(),
            facts,
            asking=self._asking or self._rest.isActive(),
            team_names=target.protocol == "darkplaces",
            likely=self._likely(),
        )

    def _likely(self) -> str:
        likely = self._live.catalogue.forecasts.of(np.array([self._server]))
        return likely_words(float(likely.low[0]), float(likely.high[0]), float(likely.weeks[0]))

    def explanation(self) -> Explanation:
        """The shown server's score taken apart."""
        catalogue, server = self._live.catalogue, self._server
        inputs = catalogue.ranking_inputs(self._own_skill()).take(np.array([server]))
        preset, game, mode = self._preset(), self._games.get(catalogue.game[server]), catalogue.mode[server]
        if preset is not None or game is None:
            return explain(inputs, preset or RankingConstants())
        return explain(inputs, game.constants(mode), game.reasons(mode))

    def _place(self) -> tuple[int | None, int, float | None]:
        scores = self._live.catalogue.score
        ranked = scores[~np.isnan(scores)]
        own = float(scores[self._server])
        if own != own or not len(ranked):
            return None, len(ranked), None
        return int(np.count_nonzero(ranked > own)) + 1, len(ranked), float(ranked.max())

    def _ask(self) -> None:
        catalogue, server = self._live.catalogue, self._server
        facts = catalogue.all_facts[server]
        answered = catalogue.status[server] == Status.OK and facts is not None and facts.player_list is not None
        if server >= 0 and not (answered and self._live.seconds_since_answer(server) < FRESH_S):
            self._asking = True
            self._live.ask(server)

    def _changed(self, changes: object) -> None:
        if self._server >= 0 and np.isin(self._server, getattr(changes, "ids", ())):
            self._asking = False
            self.refresh()
