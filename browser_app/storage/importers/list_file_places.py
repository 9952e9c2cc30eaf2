"""Where other programs keep their server lists."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from browser_app.storage.importers.bzflag_favourites import parse_bzflag_cache
from browser_app.storage.importers.console_favourites import (
    parse_armagetron_bookmarks,
    parse_kept_servers,
    parse_own_commands,
)
from browser_app.storage.importers.imported_server import ImportedServer, ServerListKind
from browser_app.storage.importers.ini_favourites import (
    parse_doomseeker_servers,
    parse_odamex_launcher,
    parse_openttd_favourites,
    parse_unreal_favourites,
)
from browser_app.storage.importers.luanti_favourites import parse_luanti_json, parse_luanti_text
from browser_app.storage.importers.minecraft_servers import parse_minecraft_servers
from browser_app.storage.importers.ns2_server_lists import parse_ns2_list
from browser_app.storage.importers.quake_favourites import (
    parse_darkplaces_favourites,
    parse_ezquake_list,
    parse_ioquake3_cache,
    parse_quake2_address_book,
)
from browser_app.storage.importers.san_andreas_favourites import parse_mta_favourites, parse_samp_favourites
from browser_app.storage.importers.space_station_favourites import parse_space_station_favourites
from browser_app.storage.importers.steam_server_browser import parse_steam_server_browser
from browser_app.storage.importers.teeworlds_favourites import parse_teeworlds_favourites
from browser_app.storage.importers.vintage_story_favourites import parse_vintage_story_favourites

ServerListParser = Callable[[bytes], tuple[list[ImportedServer], list[str]]]
"""Parses a file into its servers and the stable keys of favourites given only by key; raises UnreadableListError."""

STEAM_SOURCE = "steam"

_DARKPLACES = {"xonotic": ("xonotic", "org.xonotic.Xonotic"), "nexuiz": ("nexuiz", "")}
"""By game: the engine's folder name (DarkPlaces `fs.c`), and the Flatpak with its own folder."""
_IOQUAKE3 = {
    "quake3": (".q3a", "Quake3"),
    "openarena": (".openarena", "OpenArena"),
    "tremulous": (".tremulous", "Tremulous"),
}
"""By game: its folder on Linux, and on Windows and macOS (`fs_homepath` of each engine)."""
_NS2_LISTS = {
    "FavoriteServers": ServerListKind.FAVOURITE,
    "BlockedServers": ServerListKind.BLOCKED,
    "HistoryServers": ServerListKind.PLAYED,
}
_NS2 = "Natural Selection 2"
_NS2_PROTON = Path("steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming") / _NS2
_PROGRAM_FILES = "C:/Program Files (x86)"
_STEAM_LISTS = ("userdata/*/7/remote/serverbrowser_hist.vdf", "config/serverbrowser_hist.vdf")


@dataclass(frozen=True)
class ServerListFile:
    """A file that may exist."""

    source: str
    """Game id, or `STEAM_SOURCE`."""
    path: Path
    parse: ServerListParser


