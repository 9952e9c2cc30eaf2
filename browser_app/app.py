"""Start-up: loads the games and runs the command line or the window."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from browser_app.application.app_context import AppContext
from browser_app.commands.command_line import run_command_line
from browser_app.exit_status import ExitStatus
from browser_app.games import ProfileError, load_games, load_presets
from browser_app.games.game_registry import GameRegistry
from browser_app.paths import resource_folder, user_paths
from browser_app.process_setup import exiting_on_interrupt

if TYPE_CHECKING:
    from browser_app.storage.user_session import UserSession


def _load_games(shipped: Path, own: Path) -> tuple[GameRegistry, str]:
    """All games, or those of the program alone and what is wrong with the user's.

    Raises:
        ProfileError: the program's own are broken.
    """
    try:
        return load_games(shipped, own), ""
    except ProfileError as error:
        return load_games(shipped), str(error)


def run_program(argv: Sequence[str]) -> int:
    """Run the command line with all parts in place; the exit status."""
    paths = user_paths()
    try:
        games, problem = _load_games(resource_folder() / "games", paths.settings / "games")
        presets = load_presets(resource_folder() / "ranking")
    except ProfileError as error:
        sys.stderr.write(f"ready-room: {error}\n")
        return ExitStatus.USAGE_ERROR

    def open_session(*, demo: bool) -> "UserSession":
        from browser_app.storage.user_session import UserSession

        return UserSession(replace(paths, data=paths.data / "demo") if demo else paths)

    def open_window(args: argparse.Namespace) -> int:
        with exiting_on_interrupt():
            from browser_app.window_app import open_window

        return open_window(args, context)

    def draw_window(args: argparse.Namespace) -> None:
        with exiting_on_interrupt():
            from browser_app.window_app import save_window_screenshot

        save_window_screenshot(args, context)

    context = AppContext(games, presets, open_session, open_window, draw_window, problem)
    return run_command_line(argv, context)
