"""What replies by all of GameSpy's protocols consist of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from browser_app.protocols.query_session import PacketError

MAX_RULES: Final = 500
MAX_PLAYERS: Final = 255
MAX_DATAGRAM_BYTES: Final = 16 << 10
MAX_REPLY_BYTES: Final = 64 << 10
"""All datagrams of one reply."""


@dataclass(slots=True)
class GameSpyReply:
    """Reply of one server. Texts are as sent."""

    rules: dict[str, str]
    """Everything reported of the server itself, by key: `hostname`, `numplayers`."""
    player_list: tuple[Mapping[str, str], ...] | None = None
    """Each player's values by field, without the separator at its end: `player`, `score`. None if not requested."""


def decode_text(raw: bytes) -> str:
    """Decode a text, whose code page replies do not name: UTF-8, else Windows-1252."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


class StringReader:
    """Reads texts that a zero ends, one after the other."""

    __slots__ = ("_data", "_position")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    @property
    def is_at_end(self) -> bool:
        """Whether everything was read."""
        return self._position >= len(self._data)

    def peek(self) -> int:
        """Return the next byte without reading it; −1 at the end."""
        return -1 if self.is_at_end else self._data[self._position]

    def byte(self) -> int:
        """Return the next byte.

        Raises:
            PacketError: No text is left.
        """
        if self.is_at_end:
            raise PacketError("truncated list")
        self._position += 1
        return self._data[self._position - 1]

    def text(self) -> str:
        """Return the next text.

        Raises:
            PacketError: No zero ends it.
        """
        end = self._data.find(b"\0", self._position)
        if end < 0:
            raise PacketError("truncated text")
        raw = self._data[self._position : end]
        self._position = end + 1
        return decode_text(raw)

    def rules(self) -> dict[str, str]:
        """Return pairs of key and value, up to an empty key or the end.

        Raises:
            PacketError: A text is cut off, or there are too many.
        """
        rules: dict[str, str] = {}
        while not self.is_at_end and (key := self.text()):
            if len(rules) >= MAX_RULES:
                raise PacketError("too many")
            rules.setdefault(key, self.text())
        return rules
