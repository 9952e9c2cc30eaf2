"""From send and receive times to a ping: which attempt was answered, and how long it took."""

from collections.abc import Sequence
from typing import NamedTuple

_LONGEST_NS = 60_000_000_000
_SLACK_NS = 1_000_000
_AGREE_NS = 100_000_000
"""Two round trips to one server agree when they are no further apart, nor further than an eighth: attempts are at least
a quarter of a second apart."""


class Moment(NamedTuple):
    """When a datagram left or came."""

    wall_ns: int
    """By the wall clock: read right before the send, or the kernel's receive stamp; 0 where the kernel gave none."""
    monotonic_ns: int
    epoch: int
    """Of the wall clock, see `Clock.epoch`."""
    late: bool = False
    """It came without a stamp while the engine woke too late: it may have waited to be read."""


class RoundTrip(NamedTuple):
    """One possible ping."""

    ns: int
    doubtful: bool
    """The kernel's stamp was of no use, so the time that the reply waited for us may be in it."""
    loaded: bool = False
    """There was no stamp and the machine was busy, so that the ping is this at most."""


def round_trip(sent: Moment, received: Moment) -> RoundTrip | None:
    """The time between the two; None when it is absurd.

    By the kernel's stamp unless the wall clock jumped in between, else as this process saw it.
    """
    seen_ns = received.monotonic_ns - sent.monotonic_ns
    if not 0 < seen_ns < _LONGEST_NS:
        return None
    if not received.wall_ns:
        return RoundTrip(seen_ns, doubtful=False, loaded=received.late)
    stamped_ns = received.wall_ns - sent.wall_ns
    if sent.epoch == received.epoch and 0 < stamped_ns <= seen_ns + _SLACK_NS:
        return RoundTrip(stamped_ns, doubtful=False)
    return RoundTrip(seen_ns, doubtful=True)


def candidates(sent: Sequence[Moment | None], received: Moment, answered: int | None) -> list[RoundTrip]:
    """Every ping that there can be, oldest attempt first.

    `sent` has one entry an attempt, None where nothing left; `answered` is the attempt that the reply names, if
    it does.
    """
    if answered is not None and answered < len(sent):
        sent = sent[answered : answered + 1]
    trips = [round_trip(moment, received) for moment in sent if moment is not None]
    return [trip for trip in trips if trip is not None]


def repeated_trip(sent: Sequence[Moment | None], first: Moment, second: Moment) -> RoundTrip | None:
    """The ping of a server that answered two attempts, if the answers agree on one; no matter what went lost.

    The answer to a later attempt comes as long after that was sent as the first answer came after its own.
    """
    best: tuple[int, RoundTrip] | None = None
    for place, moment in enumerate(sent):
        trip = round_trip(moment, first) if moment is not None else None
        for later in sent[place + 1 :]:
            other = round_trip(later, second) if later is not None else None
            if trip is None or other is None:
                continue
            apart_ns = abs(trip.ns - other.ns)
            if apart_ns <= min(_AGREE_NS, trip.ns // 8) and (best is None or apart_ns < best[0]):
                best = apart_ns, trip
    return best[1] if best is not None else None


def nearest(trips: Sequence[RoundTrip], witness_ns: int) -> RoundTrip:
    """The candidate that agrees best with a round trip that is beyond doubt."""
    return min(trips, key=lambda trip: abs(trip.ns - witness_ns))
