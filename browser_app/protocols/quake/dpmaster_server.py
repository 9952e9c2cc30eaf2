"""Server side of the dpmaster protocol: requests and lists."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from browser_app.protocols.address import Address
from browser_app.protocols.quake import dpmaster
from browser_app.protocols.query_session import PacketError

MAX_PACKET_BYTES = 1400
"""Maximum size of a datagram that a master sends."""

_MAX_REQUEST_BYTES = 2048


@dataclass(frozen=True, slots=True)
class ServersRequest:
    """Request for the servers of a game."""

    gamename: str
    """Empty for anonymous games."""
    protocol: int
    is_extended: bool
    """The request is a getserversExt."""


def parse_master_request(data: bytes) -> ServersRequest:
    """Parse a request to a master."""
    if len(data) > _MAX_REQUEST_BYTES:
        raise PacketError("too large")
    command, *words = data.removeprefix(dpmaster.HEADER).decode("ascii", "replace").split() or [""]
    if not data.startswith(dpmaster.HEADER) or command not in ("getservers", "getserversExt"):
        raise PacketError("not this protocol")
    return _parse_request_words(words, extended=command == "getserversExt")


def _parse_request_words(words: list[str], extended: bool) -> ServersRequest:
    gamename = words.pop(0) if words and dpmaster.is_valid_gamename(words[0]) else ""
    if extended and not gamename:
        raise PacketError("malformed request")
    try:
        protocol = int(words[0][:10])
    except (IndexError, ValueError):
        raise PacketError("malformed request") from None
    return ServersRequest(gamename, protocol, extended)


def encode_servers_response(addresses: Iterable[Address], *, extended: bool = False, end: bool = True) -> list[bytes]:
    """Encode the datagrams that list `addresses`; `end=False` omits the end mark.

    Hosts must be IP addresses, and IPv4 ones unless `extended`.
    """
    head = dpmaster.EXTENDED_SERVERS_RESPONSE if extended else dpmaster.SERVERS_RESPONSE
    packets = [head]
    for record in (*map(_encode_record, addresses), *((dpmaster.END_MARK,) if end else ())):
        if len(packets[-1]) + len(record) > MAX_PACKET_BYTES:
            packets.append(head)
        packets[-1] += record
    return packets


def _encode_record(address: Address) -> bytes:
    ip = ipaddress.ip_address(address.host)
    return (dpmaster.IPV4_MARK if ip.version == 4 else dpmaster.IPV6_MARK) + ip.packed + address.port.to_bytes(2, "big")
