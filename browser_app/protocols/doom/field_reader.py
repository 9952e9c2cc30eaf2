"""Reading of binary fields, as all Doom ports send them.

The low byte is first, and texts are zero-terminated.
"""

import struct

from browser_app.protocols.query_session import PacketError

_U16, _I16, _U32, _I32 = (struct.Struct(f"<{code}") for code in "HhIi")


MAX_DATAGRAM_BYTES = 16 * 1024
"""Servers build replies of at most 8 KiB."""


class FieldReader:
    """Reads the fields of a datagram one after the other.

    Every method raises PacketError if the datagram ends before its field does.
    """

    def __init__(self, data: bytes, position: int = 0) -> None:
        """Start at a position.

        Raises:
            PacketError: The datagram is larger than any that servers send.
        """
        if len(data) > MAX_DATAGRAM_BYTES:
            raise PacketError("too large")
        self._data, self._position = data, position

    def raw(self, size: int) -> bytes:
        """Return the next bytes."""
        start = self._position
        if start + size > len(self._data):
            raise PacketError("truncated")
        self._position = start + size
        return self._data[start : self._position]

    def u8(self) -> int:
        """Return an unsigned number of one byte."""
        return self.raw(1)[0]

    def u16(self) -> int:
        """Return an unsigned number of two bytes."""
        return int(_U16.unpack(self.raw(2))[0])

    def i16(self) -> int:
        """Return a signed number of two bytes."""
        return int(_I16.unpack(self.raw(2))[0])

    def u32(self) -> int:
        """Return an unsigned number of four bytes."""
        return int(_U32.unpack(self.raw(4))[0])

    def i32(self) -> int:
        """Return a signed number of four bytes."""
        return int(_I32.unpack(self.raw(4))[0])

    def text(self) -> str:
        """Return a text, in UTF-8 or else Latin-1."""
        end = self._data.find(b"\0", self._position)
        if end < 0:
            raise PacketError("truncated")
        raw = self._data[self._position : end]
        self._position = end + 1
        try:
            return raw.decode()
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    def texts(self, count: int) -> tuple[str, ...]:
        """Return several texts."""
        return tuple([self.text() for _ in range(count)])
