"""Text from others, made safe for terminals and spreadsheets."""

import re
from typing import Final

CONTROL_CHARACTERS: Final = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Characters that control a terminal or the direction of text, without line breaks and tabs."""
_ESCAPE: Final = "'"
_FORMULA_START: Final = re.compile(r"(^|;)(?=[-=+@\t\r\n＝＋－＠'])")
"""Where a cell begins that spreadsheets read as a formula, or an escaped one.

Where the comma is the decimal separator, as in German, they begin a new cell at each semicolon.
"""


def replace_control_characters(text: str) -> str:
    """Return a text with U+FFFD in place of each control and direction character."""
    return CONTROL_CHARACTERS.sub("\ufffd", text)


def escape_formulas(text: str) -> str:
    """Return the text of a CSV cell, with an apostrophe before each formula in it."""
    return _FORMULA_START.sub(rf"\1{_ESCAPE}", text)
