"""The `fit` command: estimate parameters from rounds."""

import argparse
from collections.abc import Sequence
from fractions import Fraction

from browser_app.application.app_context import AppContext
from browser_app.commands.arguments.command_arguments import parse_fraction
from browser_app.commands.arguments.rating_arguments import add_system_argument, system_from_arguments
from browser_app.commands.arguments.round_arguments import add_past_rounds_argument, past_rounds_from_arguments
from browser_app.commands.output.terminal_output import print_json, show_progress
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import print_note
from browser_app.rating.evaluation.decided_pairs import count_training_rounds
from browser_app.rating.evaluation.parameter_fit import fit_parameters
from browser_app.rating.fit_steps import MIN_HELD_OUT_ROUNDS, FitStep
from browser_app.rating.rating_parameters import ParameterSet
from browser_app.rating.rating_system import RatingSystem

HELP = "estimate a system's parameters from rounds, as a file for --params"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the rounds, a system with its first parameters, and the share to use."""
    add_past_rounds_argument(parser)
    add_system_argument(parser)
    parser.add_argument(
        "--until",
        type=parse_fraction,
        default=Fraction(1),
        metavar="FRACTION",
        help="use only this first part of the finished rounds (default: 1, all)",
    )
    parser.epilog = (
        "The search starts from the given parameters and fits their numbers. Each part of the model that is tried "
        "then stays only if it makes forecasts better. A line for each gives the log loss of later rounds without and "
        "with it, and the standard error of the difference. Ctrl-C prints the best parameters so far."
    )


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print the parameters with which the system predicts the rounds best."""
    past_rounds = past_rounds_from_arguments(args, context)
    system = system_from_arguments(args, past_rounds.chosen_parameters)
    record = past_rounds.read().record
    until = count_training_rounds(record, args.until)
    steps = list[FitStep]()

    def report_step(step: FitStep) -> None:
        steps.append(step)
        print_note(_describe_step(step))

    try:
        with show_progress(f"Fitting {system.name}") as progress:
            fitted = fit_parameters(system, record, until, progress, report_step).parameters
    except KeyboardInterrupt:
        if steps:
            _print_result(system, steps[-1].parameters, steps)
        raise
    _print_result(system, fitted, steps)
    if not until:
        print_note("ready-room: no finished round to learn from")
    return ExitStatus.SUCCESS if until else ExitStatus.NOTHING_FOUND


def _print_result(system: RatingSystem, parameters: ParameterSet, steps: Sequence[FitStep]) -> None:
    content = parameters.to_file_content(system.name)
    print_json({**content, "steps": [step.to_json() for step in steps]}, indent=2)


def _describe_step(step: FitStep) -> str:
    """Return a line with the gain in log loss over the held-out rounds."""
    gain = "too few later rounds to judge by"
    if step.rounds >= MIN_HELD_OUT_ROUNDS:
        gain = f"log loss {step.loss_before:.4f} to {step.loss_after:.4f} (±{step.error:.4f})"
    return f"ready-room: {step.name}: {gain}, {'kept' if step.kept else 'not kept'}"
