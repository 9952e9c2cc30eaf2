"""Favourite and blocked servers."""

import enum
import ipaddress
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from browser_app.catalogue.user_lists import ServerMatcher
from browser_app.language import gettext as _
from browser_app.protocols.address import Address, normalize_host, parse_address
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable
from browser_app.storage.ui_state import UiState


class BlockKind(enum.Enum):
    """What an entry blocks."""

    ADDRESS = "address"
    """`HOST:PORT`."""
    NETWORK = "network"
    """`192.0.2.0/24`."""
    NAME = "name"
    """A pattern for the whole server name, with `*` and `?`."""


@dataclass(frozen=True, slots=True)
class BlockEntry:
    """One entry of the list."""

    kind: BlockKind
    value: str
    added_at: float
    """Unix time, s."""


class BlockList:
    """The user's block list, kept in memory; each change is written at once."""

    def __init__(self, database: Database) -> None:
        """Load the list."""
        self._table = KeyedTable(database, "blocked", ("kind", "value", "added_at"), ("kind", "value"))
        loaded = self._table.load(_convert_block_row, "added_at")
        self._blocks = {(entry.kind, entry.value): entry for entry in loaded}

    def __iter__(self) -> Iterator[BlockEntry]:
        return iter(tuple(self._blocks.values()))

    def add(self, kind: BlockKind, value: str, added_at: float) -> Future[None]:
        """Block an address, network or name pattern.

        Raises:
            ValueError: the value is invalid; the text says why.
        """
        return self.add_all([BlockEntry(kind, value, added_at)])

    def add_all(self, blocks: Iterable[BlockEntry]) -> Future[None]:
        """Add entries, replacing those with the same value, in one write.

        Raises:
            ValueError: one of them is invalid; the text says why, and nothing is changed.
        """
        valid_blocks = [replace(each, value=normalise_block(each.kind, each.value)) for each in blocks]
        self._blocks |= {(each.kind, each.value): each for each in valid_blocks}
        return self._table.write((each.kind.value, each.value, each.added_at) for each in valid_blocks)

    def remove(self, kind: BlockKind, value: str) -> Future[None]:
        """Remove an entry with its exact value, if there is one."""
        self._blocks.pop((kind, value), None)
        return self._table.write(deleted_keys=[(kind.value, value)])

    def create_matcher(self) -> ServerMatcher:
        """Return a matcher of the list, for the catalogue."""
        return _create_matcher_of((block.kind, block.value) for block in self)


def create_block_matcher(kind: BlockKind, value: str) -> ServerMatcher:
    """Return a matcher of the servers that one entry would block.

    Raises:
        ValueError: the value is invalid; the text says why.
    """
    return _create_matcher_of([(kind, normalise_block(kind, value))])


def _create_matcher_of(entries: Iterable[tuple[BlockKind, str]]) -> ServerMatcher:
    values: dict[BlockKind, list[str]] = {kind: [] for kind in BlockKind}
    for kind, value in entries:
        values[kind].append(value)
    return ServerMatcher(
        addresses=frozenset(parse_address(value) for value in values[BlockKind.ADDRESS]),
        networks=tuple(values[BlockKind.NETWORK]),
        names=tuple(values[BlockKind.NAME]),
    )


def _convert_block_row(row: tuple[str, str, float]) -> BlockEntry:
    kind, value, added_at = row
    return BlockEntry(BlockKind(kind), normalise_block(BlockKind(kind), value), added_at)


def normalise_block(kind: BlockKind, value: str) -> str:
    """Return the canonical form of a value.

    Raises:
        ValueError: it is not an address, network or name pattern; the text says why.
    """
    value = value.strip()
    if kind is BlockKind.ADDRESS:
        return str(parse_address(value))
    if kind is BlockKind.NETWORK:
        return str(ipaddress.ip_network(value, strict=False))
    if not value.strip("*?"):
        raise ValueError(_("a pattern needs at least one letter"))
    return value


_UI_STATE_KEY = "favourite keys"
MAX_PENDING_KEYS = 5_000


