"""Files of games of Doom on this machine: found by the names that a server sends.

The game gets the full paths of files that are there, never a server's text.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from browser_app.games.game_files import GameFiles
from browser_app.games.game_profile import FileOptions, GameProfile
from browser_app.language import gettext as _
from browser_app.language import ngettext
from browser_app.launch.launch_arguments import LaunchError

_FOLDER_VARIABLES = ("DOOMWADDIR", "DOOMWADPATH")
"""Environment variables that all ports of Doom read; the second one is a list."""
_SHARED_FOLDERS = (
    "~/.local/share/games/doom",
    "/usr/local/share/games/doom",
    "/usr/local/share/doom",
    "/usr/share/games/doom",
    "/usr/share/doom",
)
_FILE_NAME = re.compile(
    r"[0-9A-Za-z][0-9A-Za-z _.,()\[\]!&~#+'-]{0,127}\.(?:wad|iwad|pk3|ipk3|pk7|pkz|zip|deh|bex)", re.IGNORECASE
)
_MAX_FILES = 1_024
_MAX_FOLDER_ENTRIES = 20_000
_MAX_SHOWN_FILES = 8
_MAX_SHOWN_NAME = 64


def find_wad_arguments(game: GameProfile, files: GameFiles | None) -> tuple[str, ...]:
    """Return the arguments for a server's files, empty if the game needs none.

    Raises:
        LaunchError: the server's files are unknown, or one is not here; the text names it.
    """
    options = game.launch.files
    if options is None:
        return ()
    if files is None or not files.main_wad:
        raise LaunchError(_("it is not known which files the server uses; refresh it first"))
    needed = [files.main_wad, *(wad for wad in files.wads if wad not in files.optional_wads), *files.patches]
    folders = [*_iterate_folders(options)]
    paths = _find_files((*needed, *files.wads), folders)
    if missing := [name for name in dict.fromkeys(needed) if name.lower() not in paths]:
        raise LaunchError(_format_missing_files(game, missing, folders))
    return (
        *_iterate_option(options.main_wad, [files.main_wad], paths),
        *_iterate_option(options.wads, files.wads, paths),
        *_iterate_option(options.patches, files.patches, paths),
    )


def _iterate_option(option: str, names: Sequence[str], paths: Mapping[str, Path]) -> Iterator[str]:
    found = [str(paths[name.lower()]) for name in names if name.lower() in paths]
    if option and found:
        yield from (option, *found)


def _iterate_folders(options: FileOptions) -> Iterator[Path]:
    """Yield the folders to search, the user's own ones first."""
    for variable in _FOLDER_VARIABLES:
        yield from (Path(text) for text in os.environ.get(variable, "").split(os.pathsep) if Path(text).is_absolute())
    yield from (Path(text).expanduser() for text in (*options.folders, *_SHARED_FOLDERS))


def _find_files(names: Iterable[str], folders: Iterable[Path]) -> Mapping[str, Path]:
    """Return lower-case name → file, from the first folder that has it.

    Ports of Doom ignore the case of names. Names that no file of Doom can have are not searched for.
    """
    wanted = {name.lower() for name in islice(names, _MAX_FILES) if _FILE_NAME.fullmatch(name)}
    found: dict[str, Path] = {}
    for folder in folders:
        if wanted <= found.keys():
            break
        for entry in _list_files(folder):
            if entry.name.lower() in wanted:
                found.setdefault(entry.name.lower(), Path(entry.path))
    return found


def _list_files(folder: Path) -> Sequence[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in islice(entries, _MAX_FOLDER_ENTRIES) if entry.is_file()]
    except OSError:  # most of the folders are on few machines
        return ()


def _format_missing_files(game: GameProfile, missing: Sequence[str], folders: Iterable[Path]) -> str:
    shown = ", ".join(ascii(name[:_MAX_SHOWN_NAME])[1:-1] for name in missing[:_MAX_SHOWN_FILES])
    first = next((folder for folder in folders if folder.is_dir()), None) or Path(_SHARED_FOLDERS[0]).expanduser()
    text = ngettext(
        "{game} needs the file {files} for this server; put it into {folder}",
        "{game} needs {n} files for this server: {files}; put them into {folder}",
        len(missing),
    )
    return text.format(game=game.name, files=shown, n=len(missing), folder=first)
