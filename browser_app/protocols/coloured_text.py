"""Plain and coloured text from names with colour codes.

Codes as the engines parse them: ioquake3 `q_shared.h`, Enemy Territory `q_math.c`, DarkPlaces `gl_draw.c` (colours) and
`console.c` (font), Daemon `Color.h`, qfusion.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

RgbColour = tuple[int, int, int]
"""Red, green and blue, 0…255."""


class ColouredSpan(NamedTuple):
    """Run of text in one colour; None is the default colour."""

    text: str
    colour: RgbColour | None


class _ColourDialect(NamedTuple):
    codes: re.Pattern[str]
    """Group 1 is the text that a code produces (a caret), group 2 the colour that starts at it."""
    colour: Callable[[str], RgbColour | None]
    font: Mapping[int, str] | None = None


_QUAKE3 = ((0, 0, 0), (255, 0, 0), (0, 255, 0), (255, 255, 0), (0, 0, 255), (0, 255, 255), (255, 0, 255), (255,) * 3)
_WOLFENSTEIN = (
    *_QUAKE3,
    *((255, 128, 0), (128, 128, 128), (191, 191, 191), (191, 191, 191), (0, 128, 0), (128, 128, 0), (0, 0, 128)),
    *((128, 0, 0), (128, 64, 0), (255, 153, 26), (0, 128, 128), (128, 0, 128), (0, 128, 255), (128, 0, 255)),
    *((51, 153, 204), (204, 255, 204), (0, 102, 51), (255, 0, 51), (179, 26, 26), (153, 51, 0), (204, 153, 51)),
    *((153, 153, 51), (255, 255, 191), (255, 255, 128)),
)
_XONOTIC = (*_QUAKE3[:4], (13, 38, 255), *_QUAKE3[5:], (128, 128, 128), (128, 128, 128))
_WARSOW = (*_QUAKE3, (255, 128, 0), (128, 128, 128))


def _quake3_colour(code: str) -> RgbColour | None:
    return _QUAKE3[(ord(code) - ord("0")) & 7]


def _wolfenstein_colour(code: str) -> RgbColour | None:
    return _WOLFENSTEIN[(ord(code) - ord("0")) & 31]


def _warsow_colour(code: str) -> RgbColour | None:
    return _WARSOW[int(code)]


def _xonotic_colour(code: str) -> RgbColour | None:
    return _parse_three_digits(code) if code[0] == "x" else _XONOTIC[int(code)]


def _daemon_colour(code: str) -> RgbColour | None:
    match code[0]:
        case "x":
            return _parse_three_digits(code)
        case "#":
            return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)
        case "*":
            return None
        case _:
            return _wolfenstein_colour(code.upper())


def _parse_three_digits(code: str) -> RgbColour:
    return int(code[1], 16) * 17, int(code[2], 16) * 17, int(code[3], 16) * 17


_ASCII = "".join(map(chr, range(0x20, 0x7F)))
_QUAKE_FONT = "\0####.###  # \0..[]0123456789.<=>" + _ASCII + "<" + "<=>##.#### # >..[]0123456789.<=>" + _ASCII + "<"
"""The nearest ASCII character of each of the 256 glyphs; zero for invisible ones."""
_GLYPHS = {0xE000 + glyph: text.strip("\0") for glyph, text in enumerate(_QUAKE_FONT)}

_NO_CARET = r"((?!))"
_DIALECTS: Mapping[str, _ColourDialect] = MappingProxyType(
    {
        "none": _ColourDialect(re.compile(r"((?!))()"), lambda _code: None),
        "quake3": _ColourDialect(re.compile(rf"\^(?:{_NO_CARET}|([0-9A-Za-z]))"), _quake3_colour),
        "wolfenstein": _ColourDialect(re.compile(rf"\^(?:{_NO_CARET}|([^^\n]))"), _wolfenstein_colour),
        "xonotic": _ColourDialect(re.compile(r"\^(?:(\^)|([0-9]|x[0-9A-Fa-f]{3}))"), _xonotic_colour, _GLYPHS),
        "daemon": _ColourDialect(
            re.compile(r"\^(?:(\^)|(x[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[0-9:;<=>?@A-Oa-o*]))"), _daemon_colour
        ),
        "warsow": _ColourDialect(re.compile(r"\^(?:(\^)|([0-9]))"), _warsow_colour),
    }
)
COLOUR_DIALECTS = frozenset(_DIALECTS)
"""Names that game profiles may use."""

_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters, line and paragraph separators: they separate words."""
_INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Direction marks, zero-width characters and lone surrogates."""


def plain_text(text: str, dialect: str = "none") -> str:
    """Return the text without codes, control characters replaced by spaces; spaces are not collapsed.

    Raises:
        KeyError: The dialect is unknown.
    """
    codes, _, font = _DIALECTS[dialect]
    if "^" in text:
        text = codes.sub(r"\1", text)
    return _strip_invisible(text, font)


def coloured_spans(text: str, dialect: str = "none") -> list[ColouredSpan]:
    """Return the text of `plain_text` as non-empty runs of one colour.

    Raises:
        KeyError: The dialect is unknown.
    """
    codes, colour_of, font = _DIALECTS[dialect]
    found: list[ColouredSpan] = []
    colour: RgbColour | None = None
    position = 0
    pending = ""
    for match in codes.finditer(text):
        pending += text[position : match.start()] + (match[1] or "")
        position = match.end()
        if match[2]:
            _append_span(found, _strip_invisible(pending, font), colour)
            colour, pending = colour_of(match[2]), ""
    _append_span(found, _strip_invisible(pending + text[position:], font), colour)
    return found


def _append_span(found: list[ColouredSpan], text: str, colour: RgbColour | None) -> None:
    if found and found[-1].colour == colour:
        text = found.pop().text + text
    if text:
        found.append(ColouredSpan(text, colour))


def _strip_invisible(text: str, font: Mapping[int, str] | None) -> str:
    if text.isascii() and text.isprintable():
        return text
    if font is not None:
        text = text.translate(font)
    return _INVISIBLE.sub("", _CONTROL.sub(" ", text))
