"""Start of a planned game, detached and without a shell."""

import logging
import os
import subprocess
import sys
from pathlib import Path

from browser_app.language import gettext as _
from browser_app.launch.installed_games import find_program, is_flatpak_installed
from browser_app.launch.launch_arguments import GameStartError
from browser_app.launch.launch_plan import LaunchPlan
from browser_app.launch.steam_libraries import STEAM_FLATPAK

_log = logging.getLogger(__name__)

_SECRET_VARIABLES = frozenset({"READY_ROOM_STEAM_KEY"})
"""Environment variables that are not passed on to a game."""

_running_processes: list[subprocess.Popen[bytes]] = []
"""Kept so that ended ones are reaped at the next start instead of staying zombies."""


def start_game(plan: LaunchPlan) -> subprocess.Popen[bytes]:
    """Start the game in a session of its own, so that it outlives this program.

    Returns at once. For a URL the process is only the program that opens it.

    Raises:
        GameStartError: the game cannot be started.
    """
    argv = plan.argv or _find_url_opener(str(plan.url))
    _running_processes[:] = [process for process in _running_processes if process.poll() is None]
    try:
        process = subprocess.Popen(  # noqa: S603 - validated arguments, no shell
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=_find_working_folder(plan),
            env={name: value for name, value in os.environ.items() if name not in _SECRET_VARIABLES},
            start_new_session=True,
        )
    except OSError as error:
        text = _("{argv} cannot be started: {problem}")
        raise GameStartError(text.format(argv=Path(argv[0]).name, problem=error.strerror)) from None
    _log.info("started %s: %s, pid %d", plan.method, argv[0], process.pid)  # arguments may have a password
    _running_processes.append(process)
    return process


def _find_url_opener(url: str) -> tuple[str, ...]:
    """Return the command that opens a URL: Steam itself for its own URLs, if found."""
    is_for_steam = url.startswith("steam:")
    if is_for_steam and (steam := find_program("steam")):
        return (steam, url)
    if sys.platform == "win32":
        return (find_program("explorer") or "explorer", url)
    if is_for_steam and is_flatpak_installed(STEAM_FLATPAK):
        return ("flatpak", "run", STEAM_FLATPAK, url)
    opener = find_program("open" if sys.platform == "darwin" else "xdg-open")
    if not opener:
        raise GameStartError(_("Steam is not installed") if is_for_steam else _("there is no program that opens links"))
    return (opener, url)


def _find_working_folder(plan: LaunchPlan) -> Path:
    """Return the folder of a native game, where some look for their data, else home."""
    if plan.method in ("own", "native") and plan.argv and Path(plan.argv[0]).is_absolute():
        return Path(plan.argv[0]).resolve().parent
    return Path.home()
