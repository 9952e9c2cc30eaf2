"""Strict TOML reader whose errors name file and line."""

import re
import tomllib
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from browser_app.games.toml_lines import toml_line_number
from browser_app.input_files import read_regular_file
from browser_app.number_checks import is_number, is_whole_number

_ERROR_POSITION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)\Z")
_HUGE_NUMBER = re.compile(r"0[xob][0-9A-Fa-f_]{4000}")
"""Python parses such a number but refuses to format it in a message."""
MAX_KEY_PARTS = 32
"""The parser's time grows with the square of the parts of a dotted key."""
_DEEP_KEY = re.compile(rf"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}""")


class TOMLError(ValueError):
    """Invalid TOML; `line` counts from 1, None if unknown."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def parse_toml(data: bytes) -> tuple[str, dict[str, Any]]:
    """Return a file's text and its tables.

    Raises:
        TOMLError: the data is not valid TOML.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise TOMLError(data.count(b"\n", 0, error.start) + 1, "not valid TOML: the text is not UTF-8") from None
    if huge := _HUGE_NUMBER.search(text):
        raise TOMLError(text.count("\n", 0, huge.start()) + 1, "not valid TOML: a number is too long")
    if text.count(".") >= MAX_KEY_PARTS and (deep := _DEEP_KEY.search(text)):
        raise TOMLError(text.count("\n", 0, deep.start()) + 1, f"a key has more than {MAX_KEY_PARTS} parts")
    try:
        return text, tomllib.loads(text)
    except ValueError as error:  # not only tomllib's own error: a number of 5,000 digits raises a plain ValueError
        raise _create_located_error(str(error), text) from None
    except RecursionError:
        raise TOMLError(None, "not valid TOML: nested too deeply") from None


def _create_located_error(message: str, text: str) -> TOMLError:
    at = _ERROR_POSITION.search(message)
    reason = f"not valid TOML: {_ERROR_POSITION.sub('', message)}"
    if at is None:
        return TOMLError(None, reason)
    if at[1] is None:
        return TOMLError(text.count("\n") + 1, f"{reason} at the end of the file")
    return TOMLError(int(at[1]), f"{reason} at column {at[2]}")


def format_file_location(file: Path, line: int | None) -> str:
    """Return `FILE:LINE`, or only the file if the line is None."""
    return str(file) if line is None else f"{file}:{line}"


MAX_TOML_BYTES = 256 * 1024
MAX_TEXT_LENGTH = 500
_MIN_LIKENESS = 0.75
"""Of a key to a missing one that it may be meant to be, as `difflib` counts it."""


