"""Interface of one query to one server, without any socket.

A query protocol is one module with a `QuerySession` class and one row in the table of `browser_app.protocols`.
The scanner drives it:

1. `request(token)` gives the datagram to send now; it is called again for each further attempt.
2. `receive(data)` takes a datagram that came from the server's address. It returns bytes to send next (a new leg:
   a challenge to repeat, the player list to ask for), `DONE` when `reply` is complete, or `PARTIAL` when more datagrams
   of the same leg must come. It raises `PacketError`, and changes nothing, for anything else.
3. `give_up()` is called after the last attempt of a leg went unanswered. While `more` is true afterwards there is
   another leg, and `request` gives its datagram.
"""

import enum
from typing import Final, Protocol


class QueryParts(enum.IntFlag):
    """Which parts of an answer are asked for. `INFO` always is; a protocol may give more than asked."""

    INFO = 1
    PLAYERS = 2
    RULES = 4
    ALL = 7


class PacketError(Exception):
    """A datagram that is no valid answer; `str()` says why, in a few fixed words fit for a counter."""


class ReceiveStatus(enum.Enum):
    """What follows from a datagram when nothing is to be sent."""

    DONE = "done"
    PARTIAL = "partial"


DONE: Final = ReceiveStatus.DONE
PARTIAL: Final = ReceiveStatus.PARTIAL


class QuerySession(Protocol):
    """The interface all query protocols share."""

    @property
    def reply(self) -> object | None:
        """The answer so far; complete when `receive` said `DONE`."""

    @property
    def answered_attempt(self) -> int | None:
        """Which call of `request` (0 = first) the accepted datagram answers; None where no token tells."""

    @property
    def has_more(self) -> bool:
        """Something is still to be asked for."""

    def request_more(self, parts: QueryParts) -> bool:
        """Ask for these parts too, also when `receive` has said `DONE`; whether that makes anything left to ask."""

    def build_request(self, token: bytes) -> bytes:
        """The datagram of the current leg. `token` is 8 printable ASCII letters or digits, fresh for each attempt;
        a protocol that can have it echoed refuses answers without it."""

    def receive(self, data: bytes) -> bytes | ReceiveStatus:
        """Take one datagram; see the module's text."""

    def skip_current_part(self) -> bool:
        """The current leg stays unanswered: True if `reply` is still worth something (a missing part is None in it)."""

    def rtt_probe(self) -> bytes | None:
        """A datagram whose answer cannot be mistaken for one to `request`: its round trip settles a doubtful ping.
        None where there is no such thing."""

    def is_probe_reply(self, data: bytes) -> bool:
        """Whether `data` is an answer to `proof`."""
