"""Client side of the dpmaster protocol: requests and server lists.

Source: dpmaster's `techinfo.txt`; the additions of Unvanquished's master from Daemon's `cl_serverlist.cpp`.
"""

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.query_session import PacketError

HEADER: Final = b"\xff\xff\xff\xff"
SERVERS_RESPONSE: Final = HEADER + b"getserversResponse"
EXTENDED_SERVERS_RESPONSE: Final = HEADER + b"getserversExtResponse"
END_MARK: Final = b"\\EOT\0\0\0"
IPV4_MARK: Final = b"\\"
IPV6_MARK: Final = b"/"

_GAMENAME = re.compile(r'(?!-?\d+\Z)(?:(?![\\/;"%])[\x21-\x7e]){1,63}\Z')
_NUMBERING = re.compile(rb"\0(\d{1,5})\0(\d{1,5})(?:\0([^\\/\0]{0,255})\0?)?(?=[\\/]|\Z)")
_LINKS: Final = EXTENDED_SERVERS_RESPONSE + b"Links"
_IPV4_RECORD = 7
_IPV6_RECORD = 19
_BROADCAST = b"\xff\xff\xff\xff"
_END_MARKS = (b"\\EOT", b"\\EOF")


def encode_servers_request(gamename: str, protocol: int | str, ipv6: bool = False) -> bytes:
    """The request for all servers of a game, empty and full ones too.

    `gamename` may be empty for anonymous games (Quake III); `ipv6` asks for servers of both families.

    Raises:
        ValueError: the game's name is not one, or is empty where IPv6 is asked for; the protocol is no number.
    """
    if gamename and not is_valid_gamename(gamename):
        raise ValueError(f"not a game name: {gamename!r}")
    if not re.fullmatch(r"-?[0-9]{1,9}", str(protocol)):
        raise ValueError(f"protocol must be a number, not {protocol!r}")
    if ipv6 and not gamename:
        raise ValueError("a game without a name has no IPv6 list")
    words = ("getserversExt" if ipv6 else "getservers", gamename, str(protocol), "empty full")
    return HEADER + " ".join((*filter(None, words), *(("ipv4 ipv6",) if ipv6 else ()))).encode("ascii")


def is_valid_gamename(text: str) -> bool:
    r"""Whether masters take `text` as a game's name: visible ASCII, none of `\ / ; " %`, and not a whole number."""
    return bool(_GAMENAME.match(text))


@dataclass(frozen=True, slots=True)
class ServersPacket:
    """One datagram of a master's answer."""

    addresses: tuple[Address, ...]
    """As listed, without those that nobody can be at: port 0 or 255.255.255.255."""
    is_last: bool
    """The list is complete (old masters say so in each packet)."""
    index: int | None = None
    """Which of `total` packets this is, from 1 (Unvanquished's master)."""
    total: int | None = None
    label: str = ""
    """What the servers of this packet are marked as, such as featured (Unvanquished's master)."""


def parse_servers_packet(data: bytes) -> ServersPacket:
    """Read one datagram. Records are walked by their length, since address bytes may look like separators; what follows
    the first impossible one is ignored.

    Raises:
        Refused: no list of servers.
    """
    if data.startswith(_LINKS):
        return ServersPacket((), is_last=False)  # pairs the two addresses of servers that are listed elsewhere
    for head in (EXTENDED_SERVERS_RESPONSE, SERVERS_RESPONSE):
        if data.startswith(head):
            index, total, label, start = _parse_numbering(data, len(head))
            addresses, end = _parse_records(data, start)
            return ServersPacket(addresses, end, index, total, label)
    raise PacketError("not this protocol")


def _parse_numbering(data: bytes, position: int) -> tuple[int | None, int | None, str, int]:
    r"""`\0INDEX\0TOTAL\0LABEL` between command and records; and where the records begin."""
    if data[position : position + 1] != b"\0":
        return None, None, "", position
    match = _NUMBERING.match(data, position)
    if match is None:
        raise PacketError("malformed list")
    return int(match[1]), int(match[2]), match[3].decode("utf-8", "replace"), match.end()


def _parse_records(data: bytes, position: int) -> tuple[tuple[Address, ...], bool]:
    addresses: list[Address] = []
    while position < len(data):
        mark = data[position : position + 1]
        record = data[position : position + (_IPV6_RECORD if mark == IPV6_MARK else _IPV4_RECORD)]
        if record.startswith(_END_MARKS) and not record[4:].strip(b"\0"):
            return tuple(addresses), True
        if mark not in (IPV4_MARK, IPV6_MARK) or len(record) < _IPV4_RECORD:
            break
        if mark == IPV6_MARK and len(record) < _IPV6_RECORD:
            break
        address = _parse_address_record(record[1:-2], int.from_bytes(record[-2:], "big"))
        if address is not None:
            addresses.append(address)
        position += len(record)
    return tuple(addresses), False


def _parse_address_record(packed: bytes, port: int) -> Address | None:
    if port == 0 or packed == _BROADCAST:
        return None
    if len(packed) == 4:
        return Address(".".join(map(str, packed)), port)
    ipv6 = ipaddress.IPv6Address(packed)
    return Address(str(ipv6.ipv4_mapped or ipv6), port)
