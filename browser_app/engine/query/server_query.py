"""One query to one server, from its first request to its result."""

import enum
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from browser_app.catalogue.server_info import QueryResult, QueryStatus, QueryTarget, ServerInfo
from browser_app.engine.query import round_trips
from browser_app.engine.query.socket_pool import SocketPool
from browser_app.engine.query.stream_sockets import StreamPool, StreamSocket
from browser_app.protocols.effective_host import EffectiveHost, effective_host
from browser_app.protocols.query_protocols import QueryProtocol
from browser_app.protocols.query_session import QueryParts

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


@dataclass(slots=True, eq=False, repr=False)
class ServerQuery:
    """State of one query. Changed only by the engine's thread."""

    target: QueryTarget
    scan: "Scan"
    protocol: QueryProtocol
    _sockets: SocketPool | StreamPool

    sender_key: tuple[str, int] = field(init=False)
    """Sender address of its replies, as sockets return it."""
    host: EffectiveHost = field(init=False)
    is_stream: bool = field(init=False)
    parts: QueryParts = field(init=False)
    """Parts to request and to report: those of the scan, and those that cost no further packet."""
    interval_ns: int = field(init=False)
    """Minimum time between two requests to its server."""
    urgent: bool = field(init=False)
    has_budget: bool = field(init=False)
    """Whether its packets are limited per host."""

    socket: "UdpSocket | StreamSocket" = field(init=False)
    """Set by `start`. A reply counts only if it arrives there."""
    session: "QuerySession" = field(init=False)
    """Set by `start`."""

    phase: QueryPhase = field(default=QueryPhase.NEW, init=False)
    queue_index: int = field(default=NOT_QUEUED, init=False)
    due_ns: int = field(default=0, init=False)
    """Engine time of its deadline; 0 for none."""
    is_deferred: bool = field(default=False, init=False)
    """The deadline is a resend time, not a timeout."""

    first_sent_ns: int = field(default=0, init=False)
    """Engine time of the first request."""
    attempts: int = field(default=0, init=False)
    """Number of times the first request was sent."""
    send_times: list[round_trips.PacketTime | None] = field(default_factory=list, init=False)
    """One time per attempt; None if the system could not send."""
    datagram: bytes | None = field(default=None, init=False)
    """Next datagram to send; None if the session is to build a new request."""
    follow_up_sent: round_trips.PacketTime | None = field(default=None, init=False)
    """Time of the last follow-up or probe."""
    follow_up_attempts: int = field(default=0, init=False)
    received_bytes: int = field(default=0, init=False)
    """Bytes received from the server."""
    in_flight: bool = field(default=False, init=False)
    """A datagram was sent and neither answered nor given up."""
    has_reply: bool = field(default=False, init=False)
    """The server answered the first request."""
    packet_error: str | None = field(default=None, init=False)
    """Reason of the last rejected datagram."""
    send_error: str | None = field(default=None, init=False)
    """Reason of the last failed send."""
    failed_sends: int = field(default=0, init=False)
    """Number of failed sends."""

    round_trip: round_trips.RoundTrip | None = field(default=None, init=False)
    """The ping, once settled."""
    _first_reply: round_trips.PacketTime | None = field(default=None, init=False)
    _possible_round_trips: "Sequence[round_trips.RoundTrip]" = field(default=(), init=False)
    """Candidates while the ping is ambiguous."""

    def __post_init__(self) -> None:
        self.sender_key = self.target.address
        self.host = effective_host(self.target.address.host)
        self.is_stream = self.protocol.is_stream
        self.parts = self.scan.parts | self.protocol.default_parts
        self.interval_ns = round(self.protocol.min_interval_s * 1e9)
        self.urgent = self.scan.urgent
        self.has_budget = not self.scan.pace.loopback_only

    def start(self) -> None:
        """Acquire a socket and create the session.

        Raises:
            OSError: there is no socket.
        """
        self.socket = self._sockets.acquire(own_port=self.scan.own_ports)
        server = self.target.named_address if self.protocol.sends_host_name else self.target.address
        self.session = self.protocol.new_session(self.parts, server)
        self.socket.queries[self.sender_key] = self
        self.phase = QueryPhase.AWAITING_REPLY

    def record_send(self, sent_at: round_trips.PacketTime | None, now_ns: int) -> int:
        """Record a sent datagram; return the timeout in nanoseconds.

        `sent_at` is None if the system could not send it.
        """
        timer = self.scan.retransmit_timer
        self.send_error = None
        if self.phase is QueryPhase.AWAITING_REPLY:
            if not self.attempts:
                self.first_sent_ns = now_ns
            self.attempts += 1
            self.send_times.append(sent_at)
            return timer.contested_stream_wait_ns if self.is_stream else timer.wait_ns(self.attempts)
        self.follow_up_attempts += 1
        self.follow_up_sent = sent_at  # the timeout is three round trips: a reply after a second send answers that one
        if self.is_stream:  # the time of connecting is no measure of that of an answer
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

        That of a stream is no measure of the ping: the server may take any time to reply.
        """
        self.has_reply = True
        if self.is_stream:
            return
        if self.attempts == 1:  # nearly always
            sent = self.send_times[0]
            self.round_trip = round_trips.measure_round_trip(sent, received) if sent is not None else None
            return
        trips = round_trips.find_possible_round_trips(self.send_times, received, self.session.answered_attempt)
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

    def record_connection(self, accepted_at: round_trips.PacketTime) -> None:
        """Record that the server accepted the connection, which takes one round trip."""
        self._possible_round_trips = round_trips.find_possible_round_trips(self.send_times, accepted_at, None)

    def record_repeated_reply(self, received: round_trips.PacketTime) -> bool:
        """Record another reply to the first request; return whether that settles the ping."""
        assert self._first_reply is not None  # noqa: S101 (only called while the ping is ambiguous)
        self.round_trip = round_trips.match_repeated_replies(self.send_times, self._first_reply, received)
        return self.round_trip is not None

    def settle_ping(self, reference: round_trips.RoundTrip | None) -> None:
        """Choose the ping by an unambiguous round trip.

        Without one, take the newest attempt, or the time of connecting, as an estimate.
        """
        if reference is not None and self.is_stream:
            self.round_trip = reference
        elif reference is not None:
            self.round_trip = round_trips.choose_nearest_round_trip(self._possible_round_trips, reference.ns)
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

    def build_result(self, status: QueryStatus, info: ServerInfo | None, error: str | None) -> QueryResult:
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
