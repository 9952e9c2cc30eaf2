"""Who is to play, where they stand, and what they wish: what the user edits and the balance starts from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from browser_app.ui.skill.fair.roster import Roster

MOST = 64
"""So many play at most; what is pasted beyond is left out."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody who is to play.

    Attributes:
        id: in the record, or what he was called there.
        known: rated rounds tell of him; else he counts as a newcomer.
        team: where he stands, 0 or 1; None: on no team yet.
        locked: stays there. commands: from the chair. wishes: the team he would like to be on.
        friend: the user looks out for him.
    """

    id: str
    name: str
    known: bool
    team: int | None = None
    locked: bool = False
    commands: bool = False
    wishes: int | None = None
    friend: bool = False


@dataclass(frozen=True, slots=True)
class LineUp:
    """Everybody, each once.

    Attributes:
        teams: their names, in side order. me: my id, "" where I do not play.
        mode, map: of the round to come, "" where unknown.
    """

    teams: tuple[str, str]
    seats: tuple[Seat, ...] = ()
    me: str = ""
    mode: str = ""
    map: str = ""

    def with_seats(self, seats: Sequence[Seat]) -> "LineUp":
        """These play in their place; nobody twice, the first counts."""
        once = {seat.id: seat for seat in reversed(seats)}
        kept = [seat for seat in seats if once.get(seat.id) is seat]
        return replace(self, seats=tuple(kept[:MOST]))

    def changed(self, player: str, change: Callable[[Seat], Seat]) -> "LineUp":
        """One seat is otherwise."""
        return replace(self, seats=tuple(change(seat) if seat.id == player else seat for seat in self.seats))

    def without(self, player: str) -> "LineUp":
        """Somebody does not play."""
        return replace(self, seats=tuple(seat for seat in self.seats if seat.id != player))

    @property
    def known(self) -> int:
        """How many rated rounds tell of."""
        return sum(seat.known for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a balance is to mind."""

    friends: bool = True
    wishes: bool = True
    commanders: bool = True


@dataclass(frozen=True, slots=True)
class Named:
    """Somebody as he was told, by a server or by the user."""

    text: str
    team: int | None = None
    locked: bool = False
    friend: bool = False


def seat_of(named: Named, roster: Roster, mode: str) -> Seat:
    """Whom that is, in a round of a mode."""
    player = roster.find(named.text)
    name = named.text.strip() if player is None else roster.name_of(player)
    known = player is not None and roster.knows(player, mode)
    return Seat(player or name, name, known, named.team, named.locked, friend=named.friend)
