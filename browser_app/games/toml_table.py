"""A TOML file read strictly: each value is asked for by name and type, and what nobody asked for is refused."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from browser_app.games.toml_lines import TOMLError, line_of, place, read_toml

MAX_FILE_BYTES = 256 * 1024
MAX_TEXT = 500


class ProfileError(ValueError):
    """A file that cannot be used; `str()` is "FILE:LINE: key.path: reason", without the line where it is unknown."""

    def __init__(self, file: Path, key: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{place(file, line)}: {key}: {reason}")


class Table:
    """One table of a file, read key by key. Call `close` when done: keys left over are refused.

    All methods raise ProfileError, which names the file and the key, for a value of another form than asked for.
    A missing key gives the default; without one it is refused.
    """

    def __init__(self, file: Path, values: Mapping[str, Any], path: str = "", text: str = "") -> None:
        """Read `values`, which stand at the dotted `path` in `file`, whose whole text is `text`."""
        self._file = file
        self._text = text
        self._path = path
        self._left = dict(values)

    def refused(self, key: str, reason: str) -> ProfileError:
        """The error for a key of this table (empty: the table itself), for checks that the caller makes."""
        whole = f"{self._path}{key}".rstrip(".")
        return ProfileError(self._file, whole, reason, line_of(self._text, whole))

    def left(self) -> tuple[str, ...]:
        """The keys that are not yet read."""
        return tuple(self._left)

    def close(self) -> None:
        """Refuse the first key that was not read."""
        for key in self._left:
            raise self.refused(key, "unknown key")

    def text(
        self, key: str, default: str | None = None, *, allowed: re.Pattern[str] | frozenset[str] | None = None
    ) -> str:
        """A text of printable characters; wholly matched by, or a member of, `allowed`."""
        if default is not None and key not in self._left:
            return default
        value = self._check_text(key, self._take(key))
        if isinstance(allowed, re.Pattern) and not allowed.fullmatch(value):
            raise self.refused(key, f"{value!r} is not of the form {allowed.pattern}")
        if isinstance(allowed, frozenset) and value not in allowed:
            raise self.refused(key, f"{value!r} is none of {', '.join(sorted(allowed - {''}))}")
        return value

    def texts(self, key: str, check: Callable[[str], str | None] = lambda _: None) -> tuple[str, ...]:
        """A list of texts, empty where missing. `check` says what is wrong with one, or None."""
        return tuple(self._items(key, lambda name, value: self._checked(name, value, check)))

    def integer(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number from `low` to `high`."""
        if default is not None and key not in self._left:
            return default
        return self._check_integer(key, self._take(key), low, high)

    def integers(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers from `low` to `high`, empty where missing."""
        return tuple(self._items(key, lambda name, value: self._check_integer(name, value, low, high)))

    def number(self, key: str) -> float:
        """A number; NaN is refused."""
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refused(key, f"must be a number, not {value!r}")
        if value != value:
            raise self.refused(key, "must be a number, not NaN")
        try:
            return float(value)
        except OverflowError:
            raise self.refused(key, "is too large") from None

    def flag(self, key: str, default: bool | None = None) -> bool:
        """`true` or `false`."""
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise self.refused(key, f"must be true or false, not {value!r}")
        return value

    def table(self, key: str) -> "Table":
        """A table of this one, empty where missing."""
        return self._inner(key, self._take(key, {}))

    def tables(self, key: str) -> tuple["Table", ...]:
        """A list of tables, empty where missing."""
        return tuple(self._items(key, self._inner))

    def text_map(self, key: str) -> dict[str, str]:
        """A table that holds texts only, empty where missing."""
        table = self.table(key)
        return {name: table.text(name) for name in table.left()}

    def _take(self, key: str, default: Any = None) -> Any:
        value = self._left.pop(key, default)
        if value is None:
            raise self.refused(key, "missing")
        return value

    def _items(self, key: str, read: Callable[[str, Any], Any]) -> list[Any]:
        values = self._take(key, [])
        if not isinstance(values, list):
            raise self.refused(key, f"must be a list, not {values!r}")
        return [read(f"{key}[{index}]", value) for index, value in enumerate(values)]

    def _inner(self, key: str, value: Any) -> "Table":
        if not isinstance(value, dict):
            raise self.refused(key, f"must be a table, not {value!r}")
        return Table(self._file, value, f"{self._path}{key}.", self._text)

    def _checked(self, key: str, value: Any, check: Callable[[str], str | None]) -> str:
        text = self._check_text(key, value)
        wrong = check(text)
        if wrong:
            raise self.refused(key, wrong)
        return text

    def _check_text(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise self.refused(key, f"must be a text, not {value!r}")
        if len(value) > MAX_TEXT or not value.isprintable():
            raise self.refused(key, f"must be printable and have at most {MAX_TEXT} characters")
        return value

    def _check_integer(self, key: str, value: Any, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.refused(key, f"must be a whole number from {low} to {high}, not {value!r}")
        return value


def read_table(file: Path) -> Table:
    """The file's top table.

    Raises:
        ProfileError: it cannot be read, is too large, or is no TOML.
    """
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ProfileError(file, "file", f"cannot be read: {error.strerror}") from None
    if len(data) > MAX_FILE_BYTES:
        raise ProfileError(file, "file", f"larger than {MAX_FILE_BYTES} bytes")
    try:
        text, values = read_toml(data)
    except TOMLError as error:
        raise ProfileError(file, "file", str(error), error.line) from None
    return Table(file, values, text=text)
