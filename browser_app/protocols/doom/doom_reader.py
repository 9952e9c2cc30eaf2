"""Reader of the datagrams of all Doom ports."""

from browser_app.protocols.field_reader import FieldReader, decode_text
from browser_app.protocols.query_session import PacketError

MAX_DATAGRAM_BYTES = 16 * 1024
"""Servers build replies of at most 8 KiB."""


class DoomReader(FieldReader):
    """Reads the fields of a datagram; the lowest byte of integers is first."""

    __slots__ = ()

    def __init__(self, data: bytes, position: int = 0) -> None:
        """Start at a position.

        Raises:
            PacketError: the datagram is larger than any that servers send.
        """
        if len(data) > MAX_DATAGRAM_BYTES:
            raise PacketError("too large")
        super().__init__(data, position)

    def read_text(self) -> str:
        """Return a zero-terminated text, in UTF-8 or else Latin-1."""
        return decode_text(self.read_string())

    def read_texts(self, count: int) -> tuple[str, ...]:
        """Return several texts."""
        return tuple([self.read_text() for _ in range(count)])
