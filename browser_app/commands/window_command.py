"""The start without a command: open the window if possible."""

import argparse
import os
import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

from browser_app.application.app_context import AppContext, WindowOptions
from browser_app.commands.command_arguments import (
    add_filter_argument,
    add_scoring_arguments,
    add_source_arguments,
    source_options,
)
from browser_app.exit_status import UsageError
from browser_app.process_setup import print_note
from browser_app.protocols.list_link import is_list_link, parse_list_link
from browser_app.protocols.server_link import parse_server_text

DISPLAY_TIMEOUT_S = 2.0
"""Time for an X server on another machine to answer."""
_X11_NAME = re.compile(r"(?P<host>[^/]*):(?P<number>\d{1,5})(?:\.\d+)?")
_X11_PORT = 6000


def missing_display_text(environ: Mapping[str, str] = os.environ) -> str | None:
    """Return why no window can be shown.

    None if a display answers or `QT_QPA_PLATFORM` is set.
    """
    if sys.platform in ("win32", "darwin") or environ.get("QT_QPA_PLATFORM"):
        return None
    wayland, x11 = environ.get("WAYLAND_DISPLAY", ""), environ.get("DISPLAY", "")
    if not (wayland or x11):
        return "no display (DISPLAY and WAYLAND_DISPLAY are not set)"
    if (wayland and _wayland_answers(wayland, environ)) or (x11 and _x11_answers(x11)):
        return None
    return f"no display answers at {' or '.join(filter(None, (wayland, x11)))}"


def _wayland_answers(name: str, environ: Mapping[str, str]) -> bool:
    return _accepts_connections(str(Path(environ.get("XDG_RUNTIME_DIR", ""), name)))


def _x11_answers(name: str) -> bool:
    """Return whether an X display answers; names in unusual form are left to Qt."""
    found = _X11_NAME.fullmatch(name)
    if found is None:
        return True
    host, number = found["host"].strip("[]"), int(found["number"])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where X servers listen
        return _accepts_connections(path) or _accepts_connections(f"\0{path}")
    try:
        socket.create_connection((host, _X11_PORT + number), DISPLAY_TIMEOUT_S).close()
    except OSError:
        return False
    return True


def _accepts_connections(path: str) -> bool:
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(DISPLAY_TIMEOUT_S)
            client.connect(path)
    except OSError:
        return False
    return True


_URL_HELP = "show this server and offer to join it: HOST:PORT, readyroom://join?server=…, steam://connect/…"
HELP = "open the window and show the server of a URL, if given"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Declare the arguments: a URL, sources, and scoring as in `list`.

    The sources replace those of the settings.
    """
    parser.add_argument("url", nargs="?", metavar="URL", type=_check_server_text, help=_URL_HELP)
    add_source_arguments(parser)
    add_filter_argument(parser, "without a display: print only matching servers")
    add_scoring_arguments(parser, list(context.presets))


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Open the window and return the exit status once it is closed.

    Without a display, the list is printed.
    """
    missing = missing_display_text()
    if missing is None:
        return context.open_window(window_options(args))
    if context.profile_problem:
        raise UsageError(context.profile_problem)
    from browser_app.commands import list_command

    print_note(f"ready-room: {missing}; printing the list instead")
    if args.url:
        args.server += _server_urls(args.url)
    defaults = {"sort": "score", "limit": None, "pace": "normal", "format": "table"}
    return list_command.run(argparse.Namespace(**vars(args) | defaults), context)


def window_options(args: argparse.Namespace) -> WindowOptions:
    """Return the window's options."""
    return WindowOptions(source_options(args), args.skill, args.preset, args.url)


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
