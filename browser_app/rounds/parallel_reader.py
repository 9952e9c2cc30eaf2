"""Reading the second half of a large round file in a child process.

The child writes its result to an unnamed file. If it fails, the parent reads those lines itself and reports the error;
so the child reports nothing and may be killed at any time.
"""

import gc
import logging
import os
import pickle
import subprocess
import sys
import tempfile
import threading
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from browser_app.child_process_command import child_process_command
from browser_app.input_files import open_regular_file
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import RecordBuilder, RecordFragment
from browser_app.rating.record.record_columns import GrowingColumn
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_file import read_round_structs
from browser_app.rounds.round_source import MAX_LINE_BYTES, WHOLE_FILE, ByteRange, RoundFileSource

_log = logging.getLogger(__name__)

READER_COMMAND: Final = child_process_command("browser_app.rounds.parallel_reader", "ready-room-reader")
MIN_PARALLEL_BYTES: Final = 48 << 20
"""File size from which parallel reading saves more time than starting the child takes."""

_STARTUP_BYTES: Final = 8 << 20
"""Additional size of the first half, because the child has to start and its result has to be loaded."""
_BLOCK_BYTES: Final = 1 << 20


class ParallelRead(NamedTuple):
    """A file in two halves, the second of which a child process is reading."""

    first_range: ByteRange
    second_range: ByteRange
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def result(self) -> tuple[Sequence[int], RecordFragment] | None:
        """Wait for the child; return the line of each round that it read, and the rounds.

        Returns None if it failed.
        """
        if (status := self.process.wait()) != 0:
            _log.info("The parallel reader ended with status %d; reading its part here", status)
            return None
        self.output.seek(0)
        lines, ids, name_tables = (_load_pickle(self.output) for _ in range(3))
        return lines, RecordFragment(ids, name_tables, _load_columns(self.output))


@contextmanager
def read_in_parallel(source: RoundFileSource) -> Iterator[ParallelRead | None]:
    """Read the second half in a child process while the context is active.

    Yields None for small and compressed files, on a single processor, and if the child cannot be started.
    """
    with ExitStack() as stack:
        try:
            middle = _find_middle(source)
            parallel = None if middle is None else stack.enter_context(_start_reader(source.path, middle))
        except OSError as error:
            _log.info("%s: no parallel reading: %s", source.path, error)
            parallel = None
        yield parallel


@contextmanager
def _start_reader(path: str, middle: int) -> Iterator[ParallelRead]:
    second_range = WHOLE_FILE._replace(first=middle, lines_before=_count_lines(path, middle))
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(  # noqa: S603 (our own program)
            [*READER_COMMAND, path, str(second_range.first), str(second_range.lines_before)],
            stdin=subprocess.PIPE,  # the child exits when this closes
            stdout=output,
            stderr=subprocess.DEVNULL,
            process_group=0 if os.name == "posix" else None,  # Ctrl+C interrupts the parent only
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process,
    ):
        try:
            yield ParallelRead(WHOLE_FILE._replace(last=middle), second_range, process, output)
        finally:
            process.kill()


def _find_middle(source: RoundFileSource) -> int | None:
    """Return the byte at which the second half starts, the start of a line.

    None if the file should be read as a whole.
    """
    path = Path(source.path)
    if not path.is_file() or source.size < MIN_PARALLEL_BYTES or source.is_compressed or _count_processors() < 2:
        return None
    with open_regular_file(path) as file:
        file.seek(source.size // 2 + min(_STARTUP_BYTES, source.size // 10))
        rest_of_line = file.readline(MAX_LINE_BYTES)
        return file.tell() if rest_of_line.endswith(b"\n") else None


def _count_lines(path: str, end: int) -> int:
    lines = 0
    with open_regular_file(path) as file:
        while block := file.read(min(_BLOCK_BYTES, end - file.tell())):
            lines += block.count(b"\n")
    return lines


def _count_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load_columns(output: IO[bytes]) -> Iterator[tuple[str, GrowingColumn]]:
    """Yield one column at a time, to save memory."""
    while (column := _load_pickle(output)) is not None:
        yield column


def _load_pickle(output: IO[bytes]) -> Any:
    return pickle.load(output)  # noqa: S301 (written by our own process into an unnamed file)


def _exit_with_parent() -> None:
    """Exit when standard input closes: the parent has ended, in whatever way."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main() -> int:
    """Read a file from a byte on, given by the arguments; return 1 if that fails."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    gc.disable()  # as in `pause_gc`: rounds contain no reference cycles
    path, first, lines_before = sys.argv[-3:]
    builder, lines = RecordBuilder(), array("i")
    try:
        second_range = WHOLE_FILE._replace(first=int(first), lines_before=int(lines_before))
        for line, round_ in read_round_structs(RoundFileSource(path), second_range):
            lines.append(line)
            builder.add(round_)
        fragment = builder.extract_fragment()
    except (RoundFileError, InvalidRoundError):
        return 1
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        for each in (lines, fragment.ids, fragment.name_tables):
            pickle.dump(each, output, pickle.HIGHEST_PROTOCOL)
        for column in fragment.columns:
            pickle.dump(column, output, pickle.HIGHEST_PROTOCOL)
        pickle.dump(None, output)
    return 0
