"""Files of rounds in folders: which there are, and where games put theirs. Never for the window's thread."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

MOST_FILES = 50_000
"""In one folder; more are not looked at."""
MOST_LEVELS = 3
_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".log")
_NS2 = "Natural Selection 2"
_PROTON = Path("steamapps/compatdata/4920/pfx/drive_c/users/steamuser/AppData/Roaming") / _NS2


def files_in(folder: Path) -> Iterator[os.DirEntry[str]]:
    """The files in a folder and the folders in it whose names are those of files of rounds, hidden ones left out.

    Raises:
        OSError: the folder itself cannot be read.
    """
    count = 0
    for entry in _files(folder, MOST_LEVELS):
        if entry.name.lower().removesuffix(".gz").endswith(_SUFFIXES):
            count += 1
            if count > MOST_FILES:
                return
            yield entry


def looks_like_rounds(path: Path) -> bool:
    """Whether some format of rounds recognises the file: not for files that the user names, for those found beside."""
    from browser_app.rounds.errors import RoundError
    from browser_app.rounds.formats import FORMATS
    from browser_app.rounds.source import Source

    source = Source(str(path))
    try:
        return any(each.recognises(path.name, source.head) for each in FORMATS.values())
    except RoundError:
        return False


def proposed_folders(platform: str, home: Path, environment: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders with files of rounds that games have made on this machine: NS2+ writes one file a round.

    Args:
        platform: as `sys.platform` has it.
        home: the user's folder.
        environment: of the program.
    """
    folders = (root / "NS2Plus/Stats" for root in _ns2_roots(platform, home, environment))
    return tuple(folder for folder in folders if folder.is_dir())


def _ns2_roots(platform: str, home: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    if platform == "win32":
        yield Path(environment.get("APPDATA") or home / "AppData/Roaming") / _NS2
        return
    yield Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / _NS2
    for steam in (".local/share/Steam", ".steam/steam", ".var/app/com.valvesoftware.Steam/.local/share/Steam"):
        yield home / steam / _PROTON


def _files(folder: Path, levels: int) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        found = sorted((each for each in entries if not each.name.startswith(".")), key=lambda each: each.name)
    for entry in found:
        try:
            if entry.is_file():
                yield entry
            elif levels and entry.is_dir(follow_symlinks=False):
                yield from _files(Path(entry.path), levels - 1)
        except OSError:  # a folder that cannot be read, or a link to itself, does not hide the others
            continue
