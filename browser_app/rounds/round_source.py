"""A round file as its readers see it: plain, compressed by gzip, or a pipe."""

import gzip
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from errno import EFBIG
from functools import cached_property, partial
from io import BufferedIOBase, BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from browser_app.file_errors import file_error_text
from browser_app.input_files import is_pipe, open_regular_file, read_pipe
from browser_app.language import gettext as _
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rounds.round_errors import MAX_COUNTED_ERRORS, RoundFileError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_FILE_BYTES = 256 * 1024 * 1024
"""Largest pipe, and largest decompressed file of a format that is read as a whole."""
MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longest line and largest JSON document: the parsed form takes up to twenty times the memory."""
MAX_BLANK_LINES = 1_000_000
MAX_COMPRESSION_RATIO = 100
"""Largest compression ratio of a gzip file; round files reach 30. A gzip file of 1 MB may contain 1 GB."""
MAX_SMALL_UNPACKED_BYTES = 2 * MAX_LINE_BYTES
"""Decompressed size up to which any compression ratio is accepted."""

UNDATED = "undated"
"""Key of a round without a date of its own; true if its start was derived from the time its file was written."""

_HEAD_BYTES = 1024 * 1024
_GZIP_MAGIC = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LINES_PER_PROGRESS = 1024
_BUFFER_BYTES = 1 << 16

ColumnMap = Mapping[str, str | None]
"""Column names of a table by key; None if a key has no column."""


class ByteRange(NamedTuple):
    """Whole lines of a file: the bytes from `first` up to and without `last`."""

    first: int
    last: int
    lines_before: int
    """Number of lines before `first`."""


WHOLE_FILE = ByteRange(0, sys.maxsize, 0)


@dataclass(frozen=True)
class RoundFileSource:
    """A round file.

    Attributes:
        path: as given, for error messages.
        column_map: for tables, the columns of keys that have another name or, although there is a column of that name,
            none.
        progress: called with the bytes read so far and in total, as compressed.
        collected_errors: where errors of single lines go, so that the others are read; None to stop at the first.
    """

    path: str
    column_map: ColumnMap = field(default_factory=dict)
    progress: ProgressCallback = ignore_progress
    collected_errors: list[RoundFileError] | None = None

    @cached_property
    def modified_at(self) -> float:
        """Time of the last change (Unix time, s): the end of a round without a date."""
        return Path(self.path).stat().st_mtime

    @cached_property
    def is_compressed(self) -> bool:
        """True for a gzip file."""
        with self._open() as (file, raw):
            return file is not raw

    @cached_property
    def head(self) -> bytes:
        """The first bytes, by which the format is recognised."""
        with self._open() as (file, _raw):
            return file.read(_HEAD_BYTES).removeprefix(_BYTE_ORDER_MARK)

    def read_all(self) -> bytes:
        """Return the whole content.

        Raises:
            RoundFileError: it cannot be read or is too large.
        """
        with self._open() as (file, _raw):
            body = file.read(MAX_FILE_BYTES + 1)
        if len(body) > MAX_FILE_BYTES:
            raise self.error(None, None, _("is larger than {n} MiB").format(n=MAX_FILE_BYTES >> 20))
        self.progress(self.size, self.size)
        return body.removeprefix(_BYTE_ORDER_MARK)

    def read_lines(self, byte_range: ByteRange = WHOLE_FILE) -> Iterator[tuple[int, bytes]]:
        """Yield the lines with their numbers, from 1.

        What is appended to the file meanwhile is not read.

        Raises:
            RoundFileError: it cannot be read, a line is too long, or too many lines are blank.
        """
        with self._open() as (file, raw):
            size, blank_lines = self.size, 0
            last = byte_range.last if file is not raw else min(byte_range.last, size)
            remaining_bytes = last - byte_range.first
            if byte_range.first:
                file.seek(byte_range.first)
            for number, line in enumerate(
                iter(partial(file.readline, MAX_LINE_BYTES + 1), b""), byte_range.lines_before + 1
            ):
                if len(line) > MAX_LINE_BYTES:
                    raise self.error(number, None, _("is longer than {n} MiB").format(n=MAX_LINE_BYTES >> 20))
                if line.isspace():
                    blank_lines += 1
                    if blank_lines > MAX_BLANK_LINES:
                        raise self.error(number, None, _("more than {n} blank lines").format(n=MAX_BLANK_LINES))
                if number % _LINES_PER_PROGRESS == 0:
                    self.progress(raw.tell(), size)
                yield number, line if number > 1 else line.removeprefix(_BYTE_ORDER_MARK)
                remaining_bytes -= len(line)
                if remaining_bytes <= 0:
                    break
            self.progress(min(byte_range.last, size), size)

    def error(self, line: int | None, field: str | None, problem: str) -> RoundFileError:
        """Return an error in this file."""
        return RoundFileError(self.path, line, field, problem)

    def report(self, error: RoundFileError) -> None:
        """Raise the error of a line, or collect it if the other lines are to be read."""
        if self.collected_errors is None or len(self.collected_errors) >= MAX_COUNTED_ERRORS - 1:
            raise error from None
        self.collected_errors.append(error)

    @cached_property
    def size(self) -> int:
        """Size of the file in bytes, as compressed."""
        return len(self._pipe_content) if self._pipe_content is not None else Path(self.path).stat().st_size

    @cached_property
    def _pipe_content(self) -> bytes | None:
        """Content of a pipe, which can be read only once; None for a file."""
        return read_pipe(self.path, MAX_FILE_BYTES) if is_pipe(self.path) else None

    def _open_raw(self) -> BufferedReader:
        """Open the file from its beginning; works repeatedly, even for a pipe."""
        if self._pipe_content is None:
            return open_regular_file(self.path)
        return BufferedReader(BytesIO(self._pipe_content))

    @contextmanager
    def _open(self) -> Iterator[tuple[BufferedIOBase, BufferedReader]]:
        """Open the file; yield its decompressed and its raw content."""
        try:
            with self._open_raw() as raw:
                is_gzip = raw.peek(len(_GZIP_MAGIC)).startswith(_GZIP_MAGIC)
                file: BufferedIOBase = BufferedReader(_BoundedGzip(raw, self.size), _BUFFER_BYTES) if is_gzip else raw
                with file:
                    yield file, raw
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self.error(None, None, _("is damaged: {problem}").format(problem=error)) from None
        except OSError as error:
            raise self.error(
                None, None, _("cannot be read: {problem}").format(problem=file_error_text(error))
            ) from None


class _BoundedGzip(RawIOBase):
    """A gzip stream with a maximum decompressed size."""

    def __init__(self, raw: BufferedReader, compressed_size: int) -> None:
        self._gzip_file = gzip.GzipFile(fileobj=raw)
        self._remaining_bytes = max(MAX_SMALL_UNPACKED_BYTES, compressed_size * MAX_COMPRESSION_RATIO)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        count = self._gzip_file.readinto(buffer)
        self._remaining_bytes -= count
        if self._remaining_bytes < 0:
            raise OSError(EFBIG, _("expands to more than {n} times its size").format(n=MAX_COMPRESSION_RATIO))
        return count
