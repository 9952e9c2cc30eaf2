"""Servers that the user wants out of sight: one, an address prefix, or a pattern of names."""

import enum
import ipaddress
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace

from browser_app.catalogue.marks import Marks
from browser_app.language import gettext as _
from browser_app.protocols.address import parse_address
from browser_app.storage.database import Database


class BlockKind(enum.Enum):
    """What a block names."""

    ADDRESS = "address"
    """`HOST:PORT`."""
    NETWORK = "network"
    """`192.0.2.0/24`."""
    NAME = "name"
    """A pattern of whole server names, with `*` and `?`."""


@dataclass(frozen=True, slots=True)
class Block:
    """One entry of the list."""

    kind: BlockKind
    value: str
    added_at: float
    """Unix time, s."""


class Blocked:
    """The user's block list: in memory for reading, each change written at once."""

    def __init__(self, database: Database) -> None:
        """Load it.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        rows = database.rows("SELECT kind, value, added_at FROM blocked ORDER BY added_at")
        kinds = {kind.value: kind for kind in BlockKind}
        self._blocks = {(kinds[k], value): Block(kinds[k], value, at) for k, value, at in rows if k in kinds}

    def __iter__(self) -> Iterator[Block]:
        return iter(tuple(self._blocks.values()))

    def add(self, kind: BlockKind, value: str, added_at: float) -> Future[None]:
        """Block something.

        Raises:
            ValueError: not an address, prefix or name; the text says why.
        """
        return self.put([Block(kind, value, added_at)])

    def put(self, blocks: Iterable[Block]) -> Future[None]:
        """Add entries, in place of those that name the same; many are written at once.

        Raises:
            ValueError: one of them cannot be; the text says why, and nothing is changed.
        """
        checked = [replace(each, value=checked_block(each.kind, each.value)) for each in blocks]
        self._blocks |= {(each.kind, each.value): each for each in checked}
        return self._database.execute_many(
            "INSERT OR REPLACE INTO blocked VALUES (?, ?, ?)",
            ((each.kind.value, each.value, each.added_at) for each in checked),
        )

    def remove(self, kind: BlockKind, value: str) -> Future[None]:
        """Take an entry out, given as it is listed; nothing happens if there is none."""
        self._blocks.pop((kind, value), None)
        return self._database.execute("DELETE FROM blocked WHERE kind = ? AND value = ?", (kind.value, value))

    def marks(self) -> Marks:
        """The list as the catalogue wants it."""
        return _marks((block.kind, block.value) for block in self)


def marks_of(kind: BlockKind, value: str) -> Marks:
    """The servers that one entry would block.

    Raises:
        ValueError: not an address, prefix or name; the text says why.
    """
    return _marks([(kind, checked_block(kind, value))])


def _marks(entries: Iterable[tuple[BlockKind, str]]) -> Marks:
    of: dict[BlockKind, list[str]] = {kind: [] for kind in BlockKind}
    for kind, value in entries:
        of[kind].append(value)
    return Marks(
        addresses=frozenset(parse_address(value) for value in of[BlockKind.ADDRESS]),
        networks=tuple(of[BlockKind.NETWORK]),
        names=tuple(of[BlockKind.NAME]),
    )


def checked_block(kind: BlockKind, value: str) -> str:
    """What to block, in its one spelling.

    Raises:
        ValueError: not an address, prefix or name; the text says why.
    """
    value = value.strip()
    if kind is BlockKind.ADDRESS:
        return str(parse_address(value))
    if kind is BlockKind.NETWORK:
        return str(ipaddress.ip_network(value, strict=False))
    if not value.strip("*?"):
        raise ValueError(_("a pattern needs at least one letter"))
    return value
