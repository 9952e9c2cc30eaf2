"""The balance of one round to come, with what a rating system knows of its players."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from browser_app.rating.ahead import run_ahead
from browser_app.rating.balance import Balance, Member, balance
from browser_app.rating.errors import MatchError
from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Record
from browser_app.rating.record_builder import record_of
from browser_app.rating.system import RatingRun, RatingSystem


@dataclass(frozen=True, slots=True)
class BalancedRound:
    """A round's teams, and P(the first-named wins | no draw) as they stood and as they are now.

    ``before`` leaves the unassigned out. None where a side has nobody.
    """

    teams: Balance
    before: float | None
    after: float | None


def balance_round(system: RatingSystem, history: Record, match: Match, progress: Progress = untold) -> BalancedRound:
    """Balance a round of two teams by the ratings as they are after the history.

    Everybody stands on the team of his last stay. Fixed are the locked and who has a chair spell; who commands counts
    like everybody else.

    Raises:
        MatchError: the round contradicts itself, or is not of two teams.
    """
    if len(match.teams) != 2:
        raise MatchError(0, "teams", f"a balance is of two, not {len(match.teams)}")
    stood, in_chair = _standing(match)
    run = run_ahead(system, history, [_lined_up(match, stood)], progress)
    teams = balance(_members(run, match, stood, in_chair))
    now = {player: team for team, ids in enumerate(teams.teams) for player in ids}
    before = _chance(run)
    if now == stood:
        return BalancedRound(teams, before, before)
    return BalancedRound(teams, before, _chance(run_ahead(system, history, [_lined_up(match, now)], progress)))


def _standing(match: Match) -> tuple[Mapping[str, int], Collection[str]]:
    """The team (0 or 1) each player was on last, and who has a chair spell; spells of no length are none."""
    checked = record_of([match])
    players = checked.players(0)
    stays = zip(checked.stays.appearance.tolist(), checked.stays.team.tolist(), strict=True)
    return {players[row]: team for row, team in stays}, {players[row] for row in checked.chairs.appearance.tolist()}


def _lined_up(match: Match, team_of: Mapping[str, int]) -> Match:
    """The round to be played by these teams, everybody there from start to end."""
    length = match.duration or 1.0

    def on_team(player: Player) -> Player:
        team = team_of.get(player.id)
        stays = () if team is None else (Stay(match.teams[team], 0.0, length),)
        return Player(player.id, stays, name=player.name, squad=player.squad, ranked=player.ranked)

    return replace(match, duration=length, players=[on_team(player) for player in match.players])


def _members(run: RatingRun, match: Match, stood: Mapping[str, int], in_chair: Collection[str]) -> list[Member]:
    """The round's players; it is the last of the run's record."""
    index = {player: i for i, player in enumerate(run.record.player_ids)}
    mode = int(run.record.mode[-1])

    def member(number: int, player: Player) -> Member:
        if player.prefers is not None and player.prefers not in match.teams:
            raise MatchError(0, f"players[{number}].prefers", f"{player.prefers!r} is none of the round's teams")
        return Member(
            player.id,
            (run.team_rating(index[player.id], mode, 0), run.team_rating(index[player.id], mode, 1)),
            stood.get(player.id),
            fixed=player.locked or player.id in in_chair,
            prefers=None if player.prefers is None else match.teams.index(player.prefers),
            friends=player.friends,
        )

    return [member(number, player) for number, player in enumerate(match.players)]


def _chance(run: RatingRun) -> float | None:
    """P(the first-named wins | no draw) of the round to come."""
    forecast = run.forecast(len(run.record) - 1)
    return None if forecast is None else forecast.probability
