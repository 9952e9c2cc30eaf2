"""Demo master servers over UDP: dpmaster and Teeworlds' master server."""

import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from ipaddress import IPv6Address
from typing import ClassVar

from browser_app.demo.demo_server import PeerAddress
from browser_app.demo.faults.network_faults import FORBIDDEN_ADDRESSES, MasterFault
from browser_app.demo.games.game_spec import GameSpec
from browser_app.demo.responders.teeworlds_responder import peer_token
from browser_app.demo.sockets.demo_event_loop import DemoEventLoop
from browser_app.demo.sockets.loopback_sockets import receive_datagram
from browser_app.protocols.address import Address
from browser_app.protocols.quake.dpmaster_server import encode_servers_response, parse_master_request
from browser_app.protocols.query_session import PacketError
from browser_app.protocols.teeworlds.teeworlds07 import CONNECTIONLESS_HEADER
from browser_app.protocols.teeworlds.teeworlds_master import LIST_REPLY, LIST_REQUEST
from browser_app.protocols.teeworlds.teeworlds_server import TokenRequest07, encode_token_reply, parse_request_07

_ENDLESS_REPEATS = 100


class DemoUdpMaster(ABC):
    """A master server of one game with one fault or none."""

    garbage: ClassVar[bytes]
    """A datagram that is not of its protocol."""

    def __init__(
        self,
        sock: socket.socket,
        game: GameSpec,
        servers: Sequence[Address],
        loop: DemoEventLoop,
        fault: MasterFault | None,
        slow_s: float,
    ) -> None:
        self.sock = sock
        self.address = Address(*sock.getsockname())
        self.game = game
        self._loop = loop
        self._fault = fault
        self._delay_ns = round(slow_s * 1e9) if fault is MasterFault.SLOW else 0
        self._servers = () if fault is MasterFault.EMPTY else tuple(servers)
        if fault is MasterFault.PRIVATE:
            self._servers += FORBIDDEN_ADDRESSES

    @property
    @abstractmethod
    def url(self) -> str:
        """The master URL."""

    def answer_handshake(self, data: bytes, peer: PeerAddress) -> bytes | None:  # noqa: ARG002 (most masters have no handshake)
        """Return the reply to a handshake before the list request; None for others.

        Raises:
            PacketError: the data is no request.
        """
        return None

    @abstractmethod
    def encode_list(self, data: bytes, peer: PeerAddress, servers: Sequence[Address], *, has_end: bool) -> list[bytes]:
        """Return the datagrams of the list that a request asks for.

        Without `has_end`, they lack an end mark.

        Raises:
            PacketError: the data is no request.
        """

    def close(self) -> None:
        """Close the socket; the loop must have ended."""
        self.sock.close()

    def on_readable(self) -> None:
        """Read and answer the next request."""
        try:
            data, peer, _ = receive_datagram(self.sock)
            handshake_reply = self.answer_handshake(data, peer)
            packets = self._faulty_list(data, peer) if handshake_reply is None else [handshake_reply]
        except (OSError, PacketError):
            return
        if self._fault is not MasterFault.DEAD:
            self._loop.call_at(time.time_ns() + self._delay_ns, self._send, packets, peer)

    def _faulty_list(self, data: bytes, peer: PeerAddress) -> list[bytes]:
        has_end = self._fault not in (MasterFault.NO_END, MasterFault.ENDLESS)
        packets = self.encode_list(data, peer, self._servers, has_end=has_end)
        match self._fault:
            case MasterFault.GARBAGE:
                return [self.garbage]
            case MasterFault.ENDLESS:
                return packets * _ENDLESS_REPEATS
            case MasterFault.INCOMPLETE:
                return packets[1:]
            case _:
                return packets

    def _send(self, packets: Sequence[bytes], peer: PeerAddress) -> None:
        for packet in packets:
            try:
                self.sock.sendto(packet, peer)
            except OSError:  # like a lost packet on a real network
                return


class DemoDpMaster(DemoUdpMaster):
    """A dpmaster that lists no servers for games other than its own."""

    garbage = b"\xff\xff\xff\xffprint\nno such command\n"

    @property
    def url(self) -> str:
        """The master URL."""
        return f"dpmaster://{self.address}/{self.game.master_gamename}/{self.game.master_protocol}"

    def encode_list(self, data: bytes, peer: PeerAddress, servers: Sequence[Address], *, has_end: bool) -> list[bytes]:  # noqa: ARG002 (the same for all masters)
        """Return the reply to `getservers` or `getserversExt`."""
        request = parse_master_request(data)
        is_ours = (request.gamename, request.protocol) == (self.game.master_gamename, self.game.master_protocol)
        return encode_servers_response(servers if is_ours else (), extended=request.is_extended, end=has_end)


class DemoTeeworldsMaster(DemoUdpMaster):
    """A master server of Teeworlds 0.7, which requires a token in list requests.

    Its lists have no end mark.
    """

    garbage = b"\xff" * 40
    _SERVERS_PER_PACKET = 75
    """MAX_SERVERS_PER_PACKET of Teeworlds' `mastersrv.h`."""
    _TOKENS = slice(len(CONNECTIONLESS_HEADER), len(CONNECTIONLESS_HEADER) + 8)

    @property
    def url(self) -> str:
        """The master URL."""
        return f"teeworlds+udp://{self.address}"

    def answer_handshake(self, data: bytes, peer: PeerAddress) -> bytes | None:
        """Return the reply to a token request."""
        if data.startswith(CONNECTIONLESS_HEADER):
            return None
        request = parse_request_07(data)
        if not isinstance(request, TokenRequest07):
            raise PacketError("not this protocol")
        return encode_token_reply(request, peer_token(peer, self.address.port))

    def encode_list(self, data: bytes, peer: PeerAddress, servers: Sequence[Address], *, has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        """Return the reply to a list request."""
        master_token, client_token = data[self._TOKENS][:4], data[self._TOKENS][4:]
        if data[self._TOKENS.stop :] != LIST_REQUEST or master_token != peer_token(peer, self.address.port):
            raise PacketError("not this protocol")
        header = CONNECTIONLESS_HEADER + client_token + master_token + LIST_REPLY
        size = self._SERVERS_PER_PACKET
        starts = range(0, max(1, len(servers)), size)
        return [header + b"".join(map(_encode_record, servers[start : start + size])) for start in starts]


def _encode_record(address: Address) -> bytes:
    """Return an address as in a list: IPv4 mapped into IPv6, and the port."""
    return IPv6Address(f"::ffff:{address.host}").packed + address.port.to_bytes(2, "big")
