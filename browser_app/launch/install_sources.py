"""Where a game comes from: its website, or the command of a package manager that is here."""

import shutil

from browser_app.games.game_profile import GameProfile, LaunchMethods
from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import GameNotInstalledError


def where_to_get(methods: LaunchMethods) -> str:
    """Return website and command, such as `https://openarena.ws/ or with “apt install openarena”`; empty if unknown."""
    url, command = methods.install_url, _install_command(methods)
    return _("{url} or with “{command}”").format(url=url, command=command) if url and command else url or command


def not_installed_error(game: GameProfile, program_problem: str = "") -> GameNotInstalledError:
    """Return the error that says where to get the game, or why the user's own program cannot be started."""
    return GameNotInstalledError(game, where_to_get(game.launch), program_problem)


def _install_command(methods: LaunchMethods) -> str:
    for manager, package, command in (
        ("apt", methods.debian_package, "apt install {package}"),
        ("flatpak", methods.flatpak, "flatpak install flathub {package}"),
        ("snap", methods.snap, "snap install {package}"),
    ):
        if package and shutil.which(manager):
            return command.format(package=package)
    return ""
