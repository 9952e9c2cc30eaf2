"""Arguments for files of played and future rounds."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.commands.output.terminal_output import show_progress
from browser_app.exit_status import UsageError
from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.skip_reason import SkipReason
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_reader import LocatedRounds, read_rounds, read_source_rounds
from browser_app.rounds.round_source import RoundFileSource


def add_round_files_argument(parser: argparse.ArgumentParser) -> None:
    """Declare the files with rounds in any known format."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="rounds, as JSON Lines or in any known format")


def read_round_files(files: Sequence[str]) -> LocatedRounds:
    """Read all rounds and show the progress on a terminal.

    Raises:
        UsageError: `FILE:LINE: field: problem`.
    """
    try:
        with show_progress("Reading rounds") as progress:
            return read_rounds(files, progress=progress)
    except RoundFileError as error:
        raise UsageError(str(error)) from None


@dataclass(frozen=True)
class FutureRounds:
    """Rounds of one file in its order, each with its line; outcomes are ignored."""

    file: str
    lines: Sequence[int]
    rounds: Sequence[Round]

    def usage_error(self, error: InvalidRoundError) -> UsageError:
        """Return an error that names file and line of the wrong round."""
        return UsageError(f"{self.file}:{self.lines[error.index]}: {error.field}: {error.problem}")

    def without(self, ids: set[str]) -> "FutureRounds":
        """Return the rounds with other ids."""
        indices = [n for n, match in enumerate(self.rounds) if match.id not in ids]
        return FutureRounds(self.file, [self.lines[n] for n in indices], [self.rounds[n] for n in indices])


def add_future_round_arguments(parser: argparse.ArgumentParser, file_help: str, *, history_needed: bool) -> None:
    """Declare the file with future rounds and `--rounds` with past ones."""
    parser.add_argument("file", metavar="FILE", help=file_help)
    parser.add_argument(
        "--rounds",
        nargs="+",
        action="extend",
        default=[],
        required=history_needed,
        metavar="FILE",
        help="past rounds, in any known format",
    )


def read_future_rounds(file: str) -> FutureRounds:
    """Read the rounds of a file.

    Raises:
        UsageError: `FILE:LINE: field: problem`.
    """
    try:
        located = list(read_source_rounds(RoundFileSource(file)))
    except RoundFileError as error:
        raise UsageError(str(error)) from None
    future = FutureRounds(file, [line for line, _ in located], [match for _, match in located])
    try:
        build_record(future.rounds)
    except InvalidRoundError as error:
        raise future.usage_error(error) from None
    return future


def read_past_rounds(files: Sequence[str]) -> RoundRecord:
    """Return the record of past rounds, empty without files.

    Raises:
        UsageError: `FILE:LINE: field: problem`.
    """
    return read_round_files(files).record if files else build_record(())


def finished_round_ids(history: RoundRecord) -> set[str]:
    """Return the ids of the rounds with an outcome."""
    return {history.ids[k] for k in np.flatnonzero(history.finished).tolist()}


_SKIP_REASON_WORDS = {
    SkipReason.NO_OUTCOME: "no outcome yet",
    SkipReason.ONE_SIDE_EMPTY: "one side empty",
    SkipReason.NOT_TWO_TEAMS: "other than two teams",
    SkipReason.TOO_FEW_PLAYERS: "fewer than two players are eligible",
    SkipReason.TOO_SHORT: "shorter than {value} s",
    SkipReason.MODE_NOT_RATED: "the mode {value} is not rated",
}


def skip_reason_words(reason: str) -> str:
    """Return why a round is not rated, as the output has always said it."""
    key, _, value = reason.partition(":")
    return _SKIP_REASON_WORDS[SkipReason(key)].format(value=value)
