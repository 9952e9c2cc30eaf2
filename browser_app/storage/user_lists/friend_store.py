"""Friends of the user: names, name patterns and ids in groups."""

import enum
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import astuple, dataclass

from browser_app.catalogue.user_lists import FriendGroup, FriendList
from browser_app.language import gettext as _
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable

FRIEND_GROUPS = ("friends", "team", "others")
"""Names of the groups in filters (`friend:team`)."""
MAX_FRIEND_LENGTH = 200


class FriendKind(enum.StrEnum):
    """What an entry matches."""

    NAME = "name"
    """One player name, without wildcards."""
    PATTERN = "pattern"
    """Player names, with `*` and `?`."""
    ID = "id"
    """A player id from round files; servers do not report ids of the players on them."""


@dataclass(frozen=True, slots=True)
class Friend:
    """One entry of the list."""

    kind: FriendKind
    value: str
    group: str
    added_at: float
    """Unix time, s."""


class FriendStore:
    """The user's friends, kept in memory; each change is written at once.

    Each entry is in one group. Entries are unique regardless of case.
    """

    def __init__(self, database: Database) -> None:
        """Load the friends."""
        columns = ("kind", "value", "friend_group", "added_at")
        self._table = KeyedTable(database, "friends", columns, ("kind", "value"))
        loaded = self._table.load(lambda row: normalise_friend(Friend(FriendKind(row[0]), *row[1:])), "added_at")
        self._friends = {_lookup_key(friend.kind, friend.value): friend for friend in loaded}

    def __len__(self) -> int:
        return len(self._friends)

    def __iter__(self) -> Iterator[Friend]:
        return iter(tuple(self._friends.values()))

    def find(self, kind: FriendKind, value: str) -> Friend | None:
        """Return the entry with this value, ignoring case."""
        return self._friends.get(_lookup_key(kind, value.strip()))

    def add_all(self, friends: Iterable[Friend]) -> Future[None]:
        """Add entries, or move existing ones to another group.

        Raises:
            ValueError: one of them is invalid; the text says why, and nothing is changed.
        """
        valid_friends = [normalise_friend(friend) for friend in friends]
        replaced = [self._friends.pop(_lookup_key(each.kind, each.value), None) for each in valid_friends]
        self._friends |= {_lookup_key(each.kind, each.value): each for each in valid_friends}
        old = ((each.kind, each.value) for each in replaced if each is not None)
        return self._table.write((astuple(each) for each in valid_friends), old)

    def remove(self, kind: FriendKind, value: str) -> Future[None]:
        """Remove an entry, if there is one."""
        removed = self._friends.pop(_lookup_key(kind, value), None)
        return self._table.write(deleted_keys=[] if removed is None else [(removed.kind, removed.value)])

    def build_friend_list(self) -> FriendList:
        """Return the names and patterns by group, for the catalogue."""

        def values(group: str, kind: FriendKind) -> Iterator[str]:
            return (each.value for each in self if each.group == group and each.kind is kind)

        return FriendList(
            {
                group: FriendGroup(frozenset(values(group, FriendKind.NAME)), tuple(values(group, FriendKind.PATTERN)))
                for group in FRIEND_GROUPS
            }
        )

    def create_player_predicate(self) -> Callable[[str, str], bool]:
        """Return a test whether a player of a record is a friend as of now.

        The player is given by id and name.
        """
        ids, names = {each.value.casefold() for each in self if each.kind is FriendKind.ID}, self.build_friend_list()
        return lambda player, name: player.casefold() in ids or names.contains(name)


def _lookup_key(kind: FriendKind, value: str) -> tuple[FriendKind, str]:
    return kind, value.casefold()


def normalise_friend(friend: Friend) -> Friend:
    """Return a friend with a validated and stripped value.

    Raises:
        ValueError: it is invalid; the text says why.
    """
    value = normalise_player_name(friend.value, is_pattern=friend.kind is FriendKind.PATTERN)
    if friend.group not in FRIEND_GROUPS:
        raise ValueError(_("unknown group {group}").format(group=friend.group))
    return Friend(friend.kind, value, friend.group, friend.added_at)


def normalise_player_name(name: str, *, is_pattern: bool) -> str:
    """Return a player's name or id, or a pattern of names, without spaces around it.

    Raises:
        ValueError: it is invalid; the text says why.
    """
    name = name.strip()
    if not name:
        raise ValueError(_("enter a name"))
    if len(name) > MAX_FRIEND_LENGTH:
        raise ValueError(_("longer than {n} characters").format(n=MAX_FRIEND_LENGTH))
    if is_pattern and not name.strip("*?"):
        raise ValueError(_("a pattern needs at least one letter"))
    return name
