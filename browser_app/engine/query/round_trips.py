"""Round-trip times from send and receive timestamps."""

from collections.abc import Sequence
from typing import NamedTuple

_MAX_ROUND_TRIP_NS = 60_000_000_000
_CLOCK_TOLERANCE_NS = 1_000_000
_AGREEMENT_NS = 100_000_000
"""Two round trips to one server agree when they are no further apart, nor further than an eighth: attempts are at least
a quarter of a second apart."""


class PacketTime(NamedTuple):
    """When a datagram left or came."""

    wall_ns: int
    """By the wall clock: read right before the send, or the kernel's receive stamp; 0 where the kernel gave none."""
    monotonic_ns: int
    epoch: int
    """Of the wall clock, see `Clock.epoch`."""
    is_late: bool = False
    """It came without a stamp while the engine woke too late: it may have waited to be read."""


class RoundTrip(NamedTuple):
    """One possible ping."""

    ns: int
    is_estimated: bool
    """The kernel's stamp was of no use, so the time that the reply waited for us may be in it."""
    under_load: bool = False
    """There was no stamp and the machine was busy, so that the ping is this at most."""


def measure_round_trip(sent: PacketTime, received: PacketTime) -> RoundTrip | None:
    """The time between the two; None when it is absurd.

    By the kernel's stamp unless the wall clock jumped in between, else as this process saw it.
    """
    seen_ns = received.monotonic_ns - sent.monotonic_ns
    if not 0 < seen_ns < _MAX_ROUND_TRIP_NS:
        return None
    if not received.wall_ns:
        return RoundTrip(seen_ns, is_estimated=False, under_load=received.is_late)
    stamped_ns = received.wall_ns - sent.wall_ns
    if sent.epoch == received.epoch and 0 < stamped_ns <= seen_ns + _CLOCK_TOLERANCE_NS:
        return RoundTrip(stamped_ns, is_estimated=False)
    return RoundTrip(seen_ns, is_estimated=True)


def possible_round_trips(
    send_times: Sequence[PacketTime | None], received: PacketTime, answered: int | None
) -> list[RoundTrip]:
    """Every ping that there can be, oldest attempt first.

    `send_times` has one entry an attempt, None where nothing left; `answered` is the attempt that the reply names, if
    it does.
    """
    if answered is not None and answered < len(send_times):
        send_times = send_times[answered : answered + 1]
    trips = [measure_round_trip(moment, received) for moment in send_times if moment is not None]
    return [trip for trip in trips if trip is not None]


def round_trip_from_repeat(
    send_times: Sequence[PacketTime | None], first: PacketTime, second: PacketTime
) -> RoundTrip | None:
    """The ping of a server that answered two attempts, if the answers agree on one; no matter what went lost.

    The answer to a later attempt comes as long after that was sent as the first answer came after its own.
    """
    best: tuple[int, RoundTrip] | None = None
    for place, moment in enumerate(send_times):
        trip = measure_round_trip(moment, first) if moment is not None else None
        for later in send_times[place + 1 :]:
            other = measure_round_trip(later, second) if later is not None else None
            if trip is None or other is None:
                continue
            apart_ns = abs(trip.ns - other.ns)
            if apart_ns <= min(_AGREEMENT_NS, trip.ns // 8) and (best is None or apart_ns < best[0]):
                best = apart_ns, trip
    return best[1] if best is not None else None


def nearest_round_trip(trips: Sequence[RoundTrip], reference_ns: int) -> RoundTrip:
    """The candidate that agrees best with a round trip that is beyond doubt."""
    return min(trips, key=lambda trip: abs(trip.ns - reference_ns))
