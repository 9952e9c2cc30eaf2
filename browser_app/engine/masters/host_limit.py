"""Limit of the servers that lists may name at one host."""

import threading
from collections import Counter
from collections.abc import Iterable
from typing import Final

from browser_app.engine.network.address_rules import is_loopback
from browser_app.engine.query.host_budget import HOSTS_PER_SITE
from browser_app.protocols.address import Address
from browser_app.protocols.effective_host import EffectiveHost, effective_host

MAX_LISTED_PER_HOST: Final = 256
"""Servers at one effective host that one list may name; the largest game server hosts run up to 200."""
MAX_LISTED_IN_ALL_LISTS: Final = 4 * MAX_LISTED_PER_HOST
"""Servers at one effective host that all lists of a poll may name: one list cannot use up the share of the others."""


class PerHostLimit:
    """Servers counted per effective host and per site. Thread-safe.

    A site may have as many servers as `HOSTS_PER_SITE` hosts. This machine has no limit.
    """

    def __init__(self, max_servers: int = MAX_LISTED_IN_ALL_LISTS) -> None:
        self._max_servers = max_servers
        self._lock = threading.Lock()
        self._admitted: set[Address] = set()
        self._counts: Counter[str] = Counter()
        """Servers by host and by site."""

    def __contains__(self, address: Address) -> bool:
        """Return whether an address is counted already."""
        return address in self._admitted

    def allow_known(self, addresses: Iterable[Address]) -> None:
        """Count servers that are queried anyway, regardless of the limit."""
        with self._lock:
            for address in addresses:
                if address not in self._admitted:
                    self._add(address, effective_host(address.host))

    def admit(self, address: Address) -> bool:
        """Return whether an address is within the limit or already counted."""
        host = effective_host(address.host)
        with self._lock:
            if address in self._admitted:
                return True
            if self._is_full(host) and not is_loopback(host.host):
                return False
            self._add(address, host)
            return True

    def _is_full(self, host: EffectiveHost) -> bool:
        if self._counts[host.host] >= self._max_servers:
            return True
        return host.site != host.host and self._counts[host.site] >= self._max_servers * HOSTS_PER_SITE

    def _add(self, address: Address, host: EffectiveHost) -> None:
        self._admitted.add(address)
        self._counts.update(set(host))
