"""Team balancing of one round by a rating system."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.team_balance import BalancePlayer, TeamBalance, balance_teams
from browser_app.rating.matchmaking.upcoming_rounds import run_with_upcoming
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord


@dataclass(frozen=True, slots=True)
class BalancedRound:
    """Balanced teams of a round, and P(first-named wins | no draw) before and after.

    ``before`` ignores unassigned players. Both are None where a team is empty.
    """

    teams: TeamBalance
    before: float | None
    after: float | None


def balance_round(
    system: RatingSystem, history: RoundRecord, game_round: Round, progress: ProgressCallback = ignore_progress
) -> BalancedRound:
    """Balance a round of two teams by the ratings after the history.

    Players start on the team of their last stay. Locked players and commanders stay on their team; commanders count
    like all others.

    Raises:
        InvalidRoundError: the round contradicts itself, or does not have two teams.
    """
    if len(game_round.teams) != 2:
        raise InvalidRoundError(0, "teams", f"a balance is of two, not {len(game_round.teams)}")
    team_of, commanders = _current_teams(game_round)
    run = run_with_upcoming(system, history, [_with_teams(game_round, team_of)], progress)
    teams = balance_teams(_balance_players(run, game_round, team_of, commanders))
    now = {player: team for team, ids in enumerate(teams.teams) for player in ids}
    before = _chance(run)
    if now == team_of:
        return BalancedRound(teams, before, before)
    return BalancedRound(
        teams, before, _chance(run_with_upcoming(system, history, [_with_teams(game_round, now)], progress))
    )


def _current_teams(game_round: Round) -> tuple[Mapping[str, int], Collection[str]]:
    """Return the last team (0 or 1) of each player and who commands; stints of no length do not count."""
    checked = build_record([game_round])
    players = checked.players(0)
    stays = zip(checked.stays.appearance.tolist(), checked.stays.team.tolist(), strict=True)
    return {players[row]: team for row, team in stays}, {players[row] for row in checked.chairs.appearance.tolist()}


def _with_teams(game_round: Round, team_of: Mapping[str, int]) -> Round:
    """Return the round with these teams, all players present from start to end."""
    length = game_round.duration or 1.0

    def on_team(player: Player) -> Player:
        team = team_of.get(player.id)
        stays = () if team is None else (Stint(game_round.teams[team], 0.0, length),)
        return Player(player.id, stays, name=player.name, squad=player.squad, ranked=player.ranked)

    return replace(game_round, duration=length, players=[on_team(player) for player in game_round.players])


def _balance_players(
    run: RatingRun, game_round: Round, team_of: Mapping[str, int], commanders: Collection[str]
) -> list[BalancePlayer]:
    index = {player: i for i, player in enumerate(run.record.player_ids)}
    mode = int(run.record.mode[-1])

    def member(number: int, player: Player) -> BalancePlayer:
        if player.prefers is not None and player.prefers not in game_round.teams:
            raise InvalidRoundError(0, f"players[{number}].prefers", f"{player.prefers!r} is none of the round's teams")
        return BalancePlayer(
            player.id,
            (run.team_rating(index[player.id], mode, 0), run.team_rating(index[player.id], mode, 1)),
            team_of.get(player.id),
            is_fixed=player.locked or player.id in commanders,
            prefers=None if player.prefers is None else game_round.teams.index(player.prefers),
            friends=player.friends,
        )

    return [member(number, player) for number, player in enumerate(game_round.players)]


def _chance(run: RatingRun) -> float | None:
    """Return P(first-named wins | no draw) of the upcoming round."""
    forecast = run.forecast(len(run.record) - 1)
    return None if forecast is None else forecast.probability
