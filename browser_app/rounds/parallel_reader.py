"""Reading the second half of a large round file in another process.

The other process writes its result to an unnamed file. If anything goes wrong there, this process reads those lines
itself and reports the error; so the other one reports nothing and may be killed at any time.
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
"""File size from which parallel reading saves more than starting the process costs."""

_HEAD_START_BYTES: Final = 8 << 20
"""Additional size of the near half, because the other process has to start and its result has to be loaded."""
_BLOCK_BYTES: Final = 1 << 20


class ParallelRead(NamedTuple):
    """A file in two halves, of which another process is reading the far one."""

    near_range: ByteRange
    far_range: ByteRange
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def result(self) -> tuple[Sequence[int], RecordFragment] | None:
        """Wait for the process; return the line of each far round, and the rounds.

        None if it failed.
        """
        if (status := self.process.wait()) != 0:
            _log.info("the parallel reader ended with status %d; reading its part here", status)
            return None
        self.output.seek(0)
        lines, ids, known = (_load_pickle(self.output) for _ in range(3))
        return lines, RecordFragment(ids, known, _load_columns(self.output))


@contextmanager
def read_in_parallel(source: RoundFileSource) -> Iterator[ParallelRead | None]:
    """Read the far half in another process while the context is active.

    Yields None if that is not worthwhile (small or compressed file, single processor) or fails.
    """
    with ExitStack() as stack:
        try:
            middle = _find_middle(source)
            half = None if middle is None else stack.enter_context(_start_reader(source.path, middle))
        except OSError as error:
            _log.info("%s: no parallel reading: %s", source.path, error)
            half = None
        yield half


@contextmanager
def _start_reader(path: str, middle: int) -> Iterator[ParallelRead]:
    far = WHOLE_FILE._replace(first=middle, lines_before=_count_lines(path, middle))
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(  # noqa: S603 (our own program)
            [*READER_COMMAND, path, str(far.first), str(far.lines_before)],
            stdin=subprocess.PIPE,  # the process ends when this closes
            stdout=output,
            stderr=subprocess.DEVNULL,
            process_group=0 if os.name == "posix" else None,  # Ctrl-C goes to this process only
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process,
    ):
        try:
            yield ParallelRead(WHOLE_FILE._replace(last=middle), far, process, output)
        finally:
            process.kill()


def _find_middle(source: RoundFileSource) -> int | None:
    """Return where the far half starts, at the start of a line.

    None if the file should be read as a whole.
    """
    path = Path(source.path)
    if not path.is_file() or source.size < MIN_PARALLEL_BYTES or source.is_compressed or _processor_count() < 2:
        return None
    with open_regular_file(path) as file:
        file.seek(source.size // 2 + min(_HEAD_START_BYTES, source.size // 10))
        begun = file.readline(MAX_LINE_BYTES)
        return file.tell() if begun.endswith(b"\n") else None


def _count_lines(path: str, end: int) -> int:
    lines = 0
    with open_regular_file(path) as file:
        while block := file.read(min(_BLOCK_BYTES, end - file.tell())):
            lines += block.count(b"\n")
    return lines


def _processor_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load_columns(output: IO[bytes]) -> Iterator[tuple[str, GrowingColumn]]:
    """Yield one column at a time, so that only one exists twice."""
    while (column := _load_pickle(output)) is not None:
        yield column


def _load_pickle(output: IO[bytes]) -> Any:
    return pickle.load(output)  # noqa: S301 (written by our own process into an unnamed file)


def _exit_with_parent() -> None:
    """Exit when standard input closes.

    That is, when the parent process ends in any way.
    """
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main() -> int:
    """Read the lines of a file from a byte on; return 1 if they cannot be read."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    gc.disable()  # as in `gc_paused`: rounds contain no reference cycles
    path, first, lines_before = sys.argv[-3:]
    builder, lines = RecordBuilder(), array("i")
    try:
        far_range = WHOLE_FILE._replace(first=int(first), lines_before=int(lines_before))
        for line, round_ in read_round_structs(RoundFileSource(path), far_range):
            lines.append(line)
            builder.add(round_)
        part = builder.extract_fragment()
    except (RoundFileError, InvalidRoundError):
        return 1
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        for each in (lines, part.ids, part.name_tables):
            pickle.dump(each, output, pickle.HIGHEST_PROTOCOL)
        for column in part.columns:
            pickle.dump(column, output, pickle.HIGHEST_PROTOCOL)
        pickle.dump(None, output)
    return 0
