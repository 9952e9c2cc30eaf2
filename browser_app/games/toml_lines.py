"""Line numbers of the keys in a TOML file."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_KEY_PART = re.compile(r"\.|(\[\d+\])")
_NAME = r""" [\w-]++ | "(?:\\.|[^"\\\n])*+" | '[^'\n]*+' """
_NAMES = re.compile(_NAME, re.VERBOSE)
_STATEMENT = re.compile(
    rf"""\s*+ (?: \#[^\n]*+ \s*+ )*+ (?P<header>\[\[?+)?+ [ \t]*+
    (?P<key> (?:{_NAME}) (?: [ \t]*+ \. [ \t]*+ (?:{_NAME}) )*+ )""",
    re.VERBOSE,
)
_VALUE_TOKEN = re.compile(
    r'''"""(?:\\.|[^\\])*?"{3,5}+|\'{3}.*?\'{3,5}+'''  # texts of several lines
    r"""|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+'|\#[^\n]*+|[\[{\]}\n]|[^"'\#\[{\]}\n]++""",
    re.DOTALL,
)


class _Statement(NamedTuple):
    """A table's header, or a key with its value."""

    path: tuple[str, ...]
    """Keys, and indices such as `[0]`."""
    line: int
    is_header: bool

    def sets(self, path: tuple[str, ...]) -> bool:
        """Return whether it defines the value at the path, or one that contains it."""
        common = min(len(path), len(self.path))
        return path[:common] == self.path[:common] and (common == len(path) or not self.is_header)


def toml_line_number(text: str, key: str) -> int | None:
    """Return the line, from 1, that sets a dotted key; None if there is none.

    For a list item (`masters[2]`) or a key of an inline table it is the line on which the list or table starts.
    """
    path = tuple(part for part in _KEY_PART.split(key) if part)
    return next((each.line for each in _iterate_statements(text) if each.sets(path)), None)


def _iterate_statements(text: str) -> Iterator[_Statement]:
    """Yield the statements of a valid file in one pass."""
    table: tuple[str, ...] = ()
    array_lengths: dict[tuple[str, ...], int] = {}
    at, line, counted = 0, 1, 0
    while found := _STATEMENT.match(text, at):
        line, counted = line + text.count("\n", counted, found.start("key")), found.start("key")
        names = tuple(name.strip("\"'") for name in _NAMES.findall(found["key"]))
        if found["header"]:
            table = _add_indices(names, array_lengths, is_array_item=found["header"] == "[[")
        yield _Statement(table if found["header"] else (*table, *names), line, bool(found["header"]))
        at = _find_line_end(text, found.end())


def _add_indices(
    names: tuple[str, ...], array_lengths: dict[tuple[str, ...], int], *, is_array_item: bool
) -> tuple[str, ...]:
    """Return a header's path with the last item's index after each array of tables."""
    path: tuple[str, ...] = ()
    for position, name in enumerate(names, 1):
        path = (*path, name)
        if is_array_item and position == len(names):
            array_lengths[path] = array_lengths.get(path, 0) + 1
        if path in array_lengths:
            path = (*path, f"[{array_lengths[path] - 1}]")
    return path


def _find_line_end(text: str, at: int) -> int:
    """Return the end of the last line of the header or value that continues at `at`."""
    depth = 0
    for token in _VALUE_TOKEN.finditer(text, at):
        if token[0] in ("[", "{"):
            depth += 1
        elif token[0] in ("]", "}"):
            depth -= 1
        elif token[0] == "\n" and depth <= 0:
            return token.end()
    return len(text)
