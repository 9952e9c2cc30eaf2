"""JSON parser with limits for untrusted documents, and checks of their values."""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from browser_app.number_checks import is_whole_number

MAX_CONTAINERS = 4 * 65_536
"""Maximum number of objects and lists in a document, counting brackets in strings: enough for 65,536 servers."""
MAX_VALUES = 16 * 65_536
"""Maximum number of values in a user's file, counting commas in strings."""
MAX_REPLY_VALUES = 20_000
"""The same for a reply from the network. Parsing takes up to 4 ms, during which no other thread runs."""

_SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


class JSONParseError(ValueError):
    """Invalid or too complex document; `str()` is one line.

    Attributes:
        reason: the message without its line number.
        line: line of the error, from 1; None if unknown.
    """

    def __init__(self, text: str, reason: str | None = None, line: int | None = None) -> None:
        super().__init__(text)
        self.reason = reason or text
        self.line = line


def parse_json(body: bytes | str, *, strict: bool = True, max_values: int = MAX_VALUES) -> Any:
    """Parse a document; `strict` as in `json.loads`.

    Raises:
        JSONParseError: the document is invalid, or has more than `MAX_CONTAINERS` objects and lists or `max_values`
            values.
    """
    if _count(body, "{") + _count(body, "[") > MAX_CONTAINERS:
        raise JSONParseError("too many objects and lists")
    if _count(body, ",") >= max_values:
        raise JSONParseError("too many values")
    try:
        return json.loads(body, strict=strict)
    except json.JSONDecodeError as error:
        raise JSONParseError(str(error), f"{error.msg} at column {error.colno}", error.lineno) from None
    except UnicodeDecodeError as error:
        reason = f"the text is not {error.encoding.upper()}"
        raise JSONParseError(reason, reason, error.object.count(b"\n", 0, error.start) + 1) from None
    except (ValueError, RecursionError) as error:
        raise JSONParseError((str(error).splitlines() or [type(error).__name__])[0]) from None


def _count(body: bytes | str, character: str) -> int:
    return body.count(character.encode()) if isinstance(body, bytes) else body.count(character)


def text_or_empty(value: object) -> str:
    """Return a string as it is; "" for a value of another type."""
    return value if isinstance(value, str) else ""


def count_or_none(value: object, maximum: int = 100_000) -> int | None:
    """Return an integer from 0 to `maximum`; None for any other value."""
    return value if is_whole_number(value, 0, maximum) else None


def flag_or_none(value: object) -> bool | None:
    """Return a Boolean; None for a value of another type."""
    return value if isinstance(value, bool) else None


JSONPath = tuple[str | int, ...]
"""Keys of objects and indices of lists that lead to a value."""


def find_line_numbers(body: bytes | str, paths: Iterable[JSONPath]) -> dict[JSONPath, int]:
    """Return the lines, from 1, on which values of a valid document start.

    The document is walked once for all of them. Values that are not there are left out.

    Raises:
        ValueError, IndexError, RecursionError: the document is invalid.
    """
    text = body if isinstance(body, str) else body.decode(json.detect_encoding(body), "surrogatepass")
    offsets = dict(_find_offsets(text, _skip_space(text, 0), list(paths), ()))
    lines, line, counted = dict[JSONPath, int](), 1, 0
    for path, offset in sorted(offsets.items(), key=lambda each: each[1]):
        line += text.count("\n", counted, offset)
        lines[path], counted = line, offset
    return lines


def _find_offsets(text: str, position: int, paths: list[JSONPath], parent: JSONPath) -> Iterator[tuple[JSONPath, int]]:
    """Yield each path, prefixed by `parent`, and the offset of its value.

    The paths start at the value at the offset `position`.
    """
    inner: dict[str | int, list[JSONPath]] = {}
    for path in paths:
        if path:
            inner.setdefault(path[0], []).append(path[1:])
        else:
            yield parent, position
    if inner:
        found = _find_members(text, position, inner.keys())
        for key, start in found.items():
            yield from _find_offsets(text, start, inner[key], (*parent, key))


def _find_members(text: str, position: int, wanted: Collection[str | int]) -> dict[str | int, int]:
    """Return the offsets of members by key.

    If keys are equal, the last one counts, as in `json.loads`.
    """
    last = max((key for key in wanted if isinstance(key, int)), default=-1)
    found = dict[str | int, int]()
    for key, start in _iterate_members(text, position):
        if key in wanted:
            found[key] = start
        if isinstance(key, int) and key >= last:
            break
    return found


def _iterate_members(text: str, position: int) -> Iterator[tuple[str | int, int]]:
    """Yield each member of the object or list at an offset.

    Each is a key or index, and the offset of its value.
    """
    opening, number = text[position], 0
    if opening not in "{[":
        return
    position = _skip_space(text, position + 1)
    while text[position] not in "]}":
        key: str | int = number
        if opening == "{":
            key, colon = _decode(text, position)
            if not isinstance(key, str):
                raise JSONParseError("a key is not text")
            position = _skip_space(text, _skip_space(text, colon) + 1)
        yield key, position
        position = _skip_space(text, _decode(text, position)[1])
        if text[position] == ",":
            position = _skip_space(text, position + 1)
        number += 1


def _skip_space(text: str, position: int) -> int:
    return _SPACE.match(text, position).end()  # type: ignore[union-attr] # the pattern always matches
