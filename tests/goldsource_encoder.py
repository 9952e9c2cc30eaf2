"""Encoder of GoldSource replies for tests; no demo server is a GoldSource one."""

import struct

from browser_app.protocols.a2s.a2s import (
    GOLDSOURCE_INFO_REPLY,
    GOLDSOURCE_INFO_STRUCT,
    SINGLE_PACKET_HEADER,
    SPLIT_PACKET_HEADER,
    A2SInfo,
)


def _encode_string(text: str) -> bytes:
    return text.encode() + b"\0"


def encode_goldsource_info(info: A2SInfo, address: str = "", mod: bytes = b"") -> bytes:
    """Encode a GoldSource info reply (`m`); `mod` is the encoded description of a mod."""
    texts = (address, info.name, info.map, info.folder, info.game)
    tail = GOLDSOURCE_INFO_STRUCT.pack(
        info.players,
        info.max_players,
        info.protocol,
        info.server_type.encode("latin-1"),
        info.environment.encode("latin-1"),
        info.password,
        bool(mod),
    )
    return (
        SINGLE_PACKET_HEADER
        + GOLDSOURCE_INFO_REPLY
        + b"".join(map(_encode_string, texts))
        + tail
        + mod
        + bytes([info.vac, info.bots])
    )


def split_goldsource_reply(message: bytes, message_id: int, *, size: int = 1391) -> list[bytes]:
    """Split a reply into at most 15 parts of `size` bytes with GoldSource headers."""
    pieces = [message[start : start + size] for start in range(0, len(message), size)]
    return [
        SPLIT_PACKET_HEADER + struct.pack("<IB", message_id, number << 4 | len(pieces)) + piece
        for number, piece in enumerate(pieces)
    ]
