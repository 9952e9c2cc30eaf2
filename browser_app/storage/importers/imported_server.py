"""Common form of a server in another program's list."""

import enum
from dataclasses import dataclass

from browser_app.protocols.address import Address

MAX_IMPORTED_SERVERS = 5_000
"""Limit per file; the longest list that a game itself writes has 4,096 entries."""


class UnreadableListError(ValueError):
    """The file has another format than expected; `str()` says why."""


class ServerListKind(enum.Enum):
    """Reason why the other program lists the server."""

    FAVOURITE = "favourite"
    PLAYED = "played"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class ImportedServer:
    """One server of another program's list."""

    address: Address
    list_kind: ServerListKind
    is_query_address: bool = False
    """The address answers queries; otherwise it is the one that the game connects to."""
    name: str = ""
    """Plain text; empty if the list has no names."""
    appid: int | None = None
    played_at: float | None = None
    """Unix time of the last visit, s."""
    protocol: str = ""
    """Query protocol, if it is not the game's usual one."""
