"""A community's list of servers: `{"servers": ["a2s://HOST:PORT", …]}`, or what `list --format json` printed."""

import ipaddress
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.protocols import QUERY_PROTOCOLS
from browser_app.protocols.address import Address, parse_address, shortened
from browser_app.protocols.json_text import NoJSON, line_of, read_json


class ListError(ValueError):
    """What is wrong with a list; `str()` names the entry. `line` is where, from 1; None where it is unknown."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class ListedServer(NamedTuple):
    """One entry. `game` is a profile's id where the list names one."""

    protocol: str
    address: Address
    game: str | None


def read_server_list(body: bytes | str) -> tuple[ListedServer, ...]:
    """Read either form. Addresses that no server can have are left out, everything else must be right.

    Raises:
        ListError: what is wrong, and in which entry.
    """
    listed = []
    for index, entry in enumerate(_entries(body)):
        try:
            listed.append(_read_entry(entry))
        except ValueError as error:
            raise ListError(f"servers[{index}]: {error}", line_of(body, "servers", index)) from None
    return tuple(server for server in listed if server is not None)


def read_foreign_list(body: bytes | str) -> tuple[tuple[ListedServer, ...], int]:
    """The same, but of entries that are not understood only the number is told: the list may be newer than we are.

    Raises:
        ListError: it is no list at all.
    """
    listed, not_understood = [], 0
    for entry in _entries(body):
        try:
            listed.append(_read_entry(entry))
        except ValueError:
            not_understood += 1
    return tuple(server for server in listed if server is not None), not_understood


def _entries(body: bytes | str) -> list[object]:
    try:
        document = read_json(body)
    except NoJSON as error:
        raise ListError(_("not JSON: {why}").format(why=error.reason), error.line) from None
    entries = document.get("servers") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ListError(_("servers: a list is missing"), line_of(body, "servers") or 1)
    return entries


def parse_server_url(url: str) -> tuple[str, Address]:
    """Read `PROTOCOL://HOST:PORT`.

    Raises:
        ValueError: an unknown protocol or no address.
    """
    protocol, address = _split_url(url)
    return protocol, parse_address(address)


def _split_url(url: str) -> tuple[str, str]:
    protocol, separator, address = url.partition("://")
    if not separator:
        words = _("not a server URL such as a2s://{address}")
        raise ValueError(words.format(address=shortened(url) or "HOST:PORT"))
    return _known(protocol), address.removesuffix("/")


def _known(protocol: object) -> str:
    if not isinstance(protocol, str) or protocol not in QUERY_PROTOCOLS:
        words = _("unknown protocol {protocol}, not one of {known}")
        raise ValueError(words.format(protocol=shortened(repr(protocol)), known=", ".join(QUERY_PROTOCOLS)))
    return protocol


def _read_entry(entry: object) -> ListedServer | None:
    protocol, address_text, game = _read_fields(entry)
    try:
        address = parse_address(address_text)
    except ValueError:
        return None
    return ListedServer(protocol, address, game) if can_be_asked(address) else None


def _read_fields(entry: object) -> tuple[str, str, str | None]:
    """Protocol, address and game of one entry of either form."""
    if isinstance(entry, str):
        return *_split_url(entry), None
    if not isinstance(entry, dict):
        raise ValueError("neither a URL nor an object")
    address, game = entry.get("address"), entry.get("game")
    if not isinstance(address, str):
        raise ValueError("address: missing or not a text")
    if game is not None and not isinstance(game, str):
        raise ValueError("game: not a text")
    return _known(entry.get("protocol")), address, game


def can_be_asked(address: Address) -> bool:
    """Whether one server can be at an address: not at a group, everybody or nobody."""
    try:
        ip = ipaddress.ip_address(address.host)
    except ValueError:
        return True  # a host name
    return not (ip.is_unspecified or ip.is_multicast or str(ip) == "255.255.255.255")
