"""Demo servers over UDP that send unexpected datagrams."""

import socket
import time
from collections.abc import Sequence
from typing import Final

from browser_app.demo.demo_server import DemoServer, PeerAddress, ServerParts
from browser_app.demo.faults.network_faults import ServerFault
from browser_app.demo.sockets.loopback_sockets import open_udp_socket
from browser_app.protocols.address import Address

FLOOD_PER_REQUEST: Final = 200
"""Unrequested datagrams that one request causes."""
MAX_FLOOD: Final = 4000
_FLOOD_STEP_NS = 200_000


class FloodingServer(DemoServer):
    """A server that sends its reply many times at once, before its latency has passed."""

    _remaining_flood = MAX_FLOOD

    def send_reply(self, datagrams: Sequence[bytes], peer: PeerAddress, received_ns: int) -> None:
        """Send a flood, and schedule the reply."""
        count = min(FLOOD_PER_REQUEST, self._remaining_flood)
        self._remaining_flood -= count
        now_ns = time.time_ns()
        for number in range(count):
            self._loop.call_at(now_ns + number * _FLOOD_STEP_NS, self.send_datagram, datagrams[0], peer)
        super().send_reply(datagrams, peer, received_ns)


class WrongPortServer(DemoServer):
    """A server that answers from another port of its address."""

    def __init__(self, parts: ServerParts) -> None:
        super().__init__(parts)
        self._other_sock = open_udp_socket(Address(self.address.host, 0))

    def close(self) -> None:
        """Close the sockets."""
        super().close()
        self._other_sock.close()

    def sending_socket(self) -> socket.socket:
        """Return the socket that sends replies."""
        return self._other_sock


FAULTY_SERVERS: Final = {ServerFault.FLOOD: FloodingServer, ServerFault.WRONG_PORT: WrongPortServer}
"""Faults that concern sending; the others change replies (`FaultyResponder`)."""
