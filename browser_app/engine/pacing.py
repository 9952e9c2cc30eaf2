"""How fast packets may leave: named paces and one schedule of send slots."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

CATCH_UP = 4
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


class Schedule:
    """The moments at which the next packet may leave, whatever it is and whoever wants it sent.

    Slots are laid out from one another and not from the moment of sending, so that lateness does not add up. Idle time
    is never saved up; after a hold-up at most `CATCH_UP` packets follow each other at once.
    """

    __slots__ = ("_idle", "_owed_ns", "_owed_packets", "next_ns")

    def __init__(self) -> None:
        self.next_ns = 0
        """No packet before this, engine time."""
        self._idle = True
        self._owed_ns = 0
        self._owed_packets = 0

    def take(self, now_ns: int, gap_ns: int, burst: int = 1) -> None:
        """A packet leaves at `now_ns` that takes up `gap_ns`; others may follow at once until there are `burst`."""
        self._owed_ns += gap_ns
        self._owed_packets += 1
        if self._owed_packets < burst:
            return
        earliest_ns = now_ns if self._idle else now_ns - (CATCH_UP - 1) * gap_ns
        self._idle = False
        self.next_ns = max(earliest_ns, self.next_ns) + self._owed_ns
        self._owed_ns = self._owed_packets = 0

    def idle(self) -> None:
        """There is nothing to send at the moment."""
        self._idle = True

    def hold(self, until_ns: int) -> None:
        """Send nothing before `until_ns`."""
        self.next_ns = max(self.next_ns, until_ns)
