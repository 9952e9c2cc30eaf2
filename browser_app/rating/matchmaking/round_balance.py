"""Team balancing of one round by a rating system."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.team_balance import BalancePlayer, TeamBalance, balance_teams
from browser_app.rating.matchmaking.upcoming_rounds import run_to_upcoming
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import GAME_SKILL_COLUMNS, RoundRecord
from browser_app.rating.record.team_presence import main_commanders


@dataclass(frozen=True, slots=True)
class BalancedRound:
    """Balanced teams of a round.

    Attributes:
        teams: the teams and how they came about.
        before, after: P(first-named wins | no draw), `before` without unassigned players; None if a team is empty.
    """

    teams: TeamBalance
    before: float | None
    after: float | None


def balance_round(
    system: RatingSystem,
    history: RoundRecord,
    game_round: Round,
    progress: ProgressCallback = ignore_progress,
    *,
    full_history: bool = False,
) -> BalancedRound:
    """Balance a round of two teams by the ratings after the history.

    Players start on the team of their last stay. Locked players and all who command stay on their team. Where the
    system rates commanders, each team's main commander counts with the commander skill. For `full_history` see
    `run_to_upcoming`.

    Raises:
        InvalidRoundError: the round contradicts itself, or does not have two teams.
    """
    if len(game_round.teams) != 2:
        raise InvalidRoundError(0, "teams", f"a balance is of two, not {len(game_round.teams)}")
    current = _read_current_teams(game_round)
    unbalanced = _assign_teams(game_round, current.team_of, current)
    run = run_to_upcoming(system, history, [unbalanced], progress, full_history=full_history)
    teams = balance_teams(_list_balance_players(run, game_round, current))
    new_teams = {player: team for team, ids in enumerate(teams.teams) for player in ids}
    started = float(run.record.started[-1])
    balanced = build_record([replace(_assign_teams(game_round, new_teams, current), ranks=None, started=started)])
    return BalancedRound(teams, _forecast_chance(run), _forecast_chance(run.transfer_to(balanced)))


class _CurrentTeams(NamedTuple):
    """Current teams and commanders of a round; stints of no length do not count.

    Attributes:
        team_of: the last team (0 or 1) of each player.
        has_commanded: players with any commander time.
        commanders: the main commander of each team.
    """

    team_of: Mapping[str, int]
    has_commanded: Collection[str]
    commanders: Collection[str]


def _read_current_teams(game_round: Round) -> _CurrentTeams:
    checked = build_record([game_round])
    players, stays = checked.players(0), checked.stays
    team = np.full(len(players), -1, np.int32)
    team[stays.appearance] = stays.team  # the last one of each player
    commands = main_commanders(checked, team)
    return _CurrentTeams(
        {players[row]: int(team[row]) for row in np.flatnonzero(team >= 0)},
        {players[row] for row in checked.commander_stints.appearance.tolist()},
        {players[row] for row in np.flatnonzero(commands)},
    )


def _assign_teams(game_round: Round, team_of: Mapping[str, int], current: _CurrentTeams) -> Round:
    """Return the round with these teams, all players present from start to end."""
    length = game_round.duration or 1.0

    def assign(player: Player) -> Player:
        team = team_of.get(player.id)
        stays = () if team is None else (Stint(game_round.teams[team], 0.0, length),)
        commanding = stays if player.id in current.commanders else ()
        kept = {name: getattr(player, name) for name in ("name", "squad", "ranked", *GAME_SKILL_COLUMNS)}
        return Player(player.id, stays, commanding, **kept)

    return replace(game_round, duration=length, players=[assign(player) for player in game_round.players])


def _list_balance_players(run: RatingRun, game_round: Round, current: _CurrentTeams) -> list[BalancePlayer]:
    index = {player: i for i, player in enumerate(run.record.player_ids)}
    mode = int(run.record.mode[-1])

    def make_player(number: int, player: Player) -> BalancePlayer:
        if player.prefers is not None and player.prefers not in game_round.teams:
            raise InvalidRoundError(0, f"players[{number}].prefers", f"{player.prefers!r} is none of the round's teams")
        is_commander = run.rates_commanders and player.id in current.commanders
        return BalancePlayer(
            player.id,
            balance_strengths(run, index[player.id], mode, is_commander=is_commander),
            current.team_of.get(player.id),
            is_fixed=player.locked or player.id in current.has_commanded,
            is_commander=is_commander,
            prefers=None if player.prefers is None else game_round.teams.index(player.prefers),
            friends=player.friends,
        )

    return [make_player(number, player) for number, player in enumerate(game_round.players)]


def balance_strengths(run: RatingRun, player: int, mode: int, *, is_commander: bool) -> tuple[float, float]:
    """Return the strengths of a player (index) on the first and on the second team."""
    if is_commander:
        skill = run.commander_rating(player).value
        return skill, skill
    return run.team_rating(player, mode, 0), run.team_rating(player, mode, 1)


def _forecast_chance(run: RatingRun) -> float | None:
    """Return P(first-named wins | no draw) of the upcoming round."""
    forecast = run.forecast(len(run.record) - 1)
    return None if forecast is None else forecast.probability
