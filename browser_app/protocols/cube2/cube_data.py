"""Integers and texts as the Cube engines send them.

Formats as in the engines' `tools.cpp`: an integer takes one byte, or three or five if it is large; a text is one
integer a character, ended by a zero.
"""

from typing import Final

from browser_app.protocols.field_reader import FieldReader
from browser_app.protocols.query_session import PacketError

MAX_TEXT: Final = 260
"""MAXSTRLEN of the engines; longer texts are cut off."""
_TWO_BYTES, _FOUR_BYTES = 0x80, 0x81
_MAX_BYTE = 0x7F
_ASCII = "".join(map(chr, range(32, 127)))
_CHARACTERS: Final = (
    "\0ÀÁÂÃÄÅÆÇ\t\n\v\f\rÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛ"
    + _ASCII
    + "ÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿĄąĆćČčĎďĘęĚěĞğİıŁłŃńŇňŐőŒœŘřŚśŞşŠšŤťŮůŰűŸŹźŻżŽž"
    "ЄБГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯбвгджзийклмнптфцчшщъыьэюяєҐґ"
)
"""The 256 characters of Cube 2 and its successors."""
_LOW_CHARACTERS: Final = dict(enumerate(_CHARACTERS[:128]))


class CubeReader(FieldReader):
    """Reads compressed integers and texts."""

    __slots__ = ()

    def read_int(self) -> int:
        """Read an integer of one, three or five bytes."""
        if self.is_at_end:
            raise PacketError("truncated")
        first = self._data[self._position]
        self._position += 1
        if first == _TWO_BYTES:
            return self.read_i16()
        if first == _FOUR_BYTES:
            return self.read_i32()
        return first - 256 if first > _MAX_BYTE else first

    def read_text(self) -> str:
        """Read a text, with colour codes."""
        raw = bytearray()
        while character := self.read_int():
            if len(raw) < MAX_TEXT:
                raw.append(character & 0xFF)
        return decode_cube_text(bytes(raw))


def decode_cube_text(raw: bytes) -> str:
    """Decode a text in the engine's character set, or in UTF-8.

    The games cannot show UTF-8, but some operators use it in server names.
    """
    try:
        return raw.decode().translate(_LOW_CHARACTERS)
    except UnicodeDecodeError:
        return "".join([_CHARACTERS[byte] for byte in raw])


def encode_cube_integer(value: int) -> bytes:
    """Encode an integer of 32 bits."""
    if -127 < value <= 127:  # −127 and −128 mark longer integers
        return (value & 0xFF).to_bytes(1, "little")
    if -32768 <= value <= 32767:
        return bytes([_TWO_BYTES]) + value.to_bytes(2, "little", signed=True)
    return bytes([_FOUR_BYTES]) + value.to_bytes(4, "little", signed=True)


def encode_cube_text(text: str) -> bytes:
    """Encode a text; characters outside the engine's set become question marks."""
    places = [max(_CHARACTERS.find(character), 0) or ord("?") for character in text[: MAX_TEXT - 1]]
    return b"".join(encode_cube_integer(place - 256 if place > 127 else place) for place in places) + b"\0"
