"""Start-up: load the games, then run the command line or open the window."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from browser_app.application.app_context import AppContext, DemoNetworkHandle, ScreenshotOptions, WindowOptions
from browser_app.commands.command_line import run_command_line
from browser_app.diagnostics import enable_debug_messages, split_debug_option, system_text
from browser_app.exit_status import ExitStatus, UsageError
from browser_app.games import ProfileError, load_games, load_presets
from browser_app.games.game_registry import GameRegistry
from browser_app.games.steam_games import find_named_steam_apps
from browser_app.games.toml_reader import MAX_TOML_BYTES
from browser_app.input_files import read_regular_file
from browser_app.paths import SETTINGS_FILE_NAME, resource_folder, user_paths
from browser_app.process_setup import exiting_on_interrupt, print_note

if TYPE_CHECKING:
    from browser_app.storage.settings_store import Settings
    from browser_app.storage.user_storage import UserStorage

_log = logging.getLogger(__name__)


def _load_games(shipped_folder: Path, own_folder: Path) -> tuple[GameRegistry, str]:
    """Return all games and an empty text, or the shipped games and an error.

    The error is that of a wrong profile of the user's own.

    Raises:
        ProfileError: a shipped profile is wrong.
    """
    try:
        games = load_games(shipped_folder, own_folder)
        _check_own_profiles(games, own_folder)
        return games, ""
    except ProfileError as error:
        return load_games(shipped_folder), str(error)


def _add_named_steam_games(games: GameRegistry, argv: Sequence[str], settings_folder: Path) -> None:
    """Add the Steam games without a profile that arguments or settings name.

    Their titles stay empty until the installed games are searched: a Steam library may be on a slow disk.
    """
    try:
        settings_text = read_regular_file(settings_folder / SETTINGS_FILE_NAME, MAX_TOML_BYTES).decode(errors="replace")
    except OSError:
        settings_text = ""
    games.add_steam_games(dict.fromkeys(find_named_steam_apps((*argv, settings_text)), ""))


def _check_own_profiles(games: GameRegistry, own_folder: Path) -> None:
    """Check the user's profiles beyond what `load_games` does.

    Shipped profiles are checked by tests.

    Raises:
        ProfileError: a master server, a pattern or the rating system is wrong.
    """
    for file in sorted(own_folder.glob("*.toml")):
        # Imported here because starting does not need it.
        from browser_app.application.game_profile_check import check_profile_values

        check_profile_values(file, games[file.stem])


def _separate_demo_settings(settings: "Settings") -> None:
    """Keep games, country and own skill of the demo out of the user's settings.

    The demo has its own games, its first steps ask for games and skill, and its pings are those from its own country.
    """
    from browser_app.demo.demo_names import USER_COUNTRY
    from browser_app.storage.setting_declarations import OWN_COUNTRY, OWN_SKILL, PLAYED_GAMES

    settings.use_temporarily(PLAYED_GAMES, ())
    settings.use_temporarily(OWN_COUNTRY, USER_COUNTRY)
    settings.use_temporarily(OWN_SKILL, settings.get(OWN_SKILL))


def start_demo(servers: int) -> DemoNetworkHandle:
    """Start a demo network in a child process.

    Raises:
        UsageError: it cannot run here.
    """
    # Imported here because only the demo needs it.
    from browser_app.demo.demo_options import DemoOptions
    from browser_app.demo.demo_process import DemoProcess
    from browser_app.demo.sockets.loopback_sockets import DemoError

    try:
        demo = DemoProcess(DemoOptions(servers=servers, states=True))
    except DemoError as error:
        raise UsageError(f"--demo: {error}") from None
    sources = demo.sources
    return DemoNetworkHandle(
        sources.masters,
        sources.steam_key,
        demo.server_history,
        demo.demo_player,
        demo.game_programs,
        sources.countries,
        sources.user_lists,
        demo.close,
    )


def run_program(argv: Sequence[str]) -> int:
    """Run the program with command-line arguments and return the exit status."""
    paths = user_paths()
    try:
        arguments, debug_area = split_debug_option(argv)
    except ValueError as error:
        print_note(f"ready-room: {error}")
        return ExitStatus.USAGE_ERROR
    if debug_area is not None:
        enable_debug_messages(debug_area)
        _log.debug("%s; settings in %s", system_text(), paths.settings)
    try:
        games, problem = _load_games(resource_folder() / "games", paths.settings / "games")
        _add_named_steam_games(games, arguments, paths.settings)
        presets = load_presets(resource_folder() / "ranking")
    except ProfileError as error:
        print_note(f"ready-room: {error}")
        return ExitStatus.USAGE_ERROR

    def open_storage(*, demo: bool) -> "UserStorage":
        from browser_app.storage.user_storage import UserStorage

        if not demo:
            return UserStorage(paths)
        storage = UserStorage(replace(paths, data=paths.data / "demo"))
        _separate_demo_settings(storage.settings)
        return storage

    def open_window(options: WindowOptions) -> int:
        with exiting_on_interrupt():
            from browser_app.window_app import open_window

        return open_window(options, context)

    def save_window_screenshot(options: ScreenshotOptions) -> None:
        with exiting_on_interrupt():
            from browser_app.window_app import save_window_screenshot

        save_window_screenshot(options, context)

    context = AppContext(games, presets, open_storage, start_demo, open_window, save_window_screenshot, problem)
    return run_command_line(arguments, context)
