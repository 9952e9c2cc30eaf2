"""What the calculating process keeps at hand between two jobs: the rounds it read, the ratings it made."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from browser_app.bridge.skill.subject import JobError, Model, Source
from browser_app.player.identities import player_ids
from browser_app.player.own_history import OwnHistory, own_history
from browser_app.rating.progress import Progress, part, untold
from browser_app.rating.system import RatingRun, RatingSystem
from browser_app.storage.stored_rounds import StoredRounds, stored_rounds


@dataclass(frozen=True)
class Book:
    """A game's rounds. `player`: the id that all of the user's have become, None where he is in none of them."""

    rounds: StoredRounds
    player: str | None


@dataclass(frozen=True)
class Rated:
    """A system taken forward over all rounds. `history` is empty where the user is in none."""

    system: RatingSystem
    run: RatingRun
    history: OwnHistory


class Desk:
    """The last rounds, book and ratings, so that a second question about them is answered at once.

    A job may be cancelled anywhere: what belongs together is kept in one value.
    """

    def __init__(self) -> None:
        self._rounds: tuple[tuple[Path | bytes, str, str], StoredRounds] | None = None
        self._book: tuple[Source, Book] | None = None
        self._rated: tuple[Source, Model, Rated] | None = None

    def book(self, source: Source, progress: Progress = untold) -> Book:
        """The rounds of a source; `progress` is told those that were read.

        Raises:
            JobError: they cannot be read.
        """
        if self._book is None or self._book[0] != source:
            rounds = self._read(source, progress)
            me = player_ids(source.identities, rounds.record.player_ids, rounds.record.player_names)
            self._rated = None
            self._book = source, Book(rounds.united(me), me[0] if me else None)
        return self._book[1]

    def opened(self, source: Source, progress: Progress) -> tuple[Book, Progress]:
        """The rounds, and how work on them that takes about as long as reading them tells how far it is."""
        if self._book is not None and self._book[0] == source:
            return self._book[1], progress
        return self.book(source, part(progress, 0, 2)), part(progress, 1, 2)

    def rated(self, source: Source, model: Model, progress: Progress) -> Rated:
        """The user's way through them under a system, which is at the end of the record.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._rated is None or self._rated[:2] != (source, model):
            self._rated = None  # two of them need not be in memory at once
            book, progress = self.opened(source, progress)
            system, record = model.made(), book.rounds.record
            run = system.start(record)
            history = own_history(
                record,
                system,
                "" if book.player is None else book.player,
                game=source.game,
                servers=book.rounds.servers,
                approximate=book.rounds.approximate,
                run=run,
                progress=progress,
            )
            self._rated = source, model, Rated(system, run, history)
        return self._rated[2]

    def _read(self, source: Source, progress: Progress) -> StoredRounds:
        key = source.database, source.game, source.stamp
        if self._rounds is None or self._rounds[0] != key:
            self._rounds = self._book = self._rated = None
            try:
                with closing(_connect(source.database)) as connection:
                    self._rounds = key, stored_rounds(connection, source.game, progress)
            except sqlite3.Error as error:
                raise JobError(str(error)) from error
        return self._rounds[1]


def _connect(database: Path | bytes) -> sqlite3.Connection:
    if isinstance(database, Path):
        return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(database)
    return connection
