"""Results, progress and summary text of a round import."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from browser_app.language import gettext as _
from browser_app.language import ngettext

if TYPE_CHECKING:
    from browser_app.rounds.csv_rounds import TablePreview


class RoundImportResult(NamedTuple):
    """What became of one file."""

    path: Path
    format: str
    rounds: int
    """All that it tells; `new`: those that were not known yet."""
    new: int
    problem: str = ""
    """Why it was refused; empty when it was taken."""
    table: "TablePreview | None" = None
    """How a table begins that is `UnmappedTable`, if the user is there to be asked."""
    awaits_column_map: bool = False
    """It was refused only because it is a table of which nobody has said which column is which."""
    completed: int = 0
    """Known rounds of which more is known now."""
    gains: frozenset[str] = frozenset()
    """What that is: some of `rounds.same_round.REPORT_DETAILS`."""


class UnmappedTable(NamedTuple):
    """A table that was refused only because nobody has said which of its columns is which."""

    path: Path
    problem: str
    table: "TablePreview"


class ImportProgress(NamedTuple):
    """How far an import is."""

    path: Path
    """The file in hand."""
    file_number: int
    """Its number, from 1, of `files`."""
    file_count: int
    share: float
    """Of that file's bytes, 0…1."""


def import_summary_text(results: Sequence[RoundImportResult]) -> str:
    """The rounds of the files that were taken; empty where none was."""
    taken = [each for each in results if not each.problem]
    if not taken:
        return ""
    rounds, new = sum(each.rounds for each in taken), sum(each.new for each in taken)
    words = ngettext("{n} round read, {new} new", "{n} rounds read, {new} new", rounds).format(n=rounds, new=new)
    richer = sum(each.completed for each in taken)
    if not richer:
        return words
    gains = frozenset[str]().union(*(each.gains for each in taken))
    known = _("{n} already known, now with {what}").format(n=richer, what=_gains_text(gains))
    return f"{words}; {known}"


def _gains_text(gains: frozenset[str]) -> str:
    """What came to be known of rounds that were there, of `rounds.same_round.REPORT_DETAILS`."""
    titles = {
        "outcome": _("result"),
        "players": _("players"),
        "times": _("join and leave times"),
        "date": _("date"),
    }
    return ", ".join(words for gain, words in titles.items() if gain in gains)


_REPORT_INTERVAL_S = 0.1
"""Progress is told no more often."""


class ImportProgressReporter:
    """Of files, one after another."""

    def __init__(self, files: int, report: Callable[[ImportProgress], object]) -> None:
        self._files, self._report = files, report
        self._path, self._file_number, self._reported_s = Path(), 0, 0.0

    def begin_file(self, path: Path, number: int) -> None:
        """Another file is in hand."""
        self._path, self._file_number = path, number
        self(0, 0)

    def __call__(self, read: int, size: int) -> None:
        """So many bytes of the file in hand are read, of so many; 0 where its size is unknown."""
        now = time.monotonic()
        if now - self._reported_s >= _REPORT_INTERVAL_S:
            self._reported_s = now
            share = min(1.0, read / size) if size else 0.0
            self._report(ImportProgress(self._path, self._file_number, self._files, share))
