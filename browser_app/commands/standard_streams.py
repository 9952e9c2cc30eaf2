"""Standard input, output and error as they should be, whatever the one who starts the program made of them."""

import codecs
import io
import os
import sys
from typing import Final

_STAND_INS: Final = str.maketrans(
    {
        **dict.fromkeys("–—−·", "-"),
        **dict.fromkeys("\u00a0\u2009\u202f", " "),
        **dict.fromkeys("“”„", '"'),
        **dict.fromkeys("‘’", "'"),
        "…": "~",
        "×": "x",
        "±": "+-",
    }
)
"""What is read in the place of a character. Each but the last, which stands in a title, is one cell wide as well."""

_READABLE: Final = "readable"


def prepare() -> None:
    """Make sure that no text is too much for a stream, and that none of the three is missing by accident.

    A descriptor below 3 that was closed would be the next socket's, and what is printed would go there: it leads
    nowhere instead. `sys.stdout` stays None, as Python has it: a command must not lose its result unnoticed.
    Characters that the terminal's encoding does not have are written as ones alike, or else as escapes.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    codecs.register_error(_READABLE, _readable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_READABLE)


def _readable(error: UnicodeError) -> tuple[str, int]:
    """Like Python's own error handlers: what is written instead, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = error.object[error.start : error.end].translate(_STAND_INS)
    return shown.encode("ascii", "backslashreplace").decode("ascii"), error.end
