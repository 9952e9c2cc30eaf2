"""Client side of the dpmaster protocol: requests and server lists.

Sources: dpmaster's `techinfo.txt`; Daemon's `cl_serverlist.cpp` for the additions of Unvanquished's master; fixtures of
the browser Lookout for the deviations of the masters of Call of Duty, Jedi Outcast and Elite Force.
"""

import ipaddress
import re
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.address import Address, unmap_ip
from browser_app.protocols.query_session import PacketError

HEADER: Final = b"\xff\xff\xff\xff"
SERVERS_RESPONSE: Final = HEADER + b"getserversResponse"
EXTENDED_SERVERS_RESPONSE: Final = HEADER + b"getserversExtResponse"
END_MARK: Final = b"\\EOT\0\0\0"
IPV4_MARK: Final = b"\\"
IPV6_MARK: Final = b"/"

_GAMENAME = re.compile(r'(?!-?\d+\Z)(?:(?![\\/;"%])[\x21-\x7e]){1,63}\Z')
_NUMBERING = re.compile(rb"\0(\d{1,5})\0(\d{1,5})(?:\0([^\\/\0]{0,255})\0?)?(?=[\\/]|\Z)")
_LEAD = re.compile(rb"(?:\n\0?| )(?=\\)")
"""Before the first record: Call of Duty's masters send the longest one, JK2MV's a line break, Elite Force's a space."""
_HEX_RECORD = re.compile(rb"\\([0-9A-Fa-f]{8})([0-9A-Fa-f]{4})(?=[\\\0]|\Z)")
"""Record of Elite Force's masters; another record would end where this one has its seventh digit."""
_LINKS: Final = EXTENDED_SERVERS_RESPONSE + b"Links"
_IPV4_RECORD = 7
_IPV6_RECORD = 19
_BROADCAST = b"\xff\xff\xff\xff"
_END_MARKS = (b"\\EOT", b"\\EOF")


def encode_servers_request(gamename: str, protocol: int | str, ipv6: bool = False) -> bytes:
    """Encode a request for all servers of a game, including empty and full ones.

    `gamename` may be empty for anonymous games (Quake III); `ipv6` requests servers of both address families.

    Raises:
        ValueError: the game name is invalid, or empty although IPv6 is requested; or the protocol is not a number.
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
    r"""Return whether masters accept a game name: ASCII, no `\ / ; " %`, no integer."""
    return bool(_GAMENAME.match(text))


@dataclass(frozen=True, slots=True)
class ServersPacket:
    """One datagram of a master's reply."""

    addresses: tuple[Address, ...]
    """As listed, without impossible ones (port 0 or host 255.255.255.255)."""
    is_last: bool
    """The packet has an end mark (old masters put one into every packet)."""
    index: int | None = None
    """Number of this packet out of `total`, from 1 (Unvanquished's master)."""
    total: int | None = None


def parse_servers_packet(data: bytes) -> ServersPacket:
    """Parse one datagram of a server list.

    Records are delimited by their length, because address bytes may look like separators. Data after the first invalid
    record is ignored.
    """
    if data.startswith(_LINKS):
        return ServersPacket((), is_last=False)  # pairs the two addresses of servers listed in other packets
    for head in (EXTENDED_SERVERS_RESPONSE, SERVERS_RESPONSE):
        if data.startswith(head):
            index, total, start = _parse_numbering(data, len(head))
            addresses, end = _parse_records(data, start)
            return ServersPacket(addresses, end, index, total)
    raise PacketError("not this protocol")


def _parse_numbering(data: bytes, position: int) -> tuple[int | None, int | None, int]:
    r"""Return index and total of `\0INDEX\0TOTAL\0LABEL`, and the records' offset."""
    if data[position : position + 1] != b"\0":
        return None, None, position
    match = _NUMBERING.match(data, position)
    if match is None:
        raise PacketError("malformed list")
    return int(match[1]), int(match[2]), match.end()


def _parse_records(data: bytes, position: int) -> tuple[tuple[Address, ...], bool]:
    addresses: list[Address] = []
    if lead := _LEAD.match(data, position):
        position = lead.end()
    while position < len(data):
        if in_hex := _HEX_RECORD.match(data, position):
            _add_server(addresses, bytes.fromhex(in_hex[1].decode()), int(in_hex[2], 16))
            position = in_hex.end()
            continue
        mark = data[position : position + 1]
        record = data[position : position + (_IPV6_RECORD if mark == IPV6_MARK else _IPV4_RECORD)]
        if record.startswith(_END_MARKS) and not record[4:].strip(b"\0"):
            return tuple(addresses), True
        if mark not in (IPV4_MARK, IPV6_MARK) or len(record) < _IPV4_RECORD:
            break
        if mark == IPV6_MARK and len(record) < _IPV6_RECORD:
            break
        _add_server(addresses, record[1:-2], int.from_bytes(record[-2:], "big"))
        position += len(record)
    return tuple(addresses), False


def _add_server(addresses: list[Address], packed: bytes, port: int) -> None:
    """Append the address of a record unless it is impossible."""
    if port == 0 or packed == _BROADCAST:
        return
    if len(packed) == 4:
        addresses.append(Address(".".join(map(str, packed)), port))
    else:
        addresses.append(Address(str(unmap_ip(ipaddress.IPv6Address(packed))), port))
