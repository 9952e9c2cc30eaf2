"""Reading files of rounds, all or nothing: into a record to rate, into matches, or into objects to keep."""

import gc
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from browser_app.rating.errors import MatchError, RepeatedIdError
from browser_app.rating.match import Match
from browser_app.rating.record import Ints, Record
from browser_app.rating.record_builder import RecordBuilder
from browser_app.rounds import json_lines
from browser_app.rounds.errors import FieldError, RoundError
from browser_app.rounds.formats import FORMATS, ROUND_FILE, recognise
from browser_app.rounds.round_file import convert
from browser_app.rounds.source import Progress, Source, silent


@dataclass(frozen=True)
class Rounds:
    """A record and where its rounds stand.

    Attributes:
        record: the rounds in the order of their start.
        files: the files, as they were named.
        file, line: index of the file and line, from 1, of each round in the order they were given (`record.given`).
    """

    record: Record
    files: tuple[str, ...]
    file: Ints
    line: Ints

    def place(self, k: int) -> tuple[str, int]:
        """File and line of round k of the record."""
        given = self.record.given[k]
        return self.files[self.file[given]], int(self.line[given])


def read_rounds(
    paths: Sequence[str],
    *,
    form: str | None = None,
    column_map: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Rounds:
    """All rounds of some files as one record.

    Args:
        paths: the files; compressed ones (gzip) are unpacked.
        form: their format, a key of FORMATS; None recognises each by its content and name.
        column_map: for tables, the columns of keys that have another name.
        progress: told the bytes read so far, and in all.

    Raises:
        RoundError: something in one of them is wrong; nothing was taken.
    """
    sources = _sources(paths, column_map or {}, progress or silent)
    with _collector_paused():
        return _rounds((source, line, match) for source in sources for line, match in read_matches(source, form))


def read_matches(source: Source, form: str | None = None) -> Iterator[tuple[int, Match]]:
    """The rounds of one file, each with its line; that their names and times fit together is not checked.

    Raises:
        RoundError: something in it is wrong.
    """
    form = form or recognise(source)
    if form == ROUND_FILE:
        return json_lines.matches(source)
    return _converted(source, FORMATS[form].read(source))


def read_objects(source: Source, form: str | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The rounds of one file as objects of the round file, with their lines; keys that are not known are kept.

    Raises:
        RoundError: something in it is wrong, also where a round contradicts itself.
    """
    placed = list(FORMATS[form or recognise(source)].read(source))
    _rounds((source, line, match) for line, match in _converted(source, placed))
    return placed


def _converted(source: Source, placed: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, Match]]:
    for line, round_object in placed:
        try:
            yield line, convert(round_object)
        except FieldError as error:
            raise source.error(line, error.field, error.problem) from None


def _rounds(placed: Iterable[tuple[Source, int, Match]]) -> Rounds:
    builder, files = RecordBuilder(), dict[str, int]()
    file_of, lines = array("i"), array("i")
    try:
        try:
            for source, line, match in placed:
                file_of.append(files.setdefault(source.path, len(files)))
                lines.append(line)
                builder.add(match)
        except RoundError:
            builder.check()  # the fault of an earlier round comes first
            raise
        record = builder.build()
    except MatchError as error:
        names, problem = list(files), error.problem
        if isinstance(error, RepeatedIdError):
            problem = f"is also the id of {names[file_of[error.first]]}:{lines[error.first]}"
        raise RoundError(names[file_of[error.index]], lines[error.index], error.field, problem) from None
    return Rounds(record, tuple(files), np.array(file_of, np.int32), np.array(lines, np.int32))


def _sources(paths: Sequence[str], columns: Mapping[str, str], progress: Progress) -> Iterator[Source]:
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    for number, path in enumerate(paths):
        yield Source(path, columns, _part(progress, sum(sizes[:number]), sum(sizes)))


def _part(progress: Progress, before: int, size: int) -> Progress:
    """What one file tells, as part of all: so many bytes come before it."""
    return lambda read, _: progress(before + read, size)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Rounds make no cycles: looking for some in objects that live for a moment costs a fifth of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
