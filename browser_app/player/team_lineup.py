"""The players to balance: line-up, known players and pasted lists."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from browser_app.number_text import GROUP_SEPARATOR, MINUS
from browser_app.player.player_identities import IdentityError, parse_steam_id
from browser_app.rating.rating_system import RatingRun

UNNAMED_TEAMS = ("", "")


class KnownPlayers:
    """The players of a run's record, found by id or by name.

    A name that several players have finds none of them: it could be any.

    Attributes:
        run: the ratings.
        teams: the game's two teams as the record names them, in side order; empty names if it has none.
    """

    def __init__(self, run: RatingRun) -> None:
        record = run.record
        self.run = run
        self._index_by_id = {player: index for index, player in enumerate(record.player_ids)}
        self._id_by_steam_id = {
            steam_id: player for player in record.player_ids if (steam_id := _parse_steam_id(player)) is not None
        }
        teams = [name for name in record.team_names if name not in self._index_by_id]  # in duels every player is a team
        self.teams = (teams[0], teams[1]) if len(teams) > 1 else UNNAMED_TEAMS
        names = [
            (name or player).casefold() for player, name in zip(record.player_ids, record.player_names, strict=True)
        ]
        name_counts = Counter(names)
        ids = zip(names, record.player_ids, strict=True)
        self._id_by_name = {name: player for name, player in ids if name_counts[name] == 1}

    def find_player(self, text: str) -> str | None:
        """Return the id of a player by id, in any form, or name; None if there is none."""
        text = text.strip()
        if text in self._index_by_id:
            return text
        return self._id_by_name.get(text.casefold()) or self._id_by_steam_id.get(_parse_steam_id(text) or "")

    def find_player_name(self, player: str) -> str:
        """Return a player's name; for an unknown id the id itself."""
        index = self._index_by_id.get(player)
        return player if index is None else self.run.record.player_names[index] or player

    def is_rated(self, player: str, mode: str) -> bool:
        """Return True if a player has rated rounds in a mode.

        If the record lacks that mode, any mode counts.
        """
        index, modes = self._index_by_id.get(player), self.run.record.modes
        if index is None:
            return False
        candidate_modes = (modes.index(mode),) if mode in modes else range(len(modes))
        return any(self.run.is_rated(index, each) for each in candidate_modes)


def _parse_steam_id(text: str) -> str | None:
    try:
        return parse_steam_id(text)
    except IdentityError:
        return None


MAX_PLAYERS = 64
"""Further pasted players are dropped."""


@dataclass(frozen=True, slots=True)
class LineupPlayer:
    """A player to balance.

    Attributes:
        id: the id in the record, or the name if it is not there.
        is_known: whether they have rated rounds; else they count as a new player.
        team: the current team, 0 or 1; None for no team.
        is_locked: whether they must stay on it.
        preferred_team: the team that they would like to be on.
        is_friend: whether they are on the user's friend list.
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
    """The players to balance, each once.

    Attributes:
        teams: names of both teams, in side order.
        own_id: the user's id, empty if the user does not play.
        mode, map: of the next round, empty if unknown.
    """

    teams: tuple[str, str]
    players: tuple[LineupPlayer, ...] = ()
    own_id: str = ""
    mode: str = ""
    map: str = ""

    def with_players(self, players: Sequence[LineupPlayer]) -> "BalanceLineup":
        """Return a copy with these players instead.

        The first of several entries with one id counts.
        """
        first_entries = {entry.id: entry for entry in reversed(players)}
        unique = [entry for entry in players if first_entries.get(entry.id) is entry]
        return replace(self, players=tuple(unique[:MAX_PLAYERS]))

    def with_changed_player(self, player: str, change: Callable[[LineupPlayer], LineupPlayer]) -> "BalanceLineup":
        """Return a copy with one player changed."""
        return replace(self, players=tuple(change(entry) if entry.id == player else entry for entry in self.players))

    def without_player(self, player: str) -> "BalanceLineup":
        """Return a copy without a player."""
        return replace(self, players=tuple(entry for entry in self.players if entry.id != player))

    @property
    def known_count(self) -> int:
        """Number of players with rated rounds."""
        return sum(entry.is_known for entry in self.players)


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """What the balancing respects.

    Attributes:
        friends: the user's friends are on the user's team.
        preferred_teams: players are on the team that they would like to be on.
        commanders: commanders stay on their team.
    """

    friends: bool = True
    preferred_teams: bool = True
    commanders: bool = True


@dataclass(frozen=True, slots=True)
class NamedPlayer:
    """A player as a server or the user names them."""

    name: str
    team: int | None = None
    is_locked: bool = False
    is_friend: bool = False


def find_lineup_player(named_player: NamedPlayer, known_players: KnownPlayers, mode: str) -> LineupPlayer:
    """Return the named player as a line-up entry for a round of a mode."""
    player = known_players.find_player(named_player.name)
    name = named_player.name.strip() if player is None else known_players.find_player_name(player)
    is_known = player is not None and known_players.is_rated(player, mode)
    return LineupPlayer(
        player or name, name, is_known, named_player.team, named_player.is_locked, is_friend=named_player.is_friend
    )


MAX_PASTE_LENGTH = 10_000
_SPLIT = re.compile(r"[,;\t]")
_BULLET = re.compile(r"^(?:[-*•]\s+|\d{1,2}[.)]\s+)")
_HEADING = re.compile(r"^(?P<team>[^,:(]+?)\s*(?:$|\(|:\s*(?P<names>.*)$)")
_TRAILING_POINTS = re.compile(rf"(?<!\s)\s{{2,}}[~{MINUS}-]?\d[\d{GROUP_SEPARATOR}.]*$")


def format_team_title(team: str, index: int) -> str:
    """Return a team's name with an initial capital; `#1` or `#2` without a name."""
    return team[:1].upper() + team[1:] or f"#{index + 1}"


def parse_player_list(text: str, teams: Sequence[str]) -> list[NamedPlayer]:
    """Return the players that a text names, each once, in its order.

    A line with a team's name (`#1` or `#2` if it has none) starts that team; names may follow a colon. The output of
    *Copy as text* can be read: there, points at the end of a line show that everything before them is one name. Players
    named before the first team are on no team. Other lines that start with `#` are comments.
    """
    index_by_title = {format_team_title(team, index).casefold(): index for index, team in enumerate(teams)}
    players: dict[str, NamedPlayer] = {}
    team: int | None = None
    for line in text[:MAX_PASTE_LENGTH].splitlines():
        name = _TRAILING_POINTS.sub("", line)
        heading = _HEADING.match(line.strip())
        if name != line:
            names = [name.strip()]
        elif heading and heading["team"].casefold() in index_by_title:
            team, names = index_by_title[heading["team"].casefold()], _split_names(heading["names"] or "")
        else:
            names = [] if line.startswith("#") else _split_names(line)
        for name in filter(None, names):
            if len(players) < MAX_PLAYERS:
                players.setdefault(name.casefold(), NamedPlayer(name, team))
    return list(players.values())


def _split_names(line: str) -> list[str]:
    return [_BULLET.sub("", part.strip()).strip().strip('"') for part in _SPLIT.split(line)]
