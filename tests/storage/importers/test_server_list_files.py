"""Server lists of games are found on every platform.

They are imported without overwriting.
"""

from pathlib import Path

import pytest

from browser_app.games import load_games
from browser_app.paths import resource_folder
from browser_app.protocols.address import Address
from browser_app.storage.importers.imported_server import ImportedServer, ServerListKind
from browser_app.storage.importers.list_file_places import list_possible_files
from browser_app.storage.importers.server_import import ServerImportResult, import_servers
from browser_app.storage.importers.server_list_files import (
    ServerListContent,
    convert_to_favourite,
    find_server_lists,
    select_favourites,
)
from browser_app.storage.ui_state import UiState
from browser_app.storage.user_lists.server_list_store import BlockKind, Favourite, PendingFavouriteKeys
from browser_app.storage.user_storage import UserStorage

GAMES = load_games(resource_folder() / "games")
XONOTIC = 'seta "net_slist_favorites" "192.0.2.1:26000 192.0.2.2"\n'
STEAM = '"Filters" { "Favorites" { "1" { "address" "192.0.2.3:27015" "appid" "440" "name" "Two forts" } } }'
STEAM_FILE = "userdata/77/7/remote/serverbrowser_hist.vdf"

PLACES = {
    "linux": {
        ".xonotic/data/config.cfg": XONOTIC,
        ".config/Natural Selection 2/FavoriteServers.json": '{"192.0.2.4:27015": true}',
        f".local/share/Steam/{STEAM_FILE}": STEAM,
    },
    "win32": {
        "Saved Games/xonotic/data/config.cfg": XONOTIC,
        "AppData/Roaming/Natural Selection 2/FavoriteServers.json": '{"192.0.2.4:27015": true}',
        f"Programs/Steam/{STEAM_FILE}": STEAM,
    },
    "darwin": {
        "Library/Application Support/xonotic/data/config.cfg": XONOTIC,
        ".config/Natural Selection 2/FavoriteServers.json": '{"192.0.2.4:27015": true}',
        f"Library/Application Support/Steam/{STEAM_FILE}": STEAM,
    },
}
EXPECTED = {
    "xonotic": [("192.0.2.1", 26000, "darkplaces"), ("192.0.2.2", 26000, "darkplaces")],
    "ns2": [("192.0.2.4", 27016, "a2s")],
    "tf2": [("192.0.2.3", 27015, "a2s")],
}


@pytest.fixture
def user(tmp_path: Path) -> Path:
    return tmp_path / "user"


