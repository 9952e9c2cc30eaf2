"""Start-up: the one place where the program's parts are put together."""

import sys
from collections.abc import Sequence

from browser_app.commands.context import Context
from browser_app.commands.errors import Exit
from browser_app.commands.main import main
from browser_app.games import ProfileError, load_games, load_presets
from browser_app.paths import resources, user_paths
from browser_app.storage.session import Session


def run(argv: Sequence[str]) -> int:
    """Run the command line with all parts in place; the exit status."""
    paths = user_paths()
    try:
        games = load_games(resources() / "games", paths.settings / "games")
        presets = load_presets(resources() / "ranking")
    except ProfileError as error:
        sys.stderr.write(f"ready-room: {error}\n")
        return Exit.BAD_INPUT
    return main(argv, Context(games, presets, lambda: Session(paths)))
