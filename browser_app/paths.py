"""Paths of the program's resources and the user's folders.

`READY_ROOM_HOME` puts settings, data and cache under one folder; nothing is written elsewhere then.
"""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

_PACKAGE = Path(__file__).resolve().parent


def resource_folder() -> Path:
    """Return the `resources` folder.

    It is inside the package when installed, beside it in a checkout.
    """
    installed = _PACKAGE / "resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


@dataclass(frozen=True, slots=True)
class UserPaths:
    """The user's folders. They need not exist yet."""

    settings: Path
    data: Path
    cache: Path


def printable_path(path: str) -> str:
    """Return a path, or a message with one, that can be stored and shown.

    Undecodable bytes are escaped.
    """
    return os.fsencode(path).decode(errors="backslashreplace")


def user_paths() -> UserPaths:
    """Return this user's folders, or those under `READY_ROOM_HOME`."""
    home = os.environ.get("READY_ROOM_HOME")
    if home:
        root = Path(home).absolute()
        return UserPaths(root / "settings", root / "data", root / "cache")
    dirs = platformdirs.PlatformDirs("ready-room", appauthor=False)
    return UserPaths(Path(dirs.user_config_dir), Path(dirs.user_data_dir), Path(dirs.user_cache_dir))


def log_folder() -> Path:
    """Return the folder of the log files."""
    home = os.environ.get("READY_ROOM_HOME")
    return Path(home).absolute() / "logs" if home else Path(platformdirs.user_log_dir("ready-room", appauthor=False))


def runtime_folder() -> Path:
    """Return the folder where running instances find each other.

    The system empties it when it starts at the latest.
    """
    home = os.environ.get("READY_ROOM_HOME")
    return Path(home).absolute() / "run" if home else Path(platformdirs.user_runtime_dir("ready-room", appauthor=False))
