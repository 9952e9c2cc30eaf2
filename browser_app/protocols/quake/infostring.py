r"""Infostrings of the Quake engines: `\key\value\key\value`."""

from typing import Final

from browser_app.protocols.query_session import PacketError

MAX_REPLY_BYTES: Final = 32 * 1024
"""Maximum size of a reply; engines send 1,400 to 16,384 bytes."""
_FONT_START = 0xE000
"""Characters of the Quake font in Unicode's private use area, as DarkPlaces sends them."""
_GLYPHS = {byte: _FONT_START + byte for byte in (*range(1, 32), *range(127, 256)) if byte != ord("\n")}


def parse_infostring(text: str) -> dict[str, str]:
    """Parse pairs of key and value, each preceded by a backslash.

    Keys are stripped. The first of duplicate keys counts, as in the engines. A last key without value is dropped.
    """
    pieces = text.removeprefix("\\").split("\\")
    if len(pieces) < 2:
        raise PacketError("no infostring")
    keys, values = [key.strip() for key in pieces[0::2]], pieces[1::2]
    info = dict(zip(keys, values, strict=False))
    if len(info) < len(values):
        first: dict[str, str] = {}
        for key, value in zip(keys, values, strict=False):
            first.setdefault(key, value)
        return first
    return info


def decode_font_text(raw: bytes) -> str:
    """Decode text whose bytes are characters of the Quake font.

    Bytes other than printable ASCII and line breaks are mapped to U+E000 plus the byte, as the colour dialects of these
    games expect.
    """
    return raw.decode("latin-1").translate(_GLYPHS)
