"""The user's own lists (favourites, blocked servers …) as something a server can be compared with."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias

from browser_app.catalogue.facts import Facts
from browser_app.catalogue.wildcards import Test, matcher
from browser_app.protocols.address import Address

_Network: TypeAlias = tuple[int, int, int]
"""IP version, first address, mask."""
NOWHERE = Address("", 0)
"""In place of the address of a server that is known by its stable key only."""


@dataclass(frozen=True)
class Marks:
    """A server is marked when any one of the parts names it."""

    addresses: frozenset[Address] = frozenset()
    """Query addresses, or the addresses a game is told."""
    keys: Mapping[str, Address] = field(default_factory=dict)
    """Stable keys (see `Facts`), each with the address where its server was last known.

    A key is the server's own word, which anybody can copy: the catalogue lets it count only while nobody answers at
    that address, and only for the one server that carries it.
    """
    networks: tuple[str, ...] = ()
    """Address prefixes such as `192.0.2.0/24`; an unreadable one names nothing."""
    names: tuple[str, ...] = ()
    """Patterns of whole server names, with `*` and `?`."""

    def __bool__(self) -> bool:
        return bool(self.addresses or self.keys or self.networks or self.names)

    def match(self, address: Address, facts: Facts | None) -> bool:
        """True if the server with this query address and these facts is marked, whatever its key."""
        if address in self.addresses or (self.networks and self._in_network(address.host)):
            return True
        if facts is None:
            return False
        return facts.connect in self.addresses or (bool(self.names) and bool(self._name_test(facts.name.casefold())))

    @cached_property
    def _name_test(self) -> Test:
        return matcher(self.names)

    @cached_property
    def _networks(self) -> tuple[_Network, ...]:
        networks: list[_Network] = []
        for text in self.networks:
            try:
                network = ipaddress.ip_network(text, strict=False)
            except ValueError:
                continue
            networks.append((network.version, int(network.network_address), int(network.netmask)))
        return tuple(networks)

    def _in_network(self, host: str) -> bool:
        version, number = _number(host)
        return any(version == of and number & mask == base for of, base, mask in self._networks)


@lru_cache(maxsize=1 << 16)
def _number(host: str) -> tuple[int, int]:
    """IP version and address as a number; version 0 for what is no address. Reading 20,000 takes 30 ms."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return 0, 0
    return ip.version, int(ip)
