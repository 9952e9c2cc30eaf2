"""Send rates, retransmission timeouts and the send schedule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

MAX_CATCH_UP = 4
"""Packets that may leave at once after the engine was held up: more would be a burst, fewer would fall behind where
the system's sleeps are coarse."""


@dataclass(frozen=True, slots=True)
class Pace:
    """A rate, and what goes with it. Packets of every kind count: first requests, retries, challenges, proofs."""

    name: str
    packets_per_s: float
    host_spacing_s: float = 0.020
    """Least time between two packets to one IP address: hosts run up to 200 servers and limit what one sender may ask
    of them (Steam's limiter counts per 200 ms, at 25 packets and more)."""
    burst: int = 1
    """Packets that leave one right after another at each slot. Saves wake-ups, which cost more than packets."""
    loopback_only: bool = False
    """Only for servers on this machine; open queries are then bounded by what the receive buffer holds."""

    @property
    def gap_ns(self) -> int:
        """Mean time from one packet to the next."""
        return round(1e9 / self.packets_per_s)


PACES: Mapping[str, Pace] = MappingProxyType(
    {
        pace.name: pace
        for pace in (
            Pace("gentle", 75.0),  # for small routers, whose tables hold 1,024 flows for 30 s
            Pace("normal", 300.0),
            Pace("fast", 1000.0, burst=4),
            # Evenly and not all at once: what queues anywhere before a clock is read makes pings wrong.
            Pace("unlimited", 8000.0, host_spacing_s=0.0, burst=16, loopback_only=True),
        )
    }
)
"""All paces by name, slowest first."""


class SendSchedule:
    """The moments at which the next packet may leave, whatever it is and whoever wants it sent.

    Slots are laid out from one another and not from the moment of sending, so that lateness does not add up. Idle time
    is never saved up; after a hold-up at most `MAX_CATCH_UP` packets follow each other at once.
    """

    __slots__ = ("_is_idle", "_owed_ns", "_owed_packets", "next_ns")

    def __init__(self) -> None:
        self.next_ns = 0
        """No packet before this, engine time."""
        self._is_idle = True
        self._owed_ns = 0
        self._owed_packets = 0

    def record_packet(self, now_ns: int, gap_ns: int, burst: int = 1) -> None:
        """A packet leaves at `now_ns` that takes up `gap_ns`; others may follow at once until there are `burst`."""
        self._owed_ns += gap_ns
        self._owed_packets += 1
        if self._owed_packets < burst:
            return
        earliest_ns = now_ns if self._is_idle else now_ns - (MAX_CATCH_UP - 1) * gap_ns
        self._is_idle = False
        self.next_ns = max(earliest_ns, self.next_ns) + self._owed_ns
        self._owed_ns = self._owed_packets = 0

    def mark_idle(self) -> None:
        """There is nothing to send at the moment."""
        self._is_idle = True

    def pause_until(self, until_ns: int) -> None:
        """Send nothing before `until_ns`."""
        self.next_ns = max(self.next_ns, until_ns)


_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class QueryTiming:
    """Attempts and waits of one scan, seconds.

    Once `adapt_after` servers have answered, a wait is twice what 99 of 100 of them needed, at least `min_wait_s`
    and never more than the fixed wait of that attempt: a dead server then costs little. Nobody slow is lost by it,
    because answers to earlier attempts stay welcome, and no server is given up before `late_reply_wait_s` have passed
    since it
    was first asked.
    """

    waits_s: Sequence[float] = (1.0, 1.5, 2.0)
    """After the first, second … request; there are as many attempts, for each leg of a query."""
    adapt_after: int = 50
    min_wait_s: float = 0.25
    late_reply_wait_s: float = 1.55
    """Finds servers with a ping of 1.5 s."""
    min_follow_up_wait_s: float = 0.3
    """Further legs (a challenge repeated, players, rules) wait three known round trips, at least this and at most
    twice the longest of `waits_s`."""
    max_probe_wait_s: float = 2.0
    """A proof waits a quarter longer than the longest round trip it may confirm, and 0.1 s; at most this."""
    send_failure_wait_s: float = 0.5
    """Instead of the wait, however short, when the system could not send at all."""


class RetransmitTimer:
    """The waits of one scan as they adapt to the round trips seen so far."""

    __slots__ = (
        "_adapted_wait_ns",
        "_max_follow_up_wait_ns",
        "_max_probe_wait_ns",
        "_min_follow_up_wait_ns",
        "_min_wait_ns",
        "_next_update",
        "_pings_ms",
        "_waits_ns",
        "attempts",
        "late_reply_wait_ns",
        "send_failure_wait_ns",
    )

    def __init__(self, timing: QueryTiming) -> None:
        self.attempts = len(timing.waits_s)
        self.late_reply_wait_ns = round(timing.late_reply_wait_s * _NS)
        self._max_probe_wait_ns = round(timing.max_probe_wait_s * _NS)
        self.send_failure_wait_ns = round(timing.send_failure_wait_s * _NS)
        self._waits_ns = [round(wait * _NS) for wait in timing.waits_s]
        self._min_wait_ns = round(timing.min_wait_s * _NS)
        self._min_follow_up_wait_ns = round(timing.min_follow_up_wait_s * _NS)
        self._max_follow_up_wait_ns = 2 * max(self._waits_ns)
        self._adapted_wait_ns: int | None = None
        self._pings_ms: list[float] = []
        self._next_update = timing.adapt_after

    def add_ping(self, ping_ms: float) -> None:
        """A server answered after `ping_ms`. Amortised a few comparisons a call."""
        seen = self._pings_ms
        seen.append(ping_ms)
        if len(seen) >= self._next_update:
            seen.sort()
            self._adapted_wait_ns = max(self._min_wait_ns, round(2e6 * seen[(len(seen) - 1) * 99 // 100]))
            self._next_update = len(seen) + len(seen) // 4 + 1

    def wait_ns(self, attempt: int) -> int:
        """How long to wait after the `attempt`-th request, 1 = the first."""
        fixed_ns, adapted_ns = self._waits_ns[attempt - 1], self._adapted_wait_ns
        return fixed_ns if adapted_ns is None or adapted_ns > fixed_ns else adapted_ns

    def follow_up_wait_ns(self, round_trip_ns: int) -> int:
        """How long to wait in a later leg, whose server is known to answer after `round_trip_ns`."""
        return min(self._max_follow_up_wait_ns, max(3 * round_trip_ns, self._min_follow_up_wait_ns))

    def probe_wait_ns(self, round_trip_ns: int) -> int:
        """How long to wait for a proof, whose round trip may be `round_trip_ns` at most."""
        return min(self._max_probe_wait_ns, round_trip_ns * 5 // 4 + _NS // 10)
