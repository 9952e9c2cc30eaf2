"""Exit statuses of the program and the error for bad usage."""

import enum


class ExitStatus(enum.IntEnum):
    """Exit statuses of every command."""

    SUCCESS = 0
    NOTHING_FOUND = 1
    USAGE_ERROR = 2
    NO_ANSWER = 3
    INTERRUPTED = 130


class UsageError(Exception):
    """Bad usage or bad input; `str()` names the place and the reason for the user."""
