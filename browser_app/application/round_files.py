"""Finding round files in folders and the columns of round tables."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from browser_app.storage.own_skill.column_map_store import ColumnMapStore

if TYPE_CHECKING:
    from browser_app.rounds.round_source import ColumnMap, RoundFileSource


_TABLE_SUFFIXES = (".csv", ".tsv")


def read_table_columns(path: Path) -> frozenset[str]:
    """The columns of a table; none where it has gone."""
    from browser_app.rounds.csv_rounds import read_table_preview
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_source import RoundFileSource

    try:
        head = read_table_preview(RoundFileSource(str(path)))
    except RoundFileError:
        return frozenset()
    return frozenset(head.columns) if head is not None else frozenset()


def saved_column_map(source: "RoundFileSource", maps: ColumnMapStore | None) -> "ColumnMap":
    """What the user has said of tables like this one.

    Raises:
        RoundError: the file cannot be read.
    """
    from browser_app.rounds.csv_rounds import read_table_preview

    head = read_table_preview(source) if maps is not None else None
    return {} if head is None or maps is None else maps.map_for(head.columns)


def needs_column_map(path: Path, maps: ColumnMapStore | None) -> bool:
    """Whether this is a table, and nobody has said which of its columns is which."""
    from browser_app.rounds.csv_rounds import REQUIRED_KEYS

    there = read_table_columns(path) if path.name.lower().removesuffix(".gz").endswith(_TABLE_SUFFIXES) else frozenset()
    known = maps.map_for(there) if maps is not None else {}
    return bool(there) and any(known.get(key, key) not in there for key in REQUIRED_KEYS)


MAX_FILES = 50_000
"""In one folder; more are not looked at."""
MAX_LEVELS = 3
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".log")
_NS2_FOLDER = "Natural Selection 2"
_PROTON_NS2_FOLDER = Path("steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming") / _NS2_FOLDER


def find_round_files(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The files in a folder and the folders in it whose names are those of files of rounds, hidden ones left out.

    Raises:
        OSError: the folder itself cannot be read.
    """
    count = 0
    for entry in _walk_files(folder, MAX_LEVELS):
        if entry.name.lower().removesuffix(".gz").endswith(_SUFFIXES):
            count += 1
            if count > MAX_FILES:
                return
            yield entry


def is_round_file(path: Path) -> bool:
    """Whether some format of rounds recognises the file: not for files that the user names, for those found beside."""
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_formats import ROUND_FORMATS
    from browser_app.rounds.round_source import RoundFileSource

    source = RoundFileSource(str(path))
    try:
        return any(each.is_format(path.name, source.head) for each in ROUND_FORMATS.values())
    except RoundFileError:
        return False


def suggested_folders(platform: str, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders with files of rounds that games have made on this machine: NS2+ writes one file a round.

    Args:
        platform: as `sys.platform` has it.
        home: the user's folder.
        environment: of the program.
    """
    folders = (root / "NS2Plus/Stats" for root in _ns2_config_folders(platform, home, environment))
    return tuple(folder for folder in folders if folder.is_dir())


def _ns2_config_folders(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        yield Path(environment.get("APPDATA") or home / "AppData/Roaming") / _NS2_FOLDER
        return
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / _NS2_FOLDER
    for steam in (".local/share/Steam", ".steam/steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam"):
        yield home / steam / _PROTON_NS2_FOLDER


def _walk_files(folder: Path, levels: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        found = sorted((each for each in entries if not each.name.startswith(".")), key=lambda each: each.name)
    for entry in found:
        try:
            if entry.is_file():
                yield entry
            elif levels and entry.is_dir(follow_symlinks=False):
                yield from _walk_files(Path(entry.path), levels - 1)
        except OSError:  # a folder that cannot be read, or a link to itself, does not hide the others
            continue
