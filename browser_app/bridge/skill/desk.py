"""What the calculating process keeps at hand between two jobs: the rounds it read, the ratings it made."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from browser_app.bridge.skill.kept_ratings import KeptRatings, key_of, state_of
from browser_app.bridge.skill.kept_rounds import content_of, keep, read_kept
from browser_app.bridge.skill.subject import JobError, Model, Source
from browser_app.player.identities import player_ids
from browser_app.player.own_history import OwnHistory, own_history
from browser_app.player.waypoints import Waypoints
from browser_app.rating.progress import Progress, part, untold
from browser_app.rating.record import Ints
from browser_app.rating.system import RatingRun, RatingSystem
from browser_app.storage.ratings_cache import RatingsCache
from browser_app.storage.stored_rounds import StoredRounds, stored_rounds


@dataclass(frozen=True)
class Book:
    """A game's rounds. `player`: the id that all of the user's have become, None where he is in none of them."""

    rounds: StoredRounds
    player: str | None

    @property
    def appearances(self) -> Ints:
        """The user's."""
        record = self.rounds.record
        me = record.player_ids.index(self.player) if self.player is not None else -1
        return np.flatnonzero(record.player == me).astype(np.int32)

    @property
    def mine(self) -> Ints:
        """The rounds that the user is in, ascending."""
        return self.rounds.record.round_of_appearance[self.appearances]


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
        self._waypoints: tuple[Source, Model, Waypoints] | None = None

    def book(self, source: Source, progress: Progress = untold) -> Book:
        """The rounds of a source; `progress` is told those that were read.

        Raises:
            JobError: they cannot be read.
        """
        if self._book is None or self._book[0] != source:
            rounds = self._read(source, progress)
            me = player_ids(source.identities, rounds.record.player_ids, rounds.record.player_names)
            self._rated = self._waypoints = None
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
                waypoints=self.waypoints(source, model),
            )
            self._rated = source, model, Rated(system, run, history)
        return self._rated[2]

    def waypoints(self, source: Source, model: Model) -> Waypoints:
        """Where a system stood on its way over the rounds, as far as it has come; they stay when a job is cancelled.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._waypoints is None or self._waypoints[:2] != (source, model):
            record = self.book(source).rounds.record
            self._waypoints = source, model, Waypoints(model.made(), record)
        return self._waypoints[2]

    def history(self, source: Source, model: Model, progress: Progress) -> OwnHistory:
        """The user's way through the rounds: from what is kept of the last time, where it is of these.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._rated is None or self._rated[:2] != (source, model):
            kept = self._kept(source, model)
            if kept is not None:
                return kept
        return self.rated(source, model, progress).history

    def _kept(self, source: Source, model: Model) -> OwnHistory | None:
        try:
            with closing(_connect(source.database)) as connection:
                content = RatingsCache.value(connection, key_of(source.game, model.system))
            kept = None if content is None else KeptRatings.from_bytes(content)
            return OwnHistory.from_bytes(kept.history) if kept and kept.state == state_of(source, model) else None
        except (sqlite3.Error, ValueError):  # it is calculated anew then
            return None

    def _read(self, source: Source, progress: Progress) -> StoredRounds:
        key = source.database, source.game, source.stamp
        if self._rounds is None or self._rounds[0] != key:
            self._rounds = self._book = self._rated = self._waypoints = None
            try:
                with closing(_connect(source.database)) as connection:
                    self._rounds = key, _rounds(connection, source, progress)
            except sqlite3.Error as error:
                raise JobError(str(error)) from error
        return self._rounds[1]


def _rounds(connection: sqlite3.Connection, source: Source, progress: Progress) -> StoredRounds:
    """From the file of columns where it has these rounds, else from the database; then they are in the file."""
    if not isinstance(source.database, Path):
        return stored_rounds(connection, source.game, progress)
    content = content_of(connection, source.game)
    rounds = read_kept(source.database, source.game, content)
    if rounds is None:
        rounds = stored_rounds(connection, source.game, progress)
        keep(source.database, source.game, content, rounds)
    return rounds


def _connect(database: Path | bytes) -> sqlite3.Connection:
    if isinstance(database, Path):
        return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(database)
    return connection
