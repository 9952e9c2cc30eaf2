"""Standard streams and Ctrl-C handling of the process."""

import codecs
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from browser_app.exit_status import ExitStatus

INTERRUPTED_MESSAGE = "ready-room: interrupted"


def print_note(text: str) -> None:
    """Print a line for the user on standard error."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def exit_on_interrupt() -> None:
    """From now on Ctrl-C ends the program on the spot; where it is ignored it stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit_now)


def raise_on_interrupt() -> None:
    """From now on Ctrl-C raises `KeyboardInterrupt`, as Python has it."""
    if signal.getsignal(signal.SIGINT) is _exit_now:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def exiting_on_interrupt() -> Iterator[None]:
    """While this lasts Ctrl-C ends the program on the spot: for imports of modules that are dear."""
    exit_on_interrupt()
    try:
        yield
    finally:
        raise_on_interrupt()


def ignore_interrupt() -> None:
    """From now on Ctrl-C changes nothing: the result is out, and only Python is still tidying."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def exit_if_interrupted(status: int) -> int:
    """The exit status, with which the program ends even where Python would not.

    A Ctrl-C that comes while `exec` runs a text, as dataclasses and named tuples do while their module is imported,
    makes `python -m` end itself by the signal when all is done, also where the exception was caught (CPython's flag
    `unhandled_keyboard_interrupt`). Can go when CPython sets it only for what nobody caught.
    """
    if status == ExitStatus.INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
        os._exit(status)
    return status


def _exit_now(_number: int, _frame: FrameType | None) -> None:
    sys.stderr.write(f"{INTERRUPTED_MESSAGE}\n")
    sys.stderr.flush()
    os._exit(ExitStatus.INTERRUPTED)


_REPLACEMENTS: Final = str.maketrans(
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

_ERROR_HANDLER: Final = "readable"


def prepare_standard_streams() -> None:
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
    codecs.register_error(_ERROR_HANDLER, _replace_unencodable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERROR_HANDLER)


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Like Python's own error handlers: what is written instead, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    shown = error.object[error.start : error.end].translate(_REPLACEMENTS)
    return shown.encode("ascii", "backslashreplace").decode("ascii"), error.end
