"""Rounds that are still to be played, and the history that is known of their players."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.commands.errors import BadInput
from browser_app.commands.rating_record import read_record
from browser_app.rating.errors import MatchError
from browser_app.rating.match import Match
from browser_app.rating.record import Record
from browser_app.rating.record_builder import record_of
from browser_app.rounds.errors import RoundError
from browser_app.rounds.reading import read_matches
from browser_app.rounds.source import Source


@dataclass(frozen=True)
class ToCome:
    """Rounds of one file, in its order, and the line of each. Outcomes they may have are nobody's business."""

    file: str
    lines: Sequence[int]
    matches: Sequence[Match]

    def wrong(self, error: MatchError) -> BadInput:
        """What is wrong with one of them, and where."""
        return BadInput(f"{self.file}:{self.lines[error.index]}: {error.field}: {error.problem}")

    def without(self, ids: set[str]) -> "ToCome":
        """The rounds whose ids are others."""
        kept = [n for n, match in enumerate(self.matches) if match.id not in ids]
        return ToCome(self.file, [self.lines[n] for n in kept], [self.matches[n] for n in kept])


def add_file_and_history(parser: argparse.ArgumentParser, file_help: str, *, history_needed: bool) -> None:
    """FILE and --rounds FILE…."""
    parser.add_argument("file", metavar="FILE", help=file_help)
    parser.add_argument(
        "--rounds",
        nargs="+",
        action="extend",
        default=[],
        required=history_needed,
        metavar="FILE",
        help="all that has been played, in any known format",
    )


def read_to_come(file: str) -> ToCome:
    """The rounds of a file.

    Raises:
        BadInput: `FILE:LINE: field: what is wrong`.
    """
    try:
        placed = list(read_matches(Source(file)))
    except RoundError as error:
        raise BadInput(str(error)) from None
    to_come = ToCome(file, [line for line, _ in placed], [match for _, match in placed])
    try:
        record_of(to_come.matches)
    except MatchError as error:
        raise to_come.wrong(error) from None
    return to_come


def read_history(files: Sequence[str]) -> Record:
    """What has been played; nothing where there are no files.

    Raises:
        BadInput: `FILE:LINE: field: what is wrong`.
    """
    return read_record(files).record if files else record_of(())


def played(history: Record) -> set[str]:
    """Ids of the rounds with an outcome."""
    return {history.ids[k] for k in np.flatnonzero(history.finished).tolist()}
