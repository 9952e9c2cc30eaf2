"""Paths of the program's resources and the user's folders.

`READY_ROOM_HOME` puts settings, data and cache under one folder; nothing is written elsewhere then.
"""

import os
import re
import unicodedata
import warnings
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from browser_app.untrusted_text import CONTROL_CHARACTERS

SETTINGS_FILE_NAME = "settings.toml"
_PACKAGE = Path(__file__).resolve().parent


def resource_folder() -> Path:
    """Return the `resources` folder: in an installed package, beside it in a checkout."""
    installed = _PACKAGE / "resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


@dataclass(frozen=True, slots=True)
class UserPaths:
    """The user's folders. They need not exist yet."""

    settings: Path
    data: Path
    cache: Path


def printable_path(path: str) -> str:
    """Return a path, or a message with one, with what is not plain text escaped.

    That is bytes that cannot be decoded, and characters that control a terminal or the direction of text.
    """
    text = os.fsencode(path).decode(errors="backslashreplace")
    return CONTROL_CHARACTERS.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


_UNSAFE_CHARACTERS = re.compile(r'[/\\:*?"<>|]')
_RESERVED_NAMES = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
"""Names that Windows reserves for devices, with any extension."""
_MAX_NAME_BYTES = 100


def safe_file_name(text: str) -> str:
    """Return a text as a file name, without extension, that is valid on every system.

    It has no separators and no control or direction characters, is not hidden and does not look like an option.
    """
    visible = "".join(each for each in text if not unicodedata.category(each).startswith("C"))
    name = _UNSAFE_CHARACTERS.sub("_", " ".join(visible.split())).lstrip(" .-~")
    name = name.encode()[:_MAX_NAME_BYTES].decode(errors="ignore").rstrip(" .")
    return f"{name}_" if _RESERVED_NAMES.fullmatch(name) else name or "_"


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
    if home:
        return Path(home).absolute() / "run"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a missing XDG_RUNTIME_DIR, for which it has a substitute
        return Path(platformdirs.user_runtime_dir("ready-room", appauthor=False))
