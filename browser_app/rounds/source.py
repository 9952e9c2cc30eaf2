"""A file of rounds as readers see it: its lines or its whole body, also compressed by gzip."""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from io import BufferedIOBase, BufferedReader, BytesIO
from pathlib import Path
from typing import NamedTuple

from browser_app.rounds.errors import RoundError

MAX_BODY = 256 * 1024 * 1024
"""Largest file, unpacked, of a format that is read as a whole."""
MAX_LINE = 16 * 1024 * 1024
"""Longest line, and largest JSON document: what is parsed takes up to twenty times the room."""

UNDATED = "undated"
"""The key of a round that has no date of its own: true where its start was reckoned from when its file was written."""

_HEAD = 1024 * 1024
_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PROGRESS_EVERY = 1024  # lines

ColumnMap = Mapping[str, str | None]
"""Columns of a table by our keys."""
Progress = Callable[[int, int], None]
"""Told now and then: bytes read so far and in all, of the files as they lie there."""


class Stretch(NamedTuple):
    """Some lines of a file: the bytes from ``first`` to before ``last``, and how many lines lie before them."""

    first: int
    last: int
    lines_before: int


WHOLE = Stretch(0, sys.maxsize, 0)


def silent(_read: int, _size: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class Source:
    """One file.

    Attributes:
        path: where it is; errors name it as it was given.
        columns: for tables: the column of each of our keys, where it has another name; None where it has none, although
            a column may be named like it.
        progress: told how much of this file is read.
    """

    path: str
    columns: ColumnMap = field(default_factory=dict)
    progress: Progress = silent

    @cached_property
    def modified(self) -> float:
        """When it was last written, seconds since 1970: the end of a round whose report has no date."""
        return Path(self.path).stat().st_mtime

    @cached_property
    def packed(self) -> bool:
        """Whether it is compressed.

        Raises:
            RoundError: it cannot be read.
        """
        with self._open() as (file, _):
            return isinstance(file, gzip.GzipFile)

    @cached_property
    def head(self) -> bytes:
        """Its beginning, to recognise the format by.

        Raises:
            RoundError: it cannot be read.
        """
        with self._open() as (file, _):
            return file.read(_HEAD).removeprefix(_BYTE_ORDER_MARK)

    def body(self) -> bytes:
        """All of it.

        Raises:
            RoundError: it cannot be read, or is too large.
        """
        with self._open() as (file, _):
            body = file.read(MAX_BODY + 1)
        if len(body) > MAX_BODY:
            raise self.error(None, None, f"is larger than {MAX_BODY >> 20} MiB")
        self.progress(self.size, self.size)
        return body.removeprefix(_BYTE_ORDER_MARK)

    def lines(self, stretch: Stretch = WHOLE) -> Iterator[tuple[int, bytes]]:
        """Its lines with their numbers, from 1.

        Raises:
            RoundError: it cannot be read.
        """
        with self._open() as (file, raw):
            size, left = self.size, stretch.last - stretch.first
            if stretch.first:
                file.seek(stretch.first)
            for number, line in enumerate(iter(partial(file.readline, MAX_LINE + 1), b""), stretch.lines_before + 1):
                if len(line) > MAX_LINE:
                    raise self.error(number, None, f"is longer than {MAX_LINE >> 20} MiB")
                if number % _PROGRESS_EVERY == 0:
                    self.progress(raw.tell(), size)
                yield number, line if number > 1 else line.removeprefix(_BYTE_ORDER_MARK)
                left -= len(line)
                if left <= 0:
                    return
            self.progress(size, size)

    def error(self, line: int | None, field: str | None, problem: str) -> RoundError:
        """Something wrong in this file."""
        return RoundError(self.path, line, field, problem)

    @cached_property
    def size(self) -> int:
        """Its bytes, as it lies there."""
        return Path(self.path).stat().st_size

    @cached_property
    def _of_pipe(self) -> bytes:
        """All of what can be read only once."""
        return Path(self.path).read_bytes()

    def _raw(self) -> BufferedReader:
        """From the beginning, as often as asked."""
        path = Path(self.path)
        return path.open("rb") if path.is_file() or not path.exists() else BufferedReader(BytesIO(self._of_pipe))

    @contextmanager
    def _open(self) -> Iterator[tuple[BufferedIOBase, BufferedReader]]:
        """The file, unpacked, and as it lies there."""
        try:
            with self._raw() as raw:
                packed = raw.peek(len(_GZIP)).startswith(_GZIP)
                file: BufferedIOBase = gzip.GzipFile(fileobj=raw) if packed else raw
                with file:
                    yield file, raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self.error(None, None, f"is damaged: {error}") from None
        except OSError as error:
            raise self.error(None, None, f"cannot be read: {error.strerror or error}") from None
