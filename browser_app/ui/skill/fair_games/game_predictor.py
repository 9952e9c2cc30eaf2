"""The object that predicts servers' games off the GUI thread."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.skill.skill_model import SkillModel
from browser_app.catalogue.catalogue_columns import ChangeSet
from browser_app.catalogue.filters.filter_predicates import text_predicate
from browser_app.player.game_prediction import (
    GamePrediction,
    GamePredictionRequest,
    assign_sides,
    choose_rating_mode,
    predict_game,
)
from browser_app.player.team_lineup import BalanceLineup, KnownPlayers, NamedPlayer

if TYPE_CHECKING:
    from browser_app.player.own_history import OwnHistory

_RETRY_S = 10.0
"""A run that did not arrive after this time, for example because the user cancelled, is requested again."""
_MAX_CACHED = 1000
"""Number of predictions kept; players on servers change all the time."""


class GamePredictor(QObject):
    """Predicts games of the current game and system, in a background thread.

    Signals:
        known_players_changed: `known_players` was set, replaced or removed.
        known_players_outdated: the skill model shows something else; `prepare` loads its players.
        server_selected: id of the server that is selected now, -1 for none.

    Attributes:
        known_players: the players that the system has rated; None until they are loaded.
        game, system, own_id: what `known_players` belongs to, and the user's id there; empty if there is none.
        selected_server: selected in the server list or on a page; -1 for none.
    """

    known_players_changed = Signal()
    known_players_outdated = Signal()
    server_selected = Signal(int)

    def __init__(
        self,
        skill_model: SkillModel,
        server_list: ServerListController,
        own_name_patterns: Callable[[str], Sequence[str]],
    ) -> None:
        """`own_name_patterns` returns the patterns of the user's names in a game."""
        super().__init__()
        self._skill_model, self._server_list, self._own_name_patterns = skill_model, server_list, own_name_patterns
        self._background = BackgroundTasks()
        skill_model.changed.connect(self.known_players_outdated)
        server_list.changed.connect(self._on_servers_changed)
        self._history: OwnHistory | None = None
        self._requested_key: object = None
        self._requested_at = 0.0
        self.known_players: KnownPlayers | None = None
        self._predictions: dict[GamePredictionRequest, GamePrediction] = {}
        """Predictions made with the current known players."""
        self.game = self.system = self.own_id = ""
        self.selected_server = -1

    def select_server(self, server: int) -> None:
        """Set the selected server, -1 for none."""
        if server != self.selected_server:
            self.selected_server = server
            self.server_selected.emit(server)

    def _on_servers_changed(self, changes: ChangeSet) -> None:
        if self.selected_server in changes.removed:
            self.select_server(-1)

    def is_relevant(self, server: int) -> bool:
        """Return True if a server runs the game that the skill model shows."""
        catalogue = self._server_list.catalogue
        return (
            0 <= server < len(catalogue)
            and bool(self._skill_model.game)
            and catalogue.game[server] == self._skill_model.game
        )

    def prepare(self) -> None:
        """Load the known players of the current game; cheap if they are loaded already."""
        skill_model = self._skill_model
        key = (
            skill_model.game,
            skill_model.system,
            skill_model.state.rated_at if skill_model.state is not None else 0.0,
        )
        if key == self._requested_key and (
            self.known_players is not None or time.monotonic() - self._requested_at < _RETRY_S
        ):
            return
        self._requested_key, self._requested_at = key, time.monotonic()
        if skill_model.game:
            skill_model.request_final_run(
                lambda run: self._background.run(
                    lambda: KnownPlayers(run), lambda known: self._set_known_players(key, known)
                )
            )
        elif self.known_players is not None:
            self.known_players, self.game = None, ""
            self.known_players_changed.emit()

    def _set_known_players(self, key: object, known_players: KnownPlayers) -> None:
        if key == self._requested_key:
            self.known_players, self.game, self.system = known_players, self._skill_model.game, self._skill_model.system
            self._predictions = {}
            self._history = self._skill_model.state.history if self._skill_model.state is not None else None
            self.own_id = self._history.player if self._history is not None else ""
            self.known_players_changed.emit()

    def rating_mode(self, reported: str = "") -> str:
        """Return the mode to rate with, as `choose_rating_mode` does.

        Without a history it is the record's first.
        """
        if self._history is not None:
            return choose_rating_mode(self._history, reported)
        return next(iter(self.known_players.run.record.modes), "") if self.known_players is not None else ""

    def empty_lineup(self) -> BalanceLineup:
        """Return a line-up without players."""
        teams = self.known_players.teams if self.known_players is not None else ("", "")
        return BalanceLineup(teams, (), self.own_id, self.rating_mode())

    def servers_with_players(self) -> list[int]:
        """Return the game's servers whose player lists are known."""
        catalogue, game = self._server_list.catalogue, self.game
        return [row for row, players in catalogue.player_lists.items() if players and catalogue.game[row] == game]

    def predict(self, servers: Sequence[int], callback: Callable[[Mapping[int, GamePrediction]], object]) -> None:
        """Predict these servers' games and call back.

        Does nothing while no players are known.
        """
        known_players = self.known_players
        if known_players is None:
            return
        if len(self._predictions) > _MAX_CACHED:
            self._predictions = {}
        cached = self._predictions
        requests = [self._create_request(server, known_players) for server in servers]
        new = [each for each in requests if each not in cached]

        def work() -> Mapping[GamePredictionRequest, GamePrediction]:
            return {each: predict_game(known_players, each) for each in new}

        def on_predicted(found: Mapping[GamePredictionRequest, GamePrediction]) -> None:
            cached.update(found)
            callback({each.server: cached[each] for each in requests})

        if new:
            self._background.run(work, on_predicted)
        else:
            on_predicted({})

    def close(self) -> None:
        """Stop predicting."""
        self._background.close()

    def _create_request(self, server: int, known_players: KnownPlayers) -> GamePredictionRequest:
        catalogue = self._server_list.catalogue
        playing = [each for each in catalogue.player_lists.get(server, ()) if not each.bot and not each.spectator]
        sides = assign_sides(playing)
        named = [
            NamedPlayer(each.name, sides.get(each.team), is_friend=catalogue.friend_group_of(each) is not None)
            for each in playing
        ]
        is_mine = text_predicate(
            self._own_name_patterns(self.game),
            exact=[known_players.find_player_name(self.own_id)] if self.own_id else (),
        )
        my_names = frozenset(name for name in (each.name.casefold() for each in playing) if is_mine(name))
        mode = self.rating_mode(catalogue.mode[server] or "")
        return GamePredictionRequest(server, tuple(named), self.own_id, my_names, mode, catalogue.map[server] or "")
