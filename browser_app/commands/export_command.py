"""The `export` command: write the own record as a round file."""

import argparse
import sys
from typing import Any

from browser_app.application.app_context import AppContext
from browser_app.application.own_skill.own_record import NoOwnRecordError, games_of_record
from browser_app.commands.output.database_problems import printing_database_problems
from browser_app.commands.output.terminal_output import format_json
from browser_app.exit_status import ExitStatus
from browser_app.process_setup import print_note

HELP = "write your own record as a round file"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the content to export and the game."""
    parser.add_argument("content", choices=("rounds",), help="rounds: your own record as JSON Lines, for 'import'")
    parser.add_argument("--game", metavar="ID", help="only the rounds of this game (default: all rounds)")


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Print a line for each round; exit status 1 if there is none."""
    with context.open_storage(demo=False) as storage, printing_database_problems(storage):
        try:
            games_of_record(storage, args.game)
        except NoOwnRecordError as error:
            print_note(f"ready-room: {error}")
            return ExitStatus.NOTHING_FOUND
        storage.round_store.export_rounds(_print_round, args.game)
    return ExitStatus.SUCCESS


def _print_round(round_object: dict[str, Any]) -> None:
    sys.stdout.write(format_json(round_object) + "\n")
