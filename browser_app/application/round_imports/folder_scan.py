"""Scan of the watched folders for new round files."""

import logging
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from browser_app.application.round_imports.round_files import find_round_files, is_round_file, too_many_files_text
from browser_app.application.round_imports.round_import import internal_problem_text
from browser_app.diagnostics import internal_errors
from browser_app.file_errors import file_error_text
from browser_app.paths import printable_path
from browser_app.storage.own_skill.round_store import WatchedFile, WatchedFolderStore
from browser_app.storage.storage_errors import StorageError

_log = logging.getLogger(__name__)

_MAX_COLUMN_CHECKS = 100
"""Number of rejected files of a folder that are opened to see whether only their columns are unknown."""
SETTLED_S = 2.0
"""Time since its last change after which a file counts as complete."""


class WatchedFolderState(NamedTuple):
    """State of a watched folder."""

    path: Path
    files: int | None = None
    """Number of possible round files; None while unknown."""
    problem: str = ""
    """Why the folder, or a part of it, could not be read."""
    rejected: tuple[str, ...] = ()
    """Problems of files in it, one line each."""
    unmapped_tables: tuple[Path, ...] = ()
    """Tables in it whose columns are not assigned yet."""


@dataclass
class FolderScan:
    """Result of a scan of the watched folders.

    Attributes:
        folders: their states.
        new: round files that are new or have changed since they were imported, and their paths.
        unsuitable: new files that no round format recognises.
        has_unsettled: whether there are more such files that may still be written.
    """

    folders: list[WatchedFolderState] = field(default_factory=list)
    new: dict[WatchedFile, Path] = field(default_factory=dict)
    unsuitable: list[WatchedFile] = field(default_factory=list)
    has_unsettled: bool = False


def scan_folders(
    folders: Iterable[Path],
    store: WatchedFolderStore,
    imported: Iterable[WatchedFile],
    needs_columns: Callable[[Path], bool],
) -> FolderScan:
    """Scan the folders for round files.

    Args:
        folders: folders to scan.
        store: results of earlier imports of the files in them.
        imported: results since the last scan, which are stored first.
        needs_columns: whether a rejected file is a table whose columns are not assigned yet.
    """
    scan = FolderScan()
    try:
        store.add_seen_files(imported).result()
        seen = store.load_seen_files()
    except StorageError as error:
        scan.folders = [WatchedFolderState(folder, problem=str(error)) for folder in folders]
        return scan
    for folder in folders:
        try:
            scan.folders.append(_scan_folder(folder, seen, scan, needs_columns))
        except OSError as error:
            _log.debug("Cannot read watched folder %s: %s", folder, error)
            scan.folders.append(WatchedFolderState(folder, problem=file_error_text(error)))
        except Exception:  # noqa: BLE001 (our own bug with one folder must not end the watch of the others)
            internal_errors.report("scanning a watched folder", printable_path(str(folder)))
            scan.folders.append(WatchedFolderState(folder, problem=internal_problem_text(folder)))
    if scan.unsuitable:
        store.add_seen_files(scan.unsuitable)
    return scan


def _scan_folder(
    folder: Path,
    seen: Mapping[str, WatchedFile],
    scan: FolderScan,
    needs_columns: Callable[[Path], bool],
) -> WatchedFolderState:
    """Add a folder's new files to the scan; return its state."""
    files, is_complete = find_round_files(folder)
    problems = {Path(file.path): problem for file in files if (problem := _try_file(file, seen, scan))}
    unmapped = [file for file in islice(problems, _MAX_COLUMN_CHECKS) if needs_columns(file)]
    rejected = [problem for file, problem in problems.items() if file not in unmapped]
    problem = "" if is_complete else too_many_files_text(folder)
    return WatchedFolderState(folder, len(files), problem, tuple(rejected), tuple(unmapped))


def _try_file(file: os.DirEntry[str], seen: Mapping[str, WatchedFile], scan: FolderScan) -> str | None:
    """Scan a file; an internal error is its problem."""
    try:
        return _scan_file(file, seen, scan)
    except Exception:  # noqa: BLE001 (our own bug with one file must not keep the others from being imported)
        internal_errors.report("scanning a watched file", printable_path(file.path))
        return internal_problem_text(Path(file.path))


def _scan_file(file: os.DirEntry[str], seen: Mapping[str, WatchedFile], scan: FolderScan) -> str | None:
    """Return the known problem of a file; a new file is added to the scan."""
    try:
        stat = file.stat()
    except OSError:  # deleted meanwhile
        return None
    name = printable_path(file.path)
    current, before = WatchedFile(name, stat.st_size, stat.st_mtime_ns), seen.get(name)
    if before is not None and before[:3] == current[:3]:
        return before.problem
    if 0 <= time.time() - stat.st_mtime < SETTLED_S:
        scan.has_unsettled = True
    elif is_round_file(Path(file.path)):
        scan.new[current] = Path(file.path)
    else:
        scan.unsuitable.append(current)
    return None
