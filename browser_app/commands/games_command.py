"""The `games` command: list game profiles, check a file, print one as a file."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from browser_app.application.app_context import AppContext
from browser_app.application.game_finder import GameFinder
from browser_app.application.game_profile_check import check_profile_file
from browser_app.commands.output.terminal_output import UNKNOWN_CELL
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.games.game_profile import GameProfile
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.games.steam_games import format_steam_game, parse_appid
from browser_app.games.toml_reader import ProfileError
from browser_app.launch.steam_libraries import find_other_steam_games
from browser_app.paths import resource_folder, user_paths
from browser_app.process_setup import print_note

HELP = "list the games, check a game profile, print one"


def add_arguments(parser: argparse.ArgumentParser, context: AppContext) -> None:  # noqa: ARG001 (signature of all commands)
    """Add the action, and the files or games that it is for."""
    parser.add_argument(
        "action",
        choices=tuple(_ACTIONS),
        help="list: all games, with protocol, master server or why none is queried, what their support was tested "
        "with, and day of the last check; check: files with profiles of your own; show: the profile of a game, or one "
        "for the Steam game with an app ID, as a file for the folder 'games' beside the settings file",
    )
    parser.add_argument("names", nargs="*", metavar="FILE|ID", help="files for 'check', IDs or app IDs for 'show'")
    parser.add_argument("--installed", action="store_true", help="list only the games that can be started here")


def run(args: argparse.Namespace, context: AppContext) -> int:
    """Run the action and return the exit status."""
    if bool(args.names) == (args.action == "list"):
        raise UsageError("'list' takes no names" if args.names else f"'{args.action}' needs a name")
    if args.installed:
        if args.action != "list":
            raise UsageError("--installed goes with 'list'")
        return _list_installed(context)
    return max(_ACTIONS[args.action](context.games, name) for name in args.names or [""])


def _list_games(games: GameRegistry, _name: str) -> int:
    games.add_steam_games(find_other_steam_games(games.named_appids))
    _print_games(games.values())
    return ExitStatus.SUCCESS


def _list_installed(context: AppContext) -> int:
    with context.open_storage(demo=False) as storage:
        installed = GameFinder(context.games, storage.settings, {}).find_all()
    _print_games(context.games[game] for game in sorted(installed))
    return ExitStatus.SUCCESS if installed else ExitStatus.NOTHING_FOUND


def _print_games(games: Iterable[GameProfile]) -> None:
    """Print a line for each game.

    Its columns are id, abbreviation, protocol, master server, what its support was tested with, day of the last check
    and name, with the reason where no master server is queried, and the servers that are on none of those queried.
    """
    for game in games:
        proof_columns = f"{game.proof or UNKNOWN_CELL:<9} {game.checked or UNKNOWN_CELL:<10}"
        columns = f"{game.id:<15} {game.short:<5} {game.protocol:<13} {_master_text(game):<32} {proof_columns}"
        why = f" (no list: {game.no_master})" if game.no_master and not game.masters else ""
        gap = f" (not listed: {game.not_listed})" if game.not_listed else ""
        sys.stdout.write(f"{columns} {game.name}{why}{gap}\n")


def _master_text(game: GameProfile) -> str:
    """Return the first master server's host, and how many more there are.

    A source without a host, such as a file, is shown by its scheme.
    """
    hosts = [urlsplit(url).hostname or url.partition(":")[0] for url in game.masters]
    return " ".join([*hosts[:1], *([f"+{len(hosts) - 1}"] if len(hosts) > 1 else [])]) or UNKNOWN_CELL


def _check_file(_games: GameRegistry, name: str) -> int:
    try:
        # Without games made from an app ID: any file may replace these.
        games_with_files = load_games(*_profile_folders())
        profile = check_profile_file(Path(name), games_with_files)
    except ProfileError as error:
        print_note(f"ready-room: {error}")
        return ExitStatus.USAGE_ERROR
    effect = "replaces" if profile.id in games_with_files else "adds"
    sys.stdout.write(f"{name}: {effect} {profile.id} ({profile.name})\n")
    return ExitStatus.SUCCESS


def _show_profile(games: GameRegistry, name: str) -> int:
    appid = parse_appid(name)
    if appid is not None:
        games.add_steam_games({appid: ""})
    game = games.find(name)
    if game is None:
        raise UsageError(f"unknown game {name!r}")
    if game.is_made_from_appid:
        games.add_steam_games(find_other_steam_games(games.named_appids))
        game = games[game.id]
    files = (folder / f"{game.id}.toml" for folder in reversed(_profile_folders()))
    file = next((file for file in files if file.is_file()), None)
    sys.stdout.write(format_steam_game(game) if file is None else file.read_text(encoding="utf-8"))
    return ExitStatus.SUCCESS


def _profile_folders() -> tuple[Path, Path]:
    """Return the folders of profiles: the shipped ones, and the user's, which win."""
    return resource_folder() / "games", user_paths().settings / "games"


_ACTIONS: Mapping[str, Callable[[GameRegistry, str], int]] = {
    "list": _list_games,
    "check": _check_file,
    "show": _show_profile,
}
