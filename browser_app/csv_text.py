"""Text of strangers in CSV files that spreadsheets open."""

import re

_ESCAPE = "'"
_FORMULA_START = re.compile(r"(^|;)(?=[-=+@\t\r\n＝＋－＠'])")
"""Where a cell begins that spreadsheets read as a formula, or an escaped one.

Where the comma is the decimal separator, as in German, they begin a new cell at each semicolon.
"""


def escape_formulas(text: str) -> str:
    """Return a cell's text, with an apostrophe before each formula in it."""
    return _FORMULA_START.sub(rf"\1{_ESCAPE}", text)