def _write(user: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = user / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def _list_favourites(platform: str, user: Path) -> dict[str, list[tuple[str, int, str | None]]]:
    files = list_possible_files(platform, user, {"PROGRAMFILES(X86)": str(user / "Programs")})
    favourites_by_game: dict[str, list[tuple[str, int, str | None]]] = {}
    for file in find_server_lists(files):
        for server in select_favourites(file):
            favourite = convert_to_favourite(GAMES, file.source, server, 0.0)
            favourites_by_game.setdefault(favourite.game or "", []).append((*favourite.address, favourite.protocol))
    return favourites_by_game


@pytest.mark.parametrize("platform", PLACES)
def test_favourites_by_platform(platform: str, user: Path) -> None:
    _write(user, PLACES[platform])
    assert _list_favourites(platform, user) == EXPECTED


def test_flatpak_folders(user: Path) -> None:
    files = {
        ".var/app/org.xonotic.Xonotic/.xonotic/data/config.cfg": XONOTIC,
        f".var/app/com.valvesoftware.Steam/.local/share/Steam/{STEAM_FILE}": STEAM,
    }
    _write(user, files)
    assert set(_list_favourites("linux", user)) == {"xonotic", "tf2"}


def test_ns2_under_proton(user: Path) -> None:
    folder = "steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming/Natural Selection 2"
    _write(user, {f".local/share/Steam/{folder}/FavoriteServers.json": '["192.0.2.4:27015"]'})
    assert _list_favourites("linux", user) == {"ns2": EXPECTED["ns2"]}


@pytest.mark.posix
def test_linked_file_is_read_once(user: Path) -> None:
    _write(user, {f".local/share/Steam/{STEAM_FILE}": STEAM})
    (user / ".steam").mkdir()
    (user / ".steam/steam").symlink_to(user / ".local/share/Steam")
    assert len(find_server_lists(list_possible_files("linux", user, {}))) == 1


def test_nothing_without_games(user: Path) -> None:
    assert find_server_lists(list_possible_files("linux", user, {})) == []


def test_damage_stays_in_one_file(user: Path) -> None:
    _write(user, PLACES["linux"] | {f".local/share/Steam/{STEAM_FILE}": '"Filters" {'})
    files = find_server_lists(list_possible_files("linux", user, {}))
    assert [file.problem for file in files if file.problem] == ["unexpected end of file"]
    assert sum(len(file.servers) for file in files) == 3


def test_import_keeps_entries(user: Path, storage: UserStorage) -> None:
    mine = Favourite(Address("192.0.2.1", 26000), "My own words", 5.0, "darkplaces", "xonotic", "key")
    storage.favourites.add(mine)
    folder = ".config/Natural Selection 2"
    history = '[{"address": "192.0.2.5:27015", "lastConnect": 1700000000, "name": "Played"}]'
    _write(
        user,
        PLACES["linux"]
        | {f"{folder}/HistoryServers.json": history, f"{folder}/BlockedServers.json": '{"192.0.2.6:27015": true}'},
    )
    files = find_server_lists(list_possible_files("linux", user, {}))
    assert import_servers(storage, GAMES, files, 1_800_000_000.0) == ServerImportResult(
        favourites=3, played=1, blocked=1
    )
    assert mine in list(storage.favourites)
    assert {favourite.name for favourite in storage.favourites} >= {"Two forts", "My own words"}
    assert storage.visit_history.last_played() == {Address("192.0.2.5", 27016): 1700000000.0}
    assert [(block.kind, block.value) for block in storage.blocked] == [(BlockKind.ADDRESS, "192.0.2.6:27016")]
    assert import_servers(storage, GAMES, files, 1_800_000_001.0) == ServerImportResult()


def test_future_visit_comes_once(storage: UserStorage) -> None:
    ahead = ImportedServer(Address("192.0.2.5", 27015), ServerListKind.PLAYED, played_at=1_900_000_000.0)
    files = [ServerListContent("ns2", Path("HistoryServers.json"), (ahead,))]
    assert import_servers(storage, GAMES, files, 1_800_000_000.0) == ServerImportResult(played=1)
    assert import_servers(storage, GAMES, files, 1_800_000_001.0) == ServerImportResult()
    assert list(storage.visit_history.last_played().values()) == [1_800_000_000.0]


def test_keys_are_pending_once(user: Path, storage: UserStorage) -> None:
    one, two = "A" * 43 + "=", "B" * 43 + "="
    _write(user, {".xonotic/data/config.cfg": f'seta "net_slist_favorites" "{one} {two}"'})
    storage.favourites.add(Favourite(Address("192.0.2.1", 26000), "Known", 5.0, stable_key=f"d0:{one}"))
    files = find_server_lists(list_possible_files("linux", user, {}))
    assert import_servers(storage, GAMES, files, 1_800_000_000.0) == ServerImportResult(favourites=1)
    assert import_servers(storage, GAMES, files, 1_800_000_001.0) == ServerImportResult()
    written = storage.ui_state.set("written after it", True)
    assert written is not None
    written.result()
    assert list(PendingFavouriteKeys(UiState(storage.database))) == [f"d0:{two}"]
    assert storage.collect_user_lists(0.0).favourite.keys == {f"d0:{two}"}
