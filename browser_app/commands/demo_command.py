"""The `demo` command: run the demo network."""

import argparse
import sys

from browser_app.application.app_context import AppContext
from browser_app.commands.display_detection import missing_display_text
from browser_app.demo.demo_options import add_demo_arguments, demo_options_from_args
from browser_app.demo.demo_runner import run_demo
from browser_app.demo.sockets.loopback_sockets import DemoError
from browser_app.demo.stand_in_game import STAND_IN_OPTION, run_stand_in
from browser_app.exit_status import ExitStatus, UsageError

HELP = "run the demo network and print its sources as JSON"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the size, seed and faults of the network."""
    add_demo_arguments(parser)
    parser.add_argument(STAND_IN_OPTION, nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


def run(args: argparse.Namespace, context: AppContext) -> int:  # noqa: ARG001 (signature of all commands)
    """Run the demo network until interrupted, or the stand-in of a game."""
    if args.stand_in:
        run_stand_in(args.stand_in, has_display=missing_display_text() is None)
        return ExitStatus.SUCCESS
    try:
        run_demo(demo_options_from_args(args), sys.stdout)
    except DemoError as error:
        raise UsageError(str(error)) from None
    return ExitStatus.SUCCESS
