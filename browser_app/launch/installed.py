"""Whether a game is there, seen from files alone: nothing is started to find out."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

STEAM_FLATPAK = "com.valvesoftware.Steam"

_LIBRARY_PATH = re.compile(r'^\s*"path"\s+"((?:[^"\\]|\\.)+)"', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_MAX_LIBRARY_FILE = 1 << 20


def flatpak_installed(application: str) -> bool:
    """The Flatpak application is installed for the user or the system."""
    user = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    return any((root / "flatpak/app" / application).is_dir() for root in (user, Path("/var/lib")))


def steam_installed(appid: int) -> bool:
    """Steam's client has the game, in any of its libraries."""
    return any((library / f"steamapps/appmanifest_{appid}.acf").is_file() for library in _steam_libraries())


def _steam_libraries() -> Iterator[Path]:
    for root in _steam_roots():
        yield root
        yield from _listed_libraries(root / "steamapps/libraryfolders.vdf")


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


def _listed_libraries(file: Path) -> Iterator[Path]:
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(_MAX_LIBRARY_FILE)
    except OSError:
        return
    for match in _LIBRARY_PATH.finditer(text):
        yield Path(_ESCAPED.sub(r"\1", match.group(1)))
