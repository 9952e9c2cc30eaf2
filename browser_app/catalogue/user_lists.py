"""The user's lists as matchers of servers and players."""

import ipaddress
import logging
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import TypeAlias

from browser_app.catalogue.filters.filter_predicates import TextPredicate, text_predicate
from browser_app.catalogue.server_info import ServerInfo
from browser_app.protocols.address import Address

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FriendGroup:
    """Player names of one group; case is ignored."""

    exact: frozenset[str] = frozenset()
    """Whole names without wildcards."""
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
        """Return True if any group contains this player."""
        return bool(self._matches_any(name.strip().casefold()))

    def group_of(self, name: str) -> str | None:
        """Return the first group that contains this player, or None."""
        folded = name.strip().casefold()
        return next((group for group, test in self._group_predicates if test(folded)), None)

    @cached_property
    def _matches_any(self) -> TextPredicate:
        names = self.groups.values()
        return text_predicate(chain(*(each.patterns for each in names)), chain(*(each.exact for each in names)))

    @cached_property
    def _group_predicates(self) -> list[tuple[str, TextPredicate]]:
        return [(group, text_predicate(names.patterns, names.exact)) for group, names in self.groups.items() if names]


_NetworkMask: TypeAlias = tuple[int, int]
"""IP version and mask."""


@dataclass(frozen=True)
class ServerMatcher:
    """Matches servers by any of its parts."""

    addresses: frozenset[Address] = frozenset()
    """Query addresses or game addresses."""
    keys: frozenset[str] = frozenset()
    """Stable keys (see `ServerInfo`) of servers whose addresses are unknown.

    Anybody can copy a key: the catalogue uses it only if exactly one server has it.
    """
    networks: tuple[str, ...] = ()
    """Address prefixes such as `192.0.2.0/24`; malformed ones match nothing."""
    names: tuple[str, ...] = ()
    """Patterns of whole server names, with `*` and `?`."""

    def __bool__(self) -> bool:
        return bool(self.addresses or self.keys or self.networks or self.names)

    def matches(self, address: Address, info: ServerInfo | None) -> bool:
        """Return True if a part other than the keys matches this query address and reply."""
        if address in self.addresses or (self.networks and self._is_in_network(address.host)):
            return True
        if info is None:
            return False
        return info.connect in self.addresses or (bool(self.names) and bool(self._name_predicate(info.name.casefold())))

    @cached_property
    def _name_predicate(self) -> TextPredicate:
        return text_predicate(self.names)

    @cached_property
    def _networks(self) -> Mapping[_NetworkMask, set[int]]:
        """Network addresses by mask, so that an address takes one look-up per mask."""
        networks: dict[_NetworkMask, set[int]] = defaultdict(set)
        for text in self.networks:
            try:
                network = ipaddress.ip_network(text, strict=False)
            except ValueError as error:
                _log.info("ignored a network of a list: %s", error)
                continue
            networks[network.version, int(network.netmask)].add(int(network.network_address))
        return networks

    def _is_in_network(self, host: str) -> bool:
        version, number = _parse_ip(host)
        return any(version == v and number & mask in addresses for (v, mask), addresses in self._networks.items())


@lru_cache(maxsize=1 << 16)
def _parse_ip(host: str) -> tuple[int, int]:
    """Return IP version and address as a number; version 0 for other texts.

    Cached: parsing 20,000 takes 30 ms.
    """
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return 0, 0
    return ip.version, int(ip)


NO_SERVERS = ServerMatcher()
NO_FRIENDS = FriendList()


@dataclass(frozen=True)
class UserLists:
    """The user's lists, which apply to known and to future servers."""

    favourite: ServerMatcher = NO_SERVERS
    blocked: ServerMatcher = NO_SERVERS
    recently_left: ServerMatcher = NO_SERVERS
    left_early: ServerMatcher = NO_SERVERS
    """Servers that the user left soon after joining."""
    password_saved: ServerMatcher = NO_SERVERS
    has_user_data: ServerMatcher = NO_SERVERS
    """Servers with a note, an alert or launch arguments."""
    friends: FriendList = NO_FRIENDS
    notes: Mapping[Address, str] = field(default_factory=dict)
    """By query address or game address."""
    countries: Mapping[Address, str] = field(default_factory=dict)
    """Two-letter codes that the user set, by query address."""
    last_played: Mapping[Address, float] = field(default_factory=dict)
    """Unix time, s, of the last visit by query address or game address."""

    def matcher_of(self, flag: str) -> ServerMatcher:
        """Return the list behind a flag column."""
        return {
            "favourite": self.favourite,
            "blocked": self.blocked,
            "recently_left": self.recently_left,
            "left_early": self.left_early,
            "password_saved": self.password_saved,
            "has_user_data": self.has_user_data,
        }[flag]
