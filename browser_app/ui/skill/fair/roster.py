"""Whom a rating run knows: players found by what servers and people call them."""

from collections import Counter

from browser_app.player.identities import IdentityError, read_steam_id
from browser_app.rating.system import RatingRun

TEAMS = ("", "")


class Roster:
    """The players of a run's record, by id and by name.

    A name that several of them have names nobody: it could be any of them.

    Attributes:
        run: the system as it stands.
        teams: the game's two teams as the record names them, in side order; empty names where it has none.
    """

    def __init__(self, run: RatingRun) -> None:
        record = run.record
        self.run = run
        self._index = {player: index for index, player in enumerate(record.player_ids)}
        self._by_steam_id = {
            account: player for player in record.player_ids if (account := _steam_id(player)) is not None
        }
        teams = [name for name in record.team_names if name not in self._index]  # in duels everybody is a team
        self.teams = (teams[0], teams[1]) if len(teams) > 1 else TEAMS
        named = [
            (name or player).casefold() for player, name in zip(record.player_ids, record.player_names, strict=True)
        ]
        several = Counter(named)
        self._named = {
            name: player for name, player in zip(named, record.player_ids, strict=True) if several[name] == 1
        }

    def find(self, text: str) -> str | None:
        """The id of the player whom a text names: by id in any of its forms, or by name; None: it names nobody."""
        text = text.strip()
        if text in self._index:
            return text
        return self._named.get(text.casefold()) or self._by_steam_id.get(_steam_id(text) or "")

    def name_of(self, player: str) -> str:
        """What a player is called; an id that is not known is its own name."""
        index = self._index.get(player)
        return player if index is None else self.run.record.player_names[index] or player

    def knows(self, player: str, mode: str) -> bool:
        """Whether any rated round tells of a player in a mode; of a mode that the record lacks, in any."""
        index, modes = self._index.get(player), self.run.record.modes
        if index is None:
            return False
        asked = (modes.index(mode),) if mode in modes else range(len(modes))
        return any(self.run.knows(index, each) for each in asked)


def _steam_id(text: str) -> str | None:
    """The 64-bit id that a text names, in decimal."""
    try:
        return read_steam_id(text)
    except IdentityError:
        return None
