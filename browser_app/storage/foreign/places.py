"""Where the games and Steam keep their lists of servers, on each system; whether the files are there is not asked."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from browser_app.storage.foreign.darkplaces_config import read_darkplaces_config
from browser_app.storage.foreign.found import ForeignServer, Keeping
from browser_app.storage.foreign.ioquake3_cache import read_ioquake3_cache
from browser_app.storage.foreign.ns2_lists import read_ns2_list
from browser_app.storage.foreign.steam_browser import read_steam_browser

Reader = Callable[[bytes], tuple[list[ForeignServer], list[str]]]
"""From a file's bytes to its servers, and the stable keys of favourites named by these only; raises Unreadable."""

STEAM = "steam"

_DARKPLACES = {"xonotic": ("xonotic", "org.xonotic.Xonotic"), "nexuiz": ("nexuiz", "")}
"""By game: the engine's name of its folder (DarkPlaces `fs.c`), and the Flatpak that keeps one of its own."""
_IOQUAKE3 = {
    "quake3": (".q3a", "Quake3"),
    "openarena": (".openarena", "OpenArena"),
    "tremulous": (".tremulous", "Tremulous"),
}
"""By game: its folder on Linux, and on Windows and macOS (each engine's `fs_homepath`)."""
_NS2_LISTS = {"FavoriteServers": Keeping.FAVOURITE, "BlockedServers": Keeping.BLOCKED, "HistoryServers": Keeping.PLAYED}
_NS2 = "Natural Selection 2"
_NS2_PROTON = Path("steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming") / _NS2
_STEAM_LISTS = ("userdata/*/7/remote/serverbrowser_hist.vdf", "config/serverbrowser_hist.vdf")


@dataclass(frozen=True)
class ForeignFile:
    """A file that may be there."""

    owner: str
    """A game's id, or `STEAM`."""
    path: Path
    read: Reader


def foreign_files(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[ForeignFile]:
    """All files worth a look. `platform`: as `sys.platform` has it; `home`: the user's folder."""
    steam_roots = tuple(_steam_roots(platform, home, environment))
    for game, (folder, flatpak) in _DARKPLACES.items():
        for root in _darkplaces_roots(platform, home, folder, flatpak):
            yield ForeignFile(game, root / "data/config.cfg", read_darkplaces_config)
    for game, (unix, other) in _IOQUAKE3.items():
        for root in _ioquake3_roots(platform, home, environment, unix, other):
            yield ForeignFile(game, root / "servercache.dat", partial(_without_keys, read_ioquake3_cache))
    for ns2 in _ns2_folders(platform, home, environment, steam_roots):
        for name, keeping in _NS2_LISTS.items():
            read = partial(_without_keys, partial(read_ns2_list, keeping=keeping))
            yield ForeignFile("ns2", ns2 / f"{name}.json", read)
    for root in steam_roots:
        for pattern in _STEAM_LISTS:
            for path in sorted(root.glob(pattern)):
                yield ForeignFile(STEAM, path, partial(_without_keys, read_steam_browser))


def _without_keys(read: Callable[[bytes], list[ForeignServer]], data: bytes) -> tuple[list[ForeignServer], list[str]]:
    return read(data), []


def _darkplaces_roots(platform: str, home: Path, folder: str, flatpak: str) -> Iterator[Path]:
    if platform == "win32":
        yield home / "Saved Games" / folder
        yield home / "Documents/My Games" / folder
        return
    yield home / f".{folder}"
    if platform == "darwin":
        yield home / "Library/Application Support" / folder
    elif flatpak:
        yield home / ".var/app" / flatpak / f".{folder}"


def _ioquake3_roots(platform: str, home: Path, environment: Mapping[str, str], unix: str, other: str) -> Iterator[Path]:
    if platform == "win32":
        yield _roaming(home, environment) / other
    elif platform == "darwin":
        yield home / "Library/Application Support" / other
    else:
        yield home / unix


def _ns2_folders(
    platform: str, home: Path, environment: Mapping[str, str], steam_roots: tuple[Path, ...]
) -> Iterator[Path]:
    if platform == "win32":
        yield _roaming(home, environment) / _NS2
        return
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / _NS2
    for root in steam_roots:
        yield root / _NS2_PROTON


def _steam_roots(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        yield Path(environment.get("PROGRAMFILES(X86)") or "C:/Program Files (x86)") / "Steam"
    elif platform == "darwin":
        yield home / "Library/Application Support/Steam"
    else:
        flatpak = home / ".var/app/com.valvesoftware.Steam"
        yield from (home / ".local/share/Steam", home / ".steam/steam", flatpak / ".local/share/Steam")
        yield from (flatpak / "data/Steam", home / "snap/steam/common/.local/share/Steam")


def _roaming(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("APPDATA") or home / "AppData/Roaming")
