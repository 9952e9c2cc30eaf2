"""Kinds of master servers, parsed from their URLs."""

from dataclasses import dataclass

from browser_app.catalogue.server_info import QueryTarget
from browser_app.protocols.address import Address


@dataclass(frozen=True, slots=True)
class DpMaster:
    """A dpmaster or one of id's masters."""

    url: str
    """As given; any key in it is made unreadable. So it is with all kinds."""
    address: Address
    """Its host may be a name."""
    gamename: str
    """Empty for anonymous games."""
    protocol_number: int
    """The game's network protocol."""
    protocol: str
    """How its servers are asked."""
    game: str | None
    """The profile of its servers, None where several or none claim it."""


@dataclass(frozen=True, slots=True)
class SteamWebMaster:
    """Steam's Web API, or something that speaks like it."""

    url: str
    base_url: str
    """`https://HOST[:PORT]` or the same with `http`."""
    appid: int
    game: str | None


@dataclass(frozen=True, slots=True)
class SteamNetworkMaster:
    """Steam's own network, asked by an anonymous login."""

    url: str
    appid: int
    game: str | None


@dataclass(frozen=True, slots=True)
class WebListMaster:
    """A community's list on the web."""

    url: str
    location: str
    """Where it is, `https://…` or `http://…`; may hold a key."""
    game_ids: frozenset[str]
    """The profiles there are, which its entries may name."""


@dataclass(frozen=True, slots=True)
class FileMaster:
    """A list on this machine, read when it was named."""

    url: str
    servers: tuple[QueryTarget, ...]
    """Hosts may be names."""


@dataclass(frozen=True, slots=True)
class LanMaster:
    """The local network: servers that answer a broadcast."""

    url: str
    queries: tuple[tuple[str, int], ...]
    """Query protocol and port of each request."""
    broadcasts: tuple[str, ...] = ()
    """Where they go; empty: to all networks that this machine is in when it asks."""


MasterSource = DpMaster | SteamWebMaster | SteamNetworkMaster | WebListMaster | FileMaster | LanMaster
