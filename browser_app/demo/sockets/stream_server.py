"""Demo game servers over TCP."""

import time
from collections.abc import Callable, Sequence

from browser_app.demo.demo_server import DemoServer, ServerParts, ServerRequest
from browser_app.demo.sockets.stream_connection import StreamConnection, StreamListener
from browser_app.protocols.query_session import PacketError

_MAX_CONNECTIONS = 16
_RETRANSMISSION_NS = 200_000_000
"""Linux's shortest time until TCP repeats a lost segment (TCP_RTO_MIN)."""

SplitRequest = Callable[[bytes], int | None]
"""Returns the length of the first request in the received bytes; None if it is incomplete.

Raises:
    PacketError: the bytes are no request.
"""


class StreamServer(DemoServer):
    """One simulated server over TCP, where a lost segment delays the reply."""

    def __init__(self, parts: ServerParts, split_request: SplitRequest) -> None:
        super().__init__(parts)
        self._split_request = split_request
        self._listener = StreamListener(parts.sock, parts.loop, self._on_received, _MAX_CONNECTIONS)

    def close(self) -> None:
        """Close all sockets; the loop must have ended."""
        self._listener.close()

    def on_readable(self) -> None:
        """Accept the next client."""
        self._listener.accept()

    def _on_received(self, connection: StreamConnection, received_ns: int) -> None:
        self._statistics.requests += 1
        self.request_count += 1
        try:
            while length := self._split_request(connection.received):
                data, connection.received = connection.received[:length], connection.received[length:]
                if parts := self.respond(ServerRequest(data, connection.peer, received_ns)):
                    self._schedule(connection, parts, received_ns)
        except PacketError:
            self._statistics.refused += 1
            connection.close()

    def _schedule(self, connection: StreamConnection, parts: Sequence[bytes], received_ns: int) -> None:
        lost_segments = self.link.drop_next() + self.link.drop_next()  # one each way
        due_ns = received_ns + self.link.next_delay_ns() + lost_segments * _RETRANSMISSION_NS
        self._loop.call_at(due_ns, self._send, connection, parts, received_ns, due_ns)

    def _send(self, connection: StreamConnection, parts: Sequence[bytes], received_ns: int, due_ns: int) -> None:
        now_ns = time.time_ns()
        self.record_reply(now_ns - due_ns, now_ns - received_ns)
        self._statistics.replies += 1
        connection.send(b"".join(parts))
