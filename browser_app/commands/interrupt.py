"""Ctrl-C before a command runs, and after.

An import may swallow `KeyboardInterrupt` (Python ignores it in the callbacks of its import locks), so that the user
would have to press again. Until a command runs nothing needs tidying, and the program can end on the spot.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from browser_app.commands.errors import Exit

MESSAGE = "ready-room: interrupted"


def end_at_once() -> None:
    """From now on Ctrl-C ends the program on the spot; where it is ignored it stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def end_tidily() -> None:
    """From now on Ctrl-C raises `KeyboardInterrupt`, as Python has it."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def at_once() -> Iterator[None]:
    """While this lasts Ctrl-C ends the program on the spot: for imports of modules that are dear."""
    end_at_once()
    try:
        yield
    finally:
        end_tidily()


def come_too_late() -> None:
    """From now on Ctrl-C changes nothing: the result is out, and only Python is still tidying."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def leave(status: int) -> int:
    """The exit status, with which the program ends even where Python would not.

    A Ctrl-C that comes while `exec` runs a text, as dataclasses and named tuples do while their module is imported,
    makes `python -m` end itself by the signal when all is done, also where the exception was caught (CPython's flag
    `unhandled_keyboard_interrupt`). Can go when CPython sets it only for what nobody caught.
    """
    if status == Exit.INTERRUPTED:
        for stream in (sys.stdout, sys.stderr):
            if stream:
                stream.flush()
        os._exit(status)
    return status


def _end(_number: int, _frame: FrameType | None) -> None:
    sys.stderr.write(f"{MESSAGE}\n")
    sys.stderr.flush()
    os._exit(Exit.INTERRUPTED)
