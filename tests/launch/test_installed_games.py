"""Games are found by programs, Flatpaks, Snaps, Steam manifests and own settings."""

import sys
import time
from pathlib import Path

import pytest

from browser_app import paths
from browser_app.games import load_games
from browser_app.launch import installed_games, steam_libraries
from browser_app.launch.installed_games import (
    GameInstallation,
    find_installations,
    find_installed_games,
    find_own_program_problem,
    split_program,
)
from browser_app.launch.steam_libraries import find_other_steam_games, find_steam_apps

pytestmark = pytest.mark.linux

GAMES = load_games(paths.resource_folder() / "games")
NS2 = 4920


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home without any game; its folder `bin` is the whole PATH."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(installed_games, "SNAP_FOLDERS", (tmp_path / "snap/bin",))
    return tmp_path


def add_program(file: Path) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def add_flatpak(data: Path, application: str) -> None:
    (data / "flatpak/app" / application).mkdir(parents=True)


def add_steam_game(library: Path, appid: int, state: str = "") -> None:
    (library / "steamapps").mkdir(parents=True, exist_ok=True)
    (library / f"steamapps/appmanifest_{appid}.acf").write_text(f'"AppState"\n{{\n{state}\n}}\n')


def add_steam_library(home: Path, library: Path) -> None:
    steamapps = home / ".local/share/Steam/steamapps"
    steamapps.mkdir(parents=True, exist_ok=True)
    escaped = str(library).replace('"', '\\"')
    text = f'"libraryfolders"\n{{\n\t"0"\n\t{{\n\t\t"path"\t\t"{escaped}"\n\t\t"label"\t\t""\n\t}}\n}}\n'
    (steamapps / "libraryfolders.vdf").write_text(text)


def test_nothing_installed(home: Path) -> None:
    assert find_installed_games(GAMES.values(), {}) == {}


def test_several_games_installed(home: Path) -> None:
    openarena = add_program(home / "bin/openarena")
    etl, own = add_program(home / "bin/etl"), add_program(home / "my games/urt")
    add_flatpak(home / ".local/share", "org.xonotic.Xonotic")
    snap = add_program(home / "snap/bin/xonotic")
    add_steam_library(home, home / "library")
    add_steam_game(home / "library", NS2)
    found = find_installed_games(GAMES.values(), {"urbanterror": str(own), "squad": str(own), "no-such-game": str(own)})
    assert {game: list(ways) for game, ways in found.items()} == {
        "openarena": [GameInstallation("native", (str(openarena),))],
        "et": [GameInstallation("native", (str(etl),))],
        "urbanterror": [GameInstallation("own", (str(own),))],
        "xonotic": [
            GameInstallation("flatpak", ("flatpak", "run", "org.xonotic.Xonotic")),
            GameInstallation("snap", (str(snap),)),
        ],
        "ns2": [GameInstallation("steam")],
    }


@pytest.mark.parametrize(
    ("game", "program"),
    [("nexuiz", "nexuiz"), ("quake3", "ioquake3"), ("xonotic", "xonotic-sdl"), ("xonotic", "xonotic-glx")],
)
def test_distributions_command_names(home: Path, game: str, program: str) -> None:
    path = add_program(home / "bin" / program)
    assert find_installations(GAMES[game]) == (GameInstallation("native", (str(path),)),)


@pytest.mark.parametrize("folder", ["usr/games", "home/.local/bin"])
def test_game_beside_the_path(home: Path, monkeypatch: pytest.MonkeyPatch, folder: str) -> None:
    monkeypatch.setenv("HOME", str(home / "home"))
    monkeypatch.setattr(installed_games, "PROGRAM_FOLDERS", ("~/.local/bin", str(home / "usr/games")))
    program = add_program(home / folder / "openarena")
    assert find_installations(GAMES["openarena"]) == (GameInstallation("native", (str(program),)),)
    assert find_installations(GAMES["openarena"], "openarena +set r_mode 4")[0].command[0] == str(program)
    on_path = add_program(home / "bin/openarena")
    assert find_installations(GAMES["openarena"]) == (GameInstallation("native", (str(on_path),)),)


def test_best_way_first(home: Path) -> None:
    second, first = add_program(home / "bin/xonotic"), add_program(home / "bin/xonotic-sdl")
    own = add_program(home / "xonotic.sh")
    add_flatpak(home / ".local/share", "org.xonotic.Xonotic")
    found = find_installations(GAMES["xonotic"], str(own))
    assert [way.method for way in found] == ["own", "native", "native", "flatpak"]
    assert [way.command[0] for way in found][:3] == [str(own), str(first), str(second)]


