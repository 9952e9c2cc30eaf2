"""Reading of round files into a record, rounds or objects.

A file with an error is rejected as a whole.
"""

import gc
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from browser_app.language import gettext as _
from browser_app.rating.game_round import Round
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_errors import DuplicateRoundIdError, InvalidRoundError
from browser_app.rating.record.record_builder import RecordBuilder, RecordFragment
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rounds import round_file
from browser_app.rounds.invalid_lines import report_all_invalid_lines
from browser_app.rounds.parallel_reader import read_in_parallel
from browser_app.rounds.round_errors import RoundFieldError, RoundFileError
from browser_app.rounds.round_file import convert_round
from browser_app.rounds.round_formats import ROUND_FILE_FORMAT, read_objects, recognise_format
from browser_app.rounds.round_source import WHOLE_FILE, ColumnMap, RoundFileSource


@dataclass(frozen=True)
class LocatedRounds:
    """A record and the place of its rounds in the files.

    Attributes:
        record: the rounds in the order of their start.
        files: the files, as they were given; empty for rounds from no file.
        file, line: index of the file and line (from 1) of each round, in reading order (`record.input_index`).
    """

    record: RoundRecord
    files: tuple[str, ...]
    file: Ints
    line: Ints

    def locate_round(self, index: int) -> tuple[str, int]:
        """Return file and line of round `index` of the record."""
        position = self.record.input_index[index]
        return self.files[self.file[position]], int(self.line[position])


def read_rounds(
    paths: Sequence[str],
    *,
    file_format: str | None = None,
    column_map: ColumnMap | None = None,
    progress: ProgressCallback | None = None,
) -> LocatedRounds:
    """Read all rounds of several files into one record.

    Args:
        paths: the files; gzip files are decompressed.
        file_format: as in `round_formats.read_objects`.
        column_map: for tables, the columns of keys that have another name.
        progress: called with the bytes read so far and in total.

    Raises:
        RoundFileError: one of them has an error.
    """
    loader = _RecordLoader()
    sources = list(open_sources(paths, column_map or {}, progress or ignore_progress))
    with pause_gc(), report_all_invalid_lines(sources, file_format), loader.report_earliest_error():
        for source in sources:
            loader.add_file(source, file_format)
        return loader.build()


def open_sources(
    paths: Sequence[str], column_map: ColumnMap, progress: ProgressCallback = ignore_progress
) -> Iterator[RoundFileSource]:
    """Yield the files as sources; `column_map` and `progress` as in `read_rounds`."""
    sizes = [Path(path).stat().st_size if Path(path).is_file() else 0 for path in paths]
    for number, path in enumerate(paths):
        yield RoundFileSource(path, column_map, _create_file_progress(progress, sum(sizes[:number]), sum(sizes)))


def read_source_rounds(source: RoundFileSource, file_format: str | None = None) -> Iterator[tuple[int, Round]]:
    """Yield the rounds of one file with their lines.

    Whether their names and times are consistent is not checked.

    Raises:
        RoundFileError: it has an error.
    """
    return ((line, _convert_object(source, line, each)) for line, each in read_objects(source, file_format))


