"""Demo master servers of games before Quake III.

They send their whole list for one request.
"""

import struct
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from browser_app.demo.demo_server import PeerAddress
from browser_app.demo.masters.udp_masters import DemoTeeworldsMaster, DemoUdpMaster
from browser_app.protocols.address import Address
from browser_app.protocols.doom import doom_masters
from browser_app.protocols.doom.zandronum_huffman import compress, decompress
from browser_app.protocols.quake import quake_master_lists
from browser_app.protocols.quake.quake_master_lists import AddressListFormat
from browser_app.protocols.query_protocols import (
    CHOCOLATE_DOOM,
    HEXENWORLD,
    ODAMEX,
    QUAKE2,
    QUAKEWORLD,
    TEEWORLDS07,
    ZANDRONUM,
)
from browser_app.protocols.query_session import PacketError


class DemoOneRequestMaster(DemoUdpMaster):
    """A master that is asked once and sends its whole list."""

    garbage = b"\xff\xff\xff\xffprint\nno such command\n"
    scheme: ClassVar[str]
    request: ClassVar[bytes]

    @property
    def url(self) -> str:
        """The master URL."""
        return f"{self.scheme}+udp://{self.address}"

    def greet(self, data: bytes, peer: PeerAddress) -> bytes | None:  # noqa: ARG002 (the same for all masters)
        """Return None: it is asked for the list at once."""
        return None

    def encode_list(self, data: bytes, peer: PeerAddress, servers: Sequence[Address], *, has_end: bool) -> list[bytes]:  # noqa: ARG002 (the same for all masters)
        """Return the reply to a list request."""
        if self.decode_request(data) != self.decode_request(self.request):
            raise PacketError("not this protocol")
        return self.encode_servers(servers, has_end)

    def decode_request(self, data: bytes) -> bytes:
        """Return a request without its coding."""
        return data

    @abstractmethod
    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:
        """Return the datagrams of a list."""


class _QuakeMaster(DemoOneRequestMaster):
    list_format: ClassVar[AddressListFormat]
    _SERVERS_PER_PACKET = 200

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        space = b" " if self.list_format.header == quake_master_lists.QUAKE2_LIST.header else b""
        head, size = b"\xff\xff\xff\xff" + self.list_format.header + space, self._SERVERS_PER_PACKET
        parts = [servers[start : start + size] for start in range(0, max(1, len(servers)), size)]
        return [head + b"".join(_host(each) + struct.pack(">H", each.port) for each in part) for part in parts]


class DemoQuakeWorldMaster(_QuakeMaster):
    """A master of QuakeWorld."""

    scheme, list_format = "quakeworld", quake_master_lists.QUAKEWORLD_LIST
    request = list_format.request


class DemoHexenWorldMaster(_QuakeMaster):
    """A master of HexenWorld."""

    scheme, list_format = "hexenworld", quake_master_lists.HEXENWORLD_LIST
    request = list_format.request


class DemoQuake2Master(_QuakeMaster):
    """A master of Quake II."""

    scheme, list_format = "quake2", quake_master_lists.QUAKE2_LIST
    request = list_format.request


class DemoZandronumMaster(DemoOneRequestMaster):
    """Zandronum's master, whose list has an end mark."""

    scheme, request = "zandronum", doom_masters.ZANDRONUM_LIST_REQUEST
    _SERVERS_PER_PACKET = 100

    def decode_request(self, data: bytes) -> bytes:
        """Return a request without its compression."""
        return decompress(data)

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:
        """Return the datagrams of a list, each block with one port of one host."""
        size = self._SERVERS_PER_PACKET
        parts = [servers[start : start + size] for start in range(0, max(1, len(servers)), size)]
        packets = []
        for number, part in enumerate(parts):
            blocks = b"".join(b"\1" + _host(each) + struct.pack("<H", each.port) for each in part)
            is_last = has_end and number == len(parts) - 1
            mark = doom_masters.LIST_END if is_last else doom_masters.PART_END
            head = struct.pack("<IBB", doom_masters.ZANDRONUM_LIST_PART, number & 0xFF, doom_masters.ZANDRONUM_BLOCK)
            packets.append(compress(head + blocks + bytes([0, mark])))
        return packets


class DemoOdamexMaster(DemoOneRequestMaster):
    """A master of Odamex."""

    scheme, request = "odamex", doom_masters.ODAMEX_LIST

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        """Return the one datagram of a list."""
        records = b"".join(_host(each) + struct.pack("<H", each.port) for each in servers)
        return [doom_masters.ODAMEX_LIST + struct.pack("<H", len(servers)) + records]


class DemoChocolateDoomMaster(DemoOneRequestMaster):
    """Chocolate Doom's master."""

    scheme, request = "chocolatedoom", doom_masters.CHOCOLATE_LIST_REQUEST

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        """Return the one datagram of a list."""
        return [doom_masters.CHOCOLATE_LIST_HEADER + b"".join(str(each).encode() + b"\0" for each in servers)]


def _host(address: Address) -> bytes:
    return bytes(map(int, address.host.split(".")))


UDP_MASTERS: Final[Mapping[str, type[DemoUdpMaster]]] = {
    TEEWORLDS07: DemoTeeworldsMaster,
    QUAKEWORLD: DemoQuakeWorldMaster,
    HEXENWORLD: DemoHexenWorldMaster,
    QUAKE2: DemoQuake2Master,
    ZANDRONUM: DemoZandronumMaster,
    ODAMEX: DemoOdamexMaster,
    CHOCOLATE_DOOM: DemoChocolateDoomMaster,
}
"""The master of the servers of a query protocol, beside dpmaster."""