def test_flatpak_in_users_data_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    add_flatpak(home / "data", "org.xonotic.Xonotic")
    assert [way.method for way in find_installations(GAMES["xonotic"])] == ["flatpak"]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("{home}/my games/urt", ("{home}/my games/urt",)),
        ("~/my games/urt", ("{home}/my games/urt",)),
        ("'{home}/my games/urt' -window", ("{home}/my games/urt", "-window")),
        ("wine 'C:\\urt.exe'", ("{home}/bin/wine", "C:\\urt.exe")),
    ],
)
def test_own_program(home: Path, text: str, command: tuple[str, ...]) -> None:
    add_program(home / "my games/urt")
    add_program(home / "bin/wine")
    wanted = tuple(word.format(home=home) for word in command)
    assert find_installations(GAMES["urbanterror"], text.format(home=home)) == (GameInstallation("own", wanted),)


@pytest.mark.parametrize("text", ["", " ", "/no/such/program", "no-such-program -window", "'open"])
def test_missing_own_program(home: Path, text: str) -> None:
    assert find_installations(GAMES["urbanterror"], text) == ()


def test_own_program_problem(home: Path) -> None:
    program = add_program(home / "my games/urt")
    assert [
        find_own_program_problem(text) for text in ("", str(program), f"'{program}' -window", "~/my games/urt")
    ] == [""] * 4
    assert find_own_program_problem("/no/such/urt -window") == "/no/such/urt was not found"
    assert find_own_program_problem("no-such-urt") == "no-such-urt was not found"
    program.chmod(0o644)
    assert find_own_program_problem(str(program)) == f"{program} is not an executable file"


def test_program_with_open_quote() -> None:
    with pytest.raises(ValueError, match="closing quote"):
        split_program(f"'{sys.executable}")


@pytest.mark.parametrize(
    "root", [".local/share/Steam", ".steam/steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam"]
)
def test_steams_own_library(home: Path, root: str) -> None:
    add_steam_game(home / root, NS2)
    assert find_steam_apps({NS2, 492}) == {NS2}


def test_additional_steam_library(home: Path) -> None:
    add_steam_library(home, home / 'games on "D"')
    add_steam_game(home / 'games on "D"', NS2)
    assert find_steam_apps({NS2, 440}) == {NS2}


@pytest.mark.parametrize(("flags", "found"), [(4, True), (6, True), (1026, False), (0, False)])
def test_steam_download_in_progress(home: Path, flags: int, found: bool) -> None:
    add_steam_game(home / ".steam/steam", NS2, f'\t"appid"\t\t"{NS2}"\n\t"StateFlags"\t\t"{flags}"')
    assert (NS2 in find_steam_apps({NS2})) is found


def test_names_of_installed_steam_games(home: Path) -> None:
    steam = home / ".steam/steam"
    add_steam_game(steam, 123, '"name"\t\t"A \\"new\\" game"')
    add_steam_game(steam, 124)
    assert find_other_steam_games({125}) == {123: 'A "new" game'}


def test_manifests_are_limited(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steam_libraries, "_MAX_MANIFESTS", 3)
    for root, first in ((home / ".local/share/Steam", 1), (home / ".steam/steam", 11)):
        for appid in (first, first + 1):
            add_steam_game(root, appid, '"name" "A game"')
    assert len(find_other_steam_games(())) == 3


def test_unreadable_steam_library_is_left_out(home: Path) -> None:
    add_steam_game(home / ".local/share/Steam", 123, '"name" "A game"')
    add_steam_library(home, home / ("too-long-for-a-name" * 20))
    assert find_other_steam_games(()) == {123: "A game"}


def test_huge_steam_flags(home: Path) -> None:
    add_steam_game(home / ".local/share/Steam", 123, f'"name" "A game"\n"StateFlags" "{"9" * 5000}"')
    assert find_other_steam_games(()) == {123: "A game"}


def test_blank_lines_in_steam_files_take_no_time(home: Path) -> None:
    """They took minutes, and time that grew with their square."""
    steamapps = home / ".local/share/Steam/steamapps"
    steamapps.mkdir(parents=True)
    (steamapps / "libraryfolders.vdf").write_bytes(b"\n" * (1 << 20))
    began_s = time.process_time()
    assert find_steam_apps([NS2]) == frozenset()
    assert time.process_time() - began_s < 10


def test_damaged_steam_files(home: Path) -> None:
    steamapps = home / ".local/share/Steam/steamapps"
    steamapps.mkdir(parents=True)
    (steamapps / "libraryfolders.vdf").write_bytes(b'"path" "/\xff\n"path"\n"path" "')
    (steamapps / f"appmanifest_{NS2}.acf").mkdir()
    assert find_steam_apps({NS2}) == frozenset()
