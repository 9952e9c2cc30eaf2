"""Standard input, output and error as they should be, whatever the one who starts the program made of them."""

import io
import os
import sys


def prepare() -> None:
    """Make sure that no text is too much for a stream, and that none of the three is missing by accident.

    A descriptor below 3 that was closed would be the next socket's, and what is printed would go there: it leads
    nowhere instead. `sys.stdout` stays None, as Python has it: a command must not lose its result unnoticed.
    Characters that the terminal's encoding does not have are written as escapes.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
