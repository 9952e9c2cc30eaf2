"""The start without a command: open the window if possible."""

import argparse

from browser_app.application.app_context import AppContext, WindowOptions
from browser_app.commands.arguments.command_arguments import (
    add_filter_argument,
    add_scoring_arguments,
    add_source_arguments,
    source_options_from_arguments,
)
from browser_app.commands.display_detection import missing_display_text
from browser_app.exit_status import UsageError
from browser_app.process_setup import print_note
from browser_app.protocols.list_link import is_list_link, parse_list_link
from browser_app.protocols.server_link import parse_server_text

_URL_HELP = "show this server and offer to join it: HOST:PORT, readyroom://join?server=…, steam://connect/…"
HELP = "open the window and show the server of a URL, if given"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Add a URL, the sources, which replace those of the settings, and scoring."""
    parser.add_argument("url", nargs="?", metavar="URL", type=_check_server_text, help=_URL_HELP)
    add_source_arguments(parser)
    add_filter_argument(parser, "without a display: print only matching servers")
    add_scoring_arguments(parser, list(context.presets))


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Open the window and return the exit status once it is closed.

    Without a display, the list is printed instead.
    """
    display_problem = missing_display_text()
    if display_problem is None:
        return context.open_window(window_options_from_arguments(args))
    if context.profile_problem:
        raise UsageError(context.profile_problem)
    from browser_app.commands import list_command

    print_note(f"ready-room: {display_problem}; printing the list instead")
    if args.url:
        args.server += _server_urls(args.url)
    defaults = {"sort": "score", "limit": None, "pace": "normal", "format": "table"}
    return list_command.run(argparse.Namespace(**vars(args) | defaults), context)


def window_options_from_arguments(args: argparse.Namespace) -> WindowOptions:
    """Return the options that the arguments give the window."""
    return WindowOptions(source_options_from_arguments(args), args.skill, args.preset, args.url)


def _check_server_text(text: str) -> str:
    try:
        if is_list_link(text):
            parse_list_link(text)
        else:
            parse_server_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _server_urls(text: str) -> list[str]:
    if is_list_link(text):
        return [server.url for server in parse_list_link(text)]
    link = parse_server_text(text)
    if link.protocol is None:
        raise UsageError(f"{link.address}: without a window the protocol must be given, e.g. a2s://{link.address}")
    return [f"{link.protocol}://{link.address}"]
