"""Without a command: open the window, or say that there is no display and do what `list` would."""

import argparse

from browser_app.commands.arguments import add_scoring, add_sources
from browser_app.commands.context import Context
from browser_app.commands.display import missing_display
from browser_app.commands.errors import BadInput
from browser_app.commands.output import say
from browser_app.protocols.server_link import parse_server_text

_URL_HELP = "show this server and ask whether to join it: HOST:PORT, readyroom://join?server=…, steam://connect/…"
HELP = "open the window, at the server of a URL if one is given"


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """A server to show; sources in place of those in the settings; scoring as in `list`."""
    parser.add_argument("url", nargs="?", metavar="URL", type=_server, help=_URL_HELP)
    add_sources(parser)
    add_scoring(parser, list(context.presets))


def run(args: argparse.Namespace, context: Context) -> int:
    """Open the window; the exit status when it is closed."""
    missing = missing_display()
    if missing is None:
        return context.open_window(args)
    if context.profile_problem:
        raise BadInput(context.profile_problem)
    from browser_app.commands import list as list_command

    say(f"ready-room: {missing}; printing the list instead")
    if args.url:
        args.server.append(_query_url(args.url))
    defaults = {"sort": "score", "limit": None, "pace": "normal", "format": "table"}
    return list_command.run(argparse.Namespace(**vars(args) | defaults), context)


def _server(text: str) -> str:
    try:
        parse_server_text(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def _query_url(text: str) -> str:
    link = parse_server_text(text)
    if link.protocol is None:
        raise BadInput(f"{link.address}: without a window the protocol must be told, e.g. a2s://{link.address}")
    return f"{link.protocol}://{link.address}"
