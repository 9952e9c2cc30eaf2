"""Command-line parsing, command dispatch and exit statuses."""

import argparse
import os
import sys
from collections.abc import Sequence

from browser_app import __version__
from browser_app.application.app_context import AppContext
from browser_app.commands import COMMANDS, Command, load_command
from browser_app.commands.arguments.command_arguments import CommandParser
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.process_setup import INTERRUPTED_MESSAGE, print_note, raise_on_interrupt
from browser_app.storage.storage_errors import StorageError

WINDOW_COMMAND = "window"
"""The program without a command, which has a module like one."""
_EPILOG = """Without a command the window opens; a URL selects a server. For a command see 'ready-room COMMAND --help'.
list, info and play query servers even if the window queries them only on request."""


def run_command_line(argv: Sequence[str], context: AppContext) -> int:
    """Run the command in `argv` and return the exit status."""
    try:
        status = _run_command(argv, context)
        if sys.stdout:
            sys.stdout.flush()  # a write error must surface here and not at exit
        return status
    except (UsageError, StorageError) as error:
        print_note(f"ready-room: {error}")
        return ExitStatus.USAGE_ERROR
    except KeyboardInterrupt:
        print_note(INTERRUPTED_MESSAGE)
        return ExitStatus.INTERRUPTED
    except BrokenPipeError:
        _discard_stdout()  # the reader may stop at any time, as `head` does
        return ExitStatus.SUCCESS
    except OSError as error:
        _discard_stdout()
        print_note(f"ready-room: {error.strerror or error}")
        return ExitStatus.USAGE_ERROR


def _run_command(argv: Sequence[str], context: AppContext) -> int:
    try:
        command, args = _parse_command(argv, context)
    except SystemExit as error:  # argparse has printed the help or the version
        return error.code if isinstance(error.code, int) else ExitStatus.SUCCESS
    if context.profile_problem and command is not load_command(WINDOW_COMMAND):
        raise UsageError(context.profile_problem)
    if not sys.stdout:
        raise UsageError("standard output is closed")
    raise_on_interrupt()
    return command.run(args, context)


def _discard_stdout() -> None:
    """Discard buffered output, which Python would try to write again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parse_command(argv: Sequence[str], context: AppContext) -> tuple[Command, argparse.Namespace]:
    name = argv[0] if argv and not argv[0].startswith("-") and ":" not in argv[0] else WINDOW_COMMAND
    if name != WINDOW_COMMAND and name not in COMMANDS:
        raise UsageError(f"unknown command {name!r}; known commands: {', '.join(COMMANDS)}")
    return load_command(name), create_parser(name, context).parse_args(argv if name == WINDOW_COMMAND else argv[1:])


def create_parser(name: str, context: AppContext) -> argparse.ArgumentParser:
    """Return the argument parser of a command or of `WINDOW_COMMAND`."""
    command = load_command(name)
    parser = (
        _create_main_parser()
        if name == WINDOW_COMMAND
        else CommandParser(prog=f"ready-room {name}", description=command.HELP)
    )
    command.add_arguments(parser, context)
    return parser


class _MainParser(CommandParser):
    """Parser of the program without a command; imports the commands only for the help."""

    def format_help(self) -> str:
        """Return the help with a line for each command."""
        commands = "\n".join(f"  {name:<11} {load_command(name).HELP}" for name in COMMANDS)
        self.description = f"A server browser for games with community servers.\n\ncommands:\n{commands}"
        return super().format_help()


def _create_main_parser() -> argparse.ArgumentParser:
    parser = _MainParser(
        prog="ready-room",
        usage="ready-room [COMMAND | URL] [OPTIONS]",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ready-room {__version__}")
    return parser
