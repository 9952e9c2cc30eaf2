"""A server that another program keeps, in one form for all of them."""

import enum
from dataclasses import dataclass

from browser_app.protocols.address import Address

MAX_SERVERS = 5_000
"""Of one file; the longest list that a game itself keeps holds 4,096."""


class Unreadable(ValueError):
    """The file is not what it is taken for; `str()` says why."""


class Keeping(enum.Enum):
    """Why the other program keeps the server."""

    FAVOURITE = "favourite"
    PLAYED = "played"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class ForeignServer:
    """One server of another program's list."""

    address: Address
    keeping: Keeping
    is_query: bool = False
    """The address is where the server is asked; else it is what the game is told."""
    name: str = ""
    """Plain text; empty where it is not kept."""
    appid: int | None = None
    played_at: float | None = None
    """Unix time of the last visit, s."""
