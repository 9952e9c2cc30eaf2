"""Prediction of win chance and rating change for a server's game."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from browser_app.catalogue.server_info import PlayerInfo
from browser_app.player import team_lineup
from browser_app.player.balanced_teams import balance_lineup, create_lineup_round
from browser_app.player.own_history import OwnHistory
from browser_app.rating.game_round import Round
from browser_app.rating.matchmaking.what_if import WhatIfResult, compute_what_if
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.rating_system import RatingRun
from browser_app.rating.record.record_builder import build_record

_log = logging.getLogger(__name__)

MIN_KNOWN_PLAYERS = 2
"""With fewer known players a game is not predicted."""
_UNKNOWN_PENALTY = 0.25
"""Added to the unevenness of a game in which no other player is known."""


@dataclass(frozen=True, slots=True)
class GamePredictionRequest:
    """A server's game as the server reports it.

    Attributes:
        own_id: the user's id in the record.
        own_names: names of players on the server who are the user, casefolded.
    """

    server: int
    players: tuple[team_lineup.NamedPlayer, ...]
    own_id: str
    own_names: frozenset[str]
    mode: str
    map: str


@dataclass(frozen=True, slots=True)
class SidePrediction:
    """The user's prospects on one team.

    Attributes:
        team: its name; empty for balanced teams with the user on one of them.
        size_difference: number of players that the user's balanced team has more than the other.
    """

    team: str
    forecast: WhatIfResult
    size_difference: int = 0


@dataclass(frozen=True, slots=True)
class GamePrediction:
    """Prediction for a server's game.

    Attributes:
        known_count: number of other players who are in the record.
        player_count: number of other players.
        are_teams_known: whether the server reports every player's team.
        lineup: the players, with the user on no team, as input of the balance dialog.
        sides: empty if too few players are known; both teams; or one entry for balanced teams.
    """

    server: int
    known_count: int
    player_count: int
    are_teams_known: bool
    lineup: team_lineup.BalanceLineup
    sides: tuple[SidePrediction, ...]

    @property
    def fairest_side(self) -> SidePrediction | None:
        """The side whose chance is nearest to 50 %."""
        predicted = [side for side in self.sides if side.forecast.chance is not None]
        return min(predicted, key=lambda side: abs((side.forecast.chance or 0.0) - 0.5), default=None)

    @property
    def unevenness(self) -> float:
        """Distance of the best chance from 50 % plus a penalty; servers are sorted by it.

        The penalty is for players who are not in the record.
        """
        fairest = self.fairest_side
        if fairest is None or fairest.forecast.chance is None:
            return 2.0
        return abs(fairest.forecast.chance - 0.5) + _UNKNOWN_PENALTY * (1.0 - self.known_count / self.player_count)


def predict_game(known_players: team_lineup.KnownPlayers, request: GamePredictionRequest) -> GamePrediction:
    """Predict a game with the ratings of the known players' run, which is not changed."""
    other_players = (each for each in request.players if each.name.casefold() not in request.own_names)
    other_entries = [team_lineup.find_lineup_player(each, known_players, request.mode) for each in other_players]
    other_entries = [each for each in other_entries if each.id != request.own_id]
    own_entries = (
        [team_lineup.LineupPlayer(request.own_id, known_players.find_player_name(request.own_id), True)]
        if request.own_id
        else []
    )
    lineup = team_lineup.BalanceLineup(known_players.teams, (), request.own_id, request.mode, request.map).with_players(
        [*own_entries, *other_entries]
    )
    other_entries = [entry for entry in lineup.players if entry.id != request.own_id]
    are_teams_known = bool(other_entries) and all(entry.team in (0, 1) for entry in other_entries)
    known_count = sum(entry.is_known for entry in other_entries)
    sides: tuple[SidePrediction, ...] = ()
    if known_count >= MIN_KNOWN_PLAYERS and request.own_id:
        try:
            sides = (
                _predict_known_teams(known_players.run, lineup)
                if are_teams_known
                else _predict_balanced_teams(known_players.run, lineup)
            )
        except InvalidRoundError as error:  # for example names that no round can have
            _log.debug("No prediction for server %d: %s", request.server, error)
    return GamePrediction(request.server, known_count, len(other_entries), are_teams_known, lineup, sides)


def _predict_known_teams(run: RatingRun, lineup: team_lineup.BalanceLineup) -> tuple[SidePrediction, ...]:
    if not all(lineup.teams):
        return ()
    lineup_run = run.transfer_to(build_record([_create_own_round(lineup, 0)]))
    return tuple(
        SidePrediction(lineup.teams[team], compute_what_if(lineup_run, _create_own_round(lineup, team), lineup.own_id))
        for team in (0, 1)
        if any(entry.team == 1 - team for entry in lineup.players)
    )


def _create_own_round(lineup: team_lineup.BalanceLineup, own_team: int) -> Round:
    team_of = {entry.id: entry.team or 0 for entry in lineup.players} | {lineup.own_id: own_team}
    return create_lineup_round(lineup, team_of)


def _predict_balanced_teams(run: RatingRun, lineup: team_lineup.BalanceLineup) -> tuple[SidePrediction, ...]:
    unassigned = replace(lineup, players=tuple(replace(entry, team=None) for entry in lineup.players))
    result = balance_lineup(run, unassigned, team_lineup.BalanceOptions())
    if result.own_change is None:
        return ()
    first, second = result.teams
    size_difference = len(first) - len(second)
    return (SidePrediction("", result.own_change, size_difference if lineup.own_id in first else -size_difference),)


def assign_sides(players: Sequence[PlayerInfo]) -> Mapping[int | None, int]:
    """Return team number → 0 or 1; empty unless all players are on exactly two teams."""
    teams = {each.team for each in players}
    if None in teams or len(teams) != 2:
        return {}
    return {team: side for side, team in enumerate(sorted(team for team in teams if team is not None))}


def choose_rating_mode(history: OwnHistory, reported: str) -> str:
    """Return the reported mode, or the most-played one if it has no rounds."""
    for mode in history.modes:
        if mode and mode.casefold() == reported.casefold():
            return mode
    known_modes = history.mode[history.mode >= 0]
    return history.modes[int(np.bincount(known_modes).argmax())] if len(known_modes) else ""
