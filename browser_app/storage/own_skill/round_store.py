"""Stored rounds, the files they came from, and watched folders."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.storage.checked_rows import fetch_rows
from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable
from browser_app.storage.storage_errors import StorageError

if TYPE_CHECKING:
    from browser_app.storage.own_skill.round_insertion import RoundInsertCounts
    from browser_app.storage.own_skill.stored_rounds import StoredRounds


class WatchedFile(NamedTuple):
    """State of a file when it was last read; an unchanged file is not read again."""

    file: str
    size: int
    modified_ns: int
    problem: str | None = None
    """Why it could not be imported, None if it was."""


class WatchedFolderStore:
    """The watched folders (absolute paths) in the order of adding, kept in memory.

    Each change is written at once.
    """

    def __init__(self, database: Database) -> None:
        """Load the folders."""
        self._database = database
        self._table = KeyedTable(database, "watched_folders", ("folder", "added_at"), ("folder",))
        self._folders: dict[str, None] = dict.fromkeys(self._table.load(lambda row: row[0], "added_at, folder"))

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._folders))

    def __len__(self) -> int:
        return len(self._folders)

    def add(self, folder: str) -> Future[None] | None:
        """Add a folder; return None if it is watched already."""
        if folder in self._folders:
            return None
        self._folders[folder] = None
        return self._table.write([(folder, time.time())])

    def remove(self, folder: str) -> Future[None]:
        """Remove a folder; rounds imported from it stay."""
        self._folders.pop(folder, None)
        return self._table.write(deleted_keys=[(folder,)])

    def load_seen_files(self) -> dict[str, WatchedFile]:
        """Return the files read so far, by path."""
        files = fetch_rows(self._database, "watched_files", WatchedFile._fields, convert=WatchedFile._make)
        return {each.file: each for each in files}

    def add_seen_files(self, files: Iterable[WatchedFile]) -> Future[None]:
        """Add or replace the states of files."""
        rows = list(files)

        def work(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO watched_files VALUES (?, ?, ?, ?)", rows)

        return self._database.write(work, retry=True)

    def remove_failed_files(self) -> Future[None]:
        """Remove files that could not be imported, so that they are tried again."""
        return self._database.execute("DELETE FROM watched_files WHERE problem IS NOT NULL")


_BUSY_TIMEOUT_S = 120.0
"""How long another instance may keep the database busy: it may be importing a large file."""


class StoredRoundFile(NamedTuple):
    """A file that rounds were imported from, and when it was last read (Unix time, s)."""

    file: str
    format: str
    rounds: int
    read_at: float


class RoundStore:
    """The stored rounds, identified by their content, not by their file.

    Their content is compared by its id (`compute_content_id`). Different reports of one round are all kept, and the
    most complete one is loaded (see `round_insertion`). Ids are unique: another round with a taken id gets its content
    id appended. A round is removed with the last file that contains it. All methods may be slow: never call them from
    the GUI thread.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_file(
        self, file: str, file_format: str, objects: Iterable[tuple[int, dict[str, Any]]], *, replace_file: bool = False
    ) -> "RoundInsertCounts":
        """Import the rounds of a file, all or none.

        Args:
            file: absolute path, by which it can be removed again.
            file_format: a key of `ROUND_FORMATS`.
            objects: its rounds with their lines, as from `round_reader.stream_objects`. They are consumed before
                anything is written; errors raised by the iterator are passed on.
            replace_file: remove the file's earlier rounds first, because they were read wrongly.

        Raises:
            RoundFileError: something is wrong in the file.
            StorageError: they cannot be written.
        """
        from browser_app.rounds.round_reader import pause_gc
        from browser_app.storage.own_skill.round_insertion import build_round_rows, insert_rounds

        with pause_gc():
            rows = list(build_round_rows(objects))
        end_s = time.monotonic() + _BUSY_TIMEOUT_S
        while True:
            try:
                return self._database.write(
                    lambda connection: insert_rounds(connection, file, file_format, rows, replace_file=replace_file)
                ).result()
            except StorageError as error:
                if not error.is_busy or time.monotonic() > end_s:
                    raise

    def count_rounds(self) -> dict[str, int]:
        """Return the number of rounds by game; "" for rounds without one."""
        clause = "WHERE superseded_by IS NULL GROUP BY game"
        return dict(fetch_rows(self._database, "rounds", ("game", "count(*)"), clause, convert=tuple))

    def read_state_stamp(self, game: str) -> str:
        """Return a text that changes with the stored rounds of a game.

        New reports get higher numbers than all before, so count and highest number identify the state.
        """
        query = "SELECT count(*), max(number) FROM rounds WHERE game = ?"
        rounds, last = self._database.read(lambda connection: connection.execute(query, (game,)).fetchone())
        return f"{rounds}-{last or 0}"

    def load_rounds(self, game: str, own_ids: Sequence[str] = ()) -> "StoredRounds":
        """Return all rounds of a game; see `StoredRounds.with_merged_ids` for `own_ids`."""
        from browser_app.storage.own_skill.stored_rounds import load_stored_rounds

        rounds = self._database.read(lambda connection: load_stored_rounds(connection, game))
        self._database.report_unreadable("rounds", rounds.unreadable)
        return rounds.with_merged_ids(own_ids)

    def export_rounds(self, write: Callable[[dict[str, Any]], object], game: str | None = None) -> int:
        """Pass all rounds, or those of a game, to `write` as objects of the round file.

        Returns their number. Each has all keys of its file. Date and server come from another report where the round's
        own lacks them.
        """
        from browser_app.storage.own_skill.stored_rounds import export_stored_rounds

        count, unreadable = self._database.read(lambda connection: export_stored_rounds(connection, game, write))
        self._database.report_unreadable("rounds", unreadable)
        return count

    def load_files(self) -> list[StoredRoundFile]:
        """Return the imported files, the last read first."""
        counts = dict(self._database.fetch_all("SELECT file, count(*) FROM rounds_of_files GROUP BY file"))
        columns = ("number", "file", "format", "read_at")
        return fetch_rows(
            self._database,
            "round_files",
            columns,
            "ORDER BY read_at DESC, number DESC",
            convert=lambda row: StoredRoundFile(row[1], row[2], counts.get(row[0], 0), row[3]),
        )

    def remove_file(self, file: str) -> Future[None]:
        """Remove a file, and the rounds that no other file contains."""
        from browser_app.storage.own_skill.round_insertion import remove_round_file

        return self._database.write(lambda connection: remove_round_file(connection, file))
