"""Two even teams from a line-up, swap by swap, with what each swap does to the chance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from browser_app.rating.balance import Balance, Member, balance
from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.record_builder import record_of
from browser_app.rating.system import RatingRun
from browser_app.rating.what_if import WhatIf, what_if
from browser_app.ui.skill.fair.line_up import LineUp, Seat, Wanted

_LENGTH_S = 1200.0


@dataclass(frozen=True, slots=True)
class Swap:
    """Who comes to the first team and who leaves it, and that team's chance before and after."""

    comes: str
    goes: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class EvenTeams:
    """A line-up and the teams made from it.

    Attributes:
        before: the first team's chance as they stood, those on no team left out; None where a side had nobody.
        placed: the same before the first swap, with everybody on a team. after: at the end.
        teams: ids on either team, in the line-up's order.
        moved: who changed team so that sizes fit. swaps: in order.
        points: what each is worth on the team he is on now, displayed.
        mine: what the round would do to my rating; None where I do not play.
    """

    line_up: LineUp
    before: float | None
    placed: float | None
    after: float | None
    teams: tuple[tuple[str, ...], tuple[str, ...]]
    moved: tuple[str, ...]
    swaps: tuple[Swap, ...]
    points: Mapping[str, float]
    mine: WhatIf | None

    @property
    def moves(self) -> int:
        """How many who stood on a team are on the other now."""
        team = {player: side for side, ids in enumerate(self.teams) for player in ids}
        return sum(seat.team is not None and seat.team != team[seat.id] for seat in self.line_up.seats)

    def mean(self, team: int) -> float | None:
        """Of a team's points; None: nobody is on it."""
        values = [self.points[player] for player in self.teams[team]]
        return sum(values) / len(values) if values else None


def even_teams(run: RatingRun, line_up: LineUp, wanted: Wanted) -> EvenTeams:
    """Balance a line-up by what a run knows as it stands; the run is not changed.

    Raises:
        MatchError: the system cannot take such a round.
    """
    small = run.seated(record_of([_match(line_up, {seat.id: 0 for seat in line_up.seats})]))  # finds people at once
    worth = _worth(small)
    result = balance([_member(seat, worth[seat.id], line_up, wanted) for seat in line_up.seats])
    final = {player: team for team, ids in enumerate(result.teams) for player in ids}
    swaps, placed = _steps(small, line_up, result, final)
    stood = {seat.id: seat.team for seat in line_up.seats if seat.team is not None}
    mine = what_if(small, _match(line_up, final), line_up.me) if line_up.me in final else None
    return EvenTeams(
        line_up,
        before=chance(small, line_up, stood),
        placed=placed,
        after=swaps[-1].after if swaps else placed,
        teams=result.teams,
        moved=result.moved,
        swaps=swaps,
        points={player: worth[player][team] * run.unit for player, team in final.items()},
        mine=mine,
    )


def chance(run: RatingRun, line_up: LineUp, team_of: Mapping[str, int]) -> float | None:
    """P(the first team wins | no draw) with everybody there from beginning to end."""
    if len(set(team_of.values())) < 2:
        return None
    said = run.seated(record_of([_match(line_up, team_of)])).forecast(0)
    return None if said is None else said.probability


def _match(line_up: LineUp, team_of: Mapping[str, int]) -> Match:
    names = [name or f"#{place}" for place, name in enumerate(line_up.teams)]
    players = [
        Player(seat.id, (Stay(names[team_of[seat.id]], 0.0, _LENGTH_S),), name=seat.name)
        for seat in line_up.seats
        if seat.id in team_of
    ]
    return Match("", names, players, 0.0, _LENGTH_S, None, "", line_up.map, line_up.mode)


def _worth(run: RatingRun) -> dict[str, tuple[float, float]]:
    """What everybody is worth on the first team and on the second, in the system's units."""
    mode = int(run.record.mode[0])
    ids = enumerate(run.record.player_ids)
    return {player: (run.team_rating(i, mode, 0), run.team_rating(i, mode, 1)) for i, player in ids}


def _member(seat: Seat, worth: tuple[float, float], line_up: LineUp, wanted: Wanted) -> Member:
    friends = [other.id for other in line_up.seats if other.friend] if seat.id == line_up.me else []
    return Member(
        seat.id,
        worth,
        seat.team,
        fixed=seat.locked or (wanted.commanders and seat.commands),
        prefers=seat.wishes if wanted.wishes else None,
        friends=friends if wanted.friends else (),
    )


def _steps(
    run: RatingRun, line_up: LineUp, result: Balance, final: Mapping[str, int]
) -> tuple[tuple[Swap, ...], float | None]:
    """The swaps with their chances, and the chance before the first."""
    now = dict(final)
    for first, second in reversed(result.swaps):
        now[first], now[second] = now[second], now[first]
    placed = before = chance(run, line_up, now)
    swaps = []
    for first, second in result.swaps:
        now[first], now[second] = now[second], now[first]
        after = chance(run, line_up, now)
        swaps.append(Swap(second, first, before, after))
        before = after
    return tuple(swaps), placed


def by_team(result: EvenTeams, team: int) -> Sequence[Seat]:
    """Who is on a team now, the strongest first."""
    seats = {seat.id: seat for seat in result.line_up.seats}
    return sorted((seats[player] for player in result.teams[team]), key=lambda seat: -result.points[seat.id])
