"""Replies of all of GameSpy's protocols."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.field_reader import FieldReader, decode_text
from browser_app.protocols.query_session import PacketError

MAX_RULES: Final = 500
MAX_PLAYERS: Final = 255
MAX_DATAGRAM_BYTES: Final = 16 << 10
MAX_REPLY_BYTES: Final = 64 << 10
"""Maximum size of all datagrams of one reply."""


@dataclass(slots=True)
class GameSpyReply:
    """Reply of one server. Texts are as sent."""

    rules: dict[str, str]
    """Everything reported of the server itself, by key: `hostname`, `numplayers`."""
    player_list: tuple[Mapping[str, str], ...] | None = None
    """Each player's values by field, without its trailing underscore: `player`, `score`. None if not requested."""


def decode_gamespy_text(raw: bytes) -> str:
    """Decode a text, whose code page replies do not name."""
    return decode_text(raw, "cp1252")


class GameSpyReader(FieldReader):
    """Reads bytes and zero-terminated texts."""

    __slots__ = ()

    def peek_u8(self) -> int:
        """Return the next byte without reading it; −1 at the end."""
        return -1 if self.is_at_end else self._data[self._position]

    def read_text(self) -> str:
        """Read a text; raises PacketError if no zero ends it."""
        return decode_gamespy_text(self.read_string())

    def read_rules(self) -> dict[str, str]:
        """Read pairs of key and value, up to an empty key or the end.

        Raises:
            PacketError: a text is cut off, or there are too many.
        """
        rules: dict[str, str] = {}
        while not self.is_at_end and (key := self.read_text()):
            if len(rules) >= MAX_RULES:
                raise PacketError("too many")
            rules.setdefault(key, self.read_text())
        return rules
