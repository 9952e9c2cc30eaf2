"""Common form of a server in another program's list."""

import enum
from dataclasses import dataclass

from browser_app.language import gettext as _
from browser_app.protocols.address import Address
from browser_app.protocols.coloured_text import plain_text
from browser_app.protocols.json_parser import JSONParseError, parse_json

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


def clean_server_name(name: object, dialect: str = "none") -> str:
    """Return a name without colour codes; empty if it is not text.

    `dialect` is that of `plain_text`.
    """
    return plain_text(name, dialect).strip() if isinstance(name, str) else ""


def parse_json_list(data: bytes) -> object:
    """Parse a list in JSON, with or without a byte order mark.

    Raises:
        UnreadableListError: it is not JSON.
    """
    try:
        return parse_json(data.removeprefix(b"\xef\xbb\xbf"))
    except JSONParseError as error:
        raise UnreadableListError(_("not JSON: {why}").format(why=error)) from None
