"""One query to one server, from its first request to its result."""

import enum
import time
from typing import TYPE_CHECKING, Final

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query.round_trips import (
    PacketTime,
    RoundTrip,
    measure_round_trip,
    nearest_round_trip,
    possible_round_trips,
    round_trip_from_repeat,
)
from browser_app.engine.query.udp_sockets import UdpSocket
from browser_app.protocols import QueryProtocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from browser_app.engine.query.scan import Scan
    from browser_app.protocols.query_session import QuerySession

NOT_QUEUED: Final = -1
"""The lane of a query that does not wait to be sent."""


class QueryPhase(enum.Enum):
    """What a query is doing."""

    NEW = enum.auto()
    """Nothing was sent yet."""
    AWAITING_REPLY = enum.auto()
    """The first request is out, perhaps several times."""
    AWAITING_LATE_REPLY = enum.auto()
    """All attempts were made, but an answer would still be welcome."""
    FOLLOW_UP = enum.auto()
    """The server answered; something more was asked."""
    PROBING_PING = enum.auto()
    """The reply is complete; a proof, or an answer to another attempt, is to settle its ping."""
    FINISHED = enum.auto()


class ServerQuery:
    """What is known about one question on its way. Changed by the engine's thread only."""

    __slots__ = (
        "_first_reply",
        "_possible_round_trips",
        "attempts",
        "datagram",
        "due_ns",
        "failed_sends",
        "first_sent_ns",
        "follow_up_attempts",
        "follow_up_sent",
        "has_reply",
        "in_flight",
        "interval_ns",
        "is_deferred",
        "packet_error",
        "phase",
        "protocol",
        "queue_index",
        "received_bytes",
        "round_trip",
        "scan",
        "send_error",
        "send_times",
        "sender_key",
        "session",
        "socket",
        "spacing_ns",
        "target",
        "urgent",
    )

    def __init__(self, target: QueryTarget, scan: "Scan", protocol: QueryProtocol, socket: UdpSocket) -> None:
        self.target = target
        self.sender_key: tuple[str, int] = target.address
        """As sockets name the sender of its answer."""
        self.scan = scan
        self.protocol = protocol
        self.socket = socket
        self.interval_ns = round(protocol.min_interval_s * 1e9)
        """Least time between two requests to its server."""
        self.urgent = scan.urgent
        self.spacing_ns = scan.spacing_ns
        self.session: QuerySession
        """Not there before `start`."""
        self.phase = QueryPhase.NEW
        self.queue_index = NOT_QUEUED
        self.due_ns = 0
        """When something happens by itself, engine time; 0 for nothing."""
        self.first_sent_ns = 0
        """When it was first sent, engine time."""
        self.attempts = 0
        """Sends of the first request."""
        self.send_times: list[PacketTime | None] = []
        """One moment an attempt; None where the system could not send."""
        self.datagram: bytes | None = None
        """What to send next, where the conversation is not to be asked for a fresh request."""
        self.follow_up_sent: PacketTime | None = None
        """The last send of a later leg or a proof."""
        self.follow_up_attempts = 0
        self.received_bytes = 0
        """Bytes that came from the server."""
        self.in_flight = False
        """Something was sent and neither answered nor given up."""
        self.has_reply = False
        """The server answered the first request."""
        self.is_deferred = False
        """Its deadline means that it may be sent, not that it was waited for in vain."""
        self.packet_error: str | None = None
        """Why the last refused datagram was."""
        self.send_error: str | None = None
        """Why the last send failed."""
        self.failed_sends = 0
        """Sends that the system refused."""
        self.round_trip: RoundTrip | None = None
        """The ping, once it is beyond doubt or given up to doubt."""
        self._first_reply: PacketTime | None = None
        self._possible_round_trips: Sequence[RoundTrip] = ()
        """The possible pings, where there are several."""

    def start(self) -> None:
        """Its server's turn has come."""
        self.session = self.protocol.new_session(self.scan.parts_for(self.target))
        self.phase = QueryPhase.AWAITING_REPLY

    def record_send(self, moment: PacketTime | None, now_ns: int) -> int:
        """Its datagram left at `moment` (None: the system could not send it); how long to wait for the answer, ns."""
        patience = self.scan.retransmit_timer
        self.send_error = None
        if self.phase is QueryPhase.AWAITING_REPLY:
            if not self.attempts:
                self.first_sent_ns = now_ns
            self.attempts += 1
            self.send_times.append(moment)
            return patience.wait_ns(self.attempts)
        self.follow_up_attempts += 1
        self.follow_up_sent = moment  # it waits three round trips: what comes after a second send answers that one
        if self.phase is QueryPhase.PROBING_PING:
            return patience.probe_wait_ns(self.longest_round_trip_ns)
        return patience.follow_up_wait_ns(self.longest_round_trip_ns)

    @property
    def can_retry(self) -> bool:
        """There are attempts left, of the first request or of the leg that is open."""
        if self.phase is QueryPhase.AWAITING_REPLY:
            return self.attempts < self.scan.retransmit_timer.attempts
        return self.phase is QueryPhase.FOLLOW_UP and self.follow_up_attempts < self.scan.retransmit_timer.attempts

    @property
    def late_reply_deadline_ns(self) -> int:
        """No giving up before this, engine time."""
        return self.first_sent_ns + self.scan.retransmit_timer.late_reply_wait_ns

    # The ping

    def record_first_reply(self, received: PacketTime) -> None:
        """The first datagram of an answer came."""
        self.has_reply = True
        if self.attempts == 1:  # nearly always
            moment = self.send_times[0]
            self.round_trip = measure_round_trip(moment, received) if moment is not None else None
            return
        trips = possible_round_trips(self.send_times, received, self.session.answered_attempt)
        if len(trips) > 1:
            self._possible_round_trips, self._first_reply = trips, received
        elif trips:
            self.round_trip = trips[0]

    @property
    def is_ping_ambiguous(self) -> bool:
        """It is not settled yet which attempt was answered."""
        return self.round_trip is None and bool(self._possible_round_trips)

    @property
    def longest_round_trip_ns(self) -> int:
        """The round trip, the longest possible one while that is open; 0 when there is none."""
        if self.round_trip is not None:
            return self.round_trip.ns
        return max((trip.ns for trip in self._possible_round_trips), default=0)

    def record_repeated_reply(self, received: PacketTime) -> bool:
        """A further answer to the first request came: whether that tells which attempt the first answer meant."""
        assert self._first_reply is not None  # noqa: S101 (asked only while the ping is open)
        self.round_trip = round_trip_from_repeat(self.send_times, self._first_reply, received)
        return self.round_trip is not None

    def settle_ping(self, reference: RoundTrip | None) -> None:
        """Choose the ping by a round trip beyond doubt; None: there is none, so the newest attempt counts, in doubt."""
        if reference is not None:
            self.round_trip = nearest_round_trip(self._possible_round_trips, reference.ns)
        else:
            self.round_trip = RoundTrip(self._possible_round_trips[-1].ns, is_estimated=True)

    # The end

    @property
    def no_answer_text(self) -> str:
        """Why there is no answer, in words."""
        if self.has_reply:
            return "the answer stayed incomplete"
        return self.send_error or f"no answer to {self.attempts} request{'s' if self.attempts > 1 else ''}"

    def finish(self) -> None:
        """Nothing happens to it any more. Its reply is let go, since old deadlines may still name the query."""
        if self.phase is not QueryPhase.NEW:
            del self.session
        self.phase = QueryPhase.FINISHED
        self.queue_index = NOT_QUEUED
        self.due_ns = 0

    def make_result(self, status: QueryStatus, facts: ServerInfo | None, error: str | None) -> QueryResult:
        """What the scan hears of it."""
        trip = self.round_trip if status is QueryStatus.OK else None
        return QueryResult(
            self.target,
            status,
            facts,
            error,
            None if trip is None else trip.ns / 1e6,
            trip is not None and trip.is_estimated,
            self.attempts,
            time.time(),
            trip is not None and trip.under_load,
        )
