"""Replies of Teeworlds servers, and the integer encoding of version 0.7."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import PacketError

PASSWORD_FLAG: Final = 1
MAX_REPLY_BYTES: Final = 8192
"""Maximum size of one datagram; servers send at most 1,400 bytes."""
MAX_CLIENTS: Final = 255
"""Clients kept; servers have 16 (Teeworlds) to 128 (DDNet) slots."""
_MAX_COUNT = 0xFFFF


@dataclass(slots=True)
class TeeworldsClient:
    """One client of a server. Texts are as sent."""

    name: str
    clan: str
    score: int | None
    """Points, or in race modes the time in seconds, which are negative in version 0.6; −9999 there for no time yet.

    None if a list lacks it, and in version 0.7 for no time yet.
    """
    is_spectator: bool
    is_bot: bool | None
    """None in version 0.6, which does not report bots."""


@dataclass(slots=True)
class TeeworldsReply:
    """Info reply, the same in both versions. Texts are as sent."""

    version: str
    name: str
    map: str
    game_type: str
    password: bool
    players: int
    max_players: int
    clients: int
    """Players and spectators, and with some modifications bots of version 0.7, which all list."""
    max_clients: int
    client_list: tuple[TeeworldsClient, ...] | None
    """None if the server left it out, as busy servers do, or part of it was lost."""


def build_reply(
    texts: Iterable[str], flags: int, counts: Sequence[int], client_list: tuple[TeeworldsClient, ...]
) -> TeeworldsReply:
    """Return the reply with these fields, in the order of both versions.

    Raises:
        PacketError: a count is negative or above 65,535.
    """
    if not 0 <= min(counts) <= max(counts) <= _MAX_COUNT:
        raise PacketError("invalid number")
    version, name, map_name, game_type = texts
    players, max_players, clients, max_clients = counts
    return TeeworldsReply(
        version,
        name,
        map_name,
        game_type,
        bool(flags & PASSWORD_FLAG),
        players,
        max_players,
        clients,
        max_clients,
        client_list,
    )


def derive_token(token: bytes, bits: int) -> int:
    """Return a token of `bits` bits, as the protocol uses, from a session's token."""
    return zlib.crc32(token) & ((1 << bits) - 1)


def pack_int(value: int) -> bytes:
    """Encode an integer as version 0.7 does.

    A byte of `ESDDDDDD`, then up to four of `EDDDDDDD`, lowest bits first. `E` is set if a byte follows, `S` for
    negative numbers, whose bits are inverted.
    """
    sign, rest = (0x40, ~value) if value < 0 else (0, value)
    packed = bytearray([sign | (rest & 0x3F)])
    rest >>= 6
    while rest:
        packed[-1] |= 0x80
        packed.append(rest & 0x7F)
        rest >>= 7
    return bytes(packed)


def unpack_int(data: bytes, position: int) -> tuple[int, int]:
    """Return the integer at a position, and the position after it.

    Raises:
        PacketError: it is truncated or has more than 32 bits.
    """
    try:
        byte = data[position]
        negative, value, shift = bool(byte & 0x40), byte & 0x3F, 6
        while byte & 0x80:
            if shift > 27:
                raise PacketError("invalid number")
            position += 1
            byte = data[position]
            value |= (byte & 0x7F) << shift
            shift += 7
    except IndexError:
        raise PacketError("truncated number") from None
    return ~value if negative else value, position + 1
