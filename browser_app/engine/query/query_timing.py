"""Send rates, retransmission timeouts and the send schedule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from browser_app.catalogue.server_info import QueryTarget
from browser_app.engine.network.address_rules import is_loopback

MAX_CATCH_UP = 4
"""Packets that may be sent at once after a delay of the engine: more would be a burst, fewer would fall behind on
systems with coarse sleeps.
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """Send rate and its limits.

    Packets of every kind count: first requests, retries, challenges, probes.
    """

    name: str
    packets_per_s: float
    burst: int = 1
    """Packets sent back to back in each slot. Saves wake-ups, which cost more than packets."""
    loopback_only: bool = False
    """Only for servers on this machine, without the limits of `HostBudget`; the number of open queries is then limited
    by the size of the receive buffer.
    """

    @property
    def gap_ns(self) -> int:
        """Mean time from one packet to the next."""
        return round(1e9 / self.packets_per_s)

    def check_targets(self, targets: Iterable[QueryTarget]) -> None:
        """Check that servers, whose hosts are IP addresses, may be queried at this pace.

        Raises:
            ValueError: the pace is for servers on this machine, and one of them is elsewhere.
        """
        if self.loopback_only:
            for target in targets:
                if not is_loopback(target.address.host):
                    raise ValueError(f"pace {self.name}: {target.address} is not on this machine")


PACES: Mapping[str, Pace] = MappingProxyType(
    {
        pace.name: pace
        for pace in (
            Pace("gentle", 75.0),  # for small routers, whose NAT tables hold 1,024 flows for 30 s
            Pace("normal", 300.0),
            Pace("fast", 1000.0, burst=4),
            # Evenly spaced and not all at once: queueing anywhere before a timestamp is taken distorts pings.
            Pace("unlimited", 8000.0, burst=16, loopback_only=True),
        )
    }
)
"""All paces by name, slowest first."""


class SendSchedule:
    """Times at which the next packet of any kind may be sent.

    Slots follow from one another and not from the time of sending, so that delays do not add up. Idle time is not saved
    up; after a delay at most `MAX_CATCH_UP` packets are sent back to back.
    """

    __slots__ = ("_is_idle", "_owed_ns", "_owed_packets", "next_ns")

    def __init__(self) -> None:
        self.next_ns = 0
        """Engine time before which no packet may be sent."""
        self._is_idle = True
        self._owed_ns = 0
        self._owed_packets = 0

    def record_packet(self, now_ns: int, gap_ns: int, burst: int = 1) -> None:
        """Record a packet that takes up `gap_ns`.

        Up to `burst` packets may be sent without a gap.
        """
        self._owed_ns += gap_ns
        self._owed_packets += 1
        if self._owed_packets < burst:
            return
        earliest_ns = now_ns if self._is_idle else now_ns - (MAX_CATCH_UP - 1) * gap_ns
        self._is_idle = False
        self.next_ns = max(earliest_ns, self.next_ns) + self._owed_ns
        self._owed_ns = self._owed_packets = 0

    def mark_idle(self) -> None:
        """Record that nothing is waiting to be sent."""
        self._is_idle = True

    def pause_until(self, until_ns: int) -> None:
        """Send nothing before `until_ns`."""
        self.next_ns = max(self.next_ns, until_ns)


_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class QueryTiming:
    """Attempts and timeouts of one scan, in seconds.

    After `adapt_after` replies, a timeout is twice the 99th percentile of the pings, at least `min_wait_s` and at most
    the fixed timeout of that attempt: a dead server then costs little. Slow servers are not lost, because replies to
    earlier attempts are still accepted, and no server is given up before `late_reply_wait_s` have passed since its
    first request.
    """

    waits_s: Sequence[float] = (1.0, 1.5, 2.0)
    """Timeouts after the first, second … request; their number is the number of attempts, for each exchange of a query.
    """
    adapt_after: int = 50
    min_wait_s: float = 0.25
    late_reply_wait_s: float = 1.55
    """Finds servers with a ping of 1.5 s."""
    min_follow_up_wait_s: float = 0.3
    """Follow-ups (a repeated challenge, players, rules) time out after three known round trips, at least this and at
    most twice the longest of `waits_s`.
    """
    max_probe_wait_s: float = 2.0
    """A ping probe times out after 1.25 times the longest possible round trip plus 0.1 s, at most this."""
    stream_wait_s: float = 3.0
    """Timeout of a connection, up to the end of the reply, and of every further request on it. While other queries
    wait for a connection, one without a reply is given up after the first of `waits_s`.
    """
    send_failure_wait_s: float = 0.5
    """Used instead of the timeout if the system could not send at all."""


class RetransmitTimer:
    """Timeouts of one scan, adapted to the round trips seen so far."""

    def __init__(self, timing: QueryTiming) -> None:
        self.attempts = len(timing.waits_s)
        self.late_reply_wait_ns = round(timing.late_reply_wait_s * _NS)
        self.max_probe_wait_ns = round(timing.max_probe_wait_s * _NS)
        self.stream_wait_ns = round(timing.stream_wait_s * _NS)
        self.contested_stream_wait_ns = min(self.stream_wait_ns, round(timing.waits_s[0] * _NS))
        self.send_failure_wait_ns = round(timing.send_failure_wait_s * _NS)
        self._waits_ns = [round(wait * _NS) for wait in timing.waits_s]
        self._min_wait_ns = round(timing.min_wait_s * _NS)
        self._min_follow_up_wait_ns = round(timing.min_follow_up_wait_s * _NS)
        self._max_follow_up_wait_ns = 2 * max(self._waits_ns)
        self._adapted_wait_ns: int | None = None
        self._pings_ms: list[float] = []
        self._next_update = timing.adapt_after

    def add_ping(self, ping_ms: float) -> None:
        """Record the ping of a server. Amortised a few comparisons per call."""
        seen = self._pings_ms
        seen.append(ping_ms)
        if len(seen) >= self._next_update:
            seen.sort()
            self._adapted_wait_ns = max(self._min_wait_ns, round(2e6 * seen[(len(seen) - 1) * 99 // 100]))
            self._next_update = len(seen) + len(seen) // 4 + 1

    def wait_ns(self, attempt: int) -> int:
        """Return the timeout of the `attempt`-th request, counted from 1."""
        fixed_ns, adapted_ns = self._waits_ns[attempt - 1], self._adapted_wait_ns
        return fixed_ns if adapted_ns is None or adapted_ns > fixed_ns else adapted_ns

    def follow_up_wait_ns(self, round_trip_ns: int) -> int:
        """Return the timeout of a follow-up to a server with a known round trip."""
        return min(self._max_follow_up_wait_ns, max(3 * round_trip_ns, self._min_follow_up_wait_ns))

    def probe_wait_ns(self, round_trip_ns: int) -> int:
        """Return the timeout of a ping probe whose round trip is at most `round_trip_ns`."""
        return min(self.max_probe_wait_ns, round_trip_ns * 5 // 4 + _NS // 10)
