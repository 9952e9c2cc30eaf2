"""Kinds of master servers, parsed from their URLs."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.network.address_rules import NetworkScope, is_loopback, network_scope
from browser_app.engine.network.host_resolver import is_ip_address
from browser_app.protocols.address import Address


@dataclass(frozen=True, slots=True)
class DpMaster:
    """A dpmaster or one of id Software's masters."""

    url: str
    """As given, with keys redacted (in all kinds of masters)."""
    address: Address
    """Its host may be a name."""
    gamename: str
    """Empty for anonymous games."""
    protocol_number: int
    """The game's network protocol."""
    protocol: str
    """Query protocol of its servers."""
    game: str | None
    """Game profile of its servers, None if several or none claim it."""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine, as far as known without resolving its name."""
        return _is_local_host(self.address.host)


@dataclass(frozen=True, slots=True)
class SteamWebMaster:
    """Steam's Web API, or a server that implements it."""

    url: str
    base_url: str
    """`https://HOST[:PORT]` or with `http`."""
    appid: int
    game: str | None

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine, as far as known without resolving its name."""
        return _is_local_host(urlsplit(self.base_url).hostname or "")


@dataclass(frozen=True, slots=True)
class SteamNetworkMaster:
    """Steam's own network, queried after an anonymous login."""

    url: str
    appid: int
    game: str | None

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine, as far as known without resolving its name."""
        return False


@dataclass(frozen=True, slots=True)
class WebListMaster:
    """A community's list on the web."""

    url: str
    location: str
    """`https://…` or `http://…`; may contain a key."""
    game_ids: frozenset[str]
    """Known game profiles, which its entries may name."""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine, as far as known without resolving its name."""
        return _is_local_host(urlsplit(self.location).hostname or "")


@dataclass(frozen=True, slots=True)
class FileMaster:
    """A list in a local file, read when the sources were parsed."""

    url: str
    servers: tuple[QueryTarget, ...]
    """Hosts may be names."""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine, as far as known without resolving its name."""
        return True


@dataclass(frozen=True, slots=True)
class LanMaster:
    """The local network: servers that reply to a broadcast."""

    url: str
    queries: tuple[tuple[str, int], ...]
    """Query protocol and port of each request."""
    broadcasts: tuple[str, ...] = ()
    """Their destinations; empty for all networks of this machine at the time of the poll."""

    @property
    def is_on_this_machine(self) -> bool:
        """Whether it may list servers of this machine, as far as known without resolving its name."""
        return bool(self.broadcasts) and all(is_loopback(broadcast) for broadcast in self.broadcasts)


MasterSource = DpMaster | SteamWebMaster | SteamNetworkMaster | WebListMaster | FileMaster | LanMaster


def _is_local_host(host: str) -> bool:
    if is_ip_address(host):
        return network_scope(host) is NetworkScope.THIS_MACHINE
    return host.rpartition(".")[2] == "localhost"  # RFC 6761
