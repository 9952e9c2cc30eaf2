"""Without a command: open the window, or say that there is no display and do what `list` would."""

import argparse
import os
import sys

from browser_app.commands import list as list_command
from browser_app.commands.arguments import add_scoring, add_sources
from browser_app.commands.context import Context
from browser_app.commands.output import say

HELP = "open the window"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """Sources in place of those in the settings; scoring as in `list`."""
    add_sources(parser)
    add_scoring(parser, list(context.presets))


def run(args: argparse.Namespace, context: Context) -> int:
    """Open the window; the exit status when it is closed."""
    if has_display():
        return context.open_window(args)
    say("ready-room: no display here (DISPLAY, WAYLAND_DISPLAY); printing the list instead")
    defaults = {"sort": "score", "limit": None, "pace": "normal", "format": "table"}
    return list_command.run(argparse.Namespace(**vars(args) | defaults), context)


def has_display() -> bool:
    """Whether a window can be opened. Qt would abort the program to tell us."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
