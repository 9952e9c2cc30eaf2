"""Files of games of Doom: found by name in known folders, or named as missing."""

from pathlib import Path

import pytest

from browser_app.games import load_games
from browser_app.games.game_files import GameFiles
from browser_app.launch.launch_arguments import LaunchError
from browser_app.launch.wad_files import find_wad_arguments
from browser_app.paths import resource_folder

GAMES = load_games(resource_folder() / "games")
ZANDRONUM = GAMES["zandronum"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wads"
    folder.mkdir()
    for name in ("DOOM2.WAD", "brutal.pk3", "extra.wad", "fix.deh", "-file.wad"):
        (folder / name).touch()
    monkeypatch.setenv("DOOMWADDIR", str(folder))
    monkeypatch.setenv("DOOMWADPATH", "relative")
    return folder


def test_files_are_found_whatever_their_case(folder: Path) -> None:
    files = GameFiles("doom2.wad", ("Extra.wad", "none.wad", "BRUTAL.PK3"), frozenset({"none.wad"}), ("fix.deh",))
    assert find_wad_arguments(ZANDRONUM, files) == (
        "-iwad", f"{folder}/DOOM2.WAD", "-file", f"{folder}/extra.wad", f"{folder}/brutal.pk3", "-deh",
        f"{folder}/fix.deh",
    )  # fmt: skip
    assert find_wad_arguments(ZANDRONUM, GameFiles("doom2.wad", ())) == ("-iwad", f"{folder}/DOOM2.WAD")


def test_missing_files_are_named(folder: Path) -> None:
    with pytest.raises(LaunchError) as one:
        find_wad_arguments(ZANDRONUM, GameFiles("doom2.wad", ("map.wad",)))
    assert str(one.value) == f"Zandronum needs the file map.wad for this server; put it into {folder}"
    with pytest.raises(LaunchError, match=r"needs 2 files for this server: hexen\.wad, map\.wad; put them"):
        find_wad_arguments(ZANDRONUM, GameFiles("hexen.wad", ("map.wad",)))


@pytest.mark.parametrize(
    "name",
    ["-file.wad", "../wads/extra.wad", "/etc/passwd", "extra.wad\0", "extra.exe", "..", "~/extra.wad", "a/b.wad"],
)
def test_names_with_paths_are_never_found(folder: Path, name: str) -> None:
    assert (folder / "extra.wad").exists()
    with pytest.raises(LaunchError, match="needs the file"):
        find_wad_arguments(ZANDRONUM, GameFiles("doom2.wad", (name,)))


def test_folders_and_missing_ones_are_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "dir.wad").mkdir()
    monkeypatch.setenv("DOOMWADDIR", str(folder / "nowhere"))
    monkeypatch.setenv("DOOMWADPATH", f"{folder / 'none'}:{folder}")
    assert find_wad_arguments(ZANDRONUM, GameFiles("doom2.wad", ()))[1] == f"{folder}/DOOM2.WAD"
    with pytest.raises(LaunchError, match=r"dir\.wad"):
        find_wad_arguments(ZANDRONUM, GameFiles("dir.wad", ()))


def test_unknown_files_are_said_to_be(folder: Path) -> None:
    assert folder.is_dir()
    for files in (None, GameFiles("", ())):
        with pytest.raises(LaunchError, match="refresh it first"):
            find_wad_arguments(ZANDRONUM, files)
    assert find_wad_arguments(GAMES["odamex"], None) == ()
