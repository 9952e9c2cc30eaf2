"""Reading files of rounds, all or nothing: into a record to rate, into matches, or into objects to keep."""

import gc
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from browser_app.rating.errors import MatchError, RepeatedIdError
from browser_app.rating.match import Match
from browser_app.rating.record import Ints, Record
from browser_app.rating.record_builder import Part, RecordBuilder
from browser_app.rounds import json_lines
from browser_app.rounds.errors import FieldError, RoundError
from browser_app.rounds.far_half import far_half
from browser_app.rounds.formats import FORMATS, ROUND_FILE, recognise
from browser_app.rounds.round_file import convert
from browser_app.rounds.source import WHOLE, ColumnMap, Progress, Source, silent


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
    column_map: ColumnMap | None = None,
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
    building = _Building()
    with collector_paused(), building.earlier_first():
        for source in sources(paths, column_map or {}, progress or silent):
            building.read(source, form)
        return building.build()


def sources(paths: Sequence[str], column_map: ColumnMap, progress: Progress = silent) -> Iterator[Source]:
    """Some files one after the other; `column_map` and `progress` as in `read_rounds`."""
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    for number, path in enumerate(paths):
        yield Source(path, column_map, _part(progress, sum(sizes[:number]), sum(sizes)))


def read_matches(source: Source, form: str | None = None) -> Iterator[tuple[int, Match]]:
    """The rounds of one file, each with its line; that their names and times fit together is not checked.

    Raises:
        RoundError: something in it is wrong.
    """
    form = form or recognise(source)
    if form == ROUND_FILE:
        return json_lines.matches(source)
    return ((line, _converted(source, line, each)) for line, each in FORMATS[form].read(source))


def read_objects(source: Source, form: str | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The rounds of one file as objects of the round file, with their lines; keys that are not known are kept.

    Raises:
        RoundError: something in it is wrong, also where a round contradicts itself.
    """
    return list(stream_objects(source, form))


def stream_objects(source: Source, form: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same one by one, for files that are larger than memory.

    A round is told before all of it is checked: nothing may be made of them before the last one has come.

    Raises:
        RoundError: something in it is wrong.
    """
    building = _Building()
    with building.earlier_first():
        for line, round_object in FORMATS[form or recognise(source)].read(source):
            building.add(source, line, _converted(source, line, round_object))
            yield line, round_object
    building.build()


def _converted(source: Source, line: int, round_object: dict[str, Any]) -> Match:
    try:
        return convert(round_object)
    except FieldError as error:
        raise source.error(line, error.field, error.problem) from None


class _Building:
    """A record in the making, and where its rounds stand."""

    def __init__(self) -> None:
        self._builder = RecordBuilder()
        self._files: dict[str, int] = {}
        self._file_of, self._lines = array("i"), array("i")

    def add(self, source: Source, line: int, match: Match) -> None:
        """Take one round.

        Raises:
            RoundError: this round or one before it contradicts itself.
        """
        self._file_of.append(self._files.setdefault(source.path, len(self._files)))
        self._lines.append(line)
        try:
            self._builder.add(match)
        except MatchError as error:
            raise self._placed(error) from None

    def read(self, source: Source, form: str | None) -> None:
        """Take all rounds of a file, the quickest way.

        Raises:
            RoundError: something in it is wrong.
        """
        form = form or recognise(source)
        if form != ROUND_FILE:
            self.take(source, read_matches(source, form))
            return
        with far_half(source) as half:
            self.take(source, json_lines.rows(source, WHOLE if half is None else half.near))
            if half is not None and (made := half.made()):
                self._join(source, *made)
            elif half is not None:
                self.take(source, json_lines.rows(source, half.far))

    def _join(self, source: Source, lines: Sequence[int], part: Part) -> None:
        file = self._files.setdefault(source.path, len(self._files))
        self._file_of.extend([file] * len(lines))
        self._lines.extend(lines)
        try:
            self._builder.join(part)
        except MatchError as error:
            raise self._placed(error) from None
        source.progress(source.size, source.size)

    def take(self, source: Source, placed: Iterable[tuple[int, Match]]) -> None:
        """Take the rounds of a file with their lines, as ``add`` one by one.

        Raises:
            RoundError: one of the rounds contradicts itself.
        """
        file, add = self._files.setdefault(source.path, len(self._files)), self._builder.add
        file_of, lines = self._file_of, self._lines
        try:
            for line, match in placed:
                file_of.append(file)
                lines.append(line)
                add(match)
        except MatchError as error:
            raise self._placed(error) from None

    @contextmanager
    def earlier_first(self) -> Iterator[None]:
        """Of a fault that stops the reading, and one in an earlier round that nobody has looked at, tell the latter."""
        try:
            yield
        except RoundError:
            try:
                self._builder.check()
            except MatchError as error:
                raise self._placed(error) from None
            raise

    def build(self) -> Rounds:
        """All of them.

        Raises:
            RoundError: a round contradicts itself.
        """
        try:
            record = self._builder.build()
        except MatchError as error:
            raise self._placed(error) from None
        file_of, lines = np.array(self._file_of, np.int32), np.array(self._lines, np.int32)
        return Rounds(record, tuple(self._files), file_of, lines)

    def _placed(self, error: MatchError) -> RoundError:
        names, problem = list(self._files), error.problem
        if isinstance(error, RepeatedIdError):
            problem = f"is also the id of {names[self._file_of[error.first]]}:{self._lines[error.first]}"
        return RoundError(names[self._file_of[error.index]], self._lines[error.index], error.field, problem)


def _part(progress: Progress, before: int, size: int) -> Progress:
    """What one file tells, as part of all: so many bytes come before it."""
    return lambda read, _: progress(before + read, size)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Rounds make no cycles: looking for some in objects that live for a moment costs a fifth of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
