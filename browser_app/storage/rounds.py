"""The player's own record: rounds from files of all kinds, each kept once."""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from browser_app.storage.database import Database
from browser_app.storage.errors import StorageError

if TYPE_CHECKING:
    from browser_app.storage.adding_rounds import Added
    from browser_app.storage.stored_rounds import StoredRounds

_PATIENCE_S = 120.0
"""So long another program may be at the file, which may be taking in a large file itself."""


class RoundFile(NamedTuple):
    """A file that rounds came from, and when (Unix time, s) it was last read."""

    file: str
    format: str
    rounds: int
    read_at: float


class RoundStore:
    """The rounds, found again by what happened in them (`rounds.content_id`), whatever file tells of them.

    What several files tell differently of one round is kept, and the telling that says most is read
    (`storage.retold_rounds`). Ids are unique over all rounds: another round under an id that is taken gets its content
    id behind its own. A round goes when no file that told it is left. All methods may take their time, so none belongs
    in the thread of a window.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, file: str, form: str, objects: Iterable[tuple[int, dict[str, Any]]], *, anew: bool = False
    ) -> "Added":
        """Take the rounds of a file, all or none.

        Args:
            file: its name, by which it can be removed again: an absolute path.
            form: its format, a key of `rounds.formats.FORMATS`.
            objects: its rounds as `rounds.reading.stream_objects` tells them, with their lines. The store is written to
                when the last has come, so what that raises is passed on, and nothing was taken.
            anew: what the file told before was read wrongly, and goes.

        Raises:
            RoundError: something is wrong in the file.
            StorageError: they cannot be written.
        """
        from browser_app.rounds.reading import collector_paused
        from browser_app.storage.adding_rounds import insert, rows_of

        with collector_paused():
            rows = list(rows_of(objects))
        end_s = time.monotonic() + _PATIENCE_S
        while True:
            try:
                return self._database.write(lambda connection: insert(connection, file, form, rows, anew=anew)).result()
            except StorageError as error:
                if not error.busy or time.monotonic() > end_s:
                    raise

    def games(self) -> dict[str, int]:
        """How many rounds there are of each game; "" is the game of rounds that do not tell theirs.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT game, count(*) FROM rounds WHERE better IS NULL GROUP BY game"
        return dict(self._database.rows(query))

    def stamp(self, game: str) -> str:
        """A text that is another one whenever the rounds of a game, or what is known of them, are others.

        New tellings have higher numbers than any before, so the last number and how many there are tell states apart.

        Raises:
            StorageError: the file cannot be read.
        """
        query = "SELECT count(*), max(number) FROM rounds WHERE game = ?"
        rounds, last = self._database.read(lambda connection: connection.execute(query, (game,)).fetchone())
        return f"{rounds}-{last or 0}"

    def record(self, game: str, me: Sequence[str] = ()) -> "StoredRounds":
        """All rounds of a game; further ids of mine are read as the first, except where a round has several of them.

        Raises:
            StorageError: the file cannot be read.
        """
        from browser_app.storage.stored_rounds import stored_rounds

        return self._database.read(lambda connection: stored_rounds(connection, game)).united(me)

    def files(self) -> list[RoundFile]:
        """The files that rounds came from, the last read first.

        Raises:
            StorageError: the file cannot be read.
        """
        query = """SELECT round_files.file, format, count(round), read_at
            FROM round_files LEFT JOIN rounds_of_files ON rounds_of_files.file = number
            GROUP BY number ORDER BY read_at DESC, number DESC"""
        rows = self._database.rows(query)
        return [RoundFile(*row) for row in rows]

    def remove_file(self, file: str) -> Future[None]:
        """Forget a file, and the rounds that no other one told."""
        from browser_app.storage.retold_rounds import forget_file

        return self._database.write(lambda connection: forget_file(connection, file))
