"""Choice of how to start a game: native, Flatpak or Steam."""

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

STEAM_FLATPAK = "com.valvesoftware.Steam"

_LIBRARY_PATH = re.compile(r'^\s*"path"\s+"((?:[^"\\]|\\.)+)"', re.MULTILINE)
_ESCAPE_SEQUENCE = re.compile(r"\\(.)")
_MAX_LIBRARY_FILE = 1 << 20


def is_flatpak_installed(application: str) -> bool:
    """The Flatpak application is installed for the user or the system."""
    user = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return any((root / "flatpak/app" / application).is_dir() for root in (user, Path("/var/lib")))


def is_steam_game_installed(appid: int) -> bool:
    """Steam's client has the game, in any of its libraries."""
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
    except OSError:
        return
    for match in _LIBRARY_PATH.finditer(text):
        yield Path(_ESCAPE_SEQUENCE.sub(r"\1", match.group(1)))


LaunchMethod = Literal["native", "flatpak", "steam"]


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """What starts the game. Exactly one of `argv` and `url` is set."""

    argv: tuple[str, ...] | None
    """Program and arguments; never for a shell. The program is a full path where it was found."""
    url: str | None
    """For Steam's client."""
    is_installed: bool
    """The game is there; if not, this is what would start it."""
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
    """The best way to start the game into a server: the first of native, Flatpak and Steam that is installed.

    Nothing that a server sent is used but its address, and that is validated.

    Args:
        profile: The game.
        connect: What the game is told: its game port, not the query port.
        password: The server's password, None or empty for none.
        extra_arguments: The user's own arguments for this server; they come first.
        which: Finds a program's path.
        is_flatpak_installed: Whether a Flatpak application is there.
        is_steam_game_installed: Whether Steam has a game.

    Raises:
        LaunchError: the address, the password or an argument is refused, or the game takes none from outside.
    """
    filled, own = placeholder_values(connect, password), split_arguments(extra_arguments)
    forms = profile.launch
    plans = [
        *_native_plans(forms, filled, own, which),
        *_flatpak_plans(forms, filled, own, is_flatpak_installed),
        *_steam_plans(forms, filled, own, is_steam_game_installed),
    ]
    if not plans:
        what = "a password" if password and (forms.commands or forms.flatpak or forms.steam_appid) else "a server"
        raise LaunchError(
            _("{name} does not accept {what} when it is started; join {connect} from its own menu").format(
                name=profile.name, what=what, connect=connect
            )
        )
    return next((plan for plan in plans if plan.is_installed), plans[0])


def _native_plans(
    forms: LaunchMethods,
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    which: Callable[[str], str | None],
) -> Iterator[LaunchPlan]:
    arguments = _program_arguments(forms, values)
    if arguments is not None:
        for command in forms.commands:
            path = which(command)
            yield LaunchPlan((path or command, *extra_arguments, *arguments), None, path is not None, "native")


def _flatpak_plans(
    forms: LaunchMethods,
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    is_installed: Callable[[str], bool],
) -> Iterator[LaunchPlan]:
    arguments = _program_arguments(forms, values)
    if arguments is not None and forms.flatpak:
        argv = ("flatpak", "run", forms.flatpak, *extra_arguments, *arguments)
        yield LaunchPlan(argv, None, is_installed(forms.flatpak), "flatpak")


def _steam_plans(
    forms: LaunchMethods,
    values: Mapping[str, str],
    extra_arguments: tuple[str, ...],
    is_installed: Callable[[int], bool],
) -> Iterator[LaunchPlan]:
    texts = [forms.steam_arguments]
    if "{password}" in values:
        texts.append(forms.steam_password_arguments)
    if forms.steam_appid and all(texts):
        # The form that NS2's own community tools use; Steam asks the user before it hands arguments on.
        url = f"steam://run/{forms.steam_appid}//{quote(' '.join((*_quote_arguments(extra_arguments), *fill_placeholders(texts, values))), safe='')}"
        yield LaunchPlan(None, url, is_installed(forms.steam_appid), "steam")


def _quote_arguments(arguments: tuple[str, ...]) -> Iterator[str]:
    """As they stand in one line; none holds a quote."""
    return (f'"{argument}"' if not argument or " " in argument else argument for argument in arguments)


def _program_arguments(forms: LaunchMethods, values: Mapping[str, str]) -> tuple[str, ...] | None:
    """None where a password is to be told and the program takes none."""
    if "{password}" not in values:
        return fill_placeholders(forms.arguments, values)
    return fill_placeholders(forms.password_arguments + forms.arguments, values) if forms.password_arguments else None
