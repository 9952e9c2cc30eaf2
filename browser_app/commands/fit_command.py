"""The `fit` command: estimate parameters from rounds."""

import argparse
from fractions import Fraction

from browser_app.application.app_context import AppContext
from browser_app.commands.command_arguments import parse_fraction
from browser_app.commands.output.terminal_output import print_json, show_progress
from browser_app.commands.rating_arguments import add_system_argument, system_from_arguments
from browser_app.commands.round_arguments import add_past_rounds_argument, past_rounds_from_arguments
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import print_note
from browser_app.rating.evaluation.decided_pairs import count_training_rounds
from browser_app.rating.evaluation.parameter_fit import fit_parameters

HELP = "estimate a system's parameters from rounds, as a file for --params"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (as every command)
    """Declare the arguments."""
    add_past_rounds_argument(parser)
    add_system_argument(parser)
    parser.add_argument(
        "--until",
        type=parse_fraction,
        default=Fraction(1),
        metavar="FRACTION",
        help="use only this first part of the finished rounds (default: 1, all)",
    )
    parser.epilog = "The search starts from the given parameters."


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print the parameters with which the system predicts the rounds best."""
    past = past_rounds_from_arguments(args, context)
    system = system_from_arguments(args, past.chosen_parameters)
    record = past.read().record
    until = count_training_rounds(record, args.until)
    with show_progress(f"Fitting {system.name}") as progress:
        found = fit_parameters(system, record, until, progress)
    print_json(found.parameters.to_file_content(system.name), indent=2)
    if not until:
        print_note("ready-room: no finished round to learn from")
    return ExitStatus.SUCCESS if until else ExitStatus.NOTHING_FOUND