def list_possible_files(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[ServerListFile]:
    """Yield the files in which other programs may keep server lists.

    `platform` is a value of `sys.platform`, `home` the user's home folder.
    """
    steam_roots = tuple(_list_steam_roots(platform, home, environment))
    for game, (folder, flatpak) in _DARKPLACES.items():
        for root in _list_darkplaces_roots(platform, home, folder, flatpak):
            yield ServerListFile(game, root / "data/config.cfg", parse_darkplaces_favourites)
    for game, (unix, other) in _IOQUAKE3.items():
        for root in _list_ioquake3_roots(platform, home, environment, unix, other):
            yield ServerListFile(game, root / "servercache.dat", partial(_parse_without_keys, parse_ioquake3_cache))
    for ns2_folder in _list_ns2_folders(platform, home, environment, steam_roots):
        for name, list_kind in _NS2_LISTS.items():
            parse = partial(_parse_without_keys, partial(parse_ns2_list, list_kind=list_kind))
            yield ServerListFile("ns2", ns2_folder / f"{name}.json", parse)
    for root in steam_roots:
        for pattern in _STEAM_LISTS:
            for path in sorted(root.glob(pattern)):
                yield ServerListFile(STEAM_SOURCE, path, partial(_parse_without_keys, parse_steam_server_browser))
    yield from _list_game_files(platform, home, environment)


def _parse_without_keys(
    parse: Callable[[bytes], list[ImportedServer]], data: bytes
) -> tuple[list[ImportedServer], list[str]]:
    return parse(data), []


def _list_darkplaces_roots(platform: str, home: Path, folder: str, flatpak: str) -> Iterator[Path]:
    if platform == "win32":
        yield home / "Saved Games" / folder
        yield home / "Documents/My Games" / folder
        return
    yield home / f".{folder}"
    if platform == "darwin":
        yield home / "Library/Application Support" / folder
    elif flatpak:
        yield home / ".var/app" / flatpak / f".{folder}"


def _list_ioquake3_roots(
    platform: str, home: Path, environment: Mapping[str, str], unix: str, other: str
) -> Iterator[Path]:
    if platform == "win32":
        yield _find_roaming_folder(home, environment) / other
    elif platform == "darwin":
        yield home / "Library/Application Support" / other
    else:
        yield home / unix


def _list_ns2_folders(
    platform: str, home: Path, environment: Mapping[str, str], steam_roots: tuple[Path, ...]
) -> Iterator[Path]:
    if platform == "win32":
        yield _find_roaming_folder(home, environment) / _NS2
        return
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / _NS2
    for root in steam_roots:
        yield root / _NS2_PROTON


def _list_steam_roots(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        yield Path(environment.get("PROGRAMFILES(X86)") or _PROGRAM_FILES) / "Steam"
    elif platform == "darwin":
        yield home / "Library/Application Support/Steam"
    else:
        flatpak = home / ".var/app/com.valvesoftware.Steam"
        yield from (home / ".local/share/Steam", home / ".steam/steam", flatpak / ".local/share/Steam")
        yield from (flatpak / "data/Steam", home / "snap/steam/common/.local/share/Steam")


def _find_roaming_folder(home: Path, environment: Mapping[str, str]) -> Path:
    return Path(environment.get("APPDATA") or home / "AppData/Roaming")


class _GamePlaces(NamedTuple):
    """Files of one game, as patterns in a folder of the user (`_user_folders`)."""

    game: str
    parse: Callable[[bytes], list[ImportedServer]]
    linux: tuple[str, ...]
    windows: tuple[str, ...]
    macos: tuple[str, ...] = ()


def _build_luanti_places(file: str, parse: Callable[[bytes], list[ImportedServer]]) -> _GamePlaces:
    path = f"client/serverlist/{file}"
    apps = "HOME/.var/app/org.luanti.luanti", "HOME/.var/app/net.minetest.Minetest"
    return _GamePlaces(
        "luanti",
        parse,
        tuple(f"{root}/.minetest/{path}" for root in ("HOME", *apps)),
        (f"ROAMING/Minetest/{path}",),
        (f"SUPPORT/minetest/{path}",),
    )


def _build_cube2_places(game: str, port: int, linux: str, windows: str = "", macos: str = "") -> Iterator[_GamePlaces]:
    for file, parse in (("servers.cfg", parse_kept_servers), ("autoexec.cfg", parse_own_commands)):
        folders = (tuple(f"{folder}/{file}" for folder in (each,) if folder) for each in (linux, windows, macos))
        yield _GamePlaces(game, partial(parse, default_port=port), *folders)


def _build_unreal_places(game: str, file: str, *folders: str) -> _GamePlaces:
    return _GamePlaces(
        game,
        parse_unreal_favourites,
        tuple(f"HOME/{folder}/System/{file}" for folder in folders),
        tuple(f"PROGRAMS/{folder}/System/{file}" for folder in ("UnrealTournament", "Unreal", "UnrealGold")),
    )


_EZQUAKE_LISTS = "favorites.txt", "unbound.txt"
_SAMP_FILE = "GTA San Andreas User Files/SAMP/USERDATA.DAT"
_MTA_FILE = "MTA San Andreas */MTA/config/coreconfig.xml"
_INSTANCE_FILES = ("instances/*/.minecraft/servers.dat", "instances/*/minecraft/servers.dat")
_GAME_PLACES = (
    _GamePlaces(
        "ddnet",
        parse_teeworlds_favourites,
        (
            "DATA/ddnet/settings_ddnet.cfg",
            "HOME/.var/app/tw.ddnet.ddnet/data/ddnet/settings_ddnet.cfg",
            "HOME/.teeworlds/settings_ddnet.cfg",
        ),
        ("ROAMING/DDNet/settings_ddnet.cfg", "ROAMING/Teeworlds/settings_ddnet.cfg"),
        ("SUPPORT/DDNet/settings_ddnet.cfg", "SUPPORT/Teeworlds/settings_ddnet.cfg"),
    ),
    _GamePlaces(
        "teeworlds",
        parse_teeworlds_favourites,
        ("DATA/teeworlds/settings07.cfg", "HOME/.teeworlds/settings07.cfg"),
        ("ROAMING/Teeworlds/settings07.cfg",),
        ("SUPPORT/Teeworlds/settings07.cfg",),
    ),
    _build_luanti_places("favoriteservers.json", parse_luanti_json),
    _build_luanti_places("favoriteservers.txt", parse_luanti_text),
    _GamePlaces(
        "minecraft",
        parse_minecraft_servers,
        (
            "HOME/.minecraft/servers.dat",
            "HOME/.var/app/com.mojang.Minecraft/.minecraft/servers.dat",
            *(
                f"{root}/{file}"
                for root in (
                    "DATA/PrismLauncher",
                    "HOME/.var/app/org.prismlauncher.PrismLauncher/data/PrismLauncher",
                    "DATA/multimc",
                )
                for file in _INSTANCE_FILES
            ),
        ),
        ("ROAMING/.minecraft/servers.dat", *(f"ROAMING/PrismLauncher/{file}" for file in _INSTANCE_FILES)),
        ("SUPPORT/minecraft/servers.dat", *(f"SUPPORT/PrismLauncher/{file}" for file in _INSTANCE_FILES)),
    ),
    _GamePlaces(
        "samp",
        parse_samp_favourites,
        tuple(f"HOME/.wine/drive_c/users/*/{folder}/{_SAMP_FILE}" for folder in ("Documents", "My Documents")),
        (f"HOME/Documents/{_SAMP_FILE}",),
    ),
    _GamePlaces(
        "mta",
        parse_mta_favourites,
        (f"HOME/.wine/drive_c/Program Files*/{_MTA_FILE}",),
        (f"PROGRAMS/{_MTA_FILE}",),
    ),
    _GamePlaces(
        "quakeworld",
        parse_ezquake_list,
        tuple(
            f"HOME/{folder}/sb/{file}"
            for folder in (".ezquake", "nquake/ezquake", "ezquake/ezquake")
            for file in _EZQUAKE_LISTS
        ),
        tuple(f"HOME/{folder}/ezquake/sb/{file}" for folder in ("nQuake", "ezQuake") for file in _EZQUAKE_LISTS),
    ),
    _GamePlaces(
        "quake2",
        parse_quake2_address_book,
        (
            *(f"HOME/.yq2/baseq2/{file}" for file in ("config.cfg", "yq2.cfg")),
            *(f"HOME/.q2pro/baseq2/{file}" for file in ("q2config.cfg", "config.cfg")),
        ),
        ("HOME/Documents/YamagiQ2/baseq2/config.cfg",),
    ),
    *_build_cube2_places(
        "sauerbraten",
        28785,
        "HOME/.sauerbraten",
        "HOME/Documents/My Games/Sauerbraten",
        "SUPPORT/sauerbraten",
    ),
    *_build_cube2_places("tesseract", 42000, "HOME/.tesseract", "HOME/Documents/My Games/Tesseract"),
    *_build_cube2_places("redeclipse", 28801, "HOME/.redeclipse", "HOME/Documents/My Games/Red Eclipse"),
    _GamePlaces(
        "openttd",
        parse_openttd_favourites,
        (
            "CONFIG/openttd/openttd.cfg",
            "HOME/.openttd/openttd.cfg",
            "HOME/.var/app/org.openttd.OpenTTD/config/openttd/openttd.cfg",
        ),
        ("HOME/Documents/OpenTTD/openttd.cfg",),
        ("HOME/Documents/OpenTTD/openttd.cfg",),
    ),
    _GamePlaces(
        "bzflag",
        parse_bzflag_cache,
        tuple(f"HOME/.bzf/{folder}/BZFS*_1-Servers.bzs" for folder in ("cache", "*/cache")),
        (),
    ),
    _GamePlaces(
        "armagetron",
        parse_armagetron_bookmarks,
        tuple(f"HOME/.armagetronad/var/{file}" for file in ("user.cfg", "user_3_1.cfg")),
        ("ROAMING/Armagetron/var/user.cfg", "ROAMING/Armagetron/var/user_3_1.cfg"),
    ),
    _GamePlaces(
        "ss14",
        parse_space_station_favourites,
        ("DATA/Space Station 14/launcher/settings.db",),
        ("ROAMING/Space Station 14/launcher/settings.db",),
        ("SUPPORT/Space Station 14/launcher/settings.db",),
    ),
    _GamePlaces(
        "vintagestory",
        parse_vintage_story_favourites,
        (
            "CONFIG/VintagestoryData/clientsettings.json",
            "HOME/.var/app/at.vintagestory.VintageStory/config/VintagestoryData/clientsettings.json",
        ),
        ("ROAMING/VintagestoryData/clientsettings.json",),
        ("SUPPORT/VintagestoryData/clientsettings.json",),
    ),
    _build_unreal_places("ut", "UnrealTournament.ini", ".utpg", ".loki/ut"),
    _build_unreal_places("unreal", "Unreal.ini", ".unreal", ".loki/unreal"),
    _GamePlaces(
        "zandronum",
        parse_doomseeker_servers,
        ("CONFIG/doomseeker/doomseeker.ini", "HOME/.doomseeker/doomseeker.ini"),
        ("ROAMING/.doomseeker/doomseeker.ini", "ROAMING/doomseeker/doomseeker.ini"),
        ("SUPPORT/Doomseeker/doomseeker.ini",),
    ),
    _GamePlaces("odamex", parse_odamex_launcher, ("HOME/.odalaunch",), ()),
)


def _list_game_files(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[ServerListFile]:
    folders = _list_user_folders(platform, home, environment)
    for places in _GAME_PLACES:
        patterns = {"win32": places.windows, "darwin": places.macos}.get(platform, places.linux)
        for folder, pattern in (each.split("/", 1) for each in patterns):
            for path in sorted(folders[folder].glob(pattern)):
                yield ServerListFile(places.game, path, partial(_parse_without_keys, places.parse))


def _list_user_folders(platform: str, home: Path, environment: Mapping[str, str]) -> Mapping[str, Path]:
    if platform == "win32":
        programs = Path(environment.get("PROGRAMFILES(X86)") or _PROGRAM_FILES)
        return {"HOME": home, "ROAMING": _find_roaming_folder(home, environment), "PROGRAMS": programs}
    if platform == "darwin":
        return {"HOME": home, "SUPPORT": home / "Library/Application Support"}
    return {
        "HOME": home,
        "DATA": Path(environment.get("XDG_DATA_HOME") or home / ".local/share"),
        "CONFIG": Path(environment.get("XDG_CONFIG_HOME") or home / ".config"),
    }
