"""Start of a planned game, detached and without a shell."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from browser_app.language import gettext as _
from browser_app.launch.launch_arguments import LaunchError
from browser_app.launch.launch_plan import STEAM_FLATPAK, LaunchPlan, is_flatpak_installed

_SECRET_VARIABLES = frozenset({"READY_ROOM_STEAM_KEY"})
"""Variables of our own environment that a game has no business with."""

_running_processes: list[subprocess.Popen[bytes]] = []
"""Kept until they end, so that each is waited for and leaves no zombie beyond the next start."""


def start_game(plan: LaunchPlan, which: Callable[[str], str | None] = shutil.which) -> subprocess.Popen[bytes]:
    """Start the game and return at once. The process is a session of its own, so it outlives this program.

    Its `poll()` tells whether it still runs; for Steam it is only the messenger that hands the URL over.

    Raises:
        LaunchError: it cannot be started.
    """
    argv = plan.argv or _url_opener_command(str(plan.url), which)
    _running_processes[:] = [process for process in _running_processes if process.poll() is None]
    try:
        process = subprocess.Popen(  # noqa: S603 - an argv of checked parts, no shell
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=_working_folder(plan),
            env={name: value for name, value in os.environ.items() if name not in _SECRET_VARIABLES},
            start_new_session=True,
        )
    except OSError as error:
        raise LaunchError(
            _("{argv} cannot be started: {problem}").format(argv=argv[0], problem=error.strerror)
        ) from None
    _running_processes.append(process)
    return process


def _url_opener_command(url: str, which: Callable[[str], str | None]) -> tuple[str, ...]:
    """Steam itself where it is on the path; elsewhere whatever the desktop has for its URLs."""
    if steam := which("steam"):
        return (steam, url)
    if sys.platform == "win32":
        return (which("explorer") or "explorer", url)
    if is_flatpak_installed(STEAM_FLATPAK):
        return ("flatpak", "run", STEAM_FLATPAK, url)
    opener = which("open" if sys.platform == "darwin" else "xdg-open")
    if not opener:
        raise LaunchError(_("Steam is not installed"))
    return (opener, url)


def _working_folder(plan: LaunchPlan) -> Path:
    """A native game's own folder, where some look for their data; else the user's home."""
    if plan.method == "native" and plan.argv and Path(plan.argv[0]).is_absolute():
        return Path(plan.argv[0]).resolve().parent
    return Path.home()
