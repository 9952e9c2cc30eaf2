"""Packets on loopback as the kernel delivers them, counted by server."""

import contextlib
import ctypes
import select
import socket
import struct
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from browser_app.protocols.address import Address

_ETH_P_IP: Final = 0x0800
_SOL_PACKET, _PACKET_STATISTICS, _SO_ATTACH_FILTER = 263, 6, 26
_LOAD_HEADER_LENGTH, _LOAD_HALF_WORD, _JUMP_IF_EQUAL, _RETURN = 0xB1, 0x48, 0x15, 0x06
"""Classic BPF: the length of the IP header into the index register; two bytes behind it; compare; take or leave."""
_SOURCE_PORT, _TARGET_PORT = 0, 2
_RECEIVE_BUFFER_BYTES = 8 << 20
_SYN = 2
_BYTES_KEPT = 128
"""Of a packet: both headers."""


class LoopbackCapture:
    """Counts what goes to and from some servers while the block runs.

    Of TCP only segments with data count, and only those of connections opened meanwhile; of what servers send only what
    goes to those who have asked meanwhile. Takes root.

    Attributes:
        to: packets that arrived at a server's port.
        sent_by: packets that left from it.
        missed: packets that the capture itself had no room for.
    """

    def __init__(self, servers: Mapping[Address, bool]) -> None:
        """`servers`: whether each is reached over TCP."""
        self._servers = servers
        self.to: Counter[Address] = Counter()
        self.sent_by: Counter[Address] = Counter()
        self.missed = 0
        self._clients: set[tuple[Address, Address]] = set()
        """Addresses that have sent something to a server, or connected to it."""
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        """Begin.

        Raises:
            OSError: this user may not capture.
        """
        self._sock = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_ETH_P_IP))
        with contextlib.ExitStack() as on_error:
            on_error.callback(self._sock.close)
            attach_filter(self._sock, sorted({server.port for server in self._servers}))
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER_BYTES)
            self._sock.bind(("lo", _ETH_P_IP))
            self._sock.setblocking(False)
            on_error.pop_all()
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        _packets, self.missed = struct.unpack("II", self._sock.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        self._sock.close()

    def _run(self) -> None:
        while not self._is_over.is_set():
            select.select([self._sock], [], [], 0.2)
            self._drain()
        self._drain()

    def _drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while True:
                packet, (_interface, _protocol, kind, *_) = self._sock.recvfrom(_BYTES_KEPT)
                if kind == socket.PACKET_HOST:  # each packet also passes on its way out
                    self._count(packet)

    def _count(self, packet: bytes) -> None:
        header, length = 4 * (packet[0] & 15), int.from_bytes(packet[2:4], "big")
        source_port, target_port = struct.unpack_from("!HH", packet, header)
        source = Address(socket.inet_ntoa(packet[12:16]), source_port)
        target = Address(socket.inet_ntoa(packet[16:20]), target_port)
        is_stream = packet[9] == socket.IPPROTO_TCP
        has_data = not is_stream or length > header + 4 * (packet[header + 12] >> 4)
        if self._servers.get(target) is is_stream:
            if not is_stream or packet[header + 13] & _SYN:
                self._clients.add((source, target))
            self.to[target] += has_data and (source, target) in self._clients
        elif self._servers.get(source) is is_stream:
            self.sent_by[source] += has_data and (target, source) in self._clients


def attach_filter(sock: socket.socket, ports: Sequence[int]) -> None:
    """Let the kernel pass only packets to or from `ports`, at most 100 of them."""
    lines = [(_LOAD_HEADER_LENGTH, 0, 0, 0)]
    accepting = 2 * len(ports) + 4
    for place in (_TARGET_PORT, _SOURCE_PORT):
        lines.append((_LOAD_HALF_WORD, 0, 0, place))
        for port in ports:
            lines.append((_JUMP_IF_EQUAL, accepting - len(lines) - 1, 0, port))
    lines += [(_RETURN, 0, 0, 0), (_RETURN, 0, 0, _BYTES_KEPT)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    sock.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_FILTER, struct.pack("HL", len(lines), ctypes.addressof(code)))


def dropped_by_sockets() -> Counter[int]:
    """Return by port how many datagrams UDP sockets of this machine had no room for."""
    drops: Counter[int] = Counter()
    for table in ("udp", "udp6"):
        for line in Path("/proc/net", table).read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            drops[int(fields[1].rpartition(":")[2], 16)] += int(fields[-1])
    return drops
