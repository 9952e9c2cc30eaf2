"""Incremental reader for the entries of one list in an untrusted JSON document."""

import codecs
import json
import re
from collections.abc import Container, Iterable, Iterator
from typing import Any, Final

from browser_app.protocols.json_parser import JSONParseError

MAX_VALUE_CHARS: Final = 32_768
"""Maximum length of an entry, and of any value beside the list. One call of the parser, during which no other thread
runs, takes at most 0.6 ms for it; a server of Steam's list has some 600 characters.
"""
MAX_MEMBERS: Final = 200
"""Maximum total number of members of the objects around the list."""
_LONGEST_WORD = len("-Infinity")
_CHUNK_BYTES = 64 << 10
_SPACE = re.compile(r"[ \t\n\r]*")


def split_chunks(body: bytes) -> Iterator[bytes]:
    """Yield a whole document in parts."""
    return (body[first : first + _CHUNK_BYTES] for first in range(0, len(body), _CHUNK_BYTES))


class JsonListReader:
    """Reads the list at `path` of a document while the document arrives.

    `path` has the keys from the outermost object inwards. The reader holds one value and one chunk at a time, whatever
    the size of the document. If keys are repeated, every list at the path is read.

    Attributes:
        has_list: the list was found.
        depth: how many keys of `path` lead to a value of the right type so far; all of them once the list was found.
        line: line, from 1, of the current entry; without a list, of the last value in `members`.
        members: values of the wrong type at keys of `path`, and those named by `members`; texts, lists and objects are
            None.
    """

    def __init__(
        self,
        chunks: Iterable[bytes],
        path: tuple[str, ...],
        *,
        members: Container[str] = (),
        errors: str = "strict",
        strict: bool = True,
    ) -> None:
        """Read a document in UTF-8.

        Args:
            chunks: its parts.
            path: keys that lead to the list; none if the document itself is it.
            members: further keys of the objects around the list whose values are kept.
            errors: as in `bytes.decode`.
            strict: as in `json.loads`.
        """
        self._chunks = iter(chunks)
        self._path = path
        self._wanted_members = members
        self._decode_bytes = codecs.getincrementaldecoder("utf-8-sig")(errors).decode
        self._decode_value = json.JSONDecoder(strict=strict).raw_decode
        self._text, self._position = "", 0
        self._is_ended = False
        self._counted_end, self._counted_line = 0, 1
        """Position up to which line breaks were counted, and its line."""
        self._first_column = 1
        """Column of the first character of `_text`."""
        self._member_count = 0
        self.has_list = False
        self.depth = 0
        self.line = 1
        self.members: dict[str, Any] = {}

    def __iter__(self) -> Iterator[object]:
        """Yield the entries of the list.

        Raises:
            JSONParseError: the document is invalid, or a value or the number of members exceeds its limit.
        """
        self._skip_space()
        if self._path:
            yield from self._read_object(0)
        elif self._peek() == "[":
            yield from self._iterate_entries()
        else:
            self._read_value()
        if self._skip_space():
            raise self._create_error("Extra data")

    def _read_object(self, depth: int) -> Iterator[object]:
        """Read the object at the current position, whose key `path[depth]` leads on."""
        if self._peek() != "{":
            self._read_value()
            return
        self.depth = max(self.depth, depth)
        for key in self._iterate_keys():
            is_last = depth + 1 == len(self._path)
            if key != self._path[depth] or self._peek() != ("[" if is_last else "{"):
                self._skip_member(key)
            elif is_last:
                self.depth = len(self._path)
                yield from self._iterate_entries()
            else:
                yield from self._read_object(depth + 1)

    def _skip_member(self, key: str) -> None:
        is_wanted = key in self._path or key in self._wanted_members
        if is_wanted:
            self.line = self._count_lines()
        value = self._read_value()
        if is_wanted:
            self.members[key] = None if isinstance(value, str | list | dict) else value

    def _iterate_keys(self) -> Iterator[str]:
        """Yield the keys of the object at the current position.

        That is then the position of the key's value.
        """
        self._position += 1
        is_first = True
        while self._move_to_next("}", is_first=is_first):
            is_first = False
            self._member_count += 1
            if self._member_count > MAX_MEMBERS:
                raise self._create_error(f"more than {MAX_MEMBERS} values beside the list")
            if self._peek() != '"':
                raise self._create_error("Expecting property name enclosed in double quotes")
            key = self._read_value()
            if self._skip_space() != ":":
                raise self._create_error("Expecting ':' delimiter")
            self._position += 1
            self._skip_space()
            yield key

    def _iterate_entries(self) -> Iterator[object]:
        self.has_list = True
        self._position += 1
        is_first = True
        while self._move_to_next("]", is_first=is_first):
            is_first = False
            self.line = self._count_lines()
            yield self._read_value()

    def _move_to_next(self, closing: str, *, is_first: bool) -> bool:
        """Move to the next member of a list or object; return False after its end."""
        character = self._skip_space()
        if character == closing:
            self._position += 1
            return False
        if not is_first:
            if character != ",":
                raise self._create_error("Expecting ',' delimiter")
            self._position += 1
            self._skip_space()
        return True

    def _read_value(self) -> Any:
        self._fill()
        try:
            value, length = self._decode_value(self._text[self._position : self._position + MAX_VALUE_CHARS])
        except (ValueError, RecursionError) as error:
            raise self._convert_error(error) from None
        self._position += length
        return value

    def _convert_error(self, error: Exception) -> JSONParseError:
        if isinstance(error, json.JSONDecodeError):
            is_cut_off = error.msg.startswith("Unterminated") or error.pos > MAX_VALUE_CHARS - _LONGEST_WORD
            if is_cut_off and len(self._text) - self._position > MAX_VALUE_CHARS:
                return self._create_error(f"a value has more than {MAX_VALUE_CHARS} characters")
            self._position += error.pos
            return self._create_error(error.msg.removesuffix(" at"))
        return self._create_error(
            "nested too deeply" if isinstance(error, RecursionError) else str(error).splitlines()[0]
        )

    def _skip_space(self) -> str:
        """Skip white space; return the next character, "" at the end."""
        while True:
            self._fill()
            self._position = _SPACE.match(self._text, self._position).end()  # type: ignore[union-attr] # it always matches
            if self._position < len(self._text) or self._is_ended:
                return self._peek()

    def _peek(self) -> str:
        return self._text[self._position : self._position + 1]

    def _fill(self) -> None:
        """Read on until the current value is complete, too long or cut off."""
        missing = MAX_VALUE_CHARS + 1 - (len(self._text) - self._position)
        if missing <= 0 or self._is_ended:
            return
        self._count_lines()
        self._first_column = self._find_column()
        parts = [self._text[self._position :]]
        while missing > 0 and not self._is_ended:
            chunk = next(self._chunks, None)
            self._is_ended = chunk is None
            try:
                parts.append(self._decode_bytes(chunk or b"", self._is_ended))
            except UnicodeDecodeError as error:
                lines = sum(part.count("\n") for part in parts) + error.object.count(b"\n", 0, error.start)
                problem = "the text is not UTF-8"
                raise JSONParseError(problem, problem, self._count_lines() + lines) from None
            missing -= len(parts[-1])
        self._text, self._position, self._counted_end = "".join(parts), 0, 0

    def _count_lines(self) -> int:
        self._counted_line += self._text.count("\n", self._counted_end, self._position)
        self._counted_end = self._position
        return self._counted_line

    def _create_error(self, problem: str) -> JSONParseError:
        line, reason = self._count_lines(), f"{problem} at column {self._find_column()}"
        return JSONParseError(f"{reason} on line {line}", reason, line)

    def _find_column(self) -> int:
        """Return the column, from 1, of the current position."""
        newline = self._text.rfind("\n", 0, self._position)
        return self._first_column + self._position if newline < 0 else self._position - newline
