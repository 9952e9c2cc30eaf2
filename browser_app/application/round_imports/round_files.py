"""Round files in folders and the columns of round tables."""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from browser_app.language import N_
from browser_app.language import gettext as _
from browser_app.paths import printable_path
from browser_app.storage.own_skill.column_map_store import ColumnMapStore

if TYPE_CHECKING:
    from browser_app.rounds.round_source import ColumnMap, RoundFileSource

_log = logging.getLogger(__name__)

_TABLE_SUFFIXES = (".csv", ".tsv")
MAX_FILES = 50_000
"""Files of one folder; more are ignored."""
MAX_ENTRIES = 200_000
"""Entries of a folder and those below it that are examined."""
MAX_LEVELS = 3
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".log")
_NS2_FOLDER = "Natural Selection 2"
_PROTON_NS2_FOLDER = Path("steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming") / _NS2_FOLDER


def read_table_columns(path: Path) -> frozenset[str]:
    """Return the columns of a table; empty if it cannot be read or is no table."""
    from browser_app.rounds.csv_rounds import read_table_preview
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_source import RoundFileSource

    try:
        preview = read_table_preview(RoundFileSource(str(path)))
    except RoundFileError:
        return frozenset()
    return frozenset(preview.columns) if preview is not None else frozenset()


def saved_column_map(source: "RoundFileSource", maps: ColumnMapStore | None) -> "ColumnMap":
    """Return the columns that the user assigned for tables with the same header.

    Raises:
        RoundFileError: the file cannot be read.
    """
    from browser_app.rounds.csv_rounds import read_table_preview

    preview = read_table_preview(source) if maps is not None else None
    return {} if preview is None or maps is None else maps.find_column_map(preview.columns)


def needs_column_map(path: Path, maps: ColumnMapStore | None) -> bool:
    """Return whether the file is a table that needs a column map.

    Its required columns are not assigned yet.
    """
    from browser_app.rounds.csv_rounds import REQUIRED_KEYS

    if not path.name.lower().removesuffix(".gz").endswith(_TABLE_SUFFIXES):
        return False
    columns = read_table_columns(path)
    column_map = maps.find_column_map(columns) if maps is not None else {}
    return bool(columns) and any(column_map.get(key, key) not in columns for key in REQUIRED_KEYS)


class FoundFiles(NamedTuple):
    """Files below a folder.

    `is_complete` is False if there are more than can be listed.
    """

    files: list[os.DirEntry[str]]
    is_complete: bool


def find_round_files(folder: Path) -> FoundFiles:
    """Return the files below a folder whose names look like round files.

    Hidden ones are left out. At most `MAX_FILES` of the first `MAX_ENTRIES`. Only regular files, and links to some;
    links to folders are not followed.

    Raises:
        OSError: the folder itself cannot be read.
    """
    walk = _FolderWalk()
    files = walk.files(folder, MAX_LEVELS)
    found = [file for file in files if file.name.lower().removesuffix(".gz").endswith(_SUFFIXES)]
    return FoundFiles(found[:MAX_FILES], walk.entries_left > 0 and len(found) <= MAX_FILES)


def too_many_files_text(folder: Path) -> str:
    """Return the message about a folder of which not all files could be listed."""
    return _("{folder}: too many files; not all of them are read").format(folder=printable_path(str(folder)))


def is_round_file(path: Path) -> bool:
    """Return whether some round format recognises the content.

    This is for files that the user did not name.
    """
    from browser_app.rounds.round_errors import RoundFileError
    from browser_app.rounds.round_formats import ROUND_FORMATS
    from browser_app.rounds.round_source import RoundFileSource

    source = RoundFileSource(str(path))
    try:
        return any(each.is_format(path.name, source.head) for each in ROUND_FORMATS.values())
    except RoundFileError:
        return False


def suggested_folders(platform: str, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Return folders on this machine where games write the player's rounds."""
    return tuple(
        folder
        for writer in ROUND_FILE_WRITERS
        if not writer.is_server
        for folder in writer.folders(platform, home, environment)
        if folder.is_dir()
    )


def _ns2_stats_folders(platform: str, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Return where NS2+ writes one file per round."""
    return tuple(root / "NS2Plus/Stats" for root in _ns2_config_folders(platform, home, environment))


def _xonotic_log_folders(platform: str, home: Path, _environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Return where a Xonotic server writes event logs (`sv_eventlog_files`)."""
    mac = "Library/Application Support/xonotic"
    folder = {"win32": "Saved Games/xonotic", "darwin": mac}.get(platform, ".xonotic")
    return (home / folder / "data/data",)


def _ns2_config_folders(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        yield Path(environment.get("APPDATA") or home / "AppData/Roaming") / _NS2_FOLDER
        return
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / _NS2_FOLDER
    for steam in (".local/share/Steam", ".steam/steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam"):
        yield home / steam / _PROTON_NS2_FOLDER


class RoundFileWriter(NamedTuple):
    """A game that writes round files."""

    game: str
    """Game id."""
    text: str
    """English sentence with `{folder}`, translated when shown."""
    folders: Callable[[str, Path, Mapping[str, str]], tuple[Path, ...]]
    """Returns its folders by platform, home and environment, the most likely one first; they need not exist."""
    is_server: bool = False
    """Only a server of the user's writes them."""


ROUND_FILE_WRITERS = (
    RoundFileWriter("ns2", N_("NS2+ records your rounds in {folder}."), _ns2_stats_folders),
    RoundFileWriter(
        "xonotic", N_("A Xonotic server of yours writes event logs to {folder}."), _xonotic_log_folders, is_server=True
    ),
)


class _FolderWalk:
    """A walk through a folder that ends after `MAX_ENTRIES`."""

    def __init__(self) -> None:
        self.entries_left = MAX_ENTRIES

    def files(self, folder: Path, levels: int) -> Iterator[os.DirEntry[str]]:
        """Yield the regular files, sorted by name in each folder, down to `levels`."""
        with os.scandir(folder) as entries:
            listed = list(islice(entries, self.entries_left))
        self.entries_left -= len(listed)
        for entry in sorted((each for each in listed if not each.name.startswith(".")), key=lambda each: each.name):
            try:
                if entry.is_file():
                    yield entry
                elif levels and self.entries_left and entry.is_dir(follow_symlinks=False):
                    yield from self.files(Path(entry.path), levels - 1)
            except OSError as error:  # an unreadable folder or a link to itself does not hide the others
                _log.debug("Skipped %s: %s", entry.path, error)
