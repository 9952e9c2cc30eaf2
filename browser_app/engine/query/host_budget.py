"""Packets that may be sent to one host, counted over everything that sends.

Lists from third parties decide where this program sends packets. However many addresses of a host they contain, the
host gets a limited number of packets.
"""

import threading
from array import array
from collections import OrderedDict
from typing import Final

from browser_app.engine.network.address_rules import is_loopback
from browser_app.engine.query.engine_clock import EngineClock
from browser_app.protocols.effective_host import EffectiveHost

RESERVED_PACKETS: Final = 128
"""Packets a minute that only urgent queries and requests to masters may use: a list cannot delay what the user wants.
"""
MAX_PACKETS_PER_HOST: Final = 3 * 256 + RESERVED_PACKETS
"""Packets to one effective host within any minute: three attempts for each of the 256 servers that a list may name."""
HOSTS_PER_SITE: Final = 4
"""A site (an IPv6 /48) may get as many packets as this many hosts."""
MIN_SPACING_NS: Final = 20_000_000
"""Time between two packets to one effective host: hosts run up to 200 servers and limit how much one client may send
(Steam's limiter counts per 200 ms, at 25 packets and more).
"""
_MINUTE_NS: Final = 60_000_000_000


class HostBudget:
    """Send times of the last minute per effective host.

    The whole process shares one instance, which is thread-safe. Packets to this machine are spaced but not limited, as
    no remote list may contain it. The scheduler reads without the lock: of a packet that is just being recorded it may
    see too many send times of a host, never too few.
    """

    def __init__(self, clock: EngineClock) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._sent_ns: OrderedDict[str, array[int]] = OrderedDict()
        """Send times, oldest first, by host and by site; the one with the newest packet is last."""

    def earliest_send_ns(self, host: EffectiveHost, *, urgent: bool) -> int:
        """Return the engine time from which a packet may be sent to `host`; 0 for at once."""
        sent_ns = self._sent_ns.get(host.host)
        free_ns = 0 if sent_ns is None else sent_ns[-1] + MIN_SPACING_NS
        limit = MAX_PACKETS_PER_HOST if urgent else MAX_PACKETS_PER_HOST - RESERVED_PACKETS
        if sent_ns is not None and len(sent_ns) >= limit and not is_loopback(host.host):
            free_ns = max(free_ns, sent_ns[-limit] + _MINUTE_NS)
        if host.site == host.host:
            return free_ns
        site_sent_ns, limit = self._sent_ns.get(host.site, ()), limit * HOSTS_PER_SITE
        return max(free_ns, site_sent_ns[-limit] + _MINUTE_NS) if len(site_sent_ns) >= limit else free_ns

    def record_packet(self, host: EffectiveHost, now_ns: int) -> None:
        """Record that a packet was sent to `host`."""
        with self._lock:
            self._append(host.host, now_ns, MAX_PACKETS_PER_HOST)
            if host.site != host.host:
                self._append(host.site, now_ns, MAX_PACKETS_PER_HOST * HOSTS_PER_SITE)
            while self._sent_ns[oldest := next(iter(self._sent_ns))][-1] <= now_ns - _MINUTE_NS:
                del self._sent_ns[oldest]

    def _append(self, key: str, now_ns: int, most: int) -> None:
        sent_ns = self._sent_ns.get(key)
        if sent_ns is None:
            self._sent_ns[key] = array("q", (now_ns,))
            return
        sent_ns.append(now_ns)
        if len(sent_ns) > most:
            del sent_ns[0]
        self._sent_ns.move_to_end(key)

    def try_spend(self, *hosts: EffectiveHost) -> float:
        """Record one urgent packet to each of `hosts`, or none if one must wait.

        Returns the time to wait, in seconds; 0 if the packets may be sent now. Packets to this machine need not wait.
        """
        remote = [host for host in hosts if not is_loopback(host.host)]
        with self._lock:
            now_ns = self._clock.now_ns()
            free_ns = max((self.earliest_send_ns(host, urgent=True) for host in remote), default=0)
            if free_ns > now_ns:
                return (free_ns - now_ns) / 1e9
            for host in remote:
                self.record_packet(host, now_ns)
        return 0.0
