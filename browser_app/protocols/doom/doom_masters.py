"""Server lists of the master servers of Zandronum, Odamex and Chocolate Doom."""

import struct
from collections.abc import Iterator
from typing import Final

from browser_app.protocols.address import Address, parse_address
from browser_app.protocols.doom.doom_reader import DoomReader
from browser_app.protocols.doom.zandronum_huffman import UNCOMPRESSED, decompress
from browser_app.protocols.quake.dpmaster import ServersPacket
from browser_app.protocols.query_session import PacketError

ZANDRONUM_LIST_REQUEST: Final = UNCOMPRESSED + struct.pack("<IH", 5660028, 2)
ZANDRONUM_LIST_PART: Final = 6
ZANDRONUM_BLOCK: Final = 8
PART_END, LIST_END = 7, 2
ODAMEX_LIST: Final = struct.pack("<I", 777123)
"""The request, and how the reply begins."""
CHOCOLATE_LIST_REQUEST: Final = b"\x00\x02"
CHOCOLATE_LIST_HEADER: Final = b"\x00\x03"


def parse_zandronum_list(data: bytes) -> ServersPacket:
    """Parse one datagram of Zandronum's list: blocks of the ports on one host.

    Raises:
        PacketError: it is another datagram, such as a refusal (banned, or asked too often), or is cut off.
    """
    reader = DoomReader(decompress(data))
    if reader.read_u32() != ZANDRONUM_LIST_PART:
        raise PacketError("not this protocol")
    reader.read_u8()  # number of the datagram; there is no total
    addresses: list[Address] = []
    while (mark := reader.read_u8()) == ZANDRONUM_BLOCK:
        while count := reader.read_u8():
            host = _parse_host(reader.read_bytes(4))
            addresses += [Address(host, port) for port in (reader.read_u16() for _ in range(count)) if port]
    if mark not in (PART_END, LIST_END):
        raise PacketError("malformed list")
    return ServersPacket(tuple(addresses), is_last=mark == LIST_END)


def parse_odamex_list(data: bytes) -> ServersPacket:
    """Parse Odamex's list, which is one datagram."""
    if not data.startswith(ODAMEX_LIST):
        raise PacketError("not this protocol")
    reader = DoomReader(data, len(ODAMEX_LIST))
    found = [Address(_parse_host(reader.read_bytes(4)), reader.read_u16()) for _ in range(reader.read_u16())]
    return ServersPacket(tuple([address for address in found if address.port]), is_last=True)


def parse_chocolate_list(data: bytes) -> ServersPacket:
    """Parse Chocolate Doom's list, which is one datagram of texts."""
    if not data.startswith(CHOCOLATE_LIST_HEADER):
        raise PacketError("not this protocol")
    return ServersPacket(tuple(_parse_texts(data[len(CHOCOLATE_LIST_HEADER) :])), is_last=True)


def _parse_host(packed: bytes) -> str:
    return ".".join(map(str, packed))


def _parse_texts(data: bytes) -> Iterator[Address]:
    for raw in data.split(b"\0")[:-1]:
        try:
            yield parse_address(raw.decode("ascii"))
        except ValueError:
            continue
