"""`fit`: estimate a system's parameters from rounds, as a file for `--params`."""

import argparse
from fractions import Fraction

from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.fractions import fraction
from browser_app.commands.output import print_json, say
from browser_app.commands.progress import counting
from browser_app.commands.rating_arguments import add_system, chosen_system
from browser_app.commands.rating_record import add_files, read_record
from browser_app.rating.decided import training_rounds
from browser_app.rating.fit import fitted

HELP = "estimate a system's parameters from rounds, as a file for --params"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (as every command)
    """Rounds, system, how much of them to see."""
    add_files(parser)
    add_system(parser)
    parser.add_argument(
        "--until",
        type=fraction,
        default=Fraction(1),
        metavar="FRACTION",
        help="look at the first part of the finished rounds alone (1: all)",
    )
    parser.epilog = "The parameters that are given are where the search begins."


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 (as every command)
    """Print the parameters with which the system would have foretold the rounds best."""
    system = chosen_system(args)
    record = read_record(args.files).record
    until = training_rounds(record, args.until)
    with counting(f"Fitting {system.name}") as progress:
        found = fitted(system, record, until, progress)
    print_json(found.parameters.as_file(system.name), indent=2)
    if not until:
        say("ready-room: there is no finished round to learn from")
    return Exit.DONE if until else Exit.NOTHING_FOUND
