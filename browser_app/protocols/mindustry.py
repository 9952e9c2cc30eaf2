"""Mindustry's server data (`NetworkIO` in its source).

Two bytes ask for a datagram of texts behind their length in one byte, and big-endian numbers. It repeats nothing of the
request; newer servers add a description and a name of the mode.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import DONE, PacketError, ReceiveStatus, SingleReplySession

REQUEST: Final = b"\xfe\x01"
DEFAULT_PORT: Final = 6567
MODES: Final = ("survival", "sandbox", "attack", "pvp", "editor")
MAX_REPLY_BYTES: Final = 2048
_NUMBER_BYTES = 4
_MAX_COUNT = 100_000
_MAX_MODES = 32
"""More than the game has: larger numbers come from another protocol."""


@dataclass(slots=True)
class MindustryReply:
    """Reply of one server. Texts are as sent."""

    name: str
    map: str
    players: int
    wave: int
    version: str
    mode: str
    """One of `MODES`; empty if it is another one."""
    max_players: int | None
    """None if there is no limit."""
    description: str
    mode_name: str
    """The server's own name of its mode; mostly empty."""


class _Reader:
    """Reads texts and numbers, one after the other."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    def _read(self, size: int) -> bytes:
        data = self._data[self._position : self._position + size]
        if len(data) < size:
            raise PacketError("truncated text")
        self._position += size
        return data

    def byte(self) -> int:
        return self._read(1)[0]

    def text(self) -> str:
        return self._read(self.byte()).decode("utf-8", "replace")

    def number(self) -> int:
        return int.from_bytes(self._read(_NUMBER_BYTES), "big", signed=True)

    def optional_text(self) -> str:
        """Return the next text; empty at the end, where old servers stop."""
        return self.text() if self._position < len(self._data) else ""


def parse_mindustry_reply(data: bytes) -> MindustryReply:
    """Parse a reply.

    Raises:
        PacketError: The data is no such reply.
    """
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    reader = _Reader(data)
    name, map_name = reader.text(), reader.text()
    players, wave, build = reader.number(), reader.number(), reader.number()
    kind, mode, limit = reader.text(), reader.byte(), reader.number()
    if not 0 <= players <= _MAX_COUNT or not -1 <= limit <= _MAX_COUNT or mode >= _MAX_MODES or not name.isprintable():
        raise PacketError("not this protocol")
    return MindustryReply(
        name,
        map_name,
        players,
        wave,
        f"{kind} {build}" if build >= 0 else kind,
        MODES[mode] if mode < len(MODES) else "",
        limit if limit > 0 else None,
        reader.optional_text(),
        reader.optional_text(),
    )


class MindustrySession(SingleReplySession[MindustryReply]):
    """`QuerySession` by one request, without any token."""

    __slots__ = ()

    def build_request(self, token: bytes) -> bytes:  # noqa: ARG002 - replies do not repeat it
        """Return the datagram of one more attempt."""
        return REQUEST

    def _receive_reply(self, data: bytes) -> ReceiveStatus:
        self.reply = parse_mindustry_reply(data)
        return DONE
