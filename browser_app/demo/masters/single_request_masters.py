"""Demo master servers over UDP that send their whole list in reply to one request."""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple

from browser_app.demo.demo_server import PeerAddress
from browser_app.demo.masters.udp_masters import DemoTeeworldsMaster, DemoUdpMaster
from browser_app.protocols import query_protocols
from browser_app.protocols.address import Address
from browser_app.protocols.doom import doom_masters
from browser_app.protocols.doom.zandronum_huffman import compress, decompress
from browser_app.protocols.quake import quake_master_lists
from browser_app.protocols.quake.quake_master_lists import AddressListFormat
from browser_app.protocols.query_session import PacketError

_QUAKE_SERVERS_PER_PACKET = 200
_ZANDRONUM_SERVERS_PER_PACKET = 100


class SingleRequestList(NamedTuple):
    """How the master server of one query protocol sends its list."""

    request: bytes
    encode: Callable[[Sequence[Address], bool], list[bytes]]
    """Returns the datagrams of a list; False: without an end mark, if it has one at all."""
    decode_request: Callable[[bytes], bytes] = bytes


class DemoSingleRequestMaster(DemoUdpMaster):
    """A master server of one of the `SINGLE_REQUEST_LISTS`."""

    garbage = b"\xff\xff\xff\xffprint\nno such command\n"

    @property
    def url(self) -> str:
        """The master URL."""
        return f"{self.game.protocol}+udp://{self.address}"

    def encode_list(self, data: bytes, peer: PeerAddress, servers: Sequence[Address], *, has_end: bool) -> list[bytes]:  # noqa: ARG002 (the same for all masters)
        """Return the reply to a list request."""
        request, encode, decode_request = SINGLE_REQUEST_LISTS[self.game.protocol]
        if decode_request(data) != decode_request(request):
            raise PacketError("not this protocol")
        return encode(servers, has_end)


def _encode_quake_list(list_format: AddressListFormat, servers: Sequence[Address], _has_end: bool) -> list[bytes]:
    space = b" " if list_format.header == quake_master_lists.QUAKE2_LIST.header else b""
    head, size = b"\xff\xff\xff\xff" + list_format.header + space, _QUAKE_SERVERS_PER_PACKET
    parts = [servers[start : start + size] for start in range(0, max(1, len(servers)), size)]
    return [head + _encode_records(part, ">4sH") for part in parts]


def _encode_zandronum_list(servers: Sequence[Address], has_end: bool) -> list[bytes]:
    """Return the datagrams of a list, each block with one port of one host."""
    size = _ZANDRONUM_SERVERS_PER_PACKET
    parts = [servers[start : start + size] for start in range(0, max(1, len(servers)), size)]
    packets = []
    for number, part in enumerate(parts):
        blocks = b"".join(b"\1" + _encode_records([each], "<4sH") for each in part)
        is_last = has_end and number == len(parts) - 1
        mark = doom_masters.LIST_END if is_last else doom_masters.PART_END
        head = struct.pack("<IBB", doom_masters.ZANDRONUM_LIST_PART, number & 0xFF, doom_masters.ZANDRONUM_BLOCK)
        packets.append(compress(head + blocks + bytes([0, mark])))
    return packets


def _encode_odamex_list(servers: Sequence[Address], _has_end: bool) -> list[bytes]:
    return [doom_masters.ODAMEX_LIST + struct.pack("<H", len(servers)) + _encode_records(servers, "<4sH")]


def _encode_chocolate_list(servers: Sequence[Address], _has_end: bool) -> list[bytes]:
    return [doom_masters.CHOCOLATE_LIST_HEADER + b"".join(str(each).encode() + b"\0" for each in servers)]


def _encode_records(addresses: Iterable[Address], record_format: str) -> bytes:
    return b"".join(struct.pack(record_format, bytes(map(int, each.host.split("."))), each.port) for each in addresses)


def _quake_list(list_format: AddressListFormat) -> SingleRequestList:
    return SingleRequestList(list_format.request, partial(_encode_quake_list, list_format))


SINGLE_REQUEST_LISTS: Final[Mapping[str, SingleRequestList]] = {
    query_protocols.QUAKEWORLD: _quake_list(quake_master_lists.QUAKEWORLD_LIST),
    query_protocols.HEXENWORLD: _quake_list(quake_master_lists.HEXENWORLD_LIST),
    query_protocols.QUAKE2: _quake_list(quake_master_lists.QUAKE2_LIST),
    query_protocols.ZANDRONUM: SingleRequestList(
        doom_masters.ZANDRONUM_LIST_REQUEST, _encode_zandronum_list, decompress
    ),
    query_protocols.ODAMEX: SingleRequestList(doom_masters.ODAMEX_LIST, _encode_odamex_list),
    query_protocols.CHOCOLATE_DOOM: SingleRequestList(doom_masters.CHOCOLATE_LIST_REQUEST, _encode_chocolate_list),
}
"""By query protocol, which is also the first part of the scheme of the master URLs."""
UDP_MASTERS: Final[Mapping[str, type[DemoUdpMaster]]] = {
    query_protocols.TEEWORLDS07: DemoTeeworldsMaster,
    **dict.fromkeys(SINGLE_REQUEST_LISTS, DemoSingleRequestMaster),
}
"""Master server classes by query protocol; games with a `master_protocol` have a dpmaster instead."""
