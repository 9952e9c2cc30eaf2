"""Plain text from names with colour codes.

Codes as the engines parse them: ioquake3 `q_shared.h`, Enemy Territory `q_math.c`, DarkPlaces `gl_draw.c` (colours) and
`console.c` (font), Daemon `Color.h`, qfusion, Minecraft's formatting codes, open.mp's and Multi Theft Auto's embedded
colours, the Cube engines' `rendertext.cpp` (colours and, in Red Eclipse, pictures), Armagetron's `rFont.cpp`, Sonic
Robo Blast 2's `v_video.h` (bytes read as Latin-1).
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class _ColourDialect(NamedTuple):
    """Colour codes of one family of games."""

    codes: re.Pattern[str]
    """Group 1, if there is one, is the text that a code produces (a caret)."""
    font: Mapping[int, str] | None = None
    first: str = "^"
    """Start of every code; empty if they have none in common."""
    produced: str = r"\1"


_ASCII = "".join(map(chr, range(0x20, 0x7F)))
_QUAKE_FONT = "\0####.###  # \0..[]0123456789.<=>" + _ASCII + "<" + "<=>##.#### # >..[]0123456789.<=>" + _ASCII + "<"
"""The nearest ASCII character of each of the 256 glyphs; zero for invisible ones."""
_GLYPHS = {0xE000 + glyph: text.strip("\0") for glyph, text in enumerate(_QUAKE_FONT)}

_NO_CARET = r"((?!))"
_DIALECTS: Mapping[str, _ColourDialect] = MappingProxyType(
    {
        "none": _ColourDialect(re.compile(_NO_CARET)),
        "quake": _ColourDialect(re.compile(_NO_CARET), _GLYPHS),
        "quake3": _ColourDialect(re.compile(rf"\^(?:{_NO_CARET}|[0-9A-Za-z])")),
        "wolfenstein": _ColourDialect(re.compile(rf"\^(?:{_NO_CARET}|[^^\n])")),
        "xonotic": _ColourDialect(re.compile(r"\^(?:(\^)|[0-9]|x[0-9A-Fa-f]{3})"), _GLYPHS),
        "daemon": _ColourDialect(re.compile(r"\^(?:(\^)|x[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[0-9:;<=>?@A-Oa-o*])")),
        "warsow": _ColourDialect(re.compile(r"\^(?:(\^)|[0-9])")),
        "minecraft": _ColourDialect(re.compile("\xa7.", re.DOTALL), first="\xa7", produced=""),
        "braces": _ColourDialect(re.compile(r"\{[0-9A-Fa-f]{6}\}"), first="{", produced=""),
        "cube2": _ColourDialect(
            re.compile(r"\f(?:\[[^\]\f]{0,32}\]|\([^)\f]{0,64}\)|\{[^}\f]{0,64}\}|.?)"), first="\f", produced=""
        ),
        "doom": _ColourDialect(re.compile(r"\x1c(?:\[[^\]\x1c]{0,32}\]|[^\[])"), first="\x1c", produced=""),
        "armagetron": _ColourDialect(re.compile("0x(?:[0-9A-Fa-f]{6}|RESETT)"), first="0x", produced=""),
        "srb2": _ColourDialect(re.compile("[\x80-\x8f]"), first="", produced=""),
        "hash": _ColourDialect(re.compile("#[0-9A-Fa-f]{6}"), first="#", produced=""),
    }
)
COLOUR_DIALECTS = frozenset(_DIALECTS)
"""Names that game profiles may use."""

_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters, line and paragraph separators; replaced by spaces, as they may separate words."""
_INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Direction marks, zero-width characters and lone surrogates."""


def plain_text(text: str, dialect: str = "none") -> str:
    """Return the text without codes, control characters replaced by spaces.

    Spaces are not collapsed.

    Raises:
        KeyError: the dialect is unknown.
    """
    codes, font, first, produced = _DIALECTS[dialect]
    if first in text:
        text = codes.sub(produced, text)
    if text.isascii() and text.isprintable():
        return text
    if font is not None:
        text = text.translate(font)
    return _INVISIBLE.sub("", _CONTROL.sub(" ", text))
