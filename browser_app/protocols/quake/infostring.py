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


def split_status(data: bytes, headers: tuple[bytes, ...]) -> tuple[dict[str, str], str]:
    """Return the infostring of a status reply and its whole lines of players.

    `headers` are those that the reply may have. Texts are in the Quake font.

    Raises:
        PacketError: the data is no such reply, lacks a complete infostring, or is too large.
    """
    if len(data) > MAX_REPLY_BYTES:
        raise PacketError("too large")
    header = next((each for each in headers if data.startswith(each)), None)
    if header is None:
        raise PacketError("not this protocol")
    infostring, end, lines = data[len(header) :].partition(b"\n")
    if not infostring.startswith(b"\\"):
        raise PacketError("no infostring")
    if not end:  # a truncated one must not look like a server
        raise PacketError("truncated infostring")
    return parse_infostring(decode_font_text(infostring)), decode_font_text(lines.rpartition(b"\n")[0])


def decode_font_text(raw: bytes) -> str:
    """Decode text whose bytes are characters of the Quake font.

    Bytes other than printable ASCII and line breaks are mapped to U+E000 plus the byte, as the colour dialects of these
    games expect.
    """
    return raw.decode("latin-1").translate(_GLYPHS)