class PendingFavouriteKeys:
    """Stable keys of favourites whose server has not been found yet, oldest first.

    When a server answers with such a key, it becomes a normal favourite.
    """

    def __init__(self, ui_state: UiState) -> None:
        self._ui_state = ui_state
        stored_keys = ui_state.get(_UI_STATE_KEY)
        keys = [key for key in stored_keys if isinstance(key, str)] if isinstance(stored_keys, list) else []
        self._keys = dict.fromkeys(keys[:MAX_PENDING_KEYS])

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._keys))

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def add(self, keys: Iterable[str]) -> int:
        """Add keys; return how many were new. At most `MAX_PENDING_KEYS` are kept."""
        before = len(self._keys)
        new = (key for key in dict.fromkeys(keys) if key not in self._keys)
        return self._replace_keys(self._keys | dict.fromkeys(islice(new, MAX_PENDING_KEYS - before))) - before

    def remove(self, keys: Iterable[str | None]) -> None:
        """Remove those of the keys that are pending."""
        removed = set(keys)
        self._replace_keys({key: None for key in self._keys if key not in removed})

    def _replace_keys(self, keys: dict[str, None]) -> int:
        """Replace all keys, because they are stored as one value."""
        if len(keys) != len(self._keys):
            self._keys = keys
            self._ui_state.set(_UI_STATE_KEY, list(keys))
        return len(keys)


@dataclass(frozen=True, slots=True)
class Favourite:
    """One favourite. `protocol` and `game` are None if only an address was given."""

    address: Address
    """The query address if known, else the one that the game connects to."""
    name: str
    added_at: float
    """Unix time, s."""
    protocol: str | None = None
    game: str | None = None
    stable_key: str | None = None
    host_name: str = ""
    """Name that the host of `address` was looked up from; empty if there is none."""

    @property
    def named_address(self) -> Address:
        """The address with its host name, if there is one."""
        return Address(self.host_name or self.address.host, self.address.port)


class FavouriteStore:
    """The user's favourites, kept in memory; each change is written at once."""

    def __init__(self, database: Database) -> None:
        """Load the favourites."""
        self._database = database
        columns = ("host", "port", "name", "added_at", "protocol", "game", "stable_key", "host_name")
        self._table = KeyedTable(database, "favourites", columns, ("host", "port"))
        loaded = self._table.load(_convert_favourite_row, "added_at")
        self._by_address = {favourite.address: favourite for favourite in loaded}

    def __len__(self) -> int:
        return len(self._by_address)

    def __iter__(self) -> Iterator[Favourite]:
        return iter(tuple(self._by_address.values()))

    def __contains__(self, address: object) -> bool:
        return address in self._by_address

    def games(self) -> frozenset[str]:
        """Return the ids of the favourites' games, as far as they are known."""
        return frozenset(favourite.game for favourite in self if favourite.game)

    def add(self, favourite: Favourite) -> Future[None]:
        """Add a favourite, replacing one with the same address."""
        return self.add_all([favourite])

    def add_all(self, favourites: Collection[Favourite]) -> Future[None]:
        """Add favourites, replacing those with the same addresses, in one write."""
        self._by_address |= {each.address: each for each in favourites}
        return self._table.write(map(_build_row, favourites))

    def remove(self, address: Address) -> Future[None]:
        """Remove the favourite with this address, if there is one."""
        self._by_address.pop(address, None)
        return self._table.write(deleted_keys=[address])

    def replace(self, old: Address, favourite: Favourite) -> Future[None]:
        """Replace the favourite at an address by one that may be at another, in one write."""
        self._by_address.pop(old, None)
        self._by_address[favourite.address] = favourite
        return self._table.write([_build_row(favourite)], deleted_keys=[old] if old != favourite.address else [])

    def create_matcher(self, pending_keys: Iterable[str] = ()) -> ServerMatcher:
        """Return a matcher of the favourites, for the catalogue.

        It includes `pending_keys`, whose addresses are unknown.
        """
        return ServerMatcher(
            addresses=frozenset(self._by_address),
            keys=frozenset(pending_keys),
        )


def _build_row(favourite: Favourite) -> tuple[object, ...]:
    return (
        *favourite.address,
        favourite.name,
        favourite.added_at,
        favourite.protocol,
        favourite.game,
        favourite.stable_key,
        favourite.host_name or None,
    )


def _convert_favourite_row(row: tuple[Any, ...]) -> Favourite:
    host, port, name, added_at, protocol, game, stable_key, host_name = row
    normalized_host_name = normalize_host(host_name) if host_name else ""
    return Favourite(Address(host, port), name, added_at, protocol, game, stable_key, normalized_host_name)
