"""A file of rounds as its readers see it, plain or compressed by gzip."""

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

from browser_app.rounds.round_errors import RoundFileError

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Largest file, unpacked, of a format that is read as a whole."""
MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line, and largest JSON document: what is parsed takes up to twenty times the room."""

UNDATED = "undated"
"""The key of a round that has no date of its own: true where its start was reckoned from when its file was written."""

_HEAD_BYTES = 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LINES_PER_PROGRESS = 1024  # lines

ColumnMap = Mapping[str, str | None]
"""Columns of a table by our keys."""
ReadProgress = Callable[[int, int], None]
"""Told now and then: bytes read so far and in all, of the files as they lie there."""


class ByteRange(NamedTuple):
    """Some lines of a file: the bytes from ``first`` to before ``last``, and how many lines lie before them."""

    first: int
    last: int
    lines_before: int


WHOLE_FILE = ByteRange(0, sys.maxsize, 0)


def ignore_progress(_read: int, _size: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class RoundFileSource:
    """One file.

    Attributes:
        path: where it is; errors name it as it was given.
        columns: for tables: the column of each of our keys, where it has another name; None where it has none, although
            a column may be named like it.
        progress: told how much of this file is read.
    """

    path: str
    column_map: ColumnMap = field(default_factory=dict)
    progress: ReadProgress = ignore_progress

    @cached_property
    def modified_at(self) -> float:
        """When it was last written, seconds since 1970: the end of a round whose report has no date."""
        return Path(self.path).stat().st_mtime

    @cached_property
    def is_compressed(self) -> bool:
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
            return file.read(_HEAD_BYTES).removeprefix(_BYTE_ORDER_MARK)

    def read_all(self) -> bytes:
        """All of it.

        Raises:
            RoundError: it cannot be read, or is too large.
        """
        with self._open() as (file, _):
            body = file.read(MAX_FILE_BYTES + 1)
        if len(body) > MAX_FILE_BYTES:
            raise self.error(None, None, f"is larger than {MAX_FILE_BYTES >> 20} MiB")
        self.progress(self.size, self.size)
        return body.removeprefix(_BYTE_ORDER_MARK)

    def read_lines(self, byte_range: ByteRange = WHOLE_FILE) -> Iterator[tuple[int, bytes]]:
        """Its lines with their numbers, from 1.

        Raises:
            RoundError: it cannot be read.
        """
        with self._open() as (file, raw):
            size, left = self.size, byte_range.last - byte_range.first
            if byte_range.first:
                file.seek(byte_range.first)
            for number, line in enumerate(
                iter(partial(file.readline, MAX_LINE_BYTES + 1), b""), byte_range.lines_before + 1
            ):
                if len(line) > MAX_LINE_BYTES:
                    raise self.error(number, None, f"is longer than {MAX_LINE_BYTES >> 20} MiB")
                if number % _LINES_PER_PROGRESS == 0:
                    self.progress(raw.tell(), size)
                yield number, line if number > 1 else line.removeprefix(_BYTE_ORDER_MARK)
                left -= len(line)
                if left <= 0:
                    return
            self.progress(size, size)

    def error(self, line: int | None, field: str | None, problem: str) -> RoundFileError:
        """Something wrong in this file."""
        return RoundFileError(self.path, line, field, problem)

    @cached_property
    def size(self) -> int:
        """Its bytes, as it lies there."""
        return Path(self.path).stat().st_size

    @cached_property
    def _pipe_content(self) -> bytes:
        """All of what can be read only once."""
        return Path(self.path).read_bytes()

    def _open_raw(self) -> BufferedReader:
        """From the beginning, as often as asked."""
        path = Path(self.path)
        return path.open("rb") if path.is_file() or not path.exists() else BufferedReader(BytesIO(self._pipe_content))

    @contextmanager
    def _open(self) -> Iterator[tuple[BufferedIOBase, BufferedReader]]:
        """The file, unpacked, and as it lies there."""
        try:
            with self._open_raw() as raw:
                packed = raw.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
                file: BufferedIOBase = gzip.GzipFile(fileobj=raw) if packed else raw
                with file:
                    yield file, raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self.error(None, None, f"is damaged: {error}") from None
        except OSError as error:
            raise self.error(None, None, f"cannot be read: {error.strerror or error}") from None
