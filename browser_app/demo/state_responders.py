"""Responders of demo servers whose state is in when they answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from browser_app.demo.demo_server import PeerAddress, ServerResponder
from browser_app.demo.demo_states import DemoState

OPEN_NS: Final = 5_000_000_000
"""Time after its first reply in which a closing server answers: the first scan only."""
QUIET_NS: Final = 3_000_000_000
"""Time between two queries, at least; longer than between the attempts of one."""


class ClosingResponder:
    """Answers for a short time after the first reply, and never again."""

    def __init__(self, responder: ServerResponder) -> None:
        self._responder = responder
        self._first_reply_ns: int | None = None

    def respond(self, request: bytes, peer: PeerAddress, received_ns: int) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if self._first_reply_ns is None:
            self._first_reply_ns = received_ns
        elif received_ns - self._first_reply_ns > OPEN_NS:
            return ()
        return self._responder.respond(request, peer, received_ns)


class SecondAttemptResponder:
    """Answers one request of a query, the second.

    Without a token, nobody can tell whether its reply is a late one to the first.
    """

    def __init__(self, responder: ServerResponder) -> None:
        self._responder = responder
        self._first_request_ns = self._reply_ns = -QUIET_NS

    def respond(self, request: bytes, peer: PeerAddress, received_ns: int) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if received_ns - self._reply_ns < QUIET_NS:
            return ()
        if received_ns - self._first_request_ns >= QUIET_NS:
            self._first_request_ns = received_ns
            return ()
        self._reply_ns = received_ns
        return self._responder.respond(request, peer, received_ns)


STATE_RESPONDERS: Final[Mapping[DemoState, Callable[[ServerResponder], ServerResponder]]] = {
    DemoState.CLOSING: ClosingResponder,
    DemoState.ESTIMATED_PING: SecondAttemptResponder,
}
"""What changes a correct responder's replies, by state."""
