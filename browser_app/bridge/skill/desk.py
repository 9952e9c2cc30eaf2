"""What the calculating process keeps at hand between two jobs: the rounds it read, the ratings it made."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from browser_app.player.identities import Identity, player_ids
from browser_app.player.own_history import OwnHistory, own_history
from browser_app.rating.parameters import ParameterSet
from browser_app.rating.progress import Progress
from browser_app.rating.system import RatingRun, RatingSystem
from browser_app.rating.systems import SYSTEMS
from browser_app.storage.stored_rounds import StoredRounds, stored_rounds


class JobError(Exception):
    """A job has no result, for a reason that the user can be told."""


@dataclass(frozen=True)
class Source:
    """Where the rounds of a game are, and who the user is.

    Attributes:
        database: the file, or all of a database that has none.
        game: id. stamp: of its rounds, another one when they are others.
        identities: the user's in that game, the first first.
    """

    database: Path | bytes
    game: str
    stamp: str
    identities: tuple[Identity, ...]


@dataclass(frozen=True)
class Model:
    """A rating system by name, with its parameters."""

    system: str
    parameters: ParameterSet

    def made(self) -> RatingSystem:
        """The system itself."""
        return SYSTEMS[self.system](self.parameters)


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
    """The last book and the last ratings, so that a second question about them is answered at once."""

    def __init__(self) -> None:
        self._source: Source | None = None
        self._book: Book | None = None
        self._model: Model | None = None
        self._rated: Rated | None = None

    def book(self, source: Source) -> Book:
        """The rounds of a source.

        Raises:
            JobError: they cannot be read.
        """
        if self._book is None or source != self._source:
            self._book = self._rated = None  # two of them need not be in memory at once
            self._book = _read(source)
            self._source = source
        return self._book

    def rated(self, source: Source, model: Model, progress: Progress) -> Rated:
        """The user's way through them under a system, which is at the end of the record.

        Raises:
            JobError: the rounds cannot be read.
        """
        book = self.book(source)
        if self._rated is None or model != self._model:
            self._rated = None
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
            self._rated, self._model = Rated(system, run, history), model
        return self._rated


def _read(source: Source) -> Book:
    try:
        with closing(_connect(source.database)) as connection:
            rounds = stored_rounds(connection, source.game)
            record = rounds.record
            me = player_ids(source.identities, record.player_ids, record.player_names)
    except sqlite3.Error as error:
        raise JobError(str(error)) from error
    return Book(rounds.united(me), me[0] if me else None)


def _connect(database: Path | bytes) -> sqlite3.Connection:
    if isinstance(database, Path):
        return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(database)
    return connection
