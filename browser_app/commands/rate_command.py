"""The `rate` command: run a rating system over rounds."""

import argparse
import datetime as dt
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from browser_app.application.app_context import AppContext
from browser_app.commands.arguments.rating_arguments import (
    add_full_history_argument,
    add_system_argument,
    full_history_from_arguments,
    system_from_arguments,
)
from browser_app.commands.arguments.round_arguments import (
    add_past_rounds_argument,
    format_skip_reason,
    past_rounds_from_arguments,
)
from browser_app.commands.output.terminal_output import format_json, print_json, show_progress
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import print_note
from browser_app.rating.forward_pass import ForwardPass, RatedRound, first_team_outcome
from browser_app.rating.leaderboards import compute_leaderboards
from browser_app.rating.rating_system import RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rounds.round_reader import LocatedRounds

HELP = "run a rating system over rounds"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the rounds, a system with its parameters, and the kind of output."""
    add_past_rounds_argument(parser)
    add_system_argument(parser)
    add_full_history_argument(parser)
    parser.add_argument(
        "--ranks",
        type=_parse_date,
        metavar="DATE",
        help="print the leaderboard of each mode as of the start of that day (UTC)",
    )
    parser.add_argument(
        "--trace", action="store_true", help="print the prediction and the rating changes of each round"
    )


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Rate the rounds and print the ratings.

    With `--full-history` the trace holds the final ratings' predictions without changes, and leaderboards as of a day
    are computed from the rounds before it.
    """
    past_rounds = past_rounds_from_arguments(args, context)
    system = system_from_arguments(args, past_rounds.chosen_parameters)
    full_history = full_history_from_arguments(args, system)
    rounds = past_rounds.read()
    record = rounds.record
    result: dict[str, Any] = {"system": system.name, **_parameters_json(system), "rounds": len(record)}
    with show_progress("Rating rounds") as progress:
        forward_pass = ForwardPass(system.start_run(record, full_history=full_history), progress)
        trace = _TracePrinter(forward_pass) if args.trace else None
        advance = forward_pass.advance_to if trace is None else trace.advance
        if args.ranks is not None:
            rounds_before_day = int(np.searchsorted(record.started, args.ranks))
            if full_history:
                result["ranks"] = _full_history_leaderboards(system, record.first_rounds(rounds_before_day))
            else:
                advance(rounds_before_day)
                result["ranks"] = compute_leaderboards(forward_pass)
        advance(len(record))
    result |= {
        "skipped": _skipped_json(forward_pass, rounds),
        "players": forward_pass.run.rated_players(),
        **forward_pass.run.summary(),
    }
    if trace is None:
        print_json(result)
    else:
        trace.finish(result)
    return _report_outcome(record)


def _parse_date(text: str) -> float:
    try:
        return dt.datetime.combine(dt.date.fromisoformat(text), dt.time(), dt.UTC).timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(f"not a date as in 2018-07-01: {text!r}") from None


def _full_history_leaderboards(system: RatingSystem, record: RoundRecord) -> Mapping[str, Sequence[tuple[str, float]]]:
    forward_pass = ForwardPass(system.start_run(record, full_history=True))
    forward_pass.advance_to(len(record))
    return compute_leaderboards(forward_pass)


def _parameters_json(system: RatingSystem) -> Mapping[str, Any]:
    """Return `params`, and `mode_params` if modes have parameters of their own."""
    modes = system.parameters.modes
    return {"params": system.parameters.default} | ({"mode_params": modes} if modes else {})


def _skipped_json(forward_pass: ForwardPass, rounds: LocatedRounds) -> list[dict[str, Any]]:
    """Return the skipped rounds in the order of their start, with file and line."""
    record = rounds.record
    skipped = []
    for round_index, reason in forward_pass.skipped:
        file, line = rounds.locate_round(round_index) if rounds.files else (None, None)
        skipped.append({"line": line, "why": format_skip_reason(reason), "id": record.ids[round_index], "file": file})
    return skipped


def _report_outcome(record: RoundRecord) -> ExitStatus:
    if len(record):
        return ExitStatus.SUCCESS
    print_note("ready-room: no rounds found")
    return ExitStatus.NOTHING_FOUND


class _TracePrinter:
    """Prints `{"trace": [{…}, …], …}` entry by entry.

    Call `finish` even if there are none.
    """

    def __init__(self, forward_pass: ForwardPass) -> None:
        self._forward_pass = forward_pass
        self._record = forward_pass.run.record
        self._was_on_team = np.zeros(len(self._record.player), np.bool_)
        self._was_on_team[self._record.stays.appearance] = True
        self._separator = '{"trace": ['

    def advance(self, last: int) -> None:
        """Rate all rounds before `last` and print an entry for each."""
        for step in self._forward_pass.rate_rounds(last):
            sys.stdout.write(self._separator + format_json(self._entry(step)))
            self._separator = ",\n"

    def finish(self, result: Mapping[str, Any]) -> None:
        """Print the rest of the object."""
        sys.stdout.write(("" if self._separator == ",\n" else self._separator) + "], " + format_json(result)[1:] + "\n")
        sys.stdout.flush()

    def _entry(self, step: RatedRound) -> dict[str, Any]:
        """Return the entry of a round.

        Its changes cover everyone who was on a team, even if their rating stayed the same.
        """
        record, round_index = self._record, step.round
        on_team = self._was_on_team[record.appearances(round_index)].tolist()
        changes = {
            name: {"before": before.value, "after": after.value, "sd": after.sd}
            for name, before, after, on_a_team in zip(
                record.players(round_index), step.before, step.after, on_team, strict=True
            )
            if on_a_team
        }
        return {"id": record.ids[round_index], **_prediction_json(record, step), "changes": changes}


def _prediction_json(record: RoundRecord, step: RatedRound) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "probability": step.prediction.probability,
        "forecast": None if step.forecast is None else step.forecast.probability,
        "outcome": first_team_outcome(record, step.round),
    }
    if len(step.prediction.first_place) > 2:
        entry["probabilities"] = dict(zip(record.teams(step.round), step.prediction.first_place, strict=True))
    return entry
