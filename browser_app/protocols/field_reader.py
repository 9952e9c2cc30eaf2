"""Reader of the fields of a message, one after the other."""

from typing import ClassVar, Literal

from browser_app.protocols.query_session import PacketError


def decode_text(raw: bytes, fallback: str = "latin-1") -> str:
    """Decode a text whose code page is not named: UTF-8, else `fallback`."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode(fallback, "replace")


class FieldReader:
    """Reads the fields of a message.

    Every method that reads raises PacketError if the message ends before its field does.
    """

    __slots__ = ("_data", "_position")

    byte_order: ClassVar[Literal["little", "big"]] = "little"
    """Of integers that take several bytes."""

    def __init__(self, data: bytes, position: int = 0) -> None:
        """Start at a position."""
        self._data, self._position = data, position

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self._position >= len(self._data)

    def read_bytes(self, size: int) -> bytes:
        """Return the next bytes."""
        start = self._position
        end = self._position = start + size
        if end > len(self._data):
            raise PacketError("truncated")
        return self._data[start:end]

    def read_string(self) -> bytes:
        """Return the bytes up to the next zero, which is skipped."""
        start, end = self._position, self._data.find(b"\0", self._position)
        if end < 0:
            raise PacketError("truncated")
        self._position = end + 1
        return self._data[start:end]

    def read_u8(self) -> int:
        """Return an unsigned integer of 8 bits."""
        try:
            value = self._data[self._position]
        except IndexError:
            raise PacketError("truncated") from None
        self._position += 1
        return value

    def read_u16(self) -> int:
        """Return an unsigned integer of 16 bits."""
        return int.from_bytes(self.read_bytes(2), self.byte_order)

    def read_i16(self) -> int:
        """Return a signed integer of 16 bits."""
        return int.from_bytes(self.read_bytes(2), self.byte_order, signed=True)

    def read_u32(self) -> int:
        """Return an unsigned integer of 32 bits."""
        return int.from_bytes(self.read_bytes(4), self.byte_order)

    def read_i32(self) -> int:
        """Return a signed integer of 32 bits."""
        return int.from_bytes(self.read_bytes(4), self.byte_order, signed=True)
