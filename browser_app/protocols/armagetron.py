"""Armagetron queries: a small request, then a big one.

Formats as in the game's `nServerInfo.cpp` and `nNetwork.cpp`: numbers have 16 bits, highest byte first; the bytes of
texts are swapped in pairs. A server without players sleeps and answers a big request only after a small one. Replies
echo nothing of a request.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader, decode_text
from browser_app.protocols.query_session import DONE, PacketError, ReceiveStatus, SingleReplySession

BIG_REPLY, SMALL_REPLY, SMALL_REQUEST, BIG_REQUEST = 50 + 1, 50, 52, 53
"""Descriptors of the messages."""
MIN_INTERVAL_S: Final = 0.55
"""Between two requests. Ten within 0.6 s from one address count as a flood; the game's own browser is as slow."""
MAX_REPLY_BYTES: Final = 16 * 1024
MAX_NAMES: Final = 64
MAX_SLOTS: Final = 255
"""More than any version of the game allows."""
_HEADER_BYTES = 6
"""Descriptor, number and length of the content, which the number of the sender follows."""


@dataclass(slots=True)
class ArmagetronReply:
    """Reply to a big request. Texts are as sent, with colour codes."""

    port: int
    name: str
    players: int
    max_players: int
    release: str
    names: tuple[str, ...]
    """Names of the players, as far as they fit."""
    options: str
    """The operator's description of the rules."""
    url: str


class _MessageReader(FieldReader):
    """Reads the content of a message, which may end with the number of its sender."""

    __slots__ = ()

    byte_order = "big"

    def __init__(self, data: bytes) -> None:
        super().__init__(data, _HEADER_BYTES)

    @property
    def is_at_end(self) -> bool:
        return self._position + 2 > len(self._data)

    def read_long(self) -> int:
        """Read an integer of 32 bits, lower half first."""
        low = self.read_u16()
        return low | self.read_u16() << 16

    def read_text(self) -> str:
        """Read a text; its length counts the zero at its end."""
        length = self.read_u16()
        swapped = self.read_bytes(length + length % 2)
        raw = bytearray(swapped)
        raw[::2], raw[1::2] = swapped[1::2], swapped[::2]
        return decode_text(bytes(raw[:length]).partition(b"\0")[0])


def encode_armagetron_text(text: str) -> bytes:
    """Encode a text with its length, bytes swapped in pairs."""
    raw = text.encode() + b"\0"
    padded = bytearray(raw + bytes(len(raw) % 2))
    padded[::2], padded[1::2] = padded[1::2], padded[::2]
    return len(raw).to_bytes(2, "big") + bytes(padded)


def encode_long_number(number: int) -> bytes:
    """Encode a number of 32 bits, lower half first."""
    return (number & 0xFFFF).to_bytes(2, "big") + (number >> 16).to_bytes(2, "big")


def build_armagetron_request(descriptor: int) -> bytes:
    """Return a request.

    Its number and length are zero, as the game's are before a login.
    """
    return descriptor.to_bytes(2, "big") + bytes(6)


def parse_big_reply(data: bytes) -> ArmagetronReply:
    """Parse the reply to a big request."""
    reader = _MessageReader(data)
    port, _connection_name = reader.read_long(), reader.read_text()
    name, players = reader.read_text(), reader.read_long()
    _min_version, _max_version = reader.read_long(), reader.read_long()
    release, max_players, names = reader.read_text(), reader.read_long(), reader.read_text()
    options = "" if reader.is_at_end else reader.read_text()
    url = "" if reader.is_at_end else reader.read_text()
    if not (0 < port < 65536 and players < 65536 and max_players < 65536):
        raise PacketError("invalid number")
    listed = tuple(filter(None, names.split("\n")))[:MAX_NAMES]
    return ArmagetronReply(port, name, players, max_players, release, listed, options, url)


class ArmagetronSession(SingleReplySession[ArmagetronReply]):
    """`QuerySession` that wakes the server by a small request, then sends a big one."""

    __slots__ = ("_is_awake",)

    def __init__(self) -> None:
        super().__init__()
        self._is_awake = False

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not echo it
        """Return the datagram of the current exchange."""
        return build_armagetron_request(BIG_REQUEST if self._is_awake else SMALL_REQUEST)

    def _receive_reply(self, data: bytes) -> bytes | ReceiveStatus:
        if not _HEADER_BYTES < len(data) <= MAX_REPLY_BYTES:
            raise PacketError("too large" if len(data) > MAX_REPLY_BYTES else "truncated reply")
        kind = int.from_bytes(data[:2], "big")
        if kind != (BIG_REPLY if self._is_awake else SMALL_REPLY):
            raise PacketError("unexpected kind" if kind in (SMALL_REPLY, BIG_REPLY) else "not this protocol")
        if not self._is_awake:
            self._is_awake = True
            return build_armagetron_request(BIG_REQUEST)
        self.reply = parse_big_reply(data)
        return DONE
