"""Libraries of Steam's client on this machine, and the games in them."""

import logging
import os
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from browser_app.input_files import open_regular_file

_log = logging.getLogger(__name__)

STEAM_FLATPAK = "com.valvesoftware.Steam"

_LIBRARY_PATH = re.compile(r'^\s*"path"\s+"((?:[^"\\]|\\.)+)"', re.MULTILINE)
_ESCAPE_SEQUENCE = re.compile(r"\\(.)")
_STATE_FLAGS = re.compile(r'^\s*"StateFlags"\s+"(\d+)"', re.MULTILINE)
_NAME = re.compile(r'^\s*"name"\s+"((?:[^"\\]|\\.)*)"', re.MULTILINE)
_FULLY_INSTALLED = 4
"""Bit of `StateFlags`; Steam writes the manifest when the first download begins, and sets this bit at its end."""
_MAX_FILE_BYTES = 1 << 20


def find_steam_apps(appids: Collection[int]) -> frozenset[int]:
    """Return those of `appids` that are installed completely.

    They may be in any library of Steam's client.
    """
    libraries = dict.fromkeys(folder / "steamapps" for folder in _steam_libraries()) if appids else ()
    return frozenset(
        appid for appid in appids if any(_is_complete(library / f"appmanifest_{appid}.acf") for library in libraries)
    )


def find_steam_app_names(appids: Collection[int]) -> dict[int, str]:
    """Return the names of the installed ones of `appids`, from Steam's manifests."""
    found: dict[int, str] = {}
    for library in dict.fromkeys(_steam_libraries()) if appids else ():
        for appid in appids:
            if name := _NAME.search(_read_file(library / f"steamapps/appmanifest_{appid}.acf") or ""):
                found.setdefault(appid, _ESCAPE_SEQUENCE.sub(r"\1", name[1]))
    return found


def _is_complete(manifest: Path) -> bool:
    """Return whether a manifest states a complete installation.

    False if it is missing or states something else.
    """
    text = _read_file(manifest)
    flags = _STATE_FLAGS.search(text or "")
    return text is not None and (flags is None or bool(int(flags[1]) & _FULLY_INSTALLED))


def _steam_libraries() -> Iterator[Path]:
    for root in _steam_roots():
        yield root
        for match in _LIBRARY_PATH.finditer(_read_file(root / "steamapps/libraryfolders.vdf") or ""):
            yield Path(_ESCAPE_SEQUENCE.sub(r"\1", match.group(1)))


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


def _read_file(file: Path) -> str | None:
    """Return the beginning of a file, None if it cannot be read."""
    try:
        with open_regular_file(file) as opened:
            return opened.read(_MAX_FILE_BYTES).decode(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.debug("Cannot read %s: %s", file, error)
        return None
