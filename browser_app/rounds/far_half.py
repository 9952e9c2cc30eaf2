"""The far half of a large round file, read by another process meanwhile: both halves take the time of one.

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

from browser_app.own_process import own_process
from browser_app.rating.errors import MatchError
from browser_app.rating.record_builder import Part, RecordBuilder
from browser_app.rating.record_columns import Growing
from browser_app.rounds.errors import RoundError
from browser_app.rounds.json_lines import rows
from browser_app.rounds.source import MAX_LINE, WHOLE, Source, Stretch

COMMAND: Final = own_process("browser_app.rounds.far_half", "ready-room-reader")
LARGE: Final = 48 << 20
"""Bytes of a file from which on the other process has more to read than to start."""

_HEAD_START: Final = 8 << 20
"""So many bytes more are in the near half: the other process must start first, and what it makes be taken over."""
_BLOCK: Final = 1 << 20


class FarHalf(NamedTuple):
    """A file in two halves, the far one of which is being read by another process."""

    near: Stretch
    far: Stretch
    process: subprocess.Popen[bytes]
    product: IO[bytes]

    def made(self) -> tuple[Sequence[int], Part] | None:
        """Each far round's line, and the rounds, when the other process has done; None: it could not."""
        if self.process.wait() != 0:
            return None
        self.product.seek(0)
        lines, ids, known = (_load(self.product) for _ in range(3))
        return lines, Part(ids, known, _columns(self.product))


@contextmanager
def far_half(source: Source) -> Iterator[FarHalf | None]:
    """Have the far half read while this lasts.

    None where that is not worth it: of a small file or a compressed one, or without a second processor; or where it
    cannot be done.
    """
    with ExitStack() as stack:
        try:
            middle = _middle(source)
            half = None if middle is None else stack.enter_context(_begun(source.path, middle))
        except OSError:
            half = None
        yield half


@contextmanager
def _begun(path: str, middle: int) -> Iterator[FarHalf]:
    far = WHOLE._replace(first=middle, lines_before=_lines(path, middle))
    with (
        tempfile.TemporaryFile() as product,
        subprocess.Popen(  # noqa: S603 (our own program)
            [*COMMAND, path, str(far.first), str(far.lines_before)],
            stdin=subprocess.PIPE,  # its end is ours
            stdout=product,
            stderr=subprocess.DEVNULL,
            process_group=0 if os.name == "posix" else None,  # Ctrl-C is for us
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process,
    ):
        try:
            yield FarHalf(WHOLE._replace(last=middle), far, process, product)
        finally:
            process.kill()


def _middle(source: Source) -> int | None:
    """Where the far half begins, at the start of a line; None: it is to be read whole."""
    path = Path(source.path)
    if not path.is_file() or source.size < LARGE or source.packed or _processors() < 2:
        return None
    with path.open("rb") as file:
        file.seek(source.size // 2 + min(_HEAD_START, source.size // 10))
        begun = file.readline(MAX_LINE)
        return file.tell() if begun.endswith(b"\n") else None


def _lines(path: str, last: int) -> int:
    """How many lines end before a byte."""
    lines = 0
    with Path(path).open("rb") as file:
        while file.tell() < last:
            lines += file.read(min(_BLOCK, last - file.tell())).count(b"\n")
    return lines


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _columns(product: IO[bytes]) -> Iterator[tuple[str, Growing]]:
    """One at a time, so that no more than one is there twice."""
    while (column := _load(product)) is not None:
        yield column


def _load(product: IO[bytes]) -> Any:
    return pickle.load(product)  # noqa: S301 (by our own program, in a file that nobody else has)


def _end_with_parent() -> None:
    """Wait for the end of standard input: whoever wanted these lines was ended then, however roughly."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def main() -> int:
    """The other process: read the lines of a file from a byte on; anything but 0: that is not possible."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.disable()  # as reading does: rounds make no cycles
    path, first, lines_before = sys.argv[-3:]
    builder, lines = RecordBuilder(), array("i")
    try:
        for line, match in rows(Source(path), WHOLE._replace(first=int(first), lines_before=int(lines_before))):
            lines.append(line)
            builder.add(match)
        part = builder.part()
    except (RoundError, MatchError):
        return 1
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as product:
        for each in (lines, part.ids, part.known):
            pickle.dump(each, product, pickle.HIGHEST_PROTOCOL)
        for column in part.columns:
            pickle.dump(column, product, pickle.HIGHEST_PROTOCOL)
        pickle.dump(None, product)
    return 0
