"""Demo master servers over UDP that send their whole list in reply to one request."""

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


class DemoSingleRequestMaster(DemoUdpMaster):
    """A master server that sends its whole list in reply to one request."""

    garbage = b"\xff\xff\xff\xffprint\nno such command\n"
    scheme: ClassVar[str]
    request: ClassVar[bytes]

    @property
    def url(self) -> str:
        """The master URL."""
        return f"{self.scheme}+udp://{self.address}"

    def encode_list(self, data: bytes, peer: PeerAddress, servers: Sequence[Address], *, has_end: bool) -> list[bytes]:  # noqa: ARG002 (the same for all masters)
        """Return the reply to a list request."""
        if self.decode_request(data) != self.decode_request(self.request):
            raise PacketError("not this protocol")
        return self.encode_servers(servers, has_end)

    def decode_request(self, data: bytes) -> bytes:
        """Return a decoded request; unless overridden, requests are not encoded."""
        return data

    @abstractmethod
    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:
        """Return the datagrams of a list."""


class _QuakeMaster(DemoSingleRequestMaster):
    list_format: ClassVar[AddressListFormat]
    _SERVERS_PER_PACKET = 200

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        space = b" " if self.list_format.header == quake_master_lists.QUAKE2_LIST.header else b""
        head, size = b"\xff\xff\xff\xff" + self.list_format.header + space, self._SERVERS_PER_PACKET
        parts = [servers[start : start + size] for start in range(0, max(1, len(servers)), size)]
        return [head + b"".join(_pack_host(each) + struct.pack(">H", each.port) for each in part) for part in parts]


class DemoQuakeWorldMaster(_QuakeMaster):
    """A master server of QuakeWorld."""

    scheme, list_format = "quakeworld", quake_master_lists.QUAKEWORLD_LIST
    request = list_format.request


class DemoHexenWorldMaster(_QuakeMaster):
    """A master server of HexenWorld."""

    scheme, list_format = "hexenworld", quake_master_lists.HEXENWORLD_LIST
    request = list_format.request


class DemoQuake2Master(_QuakeMaster):
    """A master server of Quake II."""

    scheme, list_format = "quake2", quake_master_lists.QUAKE2_LIST
    request = list_format.request


class DemoZandronumMaster(DemoSingleRequestMaster):
    """A master server of Zandronum, whose list has an end mark."""

    scheme, request = "zandronum", doom_masters.ZANDRONUM_LIST_REQUEST
    _SERVERS_PER_PACKET = 100

    def decode_request(self, data: bytes) -> bytes:
        """Return a decompressed request."""
        return decompress(data)

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:
        """Return the datagrams of a list, each block with one port of one host."""
        size = self._SERVERS_PER_PACKET
        parts = [servers[start : start + size] for start in range(0, max(1, len(servers)), size)]
        packets = []
        for number, part in enumerate(parts):
            blocks = b"".join(b"\1" + _pack_host(each) + struct.pack("<H", each.port) for each in part)
            is_last = has_end and number == len(parts) - 1
            mark = doom_masters.LIST_END if is_last else doom_masters.PART_END
            head = struct.pack("<IBB", doom_masters.ZANDRONUM_LIST_PART, number & 0xFF, doom_masters.ZANDRONUM_BLOCK)
            packets.append(compress(head + blocks + bytes([0, mark])))
        return packets


class DemoOdamexMaster(DemoSingleRequestMaster):
    """A master server of Odamex."""

    scheme, request = "odamex", doom_masters.ODAMEX_LIST

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        """Return the one datagram of a list."""
        records = b"".join(_pack_host(each) + struct.pack("<H", each.port) for each in servers)
        return [doom_masters.ODAMEX_LIST + struct.pack("<H", len(servers)) + records]


class DemoChocolateDoomMaster(DemoSingleRequestMaster):
    """A master server of Chocolate Doom."""

    scheme, request = "chocolatedoom", doom_masters.CHOCOLATE_LIST_REQUEST

    def encode_servers(self, servers: Sequence[Address], has_end: bool) -> list[bytes]:  # noqa: ARG002 (there is no end mark)
        """Return the one datagram of a list."""
        return [doom_masters.CHOCOLATE_LIST_HEADER + b"".join(str(each).encode() + b"\0" for each in servers)]


def _pack_host(address: Address) -> bytes:
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
"""Master server classes by query protocol; games with a `master_protocol` have a dpmaster instead."""
