"""One query to one server, from its first request to its answer."""

import enum
import time
from typing import TYPE_CHECKING, Final

from browser_app.catalogue.facts import Answer, Facts, Status, Target
from browser_app.engine.round_trips import Moment, RoundTrip, candidates, nearest, repeated_trip, round_trip
from browser_app.engine.udp_sockets import UdpSocket
from browser_app.protocols import QueryProtocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from browser_app.engine.scan import Scan
    from browser_app.protocols.conversation import Conversation

NOWHERE: Final = -1
"""The lane of a query that does not wait to be sent."""


class Phase(enum.Enum):
    """What a query is doing."""

    NEW = enum.auto()
    """Nothing was sent yet."""
    ASKING = enum.auto()
    """The first request is out, perhaps several times."""
    LISTENING = enum.auto()
    """All attempts were made, but an answer would still be welcome."""
    LATER_LEG = enum.auto()
    """The server answered; something more was asked."""
    PROVING = enum.auto()
    """The reply is complete; a proof, or an answer to another attempt, is to settle its ping."""
    OVER = enum.auto()


class Query:
    """What is known about one question on its way. Changed by the engine's thread only."""

    __slots__ = (
        "_first_answer",
        "_trips",
        "attempts",
        "conversation",
        "datagram",
        "due_ns",
        "first_ns",
        "heard",
        "in_flight",
        "interval_ns",
        "key",
        "lane",
        "leg_sent",
        "leg_tries",
        "phase",
        "protocol",
        "put_off",
        "refused",
        "scan",
        "sent",
        "socket",
        "spacing_ns",
        "taken",
        "target",
        "trip",
        "trouble",
        "unsent",
        "urgent",
    )

    def __init__(self, target: Target, scan: "Scan", protocol: QueryProtocol, socket: UdpSocket) -> None:
        self.target = target
        self.key: tuple[str, int] = target.address
        """As sockets name the sender of its answer."""
        self.scan = scan
        self.protocol = protocol
        self.socket = socket
        self.interval_ns = round(protocol.min_interval_s * 1e9)
        """Least time between two requests to its server."""
        self.urgent = scan.urgent
        self.spacing_ns = scan.spacing_ns
        self.conversation: Conversation
        """Not there before `start`."""
        self.phase = Phase.NEW
        self.lane = NOWHERE
        self.due_ns = 0
        """When something happens by itself, engine time; 0 for nothing."""
        self.first_ns = 0
        """When it was first sent, engine time."""
        self.attempts = 0
        """Sends of the first request."""
        self.sent: list[Moment | None] = []
        """One moment an attempt; None where the system could not send."""
        self.datagram: bytes | None = None
        """What to send next, where the conversation is not to be asked for a fresh request."""
        self.leg_sent: Moment | None = None
        """The last send of a later leg or a proof."""
        self.leg_tries = 0
        self.taken = 0
        """Bytes that came from the server."""
        self.in_flight = False
        """Something was sent and neither answered nor given up."""
        self.heard = False
        """The server answered the first request."""
        self.put_off = False
        """Its deadline means that it may be sent, not that it was waited for in vain."""
        self.refused: str | None = None
        """Why the last refused datagram was."""
        self.trouble: str | None = None
        """Why the last send failed."""
        self.unsent = 0
        """Sends that the system refused."""
        self.trip: RoundTrip | None = None
        """The ping, once it is beyond doubt or given up to doubt."""
        self._first_answer: Moment | None = None
        self._trips: Sequence[RoundTrip] = ()
        """The possible pings, where there are several."""

    def start(self) -> None:
        """Its server's turn has come."""
        self.conversation = self.protocol.converse(self.scan.want_of(self.target))
        self.phase = Phase.ASKING

    def was_sent(self, moment: Moment | None, now_ns: int) -> int:
        """Its datagram left at `moment` (None: the system could not send it); how long to wait for the answer, ns."""
        patience = self.scan.patience
        self.trouble = None
        if self.phase is Phase.ASKING:
            if not self.attempts:
                self.first_ns = now_ns
            self.attempts += 1
            self.sent.append(moment)
            return patience.wait_ns(self.attempts)
        self.leg_tries += 1
        self.leg_sent = moment  # it waits three round trips: what comes after a second send answers that one
        if self.phase is Phase.PROVING:
            return patience.proof_wait_ns(self.longest_trip_ns)
        return patience.leg_wait_ns(self.longest_trip_ns)

    @property
    def may_retry(self) -> bool:
        """There are attempts left, of the first request or of the leg that is open."""
        if self.phase is Phase.ASKING:
            return self.attempts < self.scan.patience.attempts
        return self.phase is Phase.LATER_LEG and self.leg_tries < self.scan.patience.attempts

    @property
    def listens_until_ns(self) -> int:
        """No giving up before this, engine time."""
        return self.first_ns + self.scan.patience.listen_ns

    # The ping

    def answered_first(self, received: Moment) -> None:
        """The first datagram of an answer came."""
        self.heard = True
        if self.attempts == 1:  # nearly always
            moment = self.sent[0]
            self.trip = round_trip(moment, received) if moment is not None else None
            return
        trips = candidates(self.sent, received, self.conversation.answered_attempt)
        if len(trips) > 1:
            self._trips, self._first_answer = trips, received
        elif trips:
            self.trip = trips[0]

    @property
    def ping_open(self) -> bool:
        """It is not settled yet which attempt was answered."""
        return self.trip is None and bool(self._trips)

    @property
    def longest_trip_ns(self) -> int:
        """The round trip, the longest possible one while that is open; 0 when there is none."""
        if self.trip is not None:
            return self.trip.ns
        return max((trip.ns for trip in self._trips), default=0)

    def answered_again(self, received: Moment) -> bool:
        """A further answer to the first request came: whether that tells which attempt the first answer meant."""
        assert self._first_answer is not None  # noqa: S101 (asked only while the ping is open)
        self.trip = repeated_trip(self.sent, self._first_answer, received)
        return self.trip is not None

    def settle(self, witness: RoundTrip | None) -> None:
        """Choose the ping by a round trip beyond doubt; None: there is none, so the newest attempt counts, in doubt."""
        if witness is not None:
            self.trip = nearest(self._trips, witness.ns)
        else:
            self.trip = RoundTrip(self._trips[-1].ns, doubtful=True)

    # The end

    @property
    def silence(self) -> str:
        """Why there is no answer, in words."""
        if self.heard:
            return "the answer stayed incomplete"
        return self.trouble or f"no answer to {self.attempts} request{'s' if self.attempts > 1 else ''}"

    def end(self) -> None:
        """Nothing happens to it any more. Its reply is let go, since old deadlines may still name the query."""
        if self.phase is not Phase.NEW:
            del self.conversation
        self.phase = Phase.OVER
        self.lane = NOWHERE
        self.due_ns = 0

    def answer(self, status: Status, facts: Facts | None, error: str | None) -> Answer:
        """What the scan hears of it."""
        trip = self.trip if status is Status.OK else None
        return Answer(
            self.target,
            status,
            facts,
            error,
            None if trip is None else trip.ns / 1e6,
            trip is not None and trip.doubtful,
            self.attempts,
            time.time(),
            trip is not None and trip.loaded,
        )
