"""Balancing of a line-up into two even teams by swaps."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from browser_app.player.team_lineup import BalanceLineup, BalanceOptions, LineupPlayer
from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.round_balance import balance_strengths
from browser_app.rating.matchmaking.team_balance import BalancePlayer, TeamBalance, balance_teams
from browser_app.rating.matchmaking.what_if import WhatIfResult, compute_what_if
from browser_app.rating.rating_system import RatingRun
from browser_app.rating.record.record_builder import build_record

_ROUND_LENGTH_S = 1200.0


@dataclass(frozen=True, slots=True)
class TeamSwap:
    """A swap of two players, and the first team's chance before and after.

    Attributes:
        incoming: id of the player who joins the first team.
        outgoing: id of the player who leaves it.
    """

    incoming: str
    outgoing: str
    chance_before: float | None
    chance_after: float | None


@dataclass(frozen=True, slots=True)
class BalancedTeams:
    """A line-up and the teams made from it.

    Attributes:
        initial_chance: the first team's chance before balancing, without players who were on no team; None if a side
            was empty.
        placed_chance: its chance with everybody on a team, before the first swap.
        final_chance: its chance after all swaps.
        teams: player ids of each team, in the line-up's order.
        swaps: in the order in which they are made.
        points: each player's rating on their final team, of commanders as commanders, in displayed units.
        own_change: what the round would do to the user's rating; None if the user does not play.
        lacks_commander: whether one team alone has a commander, whose commander skill does not count therefore.
    """

    lineup: BalanceLineup
    initial_chance: float | None
    placed_chance: float | None
    final_chance: float | None
    teams: tuple[tuple[str, ...], tuple[str, ...]]
    swaps: tuple[TeamSwap, ...]
    points: Mapping[str, float]
    own_change: WhatIfResult | None
    lacks_commander: bool = False

    @property
    def chance_before(self) -> float | None:
        """The first team's chance before any swap."""
        return self.placed_chance if self.initial_chance is None else self.initial_chance

    @property
    def moved_count(self) -> int:
        """Number of players who were on the other team before."""
        team_by_player = {player: side for side, ids in enumerate(self.teams) for player in ids}
        return sum(entry.team is not None and entry.team != team_by_player[entry.id] for entry in self.lineup.players)

    def compute_mean_points(self, team: int) -> float | None:
        """Return the mean points of a team, None if it is empty."""
        values = [self.points[player] for player in self.teams[team]]
        return sum(values) / len(values) if values else None


def balance_lineup(run: RatingRun, lineup: BalanceLineup, options: BalanceOptions) -> BalancedTeams:
    """Balance a line-up with the current ratings of a run, which is not changed.

    Raises:
        InvalidRoundError: the system cannot rate such a round.
    """
    commanders = _find_commanders(lineup) if options.commanders and run.rates_commanders else {}
    # a single commander's whole skill would count against no commander
    commanded = _CommandedLineup(lineup, frozenset(commanders.values() if len(commanders) == 2 else ()))
    lineup_run = run.transfer_to(
        build_record([create_lineup_round(lineup, {entry.id: 0 for entry in lineup.players})])
    )  # maps player ids to the new record once
    ratings = _rate_players(lineup_run, commanded.commanders)
    members = [_create_member(entry, ratings[entry.id], commanded, options) for entry in lineup.players]
    result = balance_teams(members)
    final = {player: team for team, ids in enumerate(result.teams) for player in ids}
    swaps, placed = _trace_swaps(lineup_run, commanded, result, final)
    initial_teams = {entry.id: entry.team for entry in lineup.players if entry.team is not None}
    own_change = (
        compute_what_if(lineup_run, commanded.create_round(final), lineup.own_id) if lineup.own_id in final else None
    )
    return BalancedTeams(
        lineup,
        initial_chance=_predict_first_team(lineup_run, commanded, initial_teams),
        placed_chance=placed,
        final_chance=swaps[-1].chance_after if swaps else placed,
        teams=result.teams,
        swaps=swaps,
        points={player: ratings[player][team] * run.points_per_unit for player, team in final.items()},
        own_change=own_change,
        lacks_commander=len(commanders) == 1,
    )


