"""Choice of how to start a game: native, Flatpak or Steam."""

import logging
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from browser_app.games.game_profile import GameProfile, LaunchMethods
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import LaunchError, fill_placeholders, placeholder_values, split_arguments
from browser_app.protocols.address import Address

_log = logging.getLogger(__name__)

STEAM_FLATPAK = "com.valvesoftware.Steam"

_LIBRARY_PATH = re.compile(r'^\s*"path"\s+"((?:[^"\\]|\\.)+)"', re.MULTILINE)
_ESCAPE_SEQUENCE = re.compile(r"\\(.)")
_MAX_LIBRARY_FILE = 1 << 20


def is_flatpak_installed(application: str) -> bool:
    """Return whether a Flatpak application is installed for the user or the system."""
    user = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return any((root / "flatpak/app" / application).is_dir() for root in (user, Path("/var/lib")))


def is_steam_game_installed(appid: int) -> bool:
    """Return whether Steam's client has a game in any of its libraries."""
    return any((library / f"steamapps/appmanifest_{appid}.acf").is_file() for library in _steam_libraries())


def _steam_libraries() -> Iterator[Path]:
    for root in _steam_roots():
        yield root
        yield from _read_library_paths(root / "steamapps/libraryfolders.vdf")


def _steam_roots() -> tuple[Path, ...]:
    if sys.platform == "win32":
        return (Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)")) / "Steam",)
    home = Path.home()
    if sys.platform == "darwin":
        return (home / "Library/Application Support/Steam",)
    return (
        home / ".local/share/Steam",
        home / ".steam/steam",
        home / ".var/app" / STEAM_FLATPAK / ".local/share/Steam",
        home / "snap/steam/common/.local/share/Steam",
    )


def _read_library_paths(file: Path) -> Iterator[Path]:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(_MAX_LIBRARY_FILE)
    except OSError as error:
        _log.debug("Cannot read %s: %s", file, error)
        return
    for match in _LIBRARY_PATH.finditer(text):
        yield Path(_ESCAPE_SEQUENCE.sub(r"\1", match.group(1)))


LaunchMethod = Literal["native", "flatpak", "steam"]


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """Command or URL that starts the game: exactly one of `argv` and `url` is set."""

    argv: tuple[str, ...] | None
    """Program (a full path if found) and arguments; never for a shell."""
    url: str | None
    """URL for Steam's client."""
    is_installed: bool
    """The game is installed; if not, the plan shows what would start it."""
    method: LaunchMethod


def plan_launch(
    profile: GameProfile,
    connect: Address,
    *,
    password: str | None = None,
    extra_arguments: str = "",
    which: Callable[[str], str | None] = shutil.which,
    is_flatpak_installed: Callable[[str], bool] = is_flatpak_installed,
    is_steam_game_installed: Callable[[int], bool] = is_steam_game_installed,
) -> LaunchPlan:
    """Return the best way to start the game on a server: the first of native, Flatpak and Steam that is installed.

    Of the server's own data only the address is used, and it is validated.

    Args:
        profile: The game.
        connect: The server's game address, not its query address.
        password: The server's password, None or empty for none.
        extra_arguments: The user's own arguments for this server; they come first.
        which: Returns a program's path.
        is_flatpak_installed: Returns whether a Flatpak application is installed.
        is_steam_game_installed: Returns whether Steam has a game.

    Raises:
        LaunchError: The address, the password or an argument is invalid, or the game accepts none when it is started.
    """
    values, user_arguments = placeholder_values(connect, password), split_arguments(extra_arguments)
    methods = profile.launch
    plans = [
        *_native_plans(methods, values, user_arguments, which),
        *_flatpak_plans(methods, values, user_arguments, is_flatpak_installed),
        *_steam_plans(methods, values, user_arguments, is_steam_game_installed),
    ]
    if not plans:
        if password and (methods.commands or methods.flatpak or methods.steam_appid):
            text = _("{name} does not accept a password when it is started; join {connect} from its own menu")
        else:
            text = _("{name} cannot be started with a server address; join {connect} from its own menu")
        raise LaunchError(text.format(name=profile.name, connect=connect))
    return next((plan for plan in plans if plan.is_installed), plans[0])


def _native_plans(
    methods: LaunchMethods,
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    which: Callable[[str], str | None],
) -> Iterator[LaunchPlan]:
    arguments = _program_arguments(methods, values)
    if arguments is not None:
        for command in methods.commands:
            path = which(command)
            yield LaunchPlan((path or command, *extra_arguments, *arguments), None, path is not None, "native")


def _flatpak_plans(
    methods: LaunchMethods,
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    is_installed: Callable[[str], bool],
) -> Iterator[LaunchPlan]:
    arguments = _program_arguments(methods, values)
    if arguments is not None and methods.flatpak:
        argv = ("flatpak", "run", methods.flatpak, *extra_arguments, *arguments)
        yield LaunchPlan(argv, None, is_installed(methods.flatpak), "flatpak")


def _steam_plans(
    methods: LaunchMethods,
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    is_installed: Callable[[int], bool],
) -> Iterator[LaunchPlan]:
    texts = [methods.steam_arguments]
    if "{password}" in values:
        texts.append(methods.steam_password_arguments)
    if methods.steam_appid and all(texts):
        # The form that NS2's community tools use; Steam asks the user before it passes arguments on.
        arguments = " ".join((*_quote_arguments(extra_arguments), *fill_placeholders(texts, values)))
        url = f"steam://run/{methods.steam_appid}//{quote(arguments, safe='')}"
        yield LaunchPlan(None, url, is_installed(methods.steam_appid), "steam")


def _quote_arguments(arguments: tuple[str, ...]) -> Iterator[str]:
    """Quote arguments for one line; none contains a quote."""
    return (f'"{argument}"' if not argument or " " in argument else argument for argument in arguments)


def _program_arguments(methods: LaunchMethods, values: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the filled arguments; None if there is a password and the program accepts none."""
    if "{password}" not in values:
        return fill_placeholders(methods.arguments, values)
    if not methods.password_arguments:
        return None
    return fill_placeholders(methods.password_arguments + methods.arguments, values)
