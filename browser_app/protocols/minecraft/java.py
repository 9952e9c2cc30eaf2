"""Minecraft Java's status over TCP: packets and the status document.

Formats as in the game's protocol: a packet is its length and its body; numbers are variable-length integers of seven
bits a byte, lowest first.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.address import Address
from browser_app.protocols.json_parser import MAX_REPLY_VALUES, JSONParseError, count_or_none, parse_json, text_or_empty
from browser_app.protocols.query_session import DONE, PARTIAL, PacketError, ReceiveStatus, SingleReplySession

MAX_STATUS_BYTES: Final = 128 << 10
"""Maximum length of a status; a server's icon takes up to 64 KiB of it."""
MAX_NESTING: Final = 16
"""Levels of text components that are read."""
ANY_PROTOCOL: Final = -1
"""Version number of a program that joins no game."""
STATUS_STATE: Final = 1
_STATUS_REPLY = 0
_MAX_TEXT = 4096
_MAX_COUNT = 2**31 - 1
"""Server networks report any number, also negative ones for "unlimited"."""
_PONG_BYTES = 10


_LAN_ANNOUNCEMENT = re.compile(rb"\[MOTD\].*\[/MOTD\]\[AD\](?:[0-9.]+:)?([0-9]{1,5})\[/AD\]", re.DOTALL)
"""Old versions also send an address; like the game, we use that of the sender."""


@dataclass(slots=True)
class JavaStatus:
    """A server's status. Texts are as sent, with formatting codes."""

    name: str
    """Its message of the day, in one or two lines."""
    version: str
    players: int | None
    max_players: int | None
    sample: tuple[str, ...]
    """Names that the server chooses to show; on many servers they are advertisements."""


def encode_varint(value: int) -> bytes:
    """Encode an integer of 32 bits."""
    rest = value & 0xFFFFFFFF
    encoded = bytearray()
    while True:
        byte, rest = rest & 0x7F, rest >> 7
        encoded.append(byte | 0x80 if rest else byte)
        if not rest:
            return bytes(encoded)


def decode_varint(data: bytes | bytearray, position: int = 0) -> tuple[int, int] | None:
    """Return the unsigned integer at a position and the position after it.

    None if more bytes are needed.

    Raises:
        PacketError: it has more than 32 bits.
    """
    value = 0
    for number in range(5):
        if position + number >= len(data):
            return None
        byte = data[position + number]
        value |= (byte & 0x7F) << (7 * number)
        if not byte & 0x80:
            return value, position + number + 1
    raise PacketError("invalid number")


def encode_java_packet(body: bytes) -> bytes:
    """Return a packet with its length."""
    return encode_varint(len(body)) + body


def encode_java_status_request(host: str, port: int) -> bytes:
    """Return the handshake and the request for the status.

    `host` is the name by which the server is reached, that of its SRV record if it has one, as in the handshake of a
    player who joins. Proxies choose the server by it.
    """
    name = host.encode("utf-8", "replace")[:255]
    handshake = (
        b"\0"
        + encode_varint(ANY_PROTOCOL)
        + encode_varint(len(name))
        + name
        + port.to_bytes(2, "big")
        + encode_varint(STATUS_STATE)
    )
    return encode_java_packet(handshake) + encode_java_packet(b"\0")


def encode_java_ping(token: bytes) -> bytes:
    """Return a ping packet; `token` has eight bytes."""
    return encode_java_packet(b"\1" + token)


def split_java_packet(data: bytes | bytearray) -> tuple[bytes, int] | None:
    """Return the first packet's body and its length on the wire.

    None if more bytes are needed.

    Raises:
        PacketError: the packet is larger than any status.
    """
    header = decode_varint(data)
    if header is None:
        return None
    length, start = header
    if not 0 < length <= MAX_STATUS_BYTES:
        raise PacketError("too large" if length else "empty packet")
    return (bytes(data[start : start + length]), start + length) if len(data) >= start + length else None


def parse_java_status(body: bytes) -> JavaStatus:
    """Parse the body of a status packet."""
    if not body or body[0] != _STATUS_REPLY:
        raise PacketError("not this protocol")
    header = decode_varint(body, 1)
    if header is None or len(body) - header[1] != header[0]:
        raise PacketError("truncated text")
    try:
        document = parse_json(body[header[1] :].decode("utf-8", "replace"), max_values=MAX_REPLY_VALUES)
    except JSONParseError:
        raise PacketError("not JSON") from None
    if not isinstance(document, dict):
        raise PacketError("no status")
    return _read_status(document)


def _read_status(document: dict[str, object]) -> JavaStatus:
    """Return the values of a status; missing or wrong values are empty or unknown."""
    version, players = document.get("version"), document.get("players")
    counts = players if isinstance(players, dict) else {}
    rows = counts.get("sample")
    sample = [row.get("name") for row in rows[:64] if isinstance(row, dict)] if isinstance(rows, list) else []
    name = version.get("name") if isinstance(version, dict) else None
    return JavaStatus(
        "".join(_iterate_texts(document.get("description"), MAX_NESTING))[:_MAX_TEXT],
        text_or_empty(name)[:_MAX_TEXT],
        count_or_none(counts.get("online"), _MAX_COUNT),
        count_or_none(counts.get("max"), _MAX_COUNT),
        tuple(each for each in sample if isinstance(each, str)),
    )


def _iterate_texts(component: object, levels: int) -> Iterator[str]:
    """Yield the texts of a text component.

    That is a text, a list of components, or an object with `text` and `extra`.
    """
    if isinstance(component, str):
        yield component
    elif isinstance(component, list) and levels:
        for each in component:
            yield from _iterate_texts(each, levels - 1)
    elif isinstance(component, dict) and levels:
        for key in ("text", "translate", "extra"):
            yield from _iterate_texts(component.get(key), levels - 1)


def parse_lan_announcement(data: bytes) -> int:
    """Return the port of a world that is open to the local network."""
    match = _LAN_ANNOUNCEMENT.fullmatch(data)
    if match is None or not 1 <= int(match[1]) <= 65535:
        raise PacketError("not this protocol")
    return int(match[1])


class JavaSession(SingleReplySession[JavaStatus]):
    """`QuerySession` that sends a status request, then a ping packet."""

    __slots__ = ("_ping_token", "_received", "_server")

    def __init__(self, server: Address) -> None:
        super().__init__()
        self._server = server
        self._received = bytearray()
        self._ping_token = b""

    def build_request(self, token: bytes) -> bytes:
        """Return handshake and status request."""
        self._ping_token = token
        return encode_java_status_request(self._server.host, self._server.port)

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        self._received += data
        packet = split_java_packet(self._received)
        if packet is None:
            return PARTIAL
        body, length = packet
        self.reply = parse_java_status(body)
        del self._received[:length]
        return DONE

    def build_ping_probe(self) -> bytes | None:
        """Return a ping packet; a server answers it at once."""
        self._received.clear()
        return encode_java_ping(self._ping_token)

    def is_probe_reply(self, data: bytes) -> bool:
        """Return whether `data` completes the reply to the ping packet."""
        self._received += data[:_PONG_BYTES]
        del self._received[_PONG_BYTES:]
        return self._received == encode_java_ping(self._ping_token)
