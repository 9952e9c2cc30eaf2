"""The players to balance: line-up, known players and pasted lists."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from browser_app.player.player_identities import IdentityError, parse_steam_id
from browser_app.rating.rating_system import RatingRun
from browser_app.ui.skill.rating_format import numbered_team_title

UNNAMED_TEAMS = ("", "")


class KnownPlayers:
    """The players of a run's record, by id and by name.

    A name that several of them have names nobody: it could be any of them.

    Attributes:
        run: the system as it stands.
        teams: the game's two teams as the record names them, in side order; empty names where it has none.
    """

    def __init__(self, run: RatingRun) -> None:
        record = run.record
        self.run = run
        self._index_by_id = {player: index for index, player in enumerate(record.player_ids)}
        self._id_by_steam_id = {
            account: player for player in record.player_ids if (account := _parse_steam_id(player)) is not None
        }
        teams = [name for name in record.team_names if name not in self._index_by_id]  # in duels everybody is a team
        self.teams = (teams[0], teams[1]) if len(teams) > 1 else UNNAMED_TEAMS
        named = [
            (name or player).casefold() for player, name in zip(record.player_ids, record.player_names, strict=True)
        ]
        several = Counter(named)
        self._id_by_name = {
            name: player for name, player in zip(named, record.player_ids, strict=True) if several[name] == 1
        }

    def find_player(self, text: str) -> str | None:
        """The id of the player whom a text names: by id in any of its forms, or by name; None: it names nobody."""
        text = text.strip()
        if text in self._index_by_id:
            return text
        return self._id_by_name.get(text.casefold()) or self._id_by_steam_id.get(_parse_steam_id(text) or "")

    def player_name(self, player: str) -> str:
        """What a player is called; an id that is not known is its own name."""
        index = self._index_by_id.get(player)
        return player if index is None else self.run.record.player_names[index] or player

    def is_rated(self, player: str, mode: str) -> bool:
        """Whether any rated round tells of a player in a mode; of a mode that the record lacks, in any."""
        index, modes = self._index_by_id.get(player), self.run.record.modes
        if index is None:
            return False
        asked = (modes.index(mode),) if mode in modes else range(len(modes))
        return any(self.run.is_rated(index, each) for each in asked)


def _parse_steam_id(text: str) -> str | None:
    """The 64-bit id that a text names, in decimal."""
    try:
        return parse_steam_id(text)
    except IdentityError:
        return None


MAX_PLAYERS = 64
"""So many play at most; what is pasted beyond is left out."""


@dataclass(frozen=True, slots=True)
class LineupPlayer:
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
    is_known: bool
    team: int | None = None
    is_locked: bool = False
    is_commander: bool = False
    preferred_team: int | None = None
    is_friend: bool = False


@dataclass(frozen=True, slots=True)
class BalanceLineup:
    """Everybody, each once.

    Attributes:
        teams: their names, in side order. me: my id, "" where I do not play.
        mode, map: of the round to come, "" where unknown.
    """

    teams: tuple[str, str]
    players: tuple[LineupPlayer, ...] = ()
    own_id: str = ""
    mode: str = ""
    map: str = ""

    def with_players(self, players: Sequence[LineupPlayer]) -> "BalanceLineup":
        """These play in their place; nobody twice, the first counts."""
        once = {seat.id: seat for seat in reversed(players)}
        kept = [seat for seat in players if once.get(seat.id) is seat]
        return replace(self, players=tuple(kept[:MAX_PLAYERS]))

    def with_changed_player(self, player: str, change: Callable[[LineupPlayer], LineupPlayer]) -> "BalanceLineup":
        """One seat is otherwise."""
        return replace(self, players=tuple(change(seat) if seat.id == player else seat for seat in self.players))

    def without_player(self, player: str) -> "BalanceLineup":
        """Somebody does not play."""
        return replace(self, players=tuple(seat for seat in self.players if seat.id != player))

    @property
    def known_count(self) -> int:
        """How many rated rounds tell of."""
        return sum(seat.is_known for seat in self.players)


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """What a balance is to mind."""

    friends: bool = True
    wishes: bool = True
    commanders: bool = True


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """Somebody as he was told, by a server or by the user."""

    name: str
    team: int | None = None
    is_locked: bool = False
    is_friend: bool = False


def find_lineup_player(named: NamedPlayer, known_players: KnownPlayers, mode: str) -> LineupPlayer:
    """Whom that is, in a round of a mode."""
    player = known_players.find_player(named.name)
    name = named.name.strip() if player is None else known_players.player_name(player)
    known = player is not None and known_players.is_rated(player, mode)
    return LineupPlayer(player or name, name, known, named.team, named.is_locked, is_friend=named.is_friend)


MAX_PASTE_LENGTH = 10_000
_SPLIT = re.compile(r"[,;\t]")
_BULLET = re.compile(r"^(?:[-*•]\s+|\d{1,2}[.)]\s+)")
_HEADING = re.compile(r"^(?P<team>[^,:(]+?)\s*(?:[:(][^,]*)?$")
_TRAILING_POINTS = re.compile(r"\s{2,}[~\u2212-]?\d[\d\u2009.]*$")


def parse_player_list(text: str, teams: Sequence[str]) -> list[NamedPlayer]:
    """Everybody a text names, in its order, each once.

    A line that is a team's name (`#1` or `#2` where it has none), with or without a colon, begins that team; so reads
    what *Copy as text* wrote, where points behind a name tell that all before them is one. Text before the first team
    names people who stand on none. What else begins with `#` is a remark.
    """
    known = {numbered_team_title(team, place).casefold(): place for place, team in enumerate(teams)}
    found: dict[str, NamedPlayer] = {}
    team: int | None = None
    for line in text[:MAX_PASTE_LENGTH].splitlines():
        name = _TRAILING_POINTS.sub("", line)
        heading = _HEADING.match(line.strip())
        if name != line:
            names = [name.strip()]
        elif heading and heading["team"].casefold() in known:
            team, names = known[heading["team"].casefold()], []
        else:
            names = [] if line.startswith("#") else _split_names(line)
        for name in filter(None, names):
            if len(found) < MAX_PLAYERS:
                found.setdefault(name.casefold(), NamedPlayer(name, team))
    return list(found.values())


def _split_names(line: str) -> list[str]:
    """Names as people write them, with commas between or bullets before."""
    return [_BULLET.sub("", part.strip()).strip().strip('"') for part in _SPLIT.split(line)]