class _CommandedLineup(NamedTuple):
    """A line-up and the ids of its commanders."""

    lineup: BalanceLineup
    commanders: frozenset[str]

    def create_round(self, team_of: Mapping[str, int]) -> Round:
        return create_lineup_round(self.lineup, team_of, self.commanders)


def _find_commanders(lineup: BalanceLineup) -> Mapping[int, str]:
    """Return the first player of each team who is marked as commander, by team."""
    commander_by_team: dict[int, str] = {}
    for entry in lineup.players:
        if entry.is_commander and entry.team is not None:
            commander_by_team.setdefault(entry.team, entry.id)
    return commander_by_team


def _predict_first_team(run: RatingRun, commanded: _CommandedLineup, team_of: Mapping[str, int]) -> float | None:
    """Return P(first team wins | no draw) if everybody plays the whole round."""
    if len(set(team_of.values())) < 2:
        return None
    forecast = run.transfer_to(build_record([commanded.create_round(team_of)])).forecast(0)
    return None if forecast is None else forecast.probability


def create_lineup_round(lineup: BalanceLineup, team_of: Mapping[str, int], commanders: Collection[str] = ()) -> Round:
    """Return a round in which these players play from start to end.

    They stay on their teams, and commanders command all the time.
    """
    names = [name or f"#{index}" for index, name in enumerate(lineup.teams)]

    def create_player(entry: LineupPlayer) -> Player:
        stays = (Stint(names[team_of[entry.id]], 0.0, _ROUND_LENGTH_S),)
        return Player(entry.id, stays, stays if entry.id in commanders else (), name=entry.name)

    players = [create_player(entry) for entry in lineup.players if entry.id in team_of]
    return Round("", names, players, 0.0, _ROUND_LENGTH_S, None, "", lineup.map, lineup.mode)


def _rate_players(run: RatingRun, commanders: Collection[str]) -> dict[str, tuple[float, float]]:
    """Return each player's rating on the first and the second team, in system units."""
    mode, ids = int(run.record.mode[0]), enumerate(run.record.player_ids)
    return {player: balance_strengths(run, i, mode, is_commander=player in commanders) for i, player in ids}


def _create_member(
    entry: LineupPlayer, strengths: tuple[float, float], commanded: _CommandedLineup, options: BalanceOptions
) -> BalancePlayer:
    lineup = commanded.lineup
    friends = [other.id for other in lineup.players if other.is_friend] if entry.id == lineup.own_id else []
    return BalancePlayer(
        entry.id,
        strengths,
        entry.team,
        is_fixed=entry.is_locked or (options.commanders and entry.is_commander),
        is_commander=entry.id in commanded.commanders,
        prefers=entry.preferred_team if options.preferred_teams else None,
        friends=friends if options.friends else (),
    )


def _trace_swaps(
    run: RatingRun, commanded: _CommandedLineup, result: TeamBalance, final: Mapping[str, int]
) -> tuple[tuple[TeamSwap, ...], float | None]:
    """Return the swaps with their chances, and the chance before the first."""
    teams = dict(final)
    for first, second in reversed(result.swaps):
        teams[first], teams[second] = teams[second], teams[first]
    placed = before = _predict_first_team(run, commanded, teams)
    swaps = []
    for first, second in result.swaps:
        teams[first], teams[second] = teams[second], teams[first]
        after = _predict_first_team(run, commanded, teams)
        swaps.append(TeamSwap(second, first, before, after))
        before = after
    return tuple(swaps), placed


def sort_players_by_rating(result: BalancedTeams, team: int) -> Sequence[LineupPlayer]:
    """Return the players of a team, strongest first."""
    entries = {entry.id: entry for entry in result.lineup.players}
    return sorted((entries[player] for player in result.teams[team]), key=lambda entry: -result.points[entry.id])
