"""Reads the command line, runs the command, and turns how it ended into an exit status."""

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from browser_app import __version__
from browser_app.commands import COMMANDS, command
from browser_app.commands.arguments import Parser
from browser_app.commands.context import Context
from browser_app.commands.errors import BadInput, Exit
from browser_app.commands.interrupt import MESSAGE, end_tidily
from browser_app.commands.output import say
from browser_app.storage.errors import StorageError

WINDOW = "window"
"""What the program does without a command."""
_EPILOG = "Without a command the window opens, with a URL at its server. 'ready-room COMMAND --help' tells more."


def main(argv: Sequence[str], context: Context) -> int:
    """Run what `argv` asks for; the exit status."""
    try:
        status = _run(argv, context)
        if sys.stdout:
            sys.stdout.flush()  # here, where somebody hears of it
        return status
    except (BadInput, StorageError) as error:
        say(f"ready-room: {error}")
        return Exit.BAD_INPUT
    except KeyboardInterrupt:
        say(MESSAGE)
        return Exit.INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # whoever read it has gone, which is their right
        return Exit.DONE
    except OSError as error:
        _discard_output()
        say(f"ready-room: {error.strerror or error}")
        return Exit.BAD_INPUT


def _run(argv: Sequence[str], context: Context) -> int:
    try:
        module, args = _parse(argv, context)
    except SystemExit as end:  # argparse has printed help, or what is wrong
        return end.code if isinstance(end.code, int) else Exit.DONE
    if context.profile_problem and module is not command(WINDOW):
        raise BadInput(context.profile_problem)
    if not sys.stdout:
        raise BadInput("standard output is closed")
    end_tidily()
    return int(module.run(args, context))


def _discard_output() -> None:
    """Let what is still buffered go nowhere; Python would complain once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parse(argv: Sequence[str], context: Context) -> tuple[ModuleType, argparse.Namespace]:
    name = argv[0] if argv and not argv[0].startswith("-") and ":" not in argv[0] else WINDOW
    if name != WINDOW and name not in COMMANDS:
        raise BadInput(f"no command {name!r}; there are {', '.join(COMMANDS)}")
    return command(name), parser_of(name, context).parse_args(argv if name == WINDOW else argv[1:])


def parser_of(name: str, context: Context) -> argparse.ArgumentParser:
    """What a command takes, or `WINDOW`."""
    module = command(name)
    parser = _general_parser() if name == WINDOW else Parser(prog=f"ready-room {name}", description=module.HELP)
    module.add_arguments(parser, context)
    return parser


class _GeneralParser(Parser):
    """Its help names all commands; their modules are imported only for that."""

    def format_help(self) -> str:
        """Each command with its own words."""
        commands = "\n".join(f"  {name:<11} {command(name).HELP}" for name in COMMANDS)
        self.description = f"A game-server browser with one explainable score.\n\ncommands:\n{commands}"
        return super().format_help()


def _general_parser() -> argparse.ArgumentParser:
    parser = _GeneralParser(
        prog="ready-room",
        usage="ready-room [COMMAND | URL] [OPTIONS]",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"ready-room {__version__}")
    return parser
