"""Balancing of a line-up into two even teams by swaps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from browser_app.rating.game_round import Player, Round, Stint
from browser_app.rating.matchmaking.team_balance import BalancePlayer, TeamBalance, balance_teams
from browser_app.rating.matchmaking.what_if import WhatIfResult, compute_what_if
from browser_app.rating.rating_system import RatingRun
from browser_app.rating.record.record_builder import build_record
from browser_app.ui.skill.fair_games.team_lineup import BalanceLineup, BalanceOptions, LineupPlayer

_ROUND_LENGTH_S = 1200.0


@dataclass(frozen=True, slots=True)
class TeamSwap:
    """Who comes to the first team and who leaves it, and that team's chance before and after."""

    incoming: str
    outgoing: str
    chance_before: float | None
    chance_after: float | None


@dataclass(frozen=True, slots=True)
class BalancedTeams:
    """A line-up and the teams made from it.

    Attributes:
        before: the first team's chance as they stood, those on no team left out; None where a side had nobody.
        placed: the same before the first swap, with everybody on a team. after: at the end.
        teams: ids on either team, in the line-up's order.
        moved: who changed team so that sizes fit. swaps: in order.
        points: what each is worth on the team he is on now, displayed.
        mine: what the round would do to my rating; None where I do not play.
    """

    lineup: BalanceLineup
    initial_chance: float | None
    placed_chance: float | None
    final_chance: float | None
    teams: tuple[tuple[str, ...], tuple[str, ...]]
    moved_for_size: tuple[str, ...]
    swaps: tuple[TeamSwap, ...]
    points: Mapping[str, float]
    own_change: WhatIfResult | None

    @property
    def moved_count(self) -> int:
        """How many who stood on a team are on the other now."""
        team = {player: side for side, ids in enumerate(self.teams) for player in ids}
        return sum(seat.team is not None and seat.team != team[seat.id] for seat in self.lineup.players)

    def team_mean(self, team: int) -> float | None:
        """Of a team's points; None: nobody is on it."""
        values = [self.points[player] for player in self.teams[team]]
        return sum(values) / len(values) if values else None


def balance_lineup(run: RatingRun, lineup: BalanceLineup, options: BalanceOptions) -> BalancedTeams:
    """Balance a line-up by what a run knows as it stands; the run is not changed.

    Raises:
        MatchError: the system cannot take such a round.
    """
    small = run.transfer_to(
        build_record([_create_round(lineup, {seat.id: 0 for seat in lineup.players})])
    )  # finds people at once
    worth = _player_values(small)
    result = balance_teams([_create_member(seat, worth[seat.id], lineup, options) for seat in lineup.players])
    final = {player: team for team, ids in enumerate(result.teams) for player in ids}
    swaps, placed = _trace_swaps(small, lineup, result, final)
    stood = {seat.id: seat.team for seat in lineup.players if seat.team is not None}
    mine = compute_what_if(small, _create_round(lineup, final), lineup.own_id) if lineup.own_id in final else None
    return BalancedTeams(
        lineup,
        initial_chance=first_team_chance(small, lineup, stood),
        placed_chance=placed,
        final_chance=swaps[-1].chance_after if swaps else placed,
        teams=result.teams,
        moved_for_size=result.moved,
        swaps=swaps,
        points={player: worth[player][team] * run.points_per_unit for player, team in final.items()},
        own_change=mine,
    )


def first_team_chance(run: RatingRun, lineup: BalanceLineup, team_of: Mapping[str, int]) -> float | None:
    """P(the first team wins | no draw) with everybody there from beginning to end."""
    if len(set(team_of.values())) < 2:
        return None
    said = run.transfer_to(build_record([_create_round(lineup, team_of)])).forecast(0)
    return None if said is None else said.probability


def _create_round(lineup: BalanceLineup, team_of: Mapping[str, int]) -> Round:
    names = [name or f"#{place}" for place, name in enumerate(lineup.teams)]
    players = [
        Player(seat.id, (Stint(names[team_of[seat.id]], 0.0, _ROUND_LENGTH_S),), name=seat.name)
        for seat in lineup.players
        if seat.id in team_of
    ]
    return Round("", names, players, 0.0, _ROUND_LENGTH_S, None, "", lineup.map, lineup.mode)


def _player_values(run: RatingRun) -> dict[str, tuple[float, float]]:
    """What everybody is worth on the first team and on the second, in the system's units."""
    mode = int(run.record.mode[0])
    ids = enumerate(run.record.player_ids)
    return {player: (run.team_rating(i, mode, 0), run.team_rating(i, mode, 1)) for i, player in ids}


def _create_member(
    seat: LineupPlayer, values: tuple[float, float], lineup: BalanceLineup, options: BalanceOptions
) -> BalancePlayer:
    friends = [other.id for other in lineup.players if other.is_friend] if seat.id == lineup.own_id else []
    return BalancePlayer(
        seat.id,
        values,
        seat.team,
        is_fixed=seat.is_locked or (options.commanders and seat.is_commander),
        prefers=seat.preferred_team if options.wishes else None,
        friends=friends if options.friends else (),
    )


def _trace_swaps(
    run: RatingRun, lineup: BalanceLineup, result: TeamBalance, final: Mapping[str, int]
) -> tuple[tuple[TeamSwap, ...], float | None]:
    """The swaps with their chances, and the chance before the first."""
    now = dict(final)
    for first, second in reversed(result.swaps):
        now[first], now[second] = now[second], now[first]
    placed = before = first_team_chance(run, lineup, now)
    swaps = []
    for first, second in result.swaps:
        now[first], now[second] = now[second], now[first]
        after = first_team_chance(run, lineup, now)
        swaps.append(TeamSwap(second, first, before, after))
        before = after
    return tuple(swaps), placed


def players_by_rating(result: BalancedTeams, team: int) -> Sequence[LineupPlayer]:
    """Who is on a team now, the strongest first."""
    seats = {seat.id: seat for seat in result.lineup.players}
    return sorted((seats[player] for player in result.teams[team]), key=lambda seat: -result.points[seat.id])
