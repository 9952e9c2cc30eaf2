"""The `screenshot` command: save an image of the window."""

import argparse
import os
import re
from pathlib import Path

from browser_app.application.app_context import AppContext, ScreenshotOptions, WindowOptions
from browser_app.commands.arguments.command_arguments import (
    add_scoring_arguments,
    add_source_arguments,
    source_options_from_arguments,
)
from browser_app.commands.display_detection import missing_display_text
from browser_app.exit_status import ExitStatus

HELP = "save an image of the window after a full refresh (PNG)"

_SIZE_PATTERN = re.compile(r"(\d{3,4})x(\d{3,4})\Z")


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:
    """Add the file, the sources, scoring, and what the window shows."""
    parser.add_argument("file", type=Path, metavar="FILE", help="PNG file to write")
    add_source_arguments(parser)
    add_scoring_arguments(parser, list(context.presets))
    parser.add_argument("--view", choices=("servers", "skill"), default="servers", help="view to show")
    parser.add_argument("--page", default="now", help="page of My Skill, such as over-time (with --view skill)")
    parser.add_argument("--theme", choices=("light", "dark", "contrast"), default="light", help="colour theme")
    parser.add_argument(
        "--size", type=_parse_size, default=(1280, 800), metavar="WxH", help="size in pixels (default: 1280x800)"
    )


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Save the screenshot; no display is needed."""
    if missing_display_text() is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    window = WindowOptions(source_options_from_arguments(args), args.skill, args.preset)
    screenshot_options = ScreenshotOptions(window, args.file, args.size, args.theme, args.view, args.page)
    context.save_window_screenshot(screenshot_options)
    return ExitStatus.SUCCESS


def _parse_size(text: str) -> tuple[int, int]:
    match = _SIZE_PATTERN.match(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"not WIDTHxHEIGHT in pixels: {text!r}")
    return int(match[1]), int(match[2])
