"""`predict`: win probabilities of unplayed rounds."""

import argparse
from collections.abc import Mapping

from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.output import print_json, say
from browser_app.commands.progress import counting
from browser_app.commands.rating_arguments import add_system, chosen_system
from browser_app.commands.rounds_to_come import add_file_and_history, played, read_history, read_to_come
from browser_app.rating.ahead import forecasts
from browser_app.rating.match import Match
from browser_app.rating.prediction import Prediction

HELP = "win probabilities of unplayed rounds"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """Rounds to come, what is known, system."""
    add_file_and_history(parser, "the rounds to predict, everybody on the team he will play on", history_needed=True)
    add_system(parser)


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 (as every command)
    """Print what the system says of each round once it knows all that has been played, in the file's order.

    Rounds of the file that are in the history have been played and are passed over: a season's file can be both.
    """
    system = chosen_system(args)
    given = read_to_come(args.file)
    history = read_history(args.rounds)
    to_come = given.without(played(history))
    with counting("Rating rounds") as progress:
        told = forecasts(system, history, to_come.matches, progress)
    rows = [_row(match, prediction) for match, prediction in zip(to_come.matches, told, strict=True)]
    print_json({"system": system.name, "predictions": rows})
    if passed_over := len(given.matches) - len(rows):
        say(f"ready-room: {passed_over} rounds of {args.file} have been played and are not predicted")
    if not given.matches:
        say(f"ready-room: there is no round in {args.file}")
    return Exit.DONE if rows else Exit.NOTHING_FOUND


def _row(match: Match, prediction: Prediction | None) -> Mapping[str, object]:
    """Null where nothing can be said: one side has nobody, or the system knows rounds of two teams only."""
    first = [None] * len(match.teams) if prediction is None else prediction.first
    return {
        "id": match.id,
        "probabilities": dict(zip(match.teams, first, strict=True)),
        "draw": None if prediction is None else prediction.draw,
    }
