"""What joining a server's game would be for me: the chance on either side, and what I would win or lose."""

from dataclasses import dataclass, replace

from browser_app.rating.errors import MatchError
from browser_app.rating.match import Match, Player, Stay
from browser_app.rating.record_builder import record_of
from browser_app.rating.system import RatingRun
from browser_app.rating.what_if import WhatIf, what_if
from browser_app.ui.skill.fair.even_teams import even_teams
from browser_app.ui.skill.fair.line_up import LineUp, Named, Seat, Wanted, seat_of
from browser_app.ui.skill.fair.roster import Roster

LEAST_KNOWN = 2
"""With fewer known players nothing can be said of a game."""
_LENGTH_S = 1200.0
_UNKNOWN = 0.25
"""A game of which nothing is known counts as if it were so far from even."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A server's game, as it told it; `me` is my id in the record, `my_names` are the names there that are mine."""

    server: int
    players: tuple[Named, ...]
    me: str
    my_names: frozenset[str]
    """Casefolded."""
    mode: str
    map: str


@dataclass(frozen=True, slots=True)
class Side:
    """I on one team.

    Attributes:
        team: its name; empty: teams as even as they can be made with me.
        more: of teams that were made, by how many mine is the larger one.
    """

    team: str
    what: WhatIf
    more: int = 0


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be said of a server's game.

    Attributes:
        known: how many of the others are in the record. players: how many they are.
        teams_told: the server tells who is on which team.
        line_up: with me on no team, for a balance.
        sides: nothing, where too few are known; my two teams; or one, for even teams.
    """

    server: int
    known: int
    players: int
    teams_told: bool
    line_up: LineUp
    sides: tuple[Side, ...]

    @property
    def fairest(self) -> Side | None:
        """The side with a chance nearest to even."""
        told = [side for side in self.sides if side.what.chance is not None]
        return min(told, key=lambda side: abs((side.what.chance or 0.0) - 0.5), default=None)

    @property
    def unevenness(self) -> float:
        """How far from even my chance is at best, and how little is known of the others; for the order of servers."""
        fairest = self.fairest
        if fairest is None or fairest.what.chance is None:
            return 2.0
        return abs(fairest.what.chance - 0.5) + _UNKNOWN * (1.0 - self.known / self.players)


def outlook(roster: Roster, asked: Asked) -> Outlook:
    """Work it out; the run is not changed."""
    named = (each for each in asked.players if each.text.casefold() not in asked.my_names)
    others = [seat for seat in (seat_of(each, roster, asked.mode) for each in named) if seat.id != asked.me]
    me = [Seat(asked.me, roster.name_of(asked.me), True)] if asked.me else []
    line_up = LineUp(roster.teams, (), asked.me, asked.mode, asked.map).with_seats([*me, *others])
    others = [seat for seat in line_up.seats if seat.id != asked.me]
    teams_told = bool(others) and all(seat.team in (0, 1) for seat in others)
    known = sum(seat.known for seat in others)
    sides: tuple[Side, ...] = ()
    if known >= LEAST_KNOWN and asked.me:
        try:
            sides = _on_either(roster.run, line_up) if teams_told else _on_even(roster.run, line_up)
        except MatchError:
            sides = ()  # names that no round can have
    return Outlook(asked.server, known, len(others), teams_told, line_up, sides)


def _on_either(run: RatingRun, line_up: LineUp) -> tuple[Side, ...]:
    small = run.seated(record_of([_match(line_up, 0)]))
    return tuple(
        Side(line_up.teams[team], what_if(small, _match(line_up, team), line_up.me))
        for team in (0, 1)
        if any(seat.team == 1 - team for seat in line_up.seats)
    )


def _on_even(run: RatingRun, line_up: LineUp) -> tuple[Side, ...]:
    standing = replace(line_up, seats=tuple(replace(seat, team=None) for seat in line_up.seats))
    result = even_teams(run, standing, Wanted())
    if result.mine is None:
        return ()
    first, second = result.teams
    more = len(first) - len(second)
    return (Side("", result.mine, more if line_up.me in first else -more),)


def _match(line_up: LineUp, mine: int) -> Match:
    def player(seat: Seat) -> Player:
        team = mine if seat.id == line_up.me else seat.team or 0
        return Player(seat.id, (Stay(line_up.teams[team], 0.0, _LENGTH_S),), name=seat.name)

    return Match(
        "", line_up.teams, [player(seat) for seat in line_up.seats], 0.0, _LENGTH_S, None, "", line_up.map, line_up.mode
    )
