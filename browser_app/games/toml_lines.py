"""Where things stand in a TOML file, for messages of the form `FILE:LINE: key: what is wrong`.

`tomllib` tells neither the line of a value nor, before Python 3.14, that of an error but in its text.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")
_ENDLESS = re.compile(r"0[xob][0-9A-Fa-f_]{4000}")
"""Python reads such a number, but would not write it into a message."""
_PART = re.compile(r"\.|(\[\d+\])")


class TOMLError(ValueError):
    """Bytes that are no TOML; `line` counts from 1, None where it is unknown."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def read_toml(data: bytes) -> tuple[str, dict[str, Any]]:
    """A file's text and its tables.

    Raises:
        TOMLError: it is no TOML, and where.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise TOMLError(data.count(b"\n", 0, error.start) + 1, "no TOML: the text is not UTF-8") from None
    if endless := _ENDLESS.search(text):
        raise TOMLError(text.count("\n", 0, endless.start()) + 1, "no TOML: a number without end")
    try:
        return text, tomllib.loads(text)
    except ValueError as error:  # not only tomllib's own: a number of 5,000 digits is none of them
        raise _placed(str(error), text) from None
    except RecursionError:
        raise TOMLError(None, "no TOML: nested too deeply") from None


def _placed(message: str, text: str) -> TOMLError:
    at = _AT.search(message)
    reason = f"no TOML: {_AT.sub('', message)}"
    if at is None:
        return TOMLError(None, reason)
    if at[1] is None:
        return TOMLError(text.count("\n") + 1, f"{reason} at the end of the file")
    return TOMLError(int(at[1]), f"{reason} at column {at[2]}")


def line_of(text: str, key: str) -> int | None:
    """The line, from 1, where a dotted key is given; None where it is not or that cannot be told.

    Of an item of a list (`masters[2]`) it is the line where the list begins.
    """
    path = [part for part in _PART.split(key) if part]
    names = [part for part in path if not _PART.fullmatch(part)]
    if not names or not _has(_loaded(text), path):
        return None
    name = re.compile(rf"(?<![\w-]){re.escape(names[-1])}(?![\w-])")
    lines = text.split("\n")
    candidates = (number for number, line in enumerate(lines) if name.search(line))
    return next((number + 1 for number in candidates if _gives(lines, number, path)), None)


def _gives(lines: list[str], number: int, path: list[str]) -> bool:
    """Whether the key is not there before this line and is with it; a value of several lines begins with it."""
    before, after = _loaded("\n".join(lines[:number])), _loaded("\n".join(lines[: number + 1]))
    return before is not None and not _has(before, path) and (after is None or _has(after, path))


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except ValueError:
        return None


def _has(tables: object, path: list[str]) -> bool:
    value = tables
    for part in path:
        if isinstance(value, list) and _PART.fullmatch(part) and int(part[1:-1]) < len(value):
            value = value[int(part[1:-1])]
        elif isinstance(value, dict) and part in value:
            value = value[part]
        else:
            return False
    return True


def place(file: Path, line: int | None) -> str:
    """`FILE:LINE`, or the file alone."""
    return str(file) if line is None else f"{file}:{line}"
