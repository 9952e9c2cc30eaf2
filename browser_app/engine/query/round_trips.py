"""Round-trip times from send and receive timestamps."""

from collections.abc import Sequence
from typing import NamedTuple

_MAX_ROUND_TRIP_NS = 60_000_000_000
_CLOCK_TOLERANCE_NS = 1_000_000
_AGREEMENT_NS = 100_000_000
"""Two round trips to one server agree if they differ by at most this and at most an eighth: attempts are at least a
quarter of a second apart.
"""


class PacketTime(NamedTuple):
    """Time at which a datagram was sent or received."""

    wall_ns: int
    """Wall clock: read right before sending, or the kernel's receive timestamp; 0 if there is none."""
    monotonic_ns: int
    epoch: int
    """Epoch of the wall clock; see `EngineClock.epoch`."""
    is_late: bool = False
    """Received without a timestamp after the engine woke up too late: it may have waited to be read."""


class RoundTrip(NamedTuple):
    """One possible ping."""

    ns: int
    is_estimated: bool
    """It is unknown which attempt was answered, or the kernel's timestamp was unusable, so that the value may include
    the time that the reply waited to be read.
    """
    under_load: bool = False
    """There was no timestamp and the machine was busy, so the value is an upper bound."""


def measure_round_trip(sent: PacketTime, received: PacketTime) -> RoundTrip | None:
    """Return the time from sending to receiving; None if it is implausible.

    Uses the kernel's timestamp unless the wall clock jumped in between, else the times seen by this process.
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


def find_possible_round_trips(
    send_times: Sequence[PacketTime | None], received: PacketTime, answered: int | None
) -> list[RoundTrip]:
    """Return every possible ping, oldest attempt first.

    `send_times` has one entry per attempt, None if nothing was sent; `answered` is the attempt that the reply echoes,
    if any.
    """
    if answered is not None and answered < len(send_times):
        send_times = send_times[answered : answered + 1]
    trips = [measure_round_trip(sent, received) for sent in send_times if sent is not None]
    return [trip for trip in trips if trip is not None]


def match_repeated_replies(
    send_times: Sequence[PacketTime | None], first: PacketTime, second: PacketTime
) -> RoundTrip | None:
    """Return the ping of a server that answered two attempts.

    None if the two replies do not agree on one. The replies belong to different attempts. Only the right pair of
    attempts gives both the same round trip.
    """
    best: tuple[int, RoundTrip] | None = None
    for index, sent in enumerate(send_times):
        trip = measure_round_trip(sent, first) if sent is not None else None
        for later in send_times[index + 1 :]:
            other = measure_round_trip(later, second) if later is not None else None
            if trip is None or other is None:
                continue
            apart_ns = abs(trip.ns - other.ns)
            if apart_ns <= min(_AGREEMENT_NS, trip.ns // 8) and (best is None or apart_ns < best[0]):
                best = apart_ns, trip
    return best[1] if best is not None else None


def choose_nearest_round_trip(trips: Sequence[RoundTrip], reference_ns: int) -> RoundTrip:
    """Return the candidate nearest to an unambiguous round trip."""
    return min(trips, key=lambda trip: abs(trip.ns - reference_ns))
