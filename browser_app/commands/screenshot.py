"""`screenshot`: draw the window after a full scan into a PNG."""

import argparse
import os
import re
from pathlib import Path

from browser_app.commands.arguments import add_scoring, add_sources
from browser_app.commands.context import Context
from browser_app.commands.display import missing_display
from browser_app.commands.errors import Exit

HELP = "draw the window after a full scan into a PNG"

PAGES = ("now", "over-time", "rounds", "habits", "systems", "fair-games")
"""Of the view `skill`."""
_SIZE = re.compile(r"(\d{3,4})x(\d{3,4})\Z")


def add_arguments(parser: argparse.ArgumentParser, context: Context) -> None:
    """The file, the sources, the look."""
    parser.add_argument("file", type=Path, metavar="FILE", help="the PNG to write")
    add_sources(parser)
    add_scoring(parser, list(context.presets))
    parser.add_argument("--view", choices=("servers", "skill"), default="servers", help="which view")
    parser.add_argument("--page", choices=PAGES, default=PAGES[0], help="which page of the view skill")
    parser.add_argument("--theme", choices=("light", "dark", "contrast"), default="light", help="which palette")
    parser.add_argument("--size", type=_size, default=(1280, 800), metavar="WxH", help="in pixels (1280x800)")


def run(args: argparse.Namespace, context: Context) -> int:
    """Draw it; no display is needed."""
    if missing_display() is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    context.draw_window(args)
    return Exit.DONE


def _size(text: str) -> tuple[int, int]:
    match = _SIZE.match(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"not WIDTHxHEIGHT in pixels: {text!r}")
    return int(match[1]), int(match[2])
