"""A server from another program's list, in one form for all programs."""

import enum
from dataclasses import dataclass

from browser_app.protocols.address import Address

MAX_IMPORTED_SERVERS = 5_000
"""Of one file; the longest list that a game itself keeps holds 4,096."""


class UnreadableListError(ValueError):
    """The file is not what it is taken for; `str()` says why."""


class ServerListKind(enum.Enum):
    """Why the other program keeps the server."""

    FAVOURITE = "favourite"
    PLAYED = "played"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class ImportedServer:
    """One server of another program's list."""

    address: Address
    list_kind: ServerListKind
    is_query_address: bool = False
    """The address is where the server is asked; else it is what the game is told."""
    name: str = ""
    """Plain text; empty where it is not kept."""
    appid: int | None = None
    played_at: float | None = None
    """Unix time of the last visit, s."""
