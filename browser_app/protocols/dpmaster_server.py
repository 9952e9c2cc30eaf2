"""The master's end of dpmaster's protocol: reading requests and heartbeats, writing lists of servers."""

import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass

from browser_app.protocols.address import Address
from browser_app.protocols.conversation import Refused
from browser_app.protocols.dpmaster import (
    END,
    EXTENDED_RESPONSE,
    HEADER,
    IPV4_MARK,
    IPV6_MARK,
    RESPONSE,
    is_gamename,
)

MAX_PACKET = 1400
"""Bytes of a datagram that a master sends."""

_MAX_REQUEST = 2048
_HEARTBEAT = HEADER + b"heartbeat "


@dataclass(frozen=True, slots=True)
class ServersRequest:
    """Somebody asks for a game's servers."""

    gamename: str
    """Empty for anonymous games."""
    protocol: int
    extended: bool
    """By getserversExt."""
    empty: bool
    full: bool
    ipv4: bool
    ipv6: bool


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A server says that it is there. `tag` names the kind of game."""

    tag: str


def read_request(data: bytes) -> ServersRequest | Heartbeat:
    """Read what a master receives.

    Raises:
        Refused: neither a request for servers nor a heartbeat.
    """
    if len(data) > _MAX_REQUEST:
        raise Refused("too large")
    if data.startswith(_HEARTBEAT):
        return Heartbeat(data[len(_HEARTBEAT) :].decode("ascii", "replace").strip())
    command, *words = data.removeprefix(HEADER).decode("ascii", "replace").split() or [""]
    if not data.startswith(HEADER) or command not in ("getservers", "getserversExt"):
        raise Refused("not this protocol")
    return _read_words(words, extended=command == "getserversExt")


def _read_words(words: list[str], extended: bool) -> ServersRequest:
    gamename = words.pop(0) if words and is_gamename(words[0]) else ""
    if extended and not gamename:
        raise Refused("malformed request")
    try:
        protocol = int(words[0][:10])
    except (IndexError, ValueError):
        raise Refused("malformed request") from None
    families = {"ipv4", "ipv6"}.intersection(words) or {"ipv4", "ipv6"}
    return ServersRequest(
        gamename,
        protocol,
        extended,
        empty="empty" in words,
        full="full" in words,
        ipv4=not extended or "ipv4" in families,
        ipv6=extended and "ipv6" in families,
    )


def write_heartbeat(tag: str) -> bytes:
    """What a server sends to its master."""
    return _HEARTBEAT + tag.encode("ascii") + b"\n"


def write_servers(addresses: Iterable[Address], *, extended: bool = False, end: bool = True) -> list[bytes]:
    """The datagrams that list `addresses`; hosts must be IP addresses, and IPv4 ones where the reply is not extended.
    `end=False` leaves out the mark that closes the list."""
    head = EXTENDED_RESPONSE if extended else RESPONSE
    packets = [head]
    for record in (*map(_record, addresses), *((END,) if end else ())):
        if len(packets[-1]) + len(record) > MAX_PACKET:
            packets.append(head)
        packets[-1] += record
    return packets


def _record(address: Address) -> bytes:
    ip = ipaddress.ip_address(address.host)
    return (IPV4_MARK if ip.version == 4 else IPV6_MARK) + ip.packed + address.port.to_bytes(2, "big")
