"""Libraries of Steam's client on this machine, and the games in them."""

import logging
import os
import re
import sys
from collections.abc import Collection, Container, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from browser_app.games.steam_games import parse_appid
from browser_app.input_files import open_regular_file

_log = logging.getLogger(__name__)

STEAM_FLATPAK = "com.valvesoftware.Steam"

_LIBRARY_PATH = re.compile(r'^[ \t]*"path"[ \t]+"((?:[^"\\\0]++|\\[^\0])++)"', re.MULTILINE)
_ESCAPE_SEQUENCE = re.compile(r"\\(.)")
_STATE_FLAGS = re.compile(r'^[ \t]*"StateFlags"[ \t]+"(\d{1,9})"', re.MULTILINE)
_NAME = re.compile(r'^[ \t]*"name"[ \t]+"((?:[^"\\]++|\\.)*+)"', re.MULTILINE)
_MANIFEST_GLOB = "appmanifest_*.acf"
_TOOL_NAME = re.compile(
    r"Proton \d|Proton (Experimental|Hotfix|\w+ Runtime)|Steam Linux Runtime|Steamworks |SteamVR"
    r"|.*\b(Dedicated Server|SDK|Soundtrack)$"
)
"""Apps that are no games; manifests do not mark them as such."""
_MAX_LIBRARIES = 32
_MAX_MANIFESTS = 5_000
"""Of all libraries; the rest is ignored."""
_FULLY_INSTALLED = 4
"""Bit of `StateFlags`; Steam writes the manifest when the first download begins, and sets this bit at its end."""
_MAX_MANIFEST_BYTES = 16 << 10
"""Name and `StateFlags` are in the first lines."""
_MAX_LIBRARY_LIST_BYTES = 1 << 20
"""The file also lists the apps of each library."""


def find_steam_apps(appids: Collection[int]) -> frozenset[int]:
    """Return those of `appids` that are completely installed, in any Steam library."""
    libraries = _find_libraries() if appids else ()
    return frozenset(
        appid
        for appid in appids
        if any(
            _is_complete(_read_file(library / f"appmanifest_{appid}.acf", _MAX_MANIFEST_BYTES)) for library in libraries
        )
    )


def find_other_steam_games(known: Container[int]) -> dict[int, str]:
    """Return app id → name of completely installed games, without the `known` ids.

    Which of them have servers is unknown.
    """
    found: dict[int, str] = {}
    for file in islice(chain.from_iterable(map(_find_manifests, _find_libraries())), _MAX_MANIFESTS):
        appid = parse_appid(file.stem.partition("_")[2])
        if appid is None or appid in known or appid in found:
            continue
        manifest = _read_file(file, _MAX_MANIFEST_BYTES)
        name = _parse_app_name(manifest)
        if name and _is_complete(manifest) and not _TOOL_NAME.match(name):
            found[appid] = name
    return found


def _find_manifests(library: Path) -> Iterator[Path]:
    """Yield the manifests in a library, none if it cannot be read."""
    try:
        yield from library.glob(_MANIFEST_GLOB)
    except OSError as error:  # such as one in another user's folder, or on a disk that is gone
        _log.debug("Cannot read %s: %s", library, error)


def _is_complete(manifest: str | None) -> bool:
    """Return whether there is a manifest and it states a complete installation."""
    flags = _STATE_FLAGS.search(manifest or "")
    return manifest is not None and (flags is None or bool(int(flags[1]) & _FULLY_INSTALLED))


def _parse_app_name(manifest: str | None) -> str:
    """Return the name in a manifest, empty if there is none."""
    name = _NAME.search(manifest or "")
    return _ESCAPE_SEQUENCE.sub(r"\1", name[1]) if name else ""


def _find_libraries() -> Sequence[Path]:
    """Return the folders with manifests, of all libraries of all Steam installations."""
    libraries: dict[Path, None] = {}
    for root in _list_steam_roots():
        libraries[root / "steamapps"] = None
        listed = _read_file(root / "steamapps/libraryfolders.vdf", _MAX_LIBRARY_LIST_BYTES)
        for match in _LIBRARY_PATH.finditer(listed or ""):
            folder = Path(_ESCAPE_SEQUENCE.sub(r"\1", match.group(1)))
            libraries[folder / "steamapps"] = None
    return tuple(libraries)[:_MAX_LIBRARIES]


def _list_steam_roots() -> tuple[Path, ...]:
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


def _read_file(file: Path, max_bytes: int) -> str | None:
    """Return the beginning of a file, None if it cannot be read."""
    try:
        with open_regular_file(file) as opened:
            return opened.read(max_bytes).decode(errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.debug("Cannot read %s: %s", file, error)
        return None
