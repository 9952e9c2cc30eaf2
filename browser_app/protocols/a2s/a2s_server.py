"""Server side of A2S: parse requests, encode and split replies."""

import bz2
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from browser_app.protocols.a2s import a2s
from browser_app.protocols.query_session import PacketError, QueryParts

_MAX_16_BIT = 0xFFFF


@dataclass(frozen=True, slots=True)
class A2SRequest:
    """One request to a server."""

    requested_part: QueryParts
    """Exactly one of INFO, PLAYERS, RULES."""
    challenge: bytes | None
    """Four bytes; None if the request has none or asks for one (FFFFFFFF)."""


def parse_a2s_request(data: bytes) -> A2SRequest:
    """Parse a request."""
    for part, head in (
        (QueryParts.INFO, a2s.INFO_REQUEST),
        (QueryParts.PLAYERS, a2s.PLAYERS_REQUEST),
        (QueryParts.RULES, a2s.RULES_REQUEST),
    ):
        if data.startswith(head):
            challenge = data[len(head) : len(head) + 4]
            return A2SRequest(part, challenge if len(challenge) == 4 and challenge != a2s.NO_CHALLENGE else None)
    raise PacketError("not this protocol")


def encode_challenge(challenge: bytes) -> bytes:
    """Encode a reply that asks for the request with these four bytes appended."""
    return a2s.SINGLE_PACKET_HEADER + a2s.CHALLENGE_REPLY + challenge


def encode_info(info: a2s.A2SInfo) -> bytes:
    """Encode a Source info reply.

    An app id above 65,535 only fits into the 64-bit game id, which is added in that case.
    """
    appid = info.appid or 0
    reply = [
        a2s.SINGLE_PACKET_HEADER,
        a2s.INFO_REPLY,
        bytes([info.protocol]),
        *map(_encode_string, (info.name, info.map, info.folder, info.game)),
    ]
    reply.append(
        a2s.SOURCE_INFO_STRUCT.pack(
            appid if appid <= _MAX_16_BIT else 0,
            info.players,
            info.max_players,
            info.bots,
            info.server_type.encode("latin-1"),
            info.environment.encode("latin-1"),
            info.password,
            info.vac,
        )
    )
    if appid == a2s.THE_SHIP_APPID and info.the_ship is not None:
        reply.append(bytes([info.the_ship.mode, info.the_ship.witnesses, info.the_ship.duration]))
    reply += [_encode_string(info.version or ""), _encode_extra(info)]
    return b"".join(reply)


def _encode_extra(info: a2s.A2SInfo) -> bytes:
    game_id = info.game_id
    if game_id is None and info.appid is not None and info.appid > _MAX_16_BIT:
        game_id = info.appid
    spectator = None
    if info.spectator_port is not None:
        spectator = struct.pack("<H", info.spectator_port) + _encode_string(info.spectator_name or "")
    fields = (
        (a2s.EDF_PORT, None if info.port is None else struct.pack("<H", info.port)),
        (a2s.EDF_STEAM_ID, None if info.steam_id is None else struct.pack("<Q", info.steam_id)),
        (a2s.EDF_SPECTATOR, spectator),
        (a2s.EDF_KEYWORDS, None if info.keywords is None else _encode_string(info.keywords)),
        (a2s.EDF_GAME_ID, None if game_id is None else struct.pack("<Q", game_id)),
    )
    flags = sum(bit for bit, value in fields if value is not None)
    return bytes([flags]) + b"".join(value for _, value in fields if value is not None) if flags else b""


def encode_players(players: Sequence[a2s.A2SPlayer]) -> bytes:
    """Encode a players reply, with deaths and money if the first player has them.

    The count wraps around at 256.
    """
    rows = [b"\0" + _encode_string(each.name) + struct.pack("<if", each.score, each.duration_s) for each in players]
    reply = a2s.SINGLE_PACKET_HEADER + a2s.PLAYERS_REPLY + bytes([len(players) & 255]) + b"".join(rows)
    if players and players[0].deaths is not None:
        reply += b"".join(struct.pack("<ii", player.deaths or 0, player.money or 0) for player in players)
    return reply


def encode_rules(rules: Mapping[bytes, bytes]) -> bytes:
    """Encode a rules reply; keys and values must not contain zero bytes."""
    pairs = b"".join(key + b"\0" + value + b"\0" for key, value in rules.items())
    return a2s.SINGLE_PACKET_HEADER + a2s.RULES_REPLY + struct.pack("<H", len(rules) & _MAX_16_BIT) + pairs


def _encode_string(text: str) -> bytes:
    return text.replace("\0", "").encode("utf-8", "replace") + b"\0"


def split_source_reply(
    message: bytes, message_id: int, *, size: int = 1248, with_size: bool = True, compress: bool = False
) -> list[bytes]:
    """Split a reply into parts of `size` bytes with Source headers.

    `with_size=False` is the header of 2006.
    """
    if compress:
        message_id |= 1 << 31
        message = struct.pack("<II", len(message), zlib.crc32(message)) + bz2.compress(message)
    pieces = _split_chunks(message, size)
    size_word = struct.pack("<H", size) if with_size else b""
    return [
        a2s.SPLIT_PACKET_HEADER + struct.pack("<IBB", message_id, len(pieces), number) + size_word + piece
        for number, piece in enumerate(pieces)
    ]


def _split_chunks(message: bytes, size: int) -> list[bytes]:
    return [message[start : start + size] for start in range(0, len(message), size)]
