"""Scan of the watched folders for new round files."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from browser_app.application.round_files import find_round_files, is_round_file
from browser_app.paths import printable_path
from browser_app.storage.own_skill.round_store import WatchedFile, WatchedFolderStore
from browser_app.storage.storage_errors import StorageError

_MAX_COLUMN_CHECKS = 100
"""Of a folder's refused files so many are opened to see whether they wait for words about their columns."""
SETTLED_S = 2.0
"""So long after its last change a file is taken to be complete."""


class WatchedFolderState(NamedTuple):
    """How a watched folder stands."""

    path: Path
    files: int | None = None
    """Of those that can be files of rounds; None while that is unknown."""
    problem: str = ""
    """Why it could not be read."""
    refused: tuple[str, ...] = ()
    """What is wrong with files in it, one line each."""
    unmapped_tables: tuple[Path, ...] = ()
    """Tables in it of which nobody has said which column is which."""


@dataclass
class FolderScan:
    """What was seen.

    Attributes:
        folders: how each stands.
        new: files of rounds that are new, or others than they were when they were last taken, and where they are.
        unsettled: there are more of them, but somebody may be writing them still.
    """

    folders: list[WatchedFolderState] = field(default_factory=list)
    new: dict[WatchedFile, Path] = field(default_factory=dict)
    has_unsettled: bool = False


def scan_folders(
    folders: Iterable[Path],
    store: WatchedFolderStore,
    imported: Iterable[WatchedFile],
    needs_columns: Callable[[Path], bool],
) -> FolderScan:
    """Look through the folders.

    Args:
        folders: which.
        store: what became of the files in them.
        imported: the same of those of the last look.
        needs_columns: whether a refused file is a table of which nobody has said which column is which.
    """
    look = FolderScan()
    try:
        for note in [store.add_seen_file(file) for file in imported]:
            note.result()
        seen = store.seen_files()
    except StorageError as error:
        look.folders = [WatchedFolderState(folder, problem=str(error)) for folder in folders]
        return look
    for folder in folders:
        try:
            files = list(find_round_files(folder))
        except OSError as error:
            look.folders.append(WatchedFolderState(folder, problem=error.strerror or str(error)))
            continue
        problems = {Path(file.path): problem for file in files if (problem := _scan_file(file, seen, store, look))}
        waiting = [file for file in islice(problems, _MAX_COLUMN_CHECKS) if needs_columns(file)]
        refused = [problem for file, problem in problems.items() if file not in waiting]
        look.folders.append(
            WatchedFolderState(folder, len(files), refused=tuple(refused), unmapped_tables=tuple(waiting))
        )
    return look


def _scan_file(
    file: os.DirEntry[str], seen: Mapping[str, WatchedFile], store: WatchedFolderStore, scan: FolderScan
) -> str | None:
    """What is known to be wrong with a file; what is new is put into the look."""
    try:
        found = file.stat()
    except OSError:  # it has gone meanwhile
        return None
    name = printable_path(file.path)
    now, before = WatchedFile(name, found.st_size, found.st_mtime_ns), seen.get(name)
    if before is not None and before._replace(problem=None) == now:
        return before.problem
    if 0 <= time.time() - found.st_mtime < SETTLED_S:
        scan.has_unsettled = True
    elif is_round_file(Path(file.path)):
        scan.new[now] = Path(file.path)
    else:
        store.add_seen_file(now)
    return None
