"""Reading files of rounds into a record, rounds or objects, all or nothing."""

import gc
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import DuplicateRoundIdError, InvalidRoundError
from browser_app.rating.record.record_builder import RecordBuilder, RecordFragment
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rounds import round_file
from browser_app.rounds.parallel_reader import read_in_parallel
from browser_app.rounds.round_errors import RoundFieldError, RoundFileError
from browser_app.rounds.round_file import convert_round
from browser_app.rounds.round_formats import ROUND_FILE_FORMAT, ROUND_FORMATS, recognise_format
from browser_app.rounds.round_source import WHOLE_FILE, ColumnMap, ReadProgress, RoundFileSource, ignore_progress


@dataclass(frozen=True)
class LocatedRounds:
    """A record and where its rounds stand.

    Attributes:
        record: the rounds in the order of their start.
        files: the files, as they were named.
        file, line: index of the file and line, from 1, of each round in the order they were given (`record.given`).
    """

    record: RoundRecord
    files: tuple[str, ...]
    file: Ints
    line: Ints

    def location(self, index: int) -> tuple[str, int]:
        """File and line of round k of the record."""
        given = self.record.given[index]
        return self.files[self.file[given]], int(self.line[given])


def read_rounds(
    paths: Sequence[str],
    *,
    file_format: str | None = None,
    column_map: ColumnMap | None = None,
    progress: ReadProgress | None = None,
) -> LocatedRounds:
    """All rounds of some files as one record.

    Args:
        paths: the files; compressed ones (gzip) are unpacked.
        file_format: their format, a key of FORMATS; None recognises each by its content and name.
        column_map: for tables, the columns of keys that have another name.
        progress: told the bytes read so far, and in all.

    Raises:
        RoundError: something in one of them is wrong; nothing was taken.
    """
    building = _RecordLoader()
    with gc_paused(), building.report_earliest_error():
        for source in open_sources(paths, column_map or {}, progress or ignore_progress):
            building.add_file(source, file_format)
        return building.build()


def open_sources(
    paths: Sequence[str], column_map: ColumnMap, progress: ReadProgress = ignore_progress
) -> Iterator[RoundFileSource]:
    """Some files one after the other; `column_map` and `progress` as in `read_rounds`."""
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    for number, path in enumerate(paths):
        yield RoundFileSource(path, column_map, _partial_progress(progress, sum(sizes[:number]), sum(sizes)))


def read_source_rounds(source: RoundFileSource, file_format: str | None = None) -> Iterator[tuple[int, Round]]:
    """The rounds of one file, each with its line; that their names and times fit together is not checked.

    Raises:
        RoundError: something in it is wrong.
    """
    file_format = file_format or recognise_format(source)
    if file_format == ROUND_FILE_FORMAT:
        return round_file.read_file_rounds(source)
    return ((line, _convert_object(source, line, each)) for line, each in ROUND_FORMATS[file_format].read(source))


def stream_objects(source: RoundFileSource, file_format: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same one by one, for files that are larger than memory.

    A round is told before all of it is checked: nothing may be made of them before the last one has come.

    Raises:
        RoundError: something in it is wrong.
    """
    building = _RecordLoader()
    with building.report_earliest_error():
        for line, round_object in ROUND_FORMATS[file_format or recognise_format(source)].read(source):
            building.add_round(source, line, _convert_object(source, line, round_object))
            yield line, round_object
    building.build()


def _convert_object(source: RoundFileSource, line: int, round_object: dict[str, Any]) -> Round:
    try:
        return convert_round(round_object)
    except RoundFieldError as error:
        raise source.error(line, error.field, error.problem) from None


class _RecordLoader:
    """A record in the making, and where its rounds stand."""

    def __init__(self) -> None:
        self._builder = RecordBuilder()
        self._files: dict[str, int] = {}
        self._file_index, self._lines = array("i"), array("i")

    def add_round(self, source: RoundFileSource, line: int, round_: Round) -> None:
        """Take one round.

        Raises:
            RoundError: this round or one before it contradicts itself.
        """
        self._file_index.append(self._files.setdefault(source.path, len(self._files)))
        self._lines.append(line)
        try:
            self._builder.add(round_)
        except InvalidRoundError as error:
            raise self._located_error(error) from None

    def add_file(self, source: RoundFileSource, file_format: str | None) -> None:
        """Take all rounds of a file, the quickest way.

        Raises:
            RoundError: something in it is wrong.
        """
        file_format = file_format or recognise_format(source)
        if file_format != ROUND_FILE_FORMAT:
            self.add_rounds(source, read_source_rounds(source, file_format))
            return
        with read_in_parallel(source) as half:
            self.add_rounds(
                source, round_file.read_round_structs(source, WHOLE_FILE if half is None else half.near_range)
            )
            if half is not None and (made := half.result()):
                self._add_parallel_part(source, *made)
            elif half is not None:
                self.add_rounds(source, round_file.read_round_structs(source, half.far_range))

    def _add_parallel_part(self, source: RoundFileSource, lines: Sequence[int], part: RecordFragment) -> None:
        file = self._files.setdefault(source.path, len(self._files))
        self._file_index.extend([file] * len(lines))
        self._lines.extend(lines)
        try:
            self._builder.append_fragment(part)
        except InvalidRoundError as error:
            raise self._located_error(error) from None
        source.progress(source.size, source.size)

    def add_rounds(self, source: RoundFileSource, located_rounds: Iterable[tuple[int, Round]]) -> None:
        """Take the rounds of a file with their lines, as ``add`` one by one.

        Raises:
            RoundError: one of the rounds contradicts itself.
        """
        file, add = self._files.setdefault(source.path, len(self._files)), self._builder.add
        file_of, lines = self._file_index, self._lines
        try:
            for line, match in located_rounds:
                file_of.append(file)
                lines.append(line)
                add(match)
        except InvalidRoundError as error:
            raise self._located_error(error) from None

    @contextmanager
    def report_earliest_error(self) -> Iterator[None]:
        """Of a fault that stops the reading, and one in an earlier round that nobody has looked at, tell the latter."""
        try:
            yield
        except RoundFileError:
            try:
                self._builder.check_pending()
            except InvalidRoundError as error:
                raise self._located_error(error) from None
            raise

    def build(self) -> LocatedRounds:
        """All of them.

        Raises:
            RoundError: a round contradicts itself.
        """
        try:
            record = self._builder.build()
        except InvalidRoundError as error:
            raise self._located_error(error) from None
        file_of, lines = np.array(self._file_index, np.int32), np.array(self._lines, np.int32)
        return LocatedRounds(record, tuple(self._files), file_of, lines)

    def _located_error(self, error: InvalidRoundError) -> RoundFileError:
        names, problem = list(self._files), error.problem
        if isinstance(error, DuplicateRoundIdError):
            problem = f"is also the id of {names[self._file_index[error.first_index]]}:{self._lines[error.first_index]}"
        return RoundFileError(names[self._file_index[error.index]], self._lines[error.index], error.field, problem)


def _partial_progress(progress: ReadProgress, before: int, size: int) -> ReadProgress:
    """What one file tells, as part of all: so many bytes come before it."""
    return lambda read, _: progress(before + read, size)


@contextmanager
def gc_paused() -> Iterator[None]:
    """Rounds make no cycles: looking for some in objects that live for a moment costs a fifth of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
