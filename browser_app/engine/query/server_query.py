"""One query to one server, from its first request to its result."""

import enum
import time
from typing import TYPE_CHECKING, Final

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query import round_trips
from browser_app.engine.query.socket_pool import SocketPool
from browser_app.engine.query.stream_sockets import StreamPool, StreamSocket
from browser_app.protocols.effective_host import effective_host
from browser_app.protocols.query_protocols import QueryProtocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from browser_app.engine.query.scan import Scan
    from browser_app.engine.query.udp_sockets import UdpSocket
    from browser_app.protocols.query_session import QuerySession

NOT_QUEUED: Final = -1
"""Queue index of a query that does not wait to be sent."""


class QueryPhase(enum.Enum):
    """State of a query."""

    NEW = enum.auto()
    """Nothing was sent yet."""
    AWAITING_REPLY = enum.auto()
    """The first request was sent, perhaps several times."""
    AWAITING_LATE_REPLY = enum.auto()
    """All attempts were made; a late reply is still accepted."""
    FOLLOW_UP = enum.auto()
    """The server replied; a further request is open."""
    PROBING_PING = enum.auto()
    """The reply is complete; a probe, or a reply to another attempt, is to settle its ping."""
    FINISHED = enum.auto()


class ServerQuery:
    """State of one query. Changed only by the engine's thread."""

    __slots__ = (
        "_first_reply",
        "_possible_round_trips",
        "_sockets",
        "attempts",
        "datagram",
        "due_ns",
        "failed_sends",
        "first_sent_ns",
        "follow_up_attempts",
        "follow_up_sent",
        "has_budget",
        "has_reply",
        "host",
        "in_flight",
        "interval_ns",
        "is_deferred",
        "is_stream",
        "packet_error",
        "parts",
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
        "target",
        "urgent",
    )

    def __init__(
        self, target: QueryTarget, scan: "Scan", protocol: QueryProtocol, sockets: SocketPool | StreamPool
    ) -> None:
        self.target = target
        self.sender_key: tuple[str, int] = target.address
        """Sender address of its replies, as sockets return it."""
        self.host = effective_host(target.address.host)
        self.scan = scan
        self.protocol = protocol
        self.is_stream = protocol.is_stream
        self.parts = scan.parts | protocol.default_parts
        """Parts to request and to report: those of the scan, and those that cost no further packet."""
        self._sockets = sockets
        self.socket: UdpSocket | StreamSocket
        """Set by `start`. A reply counts only if it arrives there."""
        self.interval_ns = round(protocol.min_interval_s * 1e9)
        """Minimum time between two requests to its server."""
        self.urgent = scan.urgent
        self.has_budget = not scan.pace.loopback_only
        """Whether its packets are limited per host."""
        self.session: QuerySession
        """Set by `start`."""
        self.phase = QueryPhase.NEW
        self.queue_index = NOT_QUEUED
        self.due_ns = 0
        """Engine time of its deadline; 0 for none."""
        self.first_sent_ns = 0
        """Engine time of the first request."""
        self.attempts = 0
        """Number of times the first request was sent."""
        self.send_times: list[round_trips.PacketTime | None] = []
        """One time per attempt; None if the system could not send."""
        self.datagram: bytes | None = None
        """Next datagram to send; None if the session is to build a new request."""
        self.follow_up_sent: round_trips.PacketTime | None = None
        """Time of the last follow-up or probe."""
        self.follow_up_attempts = 0
        self.received_bytes = 0
        """Bytes received from the server."""
        self.in_flight = False
        """A datagram was sent and neither answered nor given up."""
        self.has_reply = False
        """The server answered the first request."""
        self.is_deferred = False
        """The deadline is a resend time, not a timeout."""
        self.packet_error: str | None = None
        """Reason of the last rejected datagram."""
        self.send_error: str | None = None
        """Reason of the last failed send."""
        self.failed_sends = 0
        """Number of failed sends."""
        self.round_trip: round_trips.RoundTrip | None = None
        """The ping, once settled."""
        self._first_reply: round_trips.PacketTime | None = None
        self._possible_round_trips: Sequence[round_trips.RoundTrip] = ()
        """Candidates while the ping is ambiguous."""

    def start(self) -> None:
        """Draw a socket and create the session when it is this query's turn.

        Raises:
            OSError: There is no socket.
        """
        self.socket = self._sockets.draw(own_port=self.scan.own_ports)
        server = self.target.named_address if self.protocol.sends_host_name else self.target.address
        self.session = self.protocol.new_session(self.parts, server)
        self.socket.queries[self.sender_key] = self
        self.phase = QueryPhase.AWAITING_REPLY

    def record_send(self, moment: round_trips.PacketTime | None, now_ns: int) -> int:
        """Record a sent datagram; return the timeout in nanoseconds.

        None: the system could not send it.
        """
        timer = self.scan.retransmit_timer
        self.send_error = None
        if self.phase is QueryPhase.AWAITING_REPLY:
            if not self.attempts:
                self.first_sent_ns = now_ns
            self.attempts += 1
            self.send_times.append(moment)
            return timer.contested_stream_wait_ns if self.is_stream else timer.wait_ns(self.attempts)
        self.follow_up_attempts += 1
        self.follow_up_sent = moment  # the timeout is three round trips: a reply after a second send answers that one
        if self.is_stream:  # the time of connecting says little about that of an answer
            return timer.max_probe_wait_ns if self.phase is QueryPhase.PROBING_PING else timer.stream_wait_ns
        if self.phase is QueryPhase.PROBING_PING:
            return timer.probe_wait_ns(self.longest_round_trip_ns)
        return timer.follow_up_wait_ns(self.longest_round_trip_ns)

    @property
    def can_retry(self) -> bool:
        """Whether attempts are left for the first request or the open follow-up."""
        if self.is_stream:
            return False
        if self.phase is QueryPhase.AWAITING_REPLY:
            return self.attempts < self.scan.retransmit_timer.attempts
        return self.phase is QueryPhase.FOLLOW_UP and self.follow_up_attempts < self.scan.retransmit_timer.attempts

    @property
    def late_reply_deadline_ns(self) -> int:
        """Engine time before which the query is not given up."""
        timer = self.scan.retransmit_timer
        return self.first_sent_ns + (timer.stream_wait_ns if self.is_stream else timer.late_reply_wait_ns)

    # The ping

    def record_first_reply(self, received: round_trips.PacketTime) -> None:
        """Record the first datagram of a reply.

        That of a stream says little about the ping: the server may have taken its time.
        """
        self.has_reply = True
        if self.is_stream:
            return
        if self.attempts == 1:  # nearly always
            moment = self.send_times[0]
            self.round_trip = round_trips.measure_round_trip(moment, received) if moment is not None else None
            return
        trips = round_trips.possible_round_trips(self.send_times, received, self.session.answered_attempt)
        if len(trips) > 1:
            self._possible_round_trips, self._first_reply = trips, received
        elif trips:
            self.round_trip = trips[0]

    @property
    def is_ping_ambiguous(self) -> bool:
        """Whether it is not yet known which attempt was answered."""
        return self.round_trip is None and bool(self._possible_round_trips)

    @property
    def longest_round_trip_ns(self) -> int:
        """The round trip, or the longest possible one while ambiguous; 0 if there is none."""
        if self.round_trip is not None:
            return self.round_trip.ns
        return max((trip.ns for trip in self._possible_round_trips), default=0)

    def record_connection(self, moment: round_trips.PacketTime) -> None:
        """Record that the server accepted the connection, which takes one round trip."""
        self._possible_round_trips = round_trips.possible_round_trips(self.send_times, moment, None)

    def record_repeated_reply(self, received: round_trips.PacketTime) -> bool:
        """Record another reply to the first request; return whether that settles the ping."""
        assert self._first_reply is not None  # noqa: S101 (only called while the ping is ambiguous)
        self.round_trip = round_trips.round_trip_from_repeat(self.send_times, self._first_reply, received)
        return self.round_trip is not None

    def settle_ping(self, reference: round_trips.RoundTrip | None) -> None:
        """Choose the ping by an unambiguous round trip.

        Without one, take the newest attempt, or the time of connecting, as an estimate.
        """
        if reference is not None and self.is_stream:
            self.round_trip = reference
        elif reference is not None:
            self.round_trip = round_trips.nearest_round_trip(self._possible_round_trips, reference.ns)
        else:
            self.round_trip = round_trips.RoundTrip(self._possible_round_trips[-1].ns, is_estimated=True)

    # Completion

    @property
    def no_answer_text(self) -> str:
        """Reason for the missing reply."""
        if self.has_reply:
            return "the answer stayed incomplete"
        return self.send_error or f"no answer to {self.attempts} request{'s' if self.attempts > 1 else ''}"

    def finish(self) -> None:
        """Mark the query as finished and drop its reply.

        Old deadlines may still refer to the query.
        """
        if self.phase is not QueryPhase.NEW:
            del self.session
            del self.socket.queries[self.sender_key]
        self.phase = QueryPhase.FINISHED
        self.queue_index = NOT_QUEUED
        self.due_ns = 0

    def make_result(self, status: QueryStatus, info: ServerInfo | None, error: str | None) -> QueryResult:
        """Return the result for the scan."""
        trip = self.round_trip if status is QueryStatus.OK else None
        return QueryResult(
            self.target,
            status,
            info,
            error,
            None if trip is None else trip.ns / 1e6,
            trip is not None and trip.is_estimated,
            self.attempts,
            time.time(),
            trip is not None and trip.under_load,
            self.scan.own_ports,
        )
