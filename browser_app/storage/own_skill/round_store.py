"""Stored rounds, the files they came from, and watched folders."""

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.storage.database import Database
from browser_app.storage.keyed_table import KeyedTable
from browser_app.storage.storage_errors import StorageError

if TYPE_CHECKING:
    from browser_app.storage.own_skill.round_insertion import RoundInsertCounts
    from browser_app.storage.own_skill.stored_rounds import StoredRounds


class WatchedFile(NamedTuple):
    """A file as it was when it was last looked at; it need not be read again before it changes."""

    file: str
    size: int
    modified_ns: int
    problem: str | None = None
    """Why it was refused, None if it was taken."""


class WatchedFolderStore:
    """The folders, first come first: in memory for reading, each change written at once. Paths are absolute."""

    def __init__(self, database: Database) -> None:
        """Load the folders.

        Raises:
            StorageError: the file cannot be read.
        """
        self._database = database
        self._table = KeyedTable(database, "watched_folders", ("folder", "added_at"), ("folder",))
        self._folders: dict[str, None] = dict.fromkeys(folder for folder, _ in self._table.rows("added_at, folder"))

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._folders))

    def __len__(self) -> int:
        return len(self._folders)

    def add(self, folder: str) -> Future[None] | None:
        """Watch one more; None if it is watched already."""
        if folder in self._folders:
            return None
        self._folders[folder] = None
        return self._table.write([(folder, time.time())])

    def remove(self, folder: str) -> Future[None]:
        """Watch it no more; the rounds that came from it stay."""
        self._folders.pop(folder, None)
        return self._table.write(deleted_keys=[(folder,)])

    def seen_files(self) -> dict[str, WatchedFile]:
        """The files that were looked at, by their paths.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT file, size, modified_ns, problem FROM watched_files"
        rows = self._database.fetch_all(query)
        return {row[0]: WatchedFile(*row) for row in rows}

    def add_seen_file(self, file: WatchedFile) -> Future[None]:
        """A file was looked at."""
        return self._database.execute("INSERT OR REPLACE INTO watched_files VALUES (?, ?, ?, ?)", file)

    def remove_failed_files(self) -> Future[None]:
        """Those that were refused may be looked at again although they have not changed."""
        return self._database.execute("DELETE FROM watched_files WHERE problem IS NOT NULL", ())


_BUSY_TIMEOUT_S = 120.0
"""So long another program may be at the file, which may be taking in a large file itself."""


class StoredRoundFile(NamedTuple):
    """A file that rounds came from, and when (Unix time, s) it was last read."""

    file: str
    format: str
    rounds: int
    read_at: float


class RoundStore:
    """The rounds, found again by what happened in them (`rounds.compute_content_id`), whatever file tells of them.

    What several files tell differently of one round is kept, and the telling that says most is read
    (`storage.retold_rounds`). Ids are unique over all rounds: another round under an id that is taken gets its content
    id behind its own. A round goes when no file that told it is left. All methods may take their time, so none belongs
    in the thread of a window.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_file(
        self, file: str, file_format: str, objects: Iterable[tuple[int, dict[str, Any]]], *, replace_file: bool = False
    ) -> "RoundInsertCounts":
        """Take the rounds of a file, all or none.

        Args:
            file: its name, by which it can be removed again: an absolute path.
            file_format: its format, a key of `rounds.formats.FORMATS`.
            objects: its rounds as `rounds.reading.stream_objects` tells them, with their lines. The store is written to
                when the last has come, so what that raises is passed on, and nothing was taken.
            replace_file: what the file told before was read wrongly, and goes.

        Raises:
            RoundError: something is wrong in the file.
            StorageError: they cannot be written.
        """
        from browser_app.rounds.round_reader import gc_paused
        from browser_app.storage.own_skill.round_insertion import insert_rounds, rows_from_objects

        with gc_paused():
            rows = list(rows_from_objects(objects))
        end_s = time.monotonic() + _BUSY_TIMEOUT_S
        while True:
            try:
                return self._database.write(
                    lambda connection: insert_rounds(connection, file, file_format, rows, replace_file=replace_file)
                ).result()
            except StorageError as error:
                if not error.is_busy or time.monotonic() > end_s:
                    raise

    def round_counts(self) -> dict[str, int]:
        """How many rounds there are of each game; "" is the game of rounds that do not tell theirs.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT game, count(*) FROM rounds WHERE superseded_by IS NULL GROUP BY game"
        return dict(self._database.fetch_all(query))

    def state_stamp(self, game: str) -> str:
        """A text that is another one whenever the rounds of a game, or what is known of them, are others.

        New tellings have higher numbers than any before, so the last number and how many there are tell states apart.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT count(*), max(number) FROM rounds WHERE game = ?"
        rounds, last = self._database.read(lambda connection: connection.execute(query, (game,)).fetchone())
        return f"{rounds}-{last or 0}"

    def load_rounds(self, game: str, own_ids: Sequence[str] = ()) -> "StoredRounds":
        """All rounds of a game; further ids of mine are read as the first, except where a round has several of them.

        Raises:
            StorageError: the file cannot be read.
        """
        from browser_app.storage.own_skill.stored_rounds import load_stored_rounds

        return self._database.read(lambda connection: load_stored_rounds(connection, game)).with_merged_ids(own_ids)

    def files(self) -> list[StoredRoundFile]:
        """The files that rounds came from, the last read first.

        Raises:
            StorageError: the file cannot be read.
        """
        query = """SELECT round_files.file, format, count(round), read_at
            FROM round_files LEFT JOIN rounds_of_files ON rounds_of_files.file = number
            GROUP BY number ORDER BY read_at DESC, number DESC"""
        rows = self._database.fetch_all(query)
        return [StoredRoundFile(*row) for row in rows]

    def remove_file(self, file: str) -> Future[None]:
        """Forget a file, and the rounds that no other one told."""
        from browser_app.storage.own_skill.round_insertion import remove_round_file

        return self._database.write(lambda connection: remove_round_file(connection, file))
