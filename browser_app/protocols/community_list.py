"""Community server lists in JSON, and server URLs."""

import ipaddress
from typing import NamedTuple

from browser_app.language import gettext as _
from browser_app.protocols import QUERY_PROTOCOLS
from browser_app.protocols.address import Address, parse_address, shorten
from browser_app.protocols.json_parser import JSONParseError, json_line_number, parse_json


class ServerListError(ValueError):
    """Invalid server list; `str()` names the entry, `line` is counted from 1 (None if unknown)."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class ListedServer(NamedTuple):
    """One entry; `game` is the id of a game profile if the list has one."""

    protocol: str
    address: Address
    game: str | None


def parse_server_list(body: bytes | str) -> tuple[ListedServer, ...]:
    """Parse a list of URLs or of objects; entries with impossible addresses are skipped.

    Raises:
        ServerListError: Anything else is wrong; the text names the entry.
    """
    listed = []
    for index, entry in enumerate(_list_entries(body)):
        try:
            listed.append(_parse_list_entry(entry))
        except ValueError as error:
            raise ServerListError(f"servers[{index}]: {error}", json_line_number(body, "servers", index)) from None
    return tuple(server for server in listed if server is not None)


def parse_server_list_leniently(body: bytes | str) -> tuple[tuple[ListedServer, ...], int]:
    """Parse a list; return its servers and how many entries were not understood (the list may be newer than this
    program).

    Raises:
        ServerListError: The document is not a server list.
    """
    listed, not_understood = [], 0
    for entry in _list_entries(body):
        try:
            listed.append(_parse_list_entry(entry))
        except ValueError:
            not_understood += 1
    return tuple(server for server in listed if server is not None), not_understood


def _list_entries(body: bytes | str) -> list[object]:
    try:
        document = parse_json(body)
    except JSONParseError as error:
        raise ServerListError(_("not JSON: {why}").format(why=error.reason), error.line) from None
    entries = document.get("servers") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ServerListError(_("servers: missing list"), json_line_number(body, "servers") or 1)
    return entries


def parse_server_url(url: str) -> tuple[str, Address]:
    """Parse `PROTOCOL://HOST:PORT`.

    Raises:
        ValueError: The protocol is unknown or the address invalid.
    """
    protocol, address = _split_url(url)
    return protocol, parse_address(address)


def _split_url(url: str) -> tuple[str, str]:
    protocol, separator, address = url.partition("://")
    if not separator:
        words = _("not a server URL such as a2s://{address}")
        raise ValueError(words.format(address=shorten(url) or "HOST:PORT"))
    return _validate_protocol(protocol), address.removesuffix("/")


def _validate_protocol(protocol: object) -> str:
    if not isinstance(protocol, str) or protocol not in QUERY_PROTOCOLS:
        words = _("unknown protocol {protocol}, must be one of {known}")
        raise ValueError(words.format(protocol=shorten(repr(protocol)), known=", ".join(QUERY_PROTOCOLS)))
    return protocol


def _parse_list_entry(entry: object) -> ListedServer | None:
    protocol, address_text, game = _entry_fields(entry)
    try:
        address = parse_address(address_text)
    except ValueError:
        return None
    return ListedServer(protocol, address, game) if is_queryable_address(address) else None


def _entry_fields(entry: object) -> tuple[str, str, str | None]:
    """Return protocol, address and game of an entry, a URL or an object."""
    if isinstance(entry, str):
        return *_split_url(entry), None
    if not isinstance(entry, dict):
        raise ValueError("neither a URL nor an object")
    address, game = entry.get("address"), entry.get("game")
    if not isinstance(address, str):
        raise ValueError("address: missing or not a text")
    if game is not None and not isinstance(game, str):
        raise ValueError("game: not a text")
    return _validate_protocol(entry.get("protocol")), address, game


def is_queryable_address(address: Address) -> bool:
    """Return whether a server can be at an address: not multicast, broadcast or unspecified."""
    try:
        ip = ipaddress.ip_address(address.host)
    except ValueError:
        return True  # host name
    return not (ip.is_unspecified or ip.is_multicast or str(ip) == "255.255.255.255")
