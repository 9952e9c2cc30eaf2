"""Results, progress and summary text of a round import."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.application.round_imports.round_files import saved_column_map
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.number_text import integer_text
from browser_app.paths import printable_path
from browser_app.storage.own_skill.column_map_store import ColumnMapStore
from browser_app.storage.own_skill.round_store import RoundStore

if TYPE_CHECKING:
    from browser_app.rounds.csv_rounds import TablePreview
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_source import RoundFileSource
    from browser_app.storage.own_skill.round_insertion import RoundInsertCounts

NumberedRound = tuple[int, dict[str, Any]]
"""Line in the file and JSON object of a round."""


class RoundImportResult(NamedTuple):
    """Result for one file."""

    path: Path
    format: str
    rounds: int
    """All rounds in the file; `new` counts those that were unknown."""
    new: int
    problem: str = ""
    """Why the file was rejected; empty if it was imported."""
    table: "TablePreview | None" = None
    """First rows of an `UnmappedTable`, if the user can assign its columns."""
    awaits_column_map: bool = False
    """Whether it was rejected only because its columns are not assigned yet."""
    improved: int = 0
    """Number of known rounds that gained details."""
    new_details: frozenset[str] = frozenset()
    """The details gained, of `round_identity.REPORT_DETAILS`."""
    is_temporary: bool = False
    """Whether the problem is the database's, as of a full disk, so that the file may be imported later."""


class UnmappedTable(NamedTuple):
    """A table that was rejected only because its columns are not assigned yet."""

    path: Path
    problem: str
    table: "TablePreview"


class ImportProgress(NamedTuple):
    """Progress of an import."""

    path: Path
    """The file being read."""
    file_number: int
    """Its number, from 1, of `file_count`."""
    file_count: int
    share: float
    """Share of its bytes that was read, 0–1."""


def file_problem_text(error: "RoundFileError") -> str:
    """Return the first error of a file and the number of further ones."""
    more = len(error.others) + error.further_count
    if not more:
        return printable_path(str(error))
    words = ngettext("{problem} (and {n} more line)", "{problem} (and {n} more lines)", more)
    return words.format(problem=printable_path(str(error)), n=more)


def foreign_file_text(path: Path) -> str:
    """Return the message about a file of no known format."""
    text = _(
        "{path}: not a round file. My Skill reads files of NS2+, Wonitor, XonStat and Xonotic servers, and tables."
    )
    return printable_path(text.format(path=path))


def internal_problem_text(path: Path) -> str:
    """Return the message about a file or folder that an internal error affects."""
    return printable_path(_("{path}: not read because of an internal error").format(path=path))


def add_round_file(
    store: RoundStore,
    source: "RoundFileSource",
    format_name: str,
    maps: ColumnMapStore | None,
    limit: Callable[[Iterator[NumberedRound]], Iterator[NumberedRound]] = iter,
    *,
    replace_file: bool = False,
) -> "RoundInsertCounts":
    """Add the rounds of a file to the store, as a whole or not at all.

    Args:
        store: the own record.
        source: the file; a table without a column map gets the saved one.
        format_name: format of the file.
        maps: saved column maps.
        limit: passes the rounds on; an error that it raises cancels the import.
        replace_file: whether rounds imported from the same file before are removed.

    Raises:
        RoundFileError: the file is wrong.
        StorageError: the rounds cannot be written.
    """
    from browser_app.rounds.round_formats import CSV_FORMAT
    from browser_app.rounds.round_reader import stream_objects

    if format_name == CSV_FORMAT and not source.column_map:
        source = replace(source, column_map=saved_column_map(source, maps))
    name = printable_path(str(Path(source.path).absolute()))
    return store.add_file(name, format_name, limit(stream_objects(source, format_name)), replace_file=replace_file)


def import_summary_text(results: Sequence[RoundImportResult]) -> str:
    """Return the numbers of rounds of the imported files; empty if none was imported."""
    imported = [each for each in results if not each.problem]
    if not imported:
        return ""
    rounds, new = sum(each.rounds for each in imported), sum(each.new for each in imported)
    text = ngettext("{n} round read, {new} new", "{n} rounds read, {new} new", rounds).format(
        n=integer_text(rounds), new=integer_text(new)
    )
    improved = sum(each.improved for each in imported)
    if not improved:
        return text
    details = frozenset[str]().union(*(each.new_details for each in imported))
    known = _("{n} already known, now with {what}").format(n=integer_text(improved), what=_details_text(details))
    return f"{text}; {known}"


def _details_text(details: frozenset[str]) -> str:
    titles = {"outcome": _("result"), "players": _("players"), "times": _("join and leave times"), "date": _("date")}
    return ", ".join(title for detail, title in titles.items() if detail in details)


_REPORT_INTERVAL_S = 0.1
"""Least time between two progress reports."""


class ImportProgressReporter:
    """Reports the progress of several files, one after another."""

    def __init__(self, files: int, report: Callable[[ImportProgress], object]) -> None:
        self._files, self._report = files, report
        self._path, self._file_number, self._reported_s = Path(), 0, 0.0

    def begin_file(self, path: Path, number: int) -> None:
        """Start the next file."""
        self._path, self._file_number = path, number
        self(0, 0)

    def __call__(self, read: int, size: int) -> None:
        """Report the bytes read of the current file and its size, 0 if unknown."""
        now = time.monotonic()
        if now - self._reported_s >= _REPORT_INTERVAL_S:
            self._reported_s = now
            share = min(1.0, read / size) if size else 0.0
            self._report(ImportProgress(self._path, self._file_number, self._files, share))
