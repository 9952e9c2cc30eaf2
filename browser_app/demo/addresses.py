"""Where the demo network lives: an address of its own for every server, inside 127/8.

A scanner keeps a distance between two packets to one IP address, so servers that shared one would scan slowly.
Linux and Windows let a program bind any address of 127/8; elsewhere everything is on ports of 127.0.0.1.
"""

import errno
import socket

from browser_app.demo.sockets import DemoError, open_udp
from browser_app.protocols.address import Address

_BLOCKS = range(1, 200)
"""127.BLOCK/16 holds one demo network; the first free one is taken, so that several can run."""
_HOSTS_PER_SUBNET = 250
_CLAIM_PORT = 27949
_MASTER_PORT = 27950
_FIRST_PORT = 20000
"""Where the fall-back on 127.0.0.1 begins."""
_PORT_TRIES = 200


class Addresses:
    """Hands out bound sockets, always in the same order. Holds one socket of its own until `close`."""

    def __init__(self, *, shared_host: bool = False) -> None:
        """Claim a block of addresses; `shared_host` asks for the fall-back.

        Raises:
            DemoError: every block is taken.
        """
        self._claim = None if shared_host else _claim_block()
        self._prefix = self._claim.getsockname()[0].rsplit(".", 2)[0] if self._claim else ""
        self._servers = 0
        self._masters = 0
        self._port = _FIRST_PORT

    def bind_server(self, port: int) -> socket.socket:
        """A socket for the next server, on `port` where that can be had.

        Raises:
            DemoError: no port is free.
        """
        if self._claim is None:
            return self._next_port()
        subnet, host = divmod(self._servers, _HOSTS_PER_SUBNET)
        self._servers += 1
        return self._bind_near(f"{self._prefix}.{subnet + 1}.{host + 1}", port)

    def bind_master(self) -> socket.socket:
        """A socket for the next master.

        Raises:
            DemoError: no port is free.
        """
        if self._claim is None:
            return self._next_port()
        self._masters += 1
        return self._bind_near(f"{self._prefix}.0.{self._masters}", _MASTER_PORT)

    def close(self) -> None:
        """Give the block back."""
        if self._claim is not None:
            self._claim.close()

    def _next_port(self) -> socket.socket:
        sock = self._bind_near("127.0.0.1", self._port)
        self._port = sock.getsockname()[1] + 1
        return sock

    def _bind_near(self, host: str, port: int) -> socket.socket:
        """Bind `port` or, where another program has it on all addresses, the next free one."""
        for candidate in range(port, min(port + _PORT_TRIES, 65536)):
            try:
                return open_udp(Address(host, candidate))
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
        raise DemoError(f"no free UDP port on {host} from {port} on")


def _claim_block() -> socket.socket | None:
    """A socket that marks a block as taken; None where 127/8 cannot be bound."""
    for block in _BLOCKS:
        try:
            return open_udp(Address(f"127.{block}.0.250", _CLAIM_PORT))
        except OSError as error:
            if error.errno == errno.EADDRNOTAVAIL:
                return None
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise DemoError(f"{len(_BLOCKS)} demo networks are running already")
