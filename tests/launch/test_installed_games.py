"""Installed Flatpaks and Steam games are found by their files."""

from pathlib import Path

import pytest

from browser_app.launch.launch_plan import is_flatpak_installed, is_steam_game_installed

pytestmark = pytest.mark.linux


@pytest.fixture
def users_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return tmp_path


def add_game(library: Path, appid: int) -> None:
    (library / "steamapps").mkdir(parents=True, exist_ok=True)
    (library / f"steamapps/appmanifest_{appid}.acf").write_text('"AppState" {}')


def test_flatpak(users_home: Path) -> None:
    (users_home / ".local/share/flatpak/app/org.xonotic.Xonotic").mkdir(parents=True)
    assert is_flatpak_installed("org.xonotic.Xonotic")
    assert not is_flatpak_installed("org.example.Nothing")


def test_flatpak_in_users_data_folder(users_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(users_home / "data"))
    (users_home / "data/flatpak/app/org.xonotic.Xonotic").mkdir(parents=True)
    assert is_flatpak_installed("org.xonotic.Xonotic")


def test_no_steam(users_home: Path) -> None:
    assert not is_steam_game_installed(4920)


@pytest.mark.parametrize(
    "root", [".local/share/Steam", ".steam/steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam"]
)
def test_steams_own_library(users_home: Path, root: str) -> None:
    add_game(users_home / root, 4920)
    assert is_steam_game_installed(4920)
    assert not is_steam_game_installed(492)


def test_additional_libraries(users_home: Path) -> None:
    further = users_home / 'games on "D"'
    add_game(further, 4920)
    steamapps = users_home / ".local/share/Steam/steamapps"
    steamapps.mkdir(parents=True)
    escaped = str(further).replace('"', '\\"')
    text = f'"libraryfolders"\n{{\n\t"0"\n\t{{\n\t\t"path"\t\t"{escaped}"\n\t\t"label"\t\t""\n\t}}\n}}\n'
    (steamapps / "libraryfolders.vdf").write_text(text)
    assert is_steam_game_installed(4920)
    assert not is_steam_game_installed(440)


def test_damaged_library_list(users_home: Path) -> None:
    steamapps = users_home / ".local/share/Steam/steamapps"
    steamapps.mkdir(parents=True)
    (steamapps / "libraryfolders.vdf").write_bytes(b'"path" "/\xff\n"path"\n"path" "')
    assert not is_steam_game_installed(4920)
