"""Start-up: the one place where the program's parts are put together."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.interrupt import at_once
from browser_app.commands.main import main
from browser_app.games import ProfileError, load_games, load_presets
from browser_app.games.games import Games
from browser_app.paths import resources, user_paths

if TYPE_CHECKING:
    from browser_app.storage.session import Session


def _games(shipped: Path, own: Path) -> tuple[Games, str]:
    """All games, or those of the program alone and what is wrong with the user's.

    Raises:
        ProfileError: the program's own are broken.
    """
    try:
        return load_games(shipped, own), ""
    except ProfileError as error:
        return load_games(shipped), str(error)


def run(argv: Sequence[str]) -> int:
    """Run the command line with all parts in place; the exit status."""
    paths = user_paths()
    try:
        games, problem = _games(resources() / "games", paths.settings / "games")
        presets = load_presets(resources() / "ranking")
    except ProfileError as error:
        sys.stderr.write(f"ready-room: {error}\n")
        return Exit.BAD_INPUT

    def open_session(*, demo: bool) -> "Session":
        from browser_app.storage.session import Session

        return Session(replace(paths, data=paths.data / "demo") if demo else paths)

    def open_window(args: argparse.Namespace) -> int:
        with at_once():
            from browser_app.window_app import open_window

        return open_window(args, context)

    def draw_window(args: argparse.Namespace) -> None:
        with at_once():
            from browser_app.window_app import draw_window

        draw_window(args, context)

    context = Context(games, presets, open_session, open_window, draw_window, problem)
    return main(argv, context)
