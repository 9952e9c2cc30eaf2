"""Requests and replies of the Steam Web API's server lists."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from browser_app.protocols.address import Address, parse_address, parse_ip
from browser_app.protocols.json_parser import JSONParseError, count_or_none, flag_or_none
from browser_app.protocols.master_lists.json_list_reader import JsonListReader
from browser_app.protocols.server_url import is_queryable_address


@dataclass(frozen=True, slots=True)
class SteamWebRequest:
    """Path and parameters of a request to `https://api.steampowered.com`."""

    path: str
    params: Mapping[str, str]
    """Not percent-encoded."""


def build_server_list_request(filter_text: str, key: str, limit: int = 20_000) -> SteamWebRequest:
    """Build the request for all servers that match a filter.

    Steam itself returns at most about 10,000, and 100 if the request has no limit.
    """
    params = {"key": key, "format": "json", "limit": str(limit), "filter": filter_text}
    return SteamWebRequest("/IGameServersService/GetServerList/v1/", params)


def build_steam_filter(conditions: Mapping[str, str | int]) -> str:
    r"""Build a Steam filter, such as `\appid\4920\empty\1` (`empty` means not empty).

    Raises:
        ValueError: a text contains a backslash, which would start another condition.
    """
    words = [str(word) for condition in conditions.items() for word in condition]
    if any("\\" in word for word in words):
        raise ValueError("a server filter's texts cannot hold backslashes")
    return "".join("\\" + word for word in words)


@dataclass(frozen=True, slots=True)
class SteamServer:
    """One server as listed by Steam.

    Texts are as sent, None for missing or unusable values.
    """

    address: Address
    """Query address; its host is an IP address."""
    game_port: int | None
    """Port to which players connect."""
    steam_id: int | None
    appid: int | None
    name: str | None = None
    map: str | None = None
    folder: str | None = None
    version: str | None = None
    players: int | None = None
    """Only players that Steam knows of."""
    max_players: int | None = None
    bots: int | None = None
    keywords: str | None = None
    """The server's tags (`gametype`)."""
    vac: bool | None = None
    dedicated: bool | None = None


class SteamListError(ValueError):
    """Reply without a server list; `str()` is the reason."""


def parse_steam_servers(chunks: Iterable[bytes]) -> Iterator[SteamServer | None]:
    """Parse the reply to GetServerList or GetServersAtAddress while it arrives.

    Without matches Steam omits the list.

    Yields:
        Each server; None for an entry without an address that UDP can reach, such as Steam Datagram Relay's
        169.254.x.x.

    Raises:
        SteamListError: the document is not such a reply.
    """
    document = JsonListReader(chunks, ("response", "servers"), members=("success",), errors="replace", strict=False)
    try:
        for entry in document:
            yield _parse_steam_entry(entry)
    except JSONParseError:
        raise SteamListError("Steam's response is not JSON") from None
    if document.depth < 1:
        raise SteamListError("Steam's response has no `response`")
    if document.members.get("success") is False:
        raise SteamListError("Steam rejected the request")
    if "servers" in document.members:
        raise SteamListError("`servers` in Steam's response is not a list")


def _parse_steam_entry(entry: object) -> SteamServer | None:
    if not isinstance(entry, dict):
        return None
    address = _parse_reachable_address(entry.get("addr"))
    if address is None:
        return None
    return SteamServer(
        address,
        _parse_integer(entry.get("gameport"), 65535) or None,
        _parse_integer(entry.get("steamid"), 2**64 - 1) or None,
        _parse_integer(entry.get("appid"), 2**32 - 1) or None,
        _text_or_none(entry.get("name")),
        _text_or_none(entry.get("map")),
        _text_or_none(entry.get("gamedir")),
        _text_or_none(entry.get("version")),
        _parse_integer(entry.get("players")),
        _parse_integer(entry.get("max_players")),
        _parse_integer(entry.get("bots")),
        _text_or_none(entry.get("gametype")),
        flag_or_none(entry.get("secure")),
        flag_or_none(entry.get("dedicated")),
    )


def _parse_reachable_address(text: object) -> Address | None:
    try:
        address = parse_address(text) if isinstance(text, str) else None
    except ValueError:
        return None
    ip = parse_ip(address.host) if address is not None else None
    return address if address and ip and not ip.is_link_local and is_queryable_address(address) else None


def _parse_integer(value: object, largest: int = 65535) -> int | None:
    """Return an integer from 0 to `largest`, also if sent as a string; else None."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        value = int(value)
    return count_or_none(value, largest)


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) else None
