"""Packets that may be sent to one host, counted over everything that sends.

Lists of strangers choose whom this program sends to. However many addresses of a host they name, it gets no more than
its own share.
"""

import threading
from collections.abc import Sequence
from typing import Final

from browser_app.engine.network.address_rules import is_loopback
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.protocols.effective_host import EffectiveHost

MAX_PACKETS_PER_HOST: Final = 768
"""Packets to one effective host within any minute: three attempts for each of 256 servers."""
RESERVED_PACKETS: Final = 128
"""Of these, packets that only urgent queries and requests to masters may use: a list cannot delay what the user asks
for.
"""
HOSTS_PER_SITE: Final = 4
"""A site (an IPv6 /48) may get as many packets as this many hosts."""
MIN_SPACING_NS: Final = 20_000_000
"""Time between two packets to one effective host: hosts run up to 200 servers and limit how much one client may send
(Steam's limiter counts per 200 ms, at 25 packets and more).
"""
_MINUTE_NS: Final = 60_000_000_000


class HostBudget:
    """Send times of the last minute per effective host. One for the whole process; thread-safe.

    Packets to this machine are spaced, but have no limit: no list from elsewhere may name it.
    """

    def __init__(self, clock: EngineClock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._sent_ns: dict[str, list[int]] = {}
        """Send times, oldest first, by host and by site; the one with the newest packet is last."""

    def free_at_ns(self, host: EffectiveHost, *, urgent: bool) -> int:
        """Return the engine time from which a packet may be sent to `host`; 0 for at once."""
        with self._lock:
            return self._free_at_ns(host, urgent=urgent)

    def record_packet(self, host: EffectiveHost, now_ns: int) -> None:
        """Record that a packet was sent to `host`."""
        with self._lock:
            self._record_packet(host, now_ns)

    def try_spend(self, *hosts: EffectiveHost) -> float:
        """Record one urgent packet to each of `hosts`, or to none if one of them must wait.

        Returns the time to wait, in seconds; 0 if the packets may be sent now. This machine needs no waiting.
        """
        remote = [host for host in hosts if not is_loopback(host.host)]
        with self._lock:
            now_ns = self._clock.now_ns()
            free_ns = max((self._free_at_ns(host, urgent=True) for host in remote), default=0)
            if free_ns > now_ns:
                return (free_ns - now_ns) / 1e9
            for host in remote:
                self._record_packet(host, now_ns)
        return 0.0

    def _free_at_ns(self, host: EffectiveHost, *, urgent: bool) -> int:
        limit = MAX_PACKETS_PER_HOST if urgent else MAX_PACKETS_PER_HOST - RESERVED_PACKETS
        sent_ns = self._sent_ns.get(host.host)
        free_ns = max(sent_ns[-1] + MIN_SPACING_NS, _window_end_ns(sent_ns, limit)) if sent_ns else 0
        if host.site == host.host:
            return free_ns
        return max(free_ns, _window_end_ns(self._sent_ns.get(host.site, ()), limit * HOSTS_PER_SITE))

    def _record_packet(self, host: EffectiveHost, now_ns: int) -> None:
        self._append(host.host, now_ns, 1 if is_loopback(host.host) else MAX_PACKETS_PER_HOST)
        if host.site != host.host:
            self._append(host.site, now_ns, MAX_PACKETS_PER_HOST * HOSTS_PER_SITE)
        self._forget(now_ns - _MINUTE_NS)

    def _append(self, key: str, now_ns: int, most: int) -> None:
        sent_ns = self._sent_ns.pop(key, None) or []
        if len(sent_ns) >= most:
            del sent_ns[0]
        sent_ns.append(now_ns)
        self._sent_ns[key] = sent_ns

    def _forget(self, until_ns: int) -> None:
        """Drop hosts and sites that were sent nothing after `until_ns`."""
        while self._sent_ns[key := next(iter(self._sent_ns))][-1] <= until_ns:
            del self._sent_ns[key]


def _window_end_ns(sent_ns: Sequence[int], limit: int) -> int:
    """Return the time until which another packet would be one of more than `limit` within a minute."""
    return sent_ns[-limit] + _MINUTE_NS if len(sent_ns) >= limit else 0
