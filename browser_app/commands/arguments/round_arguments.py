"""Arguments for past and upcoming rounds, and the rounds that they name."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from browser_app.application.app_context import AppContext
from browser_app.application.own_skill.own_record import NoOwnRecordError, OwnRecord, load_own_records
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.commands.arguments.rating_arguments import ChosenParameters
from browser_app.commands.output.database_problems import printing_database_problems
from browser_app.commands.output.terminal_output import show_progress, show_waiting
from browser_app.exit_status import UsageError
from browser_app.process_setup import print_note
from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import build_record
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.skip_reason import SkipReason
from browser_app.rounds.invalid_lines import report_all_invalid_lines
from browser_app.rounds.round_errors import RoundFileError
from browser_app.rounds.round_reader import LocatedRounds, read_rounds, read_source_rounds
from browser_app.rounds.round_source import RoundFileSource


def add_past_rounds_argument(parser: argparse.ArgumentParser) -> None:
    """Add the rounds to learn from: files, or the own record."""
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("files", nargs="*", default=[], metavar="FILE", help="rounds, in any known format")
    _add_record_arguments(parser, group)


def add_upcoming_round_arguments(parser: argparse.ArgumentParser, file_help: str, *, history_needed: bool) -> None:
    """Add the file with upcoming rounds, and the past rounds to learn from."""
    parser.add_argument("file", metavar="FILE", help=file_help)
    group = parser.add_mutually_exclusive_group(required=history_needed)
    group.add_argument(
        "--rounds",
        dest="files",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help="past rounds, in any known format",
    )
    _add_record_arguments(parser, group)


def _add_record_arguments(parser: argparse.ArgumentParser, group: argparse._MutuallyExclusiveGroup) -> None:
    group.add_argument("--record", action="store_true", help="your own record, with the parameters of the window")
    parser.add_argument("--game", metavar="ID", help="the game of your record (default: the one you played most)")


@dataclass(frozen=True)
class PastRounds:
    """Rounds that a command learns from; files are read by `read`."""

    files: Sequence[str]
    own_record: OwnRecord | None = None
    """The own record; None for files, and for an empty record."""
    chosen_parameters: ChosenParameters | None = None
    """Parameters that go with the own record."""

    def read(self) -> LocatedRounds:
        """Return all rounds and show the progress on a terminal.

        Raises:
            UsageError: `FILE:LINE: field: problem`.
        """
        if self.own_record is not None:
            return LocatedRounds(self.own_record.record, (), np.empty(0, np.int32), np.empty(0, np.int32))
        try:
            with show_progress("Reading rounds") as progress:
                return read_rounds(self.files, progress=progress)
        except RoundFileError as error:
            raise UsageError("\n".join(error.texts)) from None


def past_rounds_from_arguments(args: argparse.Namespace, context: AppContext) -> PastRounds:
    """Return the rounds that the arguments name; the own record is read at once."""
    if not args.record:
        if args.game is not None:
            raise UsageError("--game: only with --record")
        return PastRounds(args.files)
    with (
        context.open_storage(demo=False) as storage,
        printing_database_problems(storage),
        show_waiting("Reading rounds"),
    ):
        try:
            records = load_own_records(storage, args.game)
        except NoOwnRecordError as error:
            print_note(f"ready-room: {error}")
            return PastRounds(())
        print_chosen_game(records)
        own_record = records[0]
        preferences = SkillPreferences(storage.ui_state, context.games)
    return PastRounds((), own_record, partial(preferences.parameters, own_record.game))


def print_chosen_game(records: Sequence[OwnRecord]) -> None:
    """Print which of several games is used, the first, and how to choose another."""
    if len(records) > 1:
        others = ", ".join(repr(each.game) for each in records[1:])
        print_note(f"ready-room: the rounds are of {records[0].game!r}; --game selects another game: {others}")


@dataclass(frozen=True)
class UpcomingRounds:
    """Rounds of one file in its order, each with its line; outcomes are ignored."""

    file: str
    lines: Sequence[int]
    rounds: Sequence[Round]

    def usage_error(self, error: InvalidRoundError) -> UsageError:
        """Return an error that names file and line of the wrong round."""
        return UsageError(f"{self.file}:{self.lines[error.index]}: {error.field}: {error.problem}")

    def excluding(self, ids: set[str]) -> "UpcomingRounds":
        """Return the rounds without those of these ids."""
        indices = [index for index, game_round in enumerate(self.rounds) if game_round.id not in ids]
        return UpcomingRounds(
            self.file, [self.lines[index] for index in indices], [self.rounds[index] for index in indices]
        )


def read_upcoming_rounds(file: str) -> UpcomingRounds:
    """Read the rounds of a file.

    Raises:
        UsageError: `FILE:LINE: field: problem`.
    """
    source = RoundFileSource(file)
    try:
        with report_all_invalid_lines([source], None):
            located_rounds = list(read_source_rounds(source))
    except RoundFileError as error:
        raise UsageError("\n".join(error.texts)) from None
    lines, rounds = [line for line, _ in located_rounds], [game_round for _, game_round in located_rounds]
    upcoming = UpcomingRounds(file, lines, rounds)
    try:
        build_record(upcoming.rounds)
    except InvalidRoundError as error:
        raise upcoming.usage_error(error) from None
    return upcoming


def finished_round_ids(history: RoundRecord) -> set[str]:
    """Return the ids of the rounds with an outcome."""
    return {history.ids[round_index] for round_index in np.flatnonzero(history.finished).tolist()}


_SKIP_REASON_WORDS = {
    SkipReason.NO_OUTCOME: "no outcome yet",
    SkipReason.ONE_SIDE_EMPTY: "one side empty",
    SkipReason.NOT_TWO_TEAMS: "other than two teams",
    SkipReason.TOO_FEW_PLAYERS: "fewer than two players are eligible",
    SkipReason.TOO_SHORT: "shorter than {value} s",
    SkipReason.MODE_NOT_RATED: "the mode {value} is not rated",
}


def format_skip_reason(reason: str) -> str:
    """Return why a round is not rated; scripts may compare the words."""
    key, _, value = reason.partition(":")
    return _SKIP_REASON_WORDS[SkipReason(key)].format(value=value)
