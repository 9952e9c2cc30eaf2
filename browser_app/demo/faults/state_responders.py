"""Responders of demo servers whose state decides which requests they answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from browser_app.demo.demo_server import ServerRequest, ServerResponder
from browser_app.demo.faults.demo_states import DemoState

ANSWERING_NS: Final = 5_000_000_000
"""Time after its first reply in which a closing server answers: the first scan only."""
QUERY_GAP_NS: Final = 5_000_000_000
"""A request after this time without one begins a query; longer than between the attempts of one."""
_REQUESTS_PER_QUERY = 3
"""Two attempts, and a probe that is to settle the ping."""


class ClosingResponder:
    """Answers for a short time after the first reply, and never again."""

    def __init__(self, responder: ServerResponder) -> None:
        self._responder = responder
        self._first_reply_ns: int | None = None

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if self._first_reply_ns is None:
            self._first_reply_ns = request.received_ns
        elif request.received_ns - self._first_reply_ns > ANSWERING_NS:
            return ()
        return self._responder.respond(request)


class SecondAttemptResponder:
    """Answers one request of a query, the second.

    Without a token, the reply may as well be a late one to the first.
    """

    def __init__(self, responder: ServerResponder) -> None:
        self._responder = responder
        self._last_request_ns = 0
        self._request_count = 0

    def respond(self, request: ServerRequest) -> Sequence[bytes]:
        """Return the reply to a request (see `ServerResponder`)."""
        if request.received_ns - self._last_request_ns > QUERY_GAP_NS:
            self._request_count = 0
        self._last_request_ns = request.received_ns
        self._request_count += 1
        is_second = self._request_count % _REQUESTS_PER_QUERY == 2
        return self._responder.respond(request) if is_second else ()


STATE_RESPONDERS: Final[Mapping[DemoState, Callable[[ServerResponder], ServerResponder]]] = {
    DemoState.CLOSING: ClosingResponder,
    DemoState.ESTIMATED_PING: SecondAttemptResponder,
}
"""Wrapper of a correct responder, by state."""