class ProfileError(ValueError):
    """Unusable profile or preset.

    `str()` is "FILE:LINE: key.path: reason", without the line if unknown.
    """

    def __init__(self, file: Path, key: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{format_file_location(file, line)}: {key}: {reason}")


class TextForm(NamedTuple):
    """Form that a text must have."""

    pattern: re.Pattern[str]
    words: str
    """What it is, after "must be"."""


class TomlTable:
    """One table of a file, read key by key; `close` rejects keys that were not read.

    All methods raise ProfileError, which names the file and the key, for a value of the wrong form. A missing key gives
    the default, or an error if there is none.
    """

    def __init__(self, file: Path, values: Mapping[str, Any], path: str = "", text: str = "") -> None:
        """Wrap `values`, the table at the dotted `path` of `file` with content `text`."""
        self._file = file
        self._text = text
        self._path = path
        self._unread = dict(values)

    def error(self, key: str, reason: str) -> ProfileError:
        """Return an error about a key of this table, or ("") the table itself."""
        whole = f"{self._path}{key}".rstrip(".")
        return ProfileError(self._file, whole, reason, toml_line_number(self._text, whole))

    def unread_keys(self) -> tuple[str, ...]:
        """Return the keys that are not yet read."""
        return tuple(self._unread)

    def close(self) -> None:
        """Reject the first key that was not read."""
        for key in self._unread:
            raise self.error(key, "unknown key")

    def text(self, key: str, default: str | None = None, *, allowed: TextForm | frozenset[str] | None = None) -> str:
        """Read a string of printable characters that has the form, or is among, `allowed`."""
        if default is not None and key not in self._unread:
            return default
        value = self._check_text(key, self._pop(key))
        if isinstance(allowed, TextForm) and not allowed.pattern.fullmatch(value):
            raise self.error(key, f"must be {allowed.words}, not {value!r}")
        if isinstance(allowed, frozenset) and value not in allowed:
            raise self.error(key, f"{value!r} is not one of {', '.join(sorted(allowed - {''}))}")
        return value

    def texts(self, key: str, check: Callable[[str], str | None] = lambda _: None) -> tuple[str, ...]:
        """Read a list of strings, empty if missing.

        `check` returns what is wrong with one, or None.
        """
        return tuple(self._read_items(key, lambda name, value: self._validated_text(name, value, check)))

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Read an integer from `low` to `high`."""
        if default is not None and key not in self._unread:
            return default
        return self._check_integer(key, self._pop(key), low, high)

    def integers(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """Read a list of integers from `low` to `high`, empty if missing."""
        return tuple(self._read_items(key, lambda name, value: self._check_integer(name, value, low, high)))

    def number(self, key: str, low: float, high: float) -> float:
        """Read a number from `low` to `high`."""
        value = self._pop(key)
        if not is_number(value, low, high):
            raise self.error(key, f"must be a number from {low:g} to {high:g}, not {value!r:.40}")
        return float(value)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """Read `true` or `false`."""
        value = self._pop(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {value!r}")
        return value

    def table(self, key: str) -> "TomlTable":
        """Read a subtable, empty if missing."""
        return self._subtable(key, self._pop(key, {}))

    def tables(self, key: str) -> tuple["TomlTable", ...]:
        """Read a list of tables, empty if missing."""
        return tuple(self._read_items(key, self._subtable))

    def text_map(self, key: str) -> dict[str, str]:
        """Read a table of strings, empty if missing."""
        table = self.table(key)
        return {name: table.text(name) for name in table.unread_keys()}

    def _pop(self, key: str, default: Any = None) -> Any:
        value = self._unread.pop(key, default)
        if value is None:
            for misspelt in get_close_matches(key, self._unread, 1, _MIN_LIKENESS):
                raise self.error(misspelt, f"unknown key; is it meant to be {key!r}?")
            raise self.error(key, "missing")
        return value

    def _read_items(self, key: str, read: Callable[[str, Any], Any]) -> list[Any]:
        values = self._pop(key, [])
        if not isinstance(values, list):
            raise self.error(key, f"must be a list in square brackets, not {values!r}")
        return [read(f"{key}[{index}]", value) for index, value in enumerate(values)]

    def _subtable(self, key: str, value: Any) -> "TomlTable":
        if not isinstance(value, dict):
            raise self.error(key, f"must be a table, not {value!r}")
        return TomlTable(self._file, value, f"{self._path}{key}.", self._text)

    def _validated_text(self, key: str, value: Any, check: Callable[[str], str | None]) -> str:
        text = self._check_text(key, value)
        wrong = check(text)
        if wrong:
            raise self.error(key, wrong)
        return text

    def _check_text(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise self.error(key, f"must be text, not {value!r}")
        if len(value) > MAX_TEXT_LENGTH or not value.isprintable():
            raise self.error(key, f"must be printable and have at most {MAX_TEXT_LENGTH} characters")
        return value

    def _check_integer(self, key: str, value: Any, low: int, high: int) -> int:
        if not is_whole_number(value, low, high):
            raise self.error(key, f"must be a whole number from {low} to {high}, not {value!r}")
        return value


def read_toml_table(file: Path) -> TomlTable:
    """Read the top-level table of a file.

    Raises:
        ProfileError: the file cannot be read, is too large or is not valid TOML.
    """
    try:
        data = read_regular_file(file, MAX_TOML_BYTES)
    except OSError as error:
        raise ProfileError(file, "file", f"cannot be read: {error.strerror}") from None
    try:
        text, values = parse_toml(data)
    except TOMLError as error:
        raise ProfileError(file, "file", str(error), error.line) from None
    return TomlTable(file, values, text=text)
