"""Starts a package on this machine with an own home folder and a virtual display."""

import os
from collections.abc import Sequence
from pathlib import Path

from devtools.trials.trial import Installed, run

WITH_DISPLAY = ("xvfb-run", "--auto-servernum", "--server-args=-screen 0 1400x900x24")
_PICTURES = "pictures"
_OWN = (Path(".config/ready-room"), Path(".local/share/ready-room"), Path(".cache"), Path(_PICTURES))


def installed_in(home: Path, program: Path) -> Installed:
    """Return a program started in a home folder, without this user's environment."""
    plain = {"PATH": os.defpath, "HOME": str(home), "LC_ALL": "C.UTF-8"}
    pictures = home / _PICTURES
    pictures.mkdir(exist_ok=True)

    def start(command: Sequence[str | Path]) -> str:
        return run([*WITH_DISPLAY, *command], cwd=home, env=plain)

    return Installed(start, str(program), str(pictures), pictures)


def left_in(home: Path) -> list[str]:
    """Return everything in a home folder except user data in the usual places."""
    files = (path.relative_to(home) for path in home.rglob("*") if not path.is_dir())
    return sorted(str(path) for path in files if not any(path.is_relative_to(folder) for folder in _OWN))
