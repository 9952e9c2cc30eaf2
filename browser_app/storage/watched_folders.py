"""Folders whose files of rounds are read as they come, and the files that were looked at."""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import NamedTuple

from browser_app.storage.database import Database


class WatchedFile(NamedTuple):
    """A file as it was when it was last looked at; it need not be read again before it changes."""

    file: str
    size: int
    modified_ns: int
    problem: str | None = None
    """Why it was refused, None if it was taken."""


class WatchedFolders:
    """The folders, first come first: in memory for reading, each change written at once. Paths are absolute."""

    def __init__(self, database: Database) -> None:
        """Load the folders.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        query = "SELECT folder FROM watched_folders ORDER BY added_at, folder"
        rows = database.rows(query)
        self._folders = dict.fromkeys(folder for (folder,) in rows)

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._folders))

    def __len__(self) -> int:
        return len(self._folders)

    def add(self, folder: str) -> Future[None] | None:
        """Watch one more; None if it is watched already."""
        if folder in self._folders:
            return None
        self._folders[folder] = None
        row = folder, time.time()
        return self._database.execute("INSERT OR IGNORE INTO watched_folders VALUES (?, ?)", row)

    def remove(self, folder: str) -> Future[None]:
        """Watch it no more; the rounds that came from it stay."""
        self._folders.pop(folder, None)
        return self._database.execute("DELETE FROM watched_folders WHERE folder = ?", (folder,))

    def seen(self) -> dict[str, WatchedFile]:
        """The files that were looked at, by their paths.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT file, size, modified_ns, problem FROM watched_files"
        rows = self._database.rows(query)
        return {row[0]: WatchedFile(*row) for row in rows}

    def note(self, file: WatchedFile) -> Future[None]:
        """A file was looked at."""
        return self._database.execute("INSERT OR REPLACE INTO watched_files VALUES (?, ?, ?, ?)", file)

    def forget_refused(self) -> Future[None]:
        """Those that were refused may be looked at again although they have not changed."""
        return self._database.execute("DELETE FROM watched_files WHERE problem IS NOT NULL", ())
