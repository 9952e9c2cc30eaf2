"""A dpmaster-like master of one game."""

import socket
import time
from collections.abc import Sequence
from typing import Final

from browser_app.demo.faults import MasterFault
from browser_app.demo.loop import Loop
from browser_app.demo.server import Peer
from browser_app.demo.sheet import GameSheet
from browser_app.demo.sockets import receive
from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Refused
from browser_app.protocols.dpmaster_server import Heartbeat, read_request, write_servers

_ENDLESS = 100
_PRIVATE: Final = tuple(
    Address(host, port)
    for host, port in (
        ("10.0.0.1", 27960), ("172.16.3.4", 27960), ("192.168.1.10", 26000), ("169.254.17.4", 27015),
        ("224.0.0.9", 27960), ("240.1.2.3", 27960), ("0.1.2.3", 27960), ("127.0.0.1", 0),
    )
)  # fmt: skip
"""Addresses that no master should name."""


class GameMaster:
    """Answers `getservers` and `getserversExt` for its own game and protocol; for others its list is empty."""

    def __init__(
        self,
        sock: socket.socket,
        sheet: GameSheet,
        servers: Sequence[Address],
        loop: Loop,
        fault: MasterFault | None,
        slow_s: float,
    ) -> None:
        self.sock = sock
        self._sheet = sheet
        self._servers = () if fault is MasterFault.EMPTY else servers
        self._loop = loop
        self._fault = fault
        self._delay_ns = round(slow_s * 1e9) if fault is MasterFault.SLOW else 0

    @property
    def url(self) -> str:
        """Its master URL."""
        address = Address(*self.sock.getsockname())
        return f"dpmaster://{address}/{self._sheet.master_gamename}/{self._sheet.master_protocol}"

    def readable(self) -> None:
        """Take the next request."""
        try:
            data, peer, _ = receive(self.sock)
            request = read_request(data)
        except (OSError, Refused):
            return
        if isinstance(request, Heartbeat) or self._fault is MasterFault.DEAD:
            return
        ours = (request.gamename, request.protocol) == (self._sheet.master_gamename, self._sheet.master_protocol)
        packets = self._packets(self._servers if ours else (), request.extended)
        self._loop.at(time.time_ns() + self._delay_ns, self._send, packets, peer)

    def _packets(self, servers: Sequence[Address], extended: bool) -> list[bytes]:
        match self._fault:
            case MasterFault.GARBAGE:
                return [b"\xff\xff\xff\xffprint\nno such command\n"]
            case MasterFault.PRIVATE:
                return write_servers((*servers, *_PRIVATE), extended=extended)
            case MasterFault.NO_END:
                return write_servers(servers, extended=extended, end=False)
            case MasterFault.ENDLESS:
                return write_servers(servers, extended=extended, end=False) * _ENDLESS
            case MasterFault.INCOMPLETE:
                return write_servers(servers, extended=extended)[1:]
            case _:
                return write_servers(servers, extended=extended)

    def _send(self, packets: Sequence[bytes], peer: Peer) -> None:
        for packet in packets:
            try:
                self.sock.sendto(packet, peer)
            except OSError:  # the asker's own affair, as on a real network
                return
