"""Mindustry's server query (`NetworkIO` in its source).

The reply is one datagram of big-endian integers and of texts, each preceded by its length in a byte. It echoes nothing
of the request; newer servers append a description and a mode name.
"""

from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import FixedRequestSession, PacketError

REQUEST: Final = b"\xfe\x01"
DEFAULT_PORT: Final = 6567
MODES: Final = ("survival", "sandbox", "attack", "pvp", "editor")
MAX_REPLY_BYTES: Final = 2048
_MAX_COUNT = 100_000
_MAX_MODES = 32
"""More than the game has; a larger number means another protocol."""


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
    """The operator's name of the mode; usually empty."""


class _MindustryReader(FieldReader):
    __slots__ = ()

    byte_order = "big"

    def read_text(self) -> str:
        return self.read_bytes(self.read_u8()).decode("utf-8", "replace")

    def read_optional_text(self) -> str:
        """Return the next text; empty at the end, where old servers stop."""
        return "" if self.is_at_end else self.read_text()


def parse_mindustry_reply(data: bytes) -> MindustryReply:
    """Parse a reply."""
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    reader = _MindustryReader(data)
    name, map_name = reader.read_text(), reader.read_text()
    players, wave, build = reader.read_i32(), reader.read_i32(), reader.read_i32()
    kind, mode, limit = reader.read_text(), reader.read_u8(), reader.read_i32()
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
        reader.read_optional_text(),
        reader.read_optional_text(),
    )


class MindustrySession(FixedRequestSession[MindustryReply]):
    """`QuerySession` that sends one request, without a token."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(REQUEST, parse_mindustry_reply)
