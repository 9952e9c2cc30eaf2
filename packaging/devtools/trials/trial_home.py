"""Home folders in which trials run a program on a virtual display."""

import os
from collections.abc import Sequence
from pathlib import Path

from devtools.trials.package_trial import InstalledProgram, run_command

VIRTUAL_DISPLAY_COMMAND = ("xvfb-run", "--auto-servernum", "--server-args=-screen 0 1400x900x24")
_PICTURE_FOLDER = "pictures"
_USER_DATA = (Path(".config/ready-room"), Path(".local/share/ready-room"), Path(".cache"), Path(_PICTURE_FOLDER))


def program_in_home(home: Path, program: Path) -> InstalledProgram:
    """Return a program that runs in a home folder, without this user's environment."""
    environ = {"PATH": os.defpath, "HOME": str(home), "LC_ALL": "C.UTF-8"}
    picture_folder = home / _PICTURE_FOLDER
    picture_folder.mkdir(exist_ok=True)

    def run_with_display(command: Sequence[str | Path]) -> str:
        return run_command([*VIRTUAL_DISPLAY_COMMAND, *command], cwd=home, env=environ)

    return InstalledProgram(run_with_display, str(program), str(picture_folder), picture_folder)


def find_leftovers(home: Path) -> list[str]:
    """Return everything in a home folder except user data in the usual places."""
    files = (path.relative_to(home) for path in home.rglob("*") if not path.is_dir())
    return sorted(str(path) for path in files if not any(path.is_relative_to(folder) for folder in _USER_DATA))
