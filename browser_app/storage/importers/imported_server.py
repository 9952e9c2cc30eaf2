"""Common form of a server in another program's list."""

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from browser_app.language import gettext as _
from browser_app.protocols.address import Address, parse_address
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
    game: str = ""
    """Game id, if the file lists servers of several games."""


def list_favourites(
    entries: Iterable[tuple[str, str]], default_port: int | None = None, *, game: str = "", colours: str = "none"
) -> list[ImportedServer]:
    """Return favourites, given as address and name, without invalid ones.

    `colours` is the dialect of the names' colour codes.
    """
    servers = []
    for text, name in entries:
        try:
            address = parse_address(text, default_port)
        except ValueError:
            continue
        plain_name = clean_server_name(name, colours)
        servers.append(ImportedServer(address, ServerListKind.FAVOURITE, name=plain_name, game=game))
        if len(servers) == MAX_IMPORTED_SERVERS:
            break
    return servers


def join_host_port(host: str, port: str) -> str:
    """Return host and port as one text; an IPv6 address gets brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


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
