"""One look through the watched folders: what there is, and what of it is new. Never for the window's thread."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from browser_app.bridge.skill.round_files import files_in, looks_like_rounds
from browser_app.paths import printable
from browser_app.storage.errors import StorageError
from browser_app.storage.watched_folders import WatchedFile, WatchedFolders

_MOST_WAITING = 100
"""Of a folder's refused files so many are opened to see whether they wait for words about their columns."""
SETTLED_S = 2.0
"""So long after its last change a file is taken to be complete."""


class FolderState(NamedTuple):
    """How a watched folder stands."""

    path: Path
    files: int | None = None
    """Of those that can be files of rounds; None while that is unknown."""
    problem: str = ""
    """Why it could not be read."""
    refused: tuple[str, ...] = ()
    """What is wrong with files in it, one line each."""
    waiting: tuple[Path, ...] = ()
    """Tables in it of which nobody has said which column is which."""


@dataclass
class Look:
    """What was seen.

    Attributes:
        folders: how each stands.
        new: files of rounds that are new, or others than they were when they were last taken, and where they are.
        unsettled: there are more of them, but somebody may be writing them still.
    """

    folders: list[FolderState] = field(default_factory=list)
    new: dict[WatchedFile, Path] = field(default_factory=dict)
    unsettled: bool = False


def look_through(
    folders: Iterable[Path], store: WatchedFolders, taken: Iterable[WatchedFile], awaits: Callable[[Path], bool]
) -> Look:
    """Look through the folders.

    Args:
        folders: which.
        store: what became of the files in them.
        taken: the same of those of the last look.
        awaits: whether a refused file is a table of which nobody has said which column is which.
    """
    look = Look()
    try:
        for note in [store.note(file) for file in taken]:
            note.result()
        seen = store.seen()
    except StorageError as error:
        look.folders = [FolderState(folder, problem=str(error)) for folder in folders]
        return look
    for folder in folders:
        try:
            files = list(files_in(folder))
        except OSError as error:
            look.folders.append(FolderState(folder, problem=error.strerror or str(error)))
            continue
        problems = {Path(file.path): problem for file in files if (problem := _problem(file, seen, store, look))}
        waiting = [file for file in islice(problems, _MOST_WAITING) if awaits(file)]
        refused = [problem for file, problem in problems.items() if file not in waiting]
        look.folders.append(FolderState(folder, len(files), refused=tuple(refused), waiting=tuple(waiting)))
    return look


def _problem(file: os.DirEntry[str], seen: Mapping[str, WatchedFile], store: WatchedFolders, look: Look) -> str | None:
    """What is known to be wrong with a file; what is new is put into the look."""
    try:
        found = file.stat()
    except OSError:  # it has gone meanwhile
        return None
    name = printable(file.path)
    now, before = WatchedFile(name, found.st_size, found.st_mtime_ns), seen.get(name)
    if before is not None and before._replace(problem=None) == now:
        return before.problem
    if 0 <= time.time() - found.st_mtime < SETTLED_S:
        look.unsettled = True
    elif looks_like_rounds(Path(file.path)):
        look.new[now] = Path(file.path)
    else:
        store.note(now)
    return None
