"""The user's lists in the form in which servers and players are matched."""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import TypeAlias

from browser_app.catalogue.filter_predicates import TextPredicate, text_predicate
from browser_app.catalogue.server_info import ServerInfo
from browser_app.protocols.address import Address


@dataclass(frozen=True)
class FriendGroup:
    """Names of one group; case does not matter."""

    exact: frozenset[str] = frozenset()
    """Whole names, in which nothing is a wildcard."""
    patterns: tuple[str, ...] = ()
    """Patterns of whole names, with `*` and `?`."""

    def __bool__(self) -> bool:
        return bool(self.exact or self.patterns)


@dataclass(frozen=True)
class FriendList:
    """Friends by group."""

    groups: Mapping[str, FriendGroup] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.groups.values())

    def contains(self, name: str) -> bool:
        """Whether any group names this player."""
        return bool(self._matches_any(name.strip().casefold()))

    def group_of(self, name: str) -> str | None:
        """The first group that names this player, None for nobody the user looks out for."""
        folded = name.strip().casefold()
        return next((group for group, test in self._group_predicates if test(folded)), None)

    @cached_property
    def _matches_any(self) -> TextPredicate:
        names = self.groups.values()
        return text_predicate(chain(*(each.patterns for each in names)), chain(*(each.exact for each in names)))

    @cached_property
    def _group_predicates(self) -> list[tuple[str, TextPredicate]]:
        return [(group, text_predicate(names.patterns, names.exact)) for group, names in self.groups.items() if names]


_NetworkMask: TypeAlias = tuple[int, int, int]
"""IP version, first address, mask."""
NO_ADDRESS = Address("", 0)
"""In place of the address of a server that is known by its stable key only."""


@dataclass(frozen=True)
class ServerMatcher:
    """A server is marked when any one of the parts names it."""

    addresses: frozenset[Address] = frozenset()
    """Query addresses, or the addresses a game is told."""
    keys: Mapping[str, Address] = field(default_factory=dict)
    """Stable keys (see `ServerInfo`), each with the address where its server was last known.

    A key is the server's own word, which anybody can copy: the catalogue lets it count only while nobody answers at
    that address, and only for the one server that carries it.
    """
    networks: tuple[str, ...] = ()
    """Address prefixes such as `192.0.2.0/24`; an unreadable one names nothing."""
    names: tuple[str, ...] = ()
    """Patterns of whole server names, with `*` and `?`."""

    def __bool__(self) -> bool:
        return bool(self.addresses or self.keys or self.networks or self.names)

    def matches(self, address: Address, info: ServerInfo | None) -> bool:
        """True if the server with this query address and these facts is marked, whatever its key."""
        if address in self.addresses or (self.networks and self._is_in_network(address.host)):
            return True
        if info is None:
            return False
        return info.connect in self.addresses or (bool(self.names) and bool(self._name_predicate(info.name.casefold())))

    @cached_property
    def _name_predicate(self) -> TextPredicate:
        return text_predicate(self.names)

    @cached_property
    def _networks(self) -> tuple[_NetworkMask, ...]:
        networks: list[_NetworkMask] = []
        for text in self.networks:
            try:
                network = ipaddress.ip_network(text, strict=False)
            except ValueError:
                continue
            networks.append((network.version, int(network.network_address), int(network.netmask)))
        return tuple(networks)

    def _is_in_network(self, host: str) -> bool:
        version, number = _parse_ip(host)
        return any(version == of and number & mask == base for of, base, mask in self._networks)


@lru_cache(maxsize=1 << 16)
def _parse_ip(host: str) -> tuple[int, int]:
    """IP version and address as a number; version 0 for what is no address. Reading 20,000 takes 30 ms."""
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return 0, 0
    return ip.version, int(ip)


NO_SERVERS = ServerMatcher()
NO_FRIENDS = FriendList()


@dataclass(frozen=True)
class UserLists:
    """The user's own lists; they hold for servers that are known now and for those that come later."""

    favourite: ServerMatcher = NO_SERVERS
    blocked: ServerMatcher = NO_SERVERS
    recently_left: ServerMatcher = NO_SERVERS
    password_saved: ServerMatcher = NO_SERVERS
    friends: FriendList = NO_FRIENDS
    notes: Mapping[Address, str] = field(default_factory=dict)
    """By query address, or by the address a game is told."""
    last_played: Mapping[Address, float] = field(default_factory=dict)
    """Unix time of the last join by query address, or by the address a game is told."""

    def matcher_of(self, flag: str) -> ServerMatcher:
        """The list behind a flag column."""
        return {
            "favourite": self.favourite,
            "blocked": self.blocked,
            "recently_left": self.recently_left,
            "password_saved": self.password_saved,
        }[flag]
