"""Standard streams, home folder and Ctrl-C handling of the process."""

import codecs
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from browser_app.exit_status import ExitStatus
from browser_app.untrusted_text import replace_control_characters

INTERRUPTED_MESSAGE = "ready-room: interrupted"


def print_note(text: str) -> None:
    """Print lines for the user on standard error.

    File names in them may come from others, and must not control the terminal.
    """
    sys.stderr.write(replace_control_characters(text) + "\n")
    sys.stderr.flush()


def exit_on_interrupt() -> None:
    """Make Ctrl-C end the program at once; if it is ignored, it stays ignored."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _exit_now)


def raise_on_interrupt() -> None:
    """Make Ctrl-C raise `KeyboardInterrupt` again, as is Python's default."""
    if signal.getsignal(signal.SIGINT) is _exit_now:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def exiting_on_interrupt() -> Iterator[None]:
    """Make Ctrl-C end the program at once during the context, meant for slow imports."""
    exit_on_interrupt()
    try:
        yield
    finally:
        raise_on_interrupt()


def ignore_interrupt() -> None:
    """Ignore Ctrl-C from now on: once the result is printed, only cleanup remains."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def exit_if_interrupted(status: int) -> int:
    """Return the exit status, but end the process here if it was interrupted.

    If Ctrl-C arrives while `exec` runs a text, as dataclasses and named tuples do on import, `python -m` ends itself by
    the signal in the end although the exception was caught: CPython's flag `unhandled_keyboard_interrupt` stays set
    (it came with bpo-1054041, for `python -m` with bpo-41602; seen with CPython 3.11.7). The workaround can go when
    CPython sets the flag for uncaught interrupts only.
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
        "≈": "~",
    }
)
"""Similar ASCII characters, one cell wide except that of ±, which occurs in titles only."""

_ERROR_HANDLER: Final = "readable"


def ensure_home() -> None:
    """Make sure that a home folder can be determined.

    It is `/` for an account without one, as for login programs. A relative one is ignored: it would depend on the
    working folder.
    """
    if os.name != "posix":
        return
    if not os.environ.get("HOME", os.sep).startswith(os.sep):
        del os.environ["HOME"]
    try:
        Path.home()
    except RuntimeError:
        os.environ["HOME"] = os.sep


def prepare_standard_streams() -> None:
    """Make standard streams accept any text, and replace closed descriptors.

    A closed descriptor below 3 would be reused by the next socket, and printed text would be sent there, so it is
    opened on the null device. `sys.stdout` stays None in that case: a command must notice that its result would be
    lost. Characters that the terminal's encoding lacks are written as similar ones or as escapes.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
    codecs.register_error(_ERROR_HANDLER, _replace_unencodable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERROR_HANDLER)


def _replace_unencodable(error: UnicodeError) -> tuple[str, int]:
    """Return the replacement text and the position after it, for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    replacement = error.object[error.start : error.end].translate(_REPLACEMENTS)
    return replacement.encode("ascii", "backslashreplace").decode("ascii"), error.end
