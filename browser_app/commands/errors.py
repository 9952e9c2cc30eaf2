"""How a command ends: exit statuses, and the error that means bad usage or bad input."""

import enum


class Exit(enum.IntEnum):
    """The contract's exit statuses."""

    DONE = 0
    NOTHING_FOUND = 1
    BAD_INPUT = 2
    NO_ANSWER = 3
    INTERRUPTED = 130


class BadInput(Exception):
    """Bad usage or bad input; `str()` names the place and the reason, for the user."""