def stream_objects(source: RoundFileSource, file_format: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rounds of one file as objects of the round file, with their lines.

    The objects keep unknown keys. A round is yielded before its consistency is checked: discard all of them if the
    iterator raises.

    Raises:
        RoundFileError: the file has an error, or a round contradicts itself.
    """
    loader = _RecordLoader()
    with report_all_invalid_lines([source], file_format), loader.report_earliest_error():
        for line, round_object in read_objects(source, file_format):
            loader.add_round(source, line, _convert_object(source, line, round_object))
            yield line, round_object
        loader.build()


def _convert_object(source: RoundFileSource, line: int, round_object: dict[str, Any]) -> Round:
    try:
        return convert_round(round_object)
    except RoundFieldError as error:
        raise source.error(line, error.field, error.problem) from None


class _RecordLoader:
    def __init__(self) -> None:
        self._builder = RecordBuilder()
        self._files: dict[str, int] = {}
        self._file_indices, self._lines = array("i"), array("i")

    def add_round(self, source: RoundFileSource, line: int, round_: Round) -> None:
        """Add one round.

        Raises:
            RoundFileError: this round or an earlier one contradicts itself.
        """
        self._file_indices.append(self._files.setdefault(source.path, len(self._files)))
        self._lines.append(line)
        try:
            self._builder.add(round_)
        except InvalidRoundError as error:
            raise self._locate_error(error) from None

    def add_file(self, source: RoundFileSource, file_format: str | None) -> None:
        """Add all rounds of a file, a large one with a parallel reader.

        Raises:
            RoundFileError: it has an error.
        """
        file_format = file_format or recognise_format(source)
        if file_format != ROUND_FILE_FORMAT:
            self.add_rounds(source, read_source_rounds(source, file_format))
            return
        with read_in_parallel(source) as parallel:
            first_range = WHOLE_FILE if parallel is None else parallel.first_range
            self.add_rounds(source, round_file.read_round_structs(source, first_range))
            if parallel is not None and (result := parallel.result()):
                self._add_fragment(source, *result)
            elif parallel is not None:
                self.add_rounds(source, round_file.read_round_structs(source, parallel.second_range))

    def _add_fragment(self, source: RoundFileSource, lines: Sequence[int], fragment: RecordFragment) -> None:
        file = self._files.setdefault(source.path, len(self._files))
        self._file_indices.extend([file] * len(lines))
        self._lines.extend(lines)
        try:
            self._builder.append_fragment(fragment)
        except InvalidRoundError as error:
            raise self._locate_error(error) from None
        source.progress(source.size, source.size)

    def add_rounds(self, source: RoundFileSource, located_rounds: Iterable[tuple[int, Round]]) -> None:
        """Add the rounds of a file with their lines, faster than by `add_round`.

        Raises:
            RoundFileError: one of them contradicts itself.
        """
        file, add = self._files.setdefault(source.path, len(self._files)), self._builder.add
        file_indices, lines = self._file_indices, self._lines
        try:
            for line, round_ in located_rounds:
                file_indices.append(file)
                lines.append(line)
                add(round_)
        except InvalidRoundError as error:
            raise self._locate_error(error) from None

    @contextmanager
    def report_earliest_error(self) -> Iterator[None]:
        """Replace an error by that of an earlier round which has not been checked yet."""
        try:
            yield
        except RoundFileError:
            try:
                self._builder.check_pending()
            except InvalidRoundError as error:
                raise self._locate_error(error) from None
            raise

    def build(self) -> LocatedRounds:
        """Return the finished record.

        Raises:
            RoundFileError: a round contradicts itself.
        """
        try:
            record = self._builder.build()
        except InvalidRoundError as error:
            raise self._locate_error(error) from None
        file_indices, lines = np.array(self._file_indices, np.int32), np.array(self._lines, np.int32)
        return LocatedRounds(record, tuple(self._files), file_indices, lines)

    def _locate_error(self, error: InvalidRoundError) -> RoundFileError:
        names, problem = list(self._files), _(error.problem)
        if isinstance(error, DuplicateRoundIdError):
            first_file = self._file_indices[error.first_index]
            problem = _("is also the id of {place}").format(
                place=f"{names[first_file]}:{self._lines[error.first_index]}"
            )
        return RoundFileError(names[self._file_indices[error.index]], self._lines[error.index], error.field, problem)


def _create_file_progress(progress: ProgressCallback, before: int, size: int) -> ProgressCallback:
    """Return a progress callback for one file.

    Args:
        progress: the callback for all files.
        before: size of the files before it, in bytes.
        size: size of all files, in bytes.
    """
    return lambda read, _: progress(before + read, size)


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause garbage collection, which would take a fifth of the time of reading.

    Rounds contain no reference cycles.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
