"""Games that can be started on this machine, and where to get the others."""

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from browser_app.games.game_profile import GameProfile, LaunchMethods
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import GameNotInstalledError
from browser_app.launch.steam_libraries import find_steam_apps
from browser_app.launch.url_handlers import find_url_handlers

PROGRAM_FOLDERS = ("~/.local/bin", "/usr/local/games", "/usr/games")
"""Where programs may be installed that are not on the path of every desktop session or shell."""
SNAP_FOLDERS = (Path("/snap/bin"), Path("/var/lib/snapd/snap/bin"))
"""Where snapd puts the commands of Snaps; not every desktop has them on its path."""

LaunchMethod = Literal["own", "native", "flatpak", "snap", "steam", "url"]


@dataclass(frozen=True, slots=True)
class GameInstallation:
    """One way in which an installed game can be started."""

    method: LaunchMethod
    """`own` is the user's own choice of a program."""
    command: tuple[str, ...] = ()
    """The program (a full path if found) and its first arguments; empty where a URL is opened."""


InstalledGames: TypeAlias = Mapping[str, Sequence[GameInstallation]]
"""Game id → how it can be started, best first; games that cannot be started are missing."""


def find_installed_games(profiles: Iterable[GameProfile], own_programs: Mapping[str, str]) -> InstalledGames:
    """Return the games that can be started with a server's address.

    Reads files: a few milliseconds for all games.

    Args:
        profiles: the games to look for.
        own_programs: game id → the user's own program for it; see `split_program`.
    """
    startable = [profile for profile in profiles if profile.launch.takes_address]
    steam_apps = find_steam_apps({profile.launch.steam_appid for profile in startable} - {0})
    url_schemes = find_url_handlers({profile.launch.url_scheme for profile in startable} - {""})
    found = {
        profile.id: tuple(
            _find_installations(profile.launch, own_programs.get(profile.id, ""), steam_apps, url_schemes)
        )
        for profile in startable
    }
    return {game: installations for game, installations in found.items() if installations}


def find_installations(profile: GameProfile, own_program: str = "") -> Sequence[GameInstallation]:
    """Return how one game can be started, best first; empty if it cannot."""
    return find_installed_games([profile], {profile.id: own_program}).get(profile.id, ())


def list_uninstalled_methods(methods: LaunchMethods) -> Iterator[GameInstallation]:
    """Yield the ways to start the game once it is installed, best first."""
    if methods.commands:
        yield GameInstallation("native", methods.commands[:1])
    if methods.flatpak:
        yield _build_flatpak_installation(methods.flatpak)
    if methods.snap:
        yield GameInstallation("snap", (methods.snap,))
    if methods.steam_appid:
        yield GameInstallation("steam")
    if methods.url:
        yield GameInstallation("url")


def find_program(name: str) -> str | None:
    """Return the full path of a program, None if it is not there.

    Args:
        name: a name, which is looked up on the path first and then in `PROGRAM_FOLDERS`; or a path, which is checked.
    """
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(map(os.path.expanduser, PROGRAM_FOLDERS)))


def is_flatpak_installed(application: str) -> bool:
    """Return whether a Flatpak application is installed for the user or the system."""
    user = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return any((root / "flatpak/app" / application).is_dir() for root in (user, Path("/var/lib")))


def split_program(text: str) -> tuple[str, ...]:
    """Split the user's own program into arguments.

    It is the path of a file, which may contain spaces, or a command with arguments.

    Raises:
        ValueError: a quote is not closed.
    """
    if Path(text).expanduser().is_file():
        return (text,)
    try:
        return tuple(shlex.split(text))
    except ValueError:
        raise ValueError(_("missing closing quote")) from None


def find_own_program_problem(text: str) -> str:
    """Return why the user's own program cannot be started, empty if it can be.

    Raises:
        ValueError: a quote is not closed.
    """
    words = split_program(text)
    if not words or _find_own_program(words[0]):
        return ""
    exists = Path(words[0]).expanduser().exists()
    problem = _("{program} is not an executable file") if exists else _("{program} was not found")
    return problem.format(program=words[0])


def format_install_source(methods: LaunchMethods) -> str:
    """Return where to get a game, such as `https://… or with “apt install openarena”`.

    Empty if neither website nor package is known.
    """
    url, command = methods.install_url, _format_install_command(methods)
    return _("{url} or with “{command}”").format(url=url, command=command) if url and command else url or command


def create_not_installed_error(game: GameProfile, program_problem: str = "") -> GameNotInstalledError:
    """Return the error that a game cannot be started.

    Its text names where to get the game or, if `program_problem` is given, what is wrong with the user's own program.
    """
    return GameNotInstalledError(game, format_install_source(game.launch), program_problem)


def _find_installations(
    methods: LaunchMethods, own_program: str, steam_apps: frozenset[int], url_schemes: frozenset[str]
) -> Iterator[GameInstallation]:
    yield from _find_own_installation(own_program)
    for command in methods.commands:
        if path := find_program(command):
            yield GameInstallation("native", (path,))
    if methods.flatpak and is_flatpak_installed(methods.flatpak):
        yield _build_flatpak_installation(methods.flatpak)
    if methods.snap:
        programs = (folder / methods.snap for folder in SNAP_FOLDERS)
        yield from (GameInstallation("snap", (str(program),)) for program in programs if program.exists())
    if methods.steam_appid in steam_apps:
        yield GameInstallation("steam")
    if methods.url_scheme in url_schemes:
        yield GameInstallation("url")


def _find_own_installation(text: str) -> Iterator[GameInstallation]:
    """Yield the user's own program, if it exists."""
    try:
        program, *arguments = split_program(text)
    except ValueError:  # empty, or a quote is missing
        return
    if path := _find_own_program(program):
        yield GameInstallation("own", (path, *arguments))


def _find_own_program(program: str) -> str | None:
    return find_program(str(Path(program).expanduser()))


def _build_flatpak_installation(application: str) -> GameInstallation:
    return GameInstallation("flatpak", ("flatpak", "run", application))


def _format_install_command(methods: LaunchMethods) -> str:
    for manager, package, command in (
        ("apt", methods.debian_package, "apt install {package}"),
        ("flatpak", methods.flatpak, "flatpak install flathub {package}"),
        ("snap", methods.snap, "snap install {package}"),
    ):
        if package and shutil.which(manager):
            return command.format(package=package)
    return ""
