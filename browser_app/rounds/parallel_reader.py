"""Reading the second half of a large round file in another process.

What it makes of the lines it leaves in a file without a name. Whatever goes wrong there, this process reads those lines
itself and tells what is wrong with them; so the other one never speaks, and may be ended at any time.
"""

import gc
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
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import RecordBuilder, RecordFragment
from browser_app.rating.record.record_columns import GrowingColumn
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_file import read_round_structs
from browser_app.rounds.round_source import MAX_LINE_BYTES, WHOLE_FILE, ByteRange, RoundFileSource

READER_COMMAND: Final = child_process_command("browser_app.rounds.parallel_reader", "ready-room-reader")
MIN_PARALLEL_BYTES: Final = 48 << 20
"""Bytes of a file from which on the other process has more to read than to start."""

_HEAD_START_BYTES: Final = 8 << 20
"""So many bytes more are in the near half: the other process must start first, and what it makes be taken over."""
_BLOCK_BYTES: Final = 1 << 20


class ParallelRead(NamedTuple):
    """A file in two halves, the far one of which is being read by another process."""

    near_range: ByteRange
    far_range: ByteRange
    process: subprocess.Popen[bytes]
    output: IO[bytes]

    def result(self) -> tuple[Sequence[int], RecordFragment] | None:
        """Each far round's line, and the rounds, when the other process has done; None: it could not."""
        if self.process.wait() != 0:
            return None
        self.output.seek(0)
        lines, ids, known = (_load_pickle(self.output) for _ in range(3))
        return lines, RecordFragment(ids, known, _load_columns(self.output))


@contextmanager
def read_in_parallel(source: RoundFileSource) -> Iterator[ParallelRead | None]:
    """Have the far half read while this lasts.

    None where that is not worth it: of a small file or a compressed one, or without a second processor; or where it
    cannot be done.
    """
    with ExitStack() as stack:
        try:
            middle = _find_middle(source)
            half = None if middle is None else stack.enter_context(_start_reader(source.path, middle))
        except OSError:
            half = None
        yield half


@contextmanager
def _start_reader(path: str, middle: int) -> Iterator[ParallelRead]:
    far = WHOLE_FILE._replace(first=middle, lines_before=_count_lines(path, middle))
    with (
        tempfile.TemporaryFile() as product,
        subprocess.Popen(  # noqa: S603 (our own program)
            [*READER_COMMAND, path, str(far.first), str(far.lines_before)],
            stdin=subprocess.PIPE,  # its end is ours
            stdout=product,
            stderr=subprocess.DEVNULL,
            process_group=0 if os.name == "posix" else None,  # Ctrl-C is for us
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process,
    ):
        try:
            yield ParallelRead(WHOLE_FILE._replace(last=middle), far, process, product)
        finally:
            process.kill()


def _find_middle(source: RoundFileSource) -> int | None:
    """Where the far half begins, at the start of a line; None: it is to be read whole."""
    path = Path(source.path)
    if not path.is_file() or source.size < MIN_PARALLEL_BYTES or source.is_compressed or _processor_count() < 2:
        return None
    with path.open("rb") as file:
        file.seek(source.size // 2 + min(_HEAD_START_BYTES, source.size // 10))
        begun = file.readline(MAX_LINE_BYTES)
        return file.tell() if begun.endswith(b"\n") else None


def _count_lines(path: str, end: int) -> int:
    """How many lines end before a byte."""
    lines = 0
    with Path(path).open("rb") as file:
        while file.tell() < end:
            lines += file.read(min(_BLOCK_BYTES, end - file.tell())).count(b"\n")
    return lines


def _processor_count() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load_columns(product: IO[bytes]) -> Iterator[tuple[str, GrowingColumn]]:
    """One at a time, so that no more than one is there twice."""
    while (column := _load_pickle(product)) is not None:
        yield column


def _load_pickle(product: IO[bytes]) -> Any:
    return pickle.load(product)  # noqa: S301 (by our own program, in a file that nobody else has)


def _exit_with_parent() -> None:
    """Wait for the end of standard input: whoever wanted these lines was ended then, however roughly."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main() -> int:
    """The other process: read the lines of a file from a byte on; anything but 0: that is not possible."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    gc.disable()  # as reading does: rounds make no cycles
    path, first, lines_before = sys.argv[-3:]
    builder, lines = RecordBuilder(), array("i")
    try:
        for line, match in read_round_structs(
            RoundFileSource(path), WHOLE_FILE._replace(first=int(first), lines_before=int(lines_before))
        ):
            lines.append(line)
            builder.add(match)
        part = builder.extract_fragment()
    except (RoundFileError, InvalidRoundError):
        return 1
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as product:
        for each in (lines, part.ids, part.name_tables):
            pickle.dump(each, product, pickle.HIGHEST_PROTOCOL)
        for column in part.columns:
            pickle.dump(column, product, pickle.HIGHEST_PROTOCOL)
        pickle.dump(None, product)
    return 0
