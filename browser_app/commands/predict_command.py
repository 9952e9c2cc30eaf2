"""The `predict` command: win probabilities of upcoming rounds."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from browser_app.application.app_context import AppContext
from browser_app.commands.arguments.rating_arguments import (
    ChosenParameters,
    add_full_history_argument,
    add_system_argument,
    all_systems_from_arguments,
    full_history_from_arguments,
    system_from_arguments,
)
from browser_app.commands.arguments.round_arguments import (
    add_upcoming_round_arguments,
    finished_round_ids,
    past_rounds_from_arguments,
    read_upcoming_rounds,
)
from browser_app.commands.output.terminal_output import print_json, show_progress
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import print_note
from browser_app.rating.evaluation.forecast_blend import BLEND
from browser_app.rating.game_round import Round
from browser_app.rating.matchmaking.blended_upcoming import forecast_upcoming_blended
from browser_app.rating.matchmaking.upcoming_rounds import forecast_upcoming
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.round_prediction import Prediction

HELP = "predict the win probabilities of upcoming rounds"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the upcoming rounds, the past rounds, and a system with its parameters."""
    add_upcoming_round_arguments(parser, "the rounds to predict, with each player on a team", history_needed=True)
    add_system_argument(parser, or_blend=True)
    add_full_history_argument(parser)


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print the predictions of a system or the blend, in the file's order.

    They are made from all past rounds. Rounds of the file that are among these are skipped, so that one file can hold a
    whole season.
    """
    past_rounds = past_rounds_from_arguments(args, context)
    forecast = _forecaster_from_arguments(args, past_rounds.chosen_parameters)
    rounds_of_file = read_upcoming_rounds(args.file)
    history = past_rounds.read().record
    upcoming = rounds_of_file.excluding(finished_round_ids(history))
    with show_progress("Rating rounds") as progress:
        predictions = forecast(history, upcoming.rounds, progress)
    rows = list(map(_prediction_row, upcoming.rounds, predictions))
    print_json({"system": args.system, "predictions": rows})
    if skipped := len(rounds_of_file.rounds) - len(rows):
        print_note(f"ready-room: {args.file}: {skipped} not predicted (already played)")
    if not rounds_of_file.rounds:
        print_note(f"ready-room: {args.file}: contains no round")
    return ExitStatus.SUCCESS if rows else ExitStatus.NOTHING_FOUND


Forecaster: TypeAlias = Callable[[RoundRecord, Sequence[Round], ProgressCallback], list[Prediction | None]]


def _forecaster_from_arguments(args: argparse.Namespace, chosen: ChosenParameters | None) -> Forecaster:
    """Return the function that forecasts upcoming rounds: one system's or the blend's."""
    if args.system == BLEND:
        systems = all_systems_from_arguments(args, chosen)
        return partial(forecast_upcoming_blended, systems, full_history=args.full_history)
    system = system_from_arguments(args, chosen)
    return partial(forecast_upcoming, system, full_history=full_history_from_arguments(args, system))


def _prediction_row(game_round: Round, prediction: Prediction | None) -> Mapping[str, object]:
    """Return a row of the output for a round.

    The values are null where no prediction is possible: a team is empty, or the system supports two teams only.
    """
    first = [None] * len(game_round.teams) if prediction is None else prediction.first_place
    return {
        "id": game_round.id,
        "probabilities": dict(zip(game_round.teams, first, strict=True)),
        "draw": None if prediction is None else prediction.draw,
    }
