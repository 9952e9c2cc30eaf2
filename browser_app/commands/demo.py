"""`demo`: run the demo network."""

import argparse
import sys

from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.demo.command import run_demo
from browser_app.demo.options import add_arguments as add_demo_arguments
from browser_app.demo.options import read_options
from browser_app.demo.sockets import DemoError

HELP = "run the demo network, print its sources as JSON"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:  # noqa: ARG001 (the same for all)
    """How many servers, how far, how bad."""
    add_demo_arguments(parser)


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 (the same for all commands)
    """Run it until told to end."""
    try:
        run_demo(read_options(args), sys.stdout)
    except DemoError as error:
        raise BadInput(str(error)) from None
    return Exit.DONE
