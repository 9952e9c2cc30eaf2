"""From send and receive times to a ping: which attempt was answered, and how long it took."""

from collections.abc import Sequence
from typing import NamedTuple

_LONGEST_NS = 60_000_000_000
_SLACK_NS = 1_000_000


class Moment(NamedTuple):
    """When a datagram left or came."""

    wall_ns: int
    """By the wall clock: read right before the send, or the kernel's receive stamp; 0 where the kernel gave none."""
    monotonic_ns: int
    epoch: int
    """Of the wall clock, see `Clock.epoch`."""


class RoundTrip(NamedTuple):
    """One possible ping."""

    ns: int
    doubtful: bool
    """The kernel's stamp was of no use, so the time that the reply waited for us may be in it."""


def round_trip(sent: Moment, received: Moment) -> RoundTrip | None:
    """The time between the two; None when it is absurd.

    By the kernel's stamp unless the wall clock jumped in between, else as this process saw it.
    """
    seen_ns = received.monotonic_ns - sent.monotonic_ns
    if not 0 < seen_ns < _LONGEST_NS:
        return None
    if not received.wall_ns:
        return RoundTrip(seen_ns, doubtful=False)
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


def nearest(trips: Sequence[RoundTrip], witness_ns: int) -> RoundTrip:
    """The candidate that agrees best with a round trip that is beyond doubt."""
    return min(trips, key=lambda trip: abs(trip.ns - witness_ns))
