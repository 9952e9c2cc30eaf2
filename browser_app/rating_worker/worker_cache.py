"""Rounds and ratings that the worker keeps between jobs."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from browser_app.player.own_history import OwnHistory, compute_own_history
from browser_app.player.own_predictions import RunCheckpoints
from browser_app.player.player_identities import match_player_ids
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Ints
from browser_app.rating_worker.ratings_storage_format import StoredRatings, ratings_fingerprint, ratings_key
from browser_app.rating_worker.rounds_cache import load_cached_rounds, rounds_fingerprint, save_cached_rounds
from browser_app.rating_worker.worker_job import JobError, RecordSource, SystemConfig
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.stored_rounds import StoredRounds, load_stored_rounds


@dataclass(frozen=True)
class PlayerRecord:
    """Rounds of a game with the user's ids merged into one: `player`, None where no round has the user."""

    rounds: StoredRounds
    player: str | None

    @property
    def appearances(self) -> Ints:
        """Indices of the user's appearances."""
        record = self.rounds.record
        me = record.player_ids.index(self.player) if self.player is not None else -1
        return np.flatnonzero(record.player == me).astype(np.int32)

    @property
    def own_rounds(self) -> Ints:
        """Indices of the rounds with the user, ascending."""
        return self.rounds.record.round_of_appearance[self.appearances]


@dataclass(frozen=True)
class RatedRecord:
    """A system after all rounds of a record. `history` is empty where no round has the user."""

    system: RatingSystem
    run: RatingRun
    history: OwnHistory


class WorkerCache:
    """The last rounds, record and ratings, so that a second job on them is fast.

    A job may be cancelled anywhere: values that belong together are assigned as one.
    """

    def __init__(self) -> None:
        self._cached_rounds: tuple[tuple[Path | bytes, str, str], StoredRounds] | None = None
        self._cached_record: tuple[RecordSource, PlayerRecord] | None = None
        self._cached_ratings: tuple[RecordSource, SystemConfig, RatedRecord] | None = None
        self._cached_waypoints: tuple[RecordSource, SystemConfig, RunCheckpoints] | None = None

    def record(self, source: RecordSource, progress: ProgressCallback = ignore_progress) -> PlayerRecord:
        """Return the record of a source; `progress` counts the rounds read.

        Raises:
            JobError: they cannot be read.
        """
        if self._cached_record is None or self._cached_record[0] != source:
            rounds = self._load_rounds(source, progress)
            me = match_player_ids(source.identities, rounds.record.player_ids, rounds.record.player_names)
            self._cached_ratings = self._cached_waypoints = None
            self._cached_record = source, PlayerRecord(rounds.with_merged_ids(me), me[0] if me else None)
        return self._cached_record[1]

    def open_record(self, source: RecordSource, progress: ProgressCallback) -> tuple[PlayerRecord, ProgressCallback]:
        """Return the record, and the progress callback for processing it.

        Reading and processing count as half of the progress each, since they take about equally long.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_record is not None and self._cached_record[0] == source:
            return self._cached_record[1], progress
        return self.record(source, subtask_progress(progress, 0, 2)), subtask_progress(progress, 1, 2)

    def rate(self, source: RecordSource, model: SystemConfig, progress: ProgressCallback) -> RatedRecord:
        """Rate the record with a system.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_ratings is None or self._cached_ratings[:2] != (source, model):
            self._cached_ratings = None  # free the old ones first: two need not be in memory at once
            book, progress = self.open_record(source, progress)
            system, record = model.create_system(), book.rounds.record
            run = system.new_run(record)
            history = compute_own_history(
                record,
                system,
                "" if book.player is None else book.player,
                game=source.game,
                servers=book.rounds.servers,
                approximate=book.rounds.is_approximate,
                run=run,
                progress=progress,
                checkpoints=self.waypoints(source, model),
            )
            self._cached_ratings = source, model, RatedRecord(system, run, history)
        return self._cached_ratings[2]

    def waypoints(self, source: RecordSource, model: SystemConfig) -> RunCheckpoints:
        """Return the checkpoints of a system's run over the rounds; they survive a cancelled job.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_waypoints is None or self._cached_waypoints[:2] != (source, model):
            record = self.record(source).rounds.record
            self._cached_waypoints = source, model, RunCheckpoints(model.create_system(), record)
        return self._cached_waypoints[2]

    def history(self, source: RecordSource, model: SystemConfig, progress: ProgressCallback) -> OwnHistory:
        """Return the user's history, from the stored ratings where they are up to date.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_ratings is None or self._cached_ratings[:2] != (source, model):
            kept = self._load_stored_history(source, model)
            if kept is not None:
                return kept
        return self.rate(source, model, progress).history

    def _load_stored_history(self, source: RecordSource, model: SystemConfig) -> OwnHistory | None:
        try:
            with closing(_connect_read_only(source.database)) as connection:
                content = RatingsCache.read_value(connection, ratings_key(source.game, model.system))
            kept = None if content is None else StoredRatings.from_bytes(content)
            return (
                OwnHistory.from_bytes(kept.history)
                if kept and kept.state == ratings_fingerprint(source, model)
                else None
            )
        except (sqlite3.Error, ValueError):  # it is computed again then
            return None

    def _load_rounds(self, source: RecordSource, progress: ProgressCallback) -> StoredRounds:
        key = source.database, source.game, source.stamp
        if self._cached_rounds is None or self._cached_rounds[0] != key:
            self._cached_rounds = self._cached_record = self._cached_ratings = self._cached_waypoints = None
            try:
                with closing(_connect_read_only(source.database)) as connection:
                    self._cached_rounds = key, _load_rounds_from(connection, source, progress)
            except sqlite3.Error as error:
                raise JobError(str(error)) from error
        return self._cached_rounds[1]


def _load_rounds_from(connection: sqlite3.Connection, source: RecordSource, progress: ProgressCallback) -> StoredRounds:
    """Load rounds from the cache file, else from the database, which then fills the file."""
    if not isinstance(source.database, Path):
        return load_stored_rounds(connection, source.game, progress)
    content = rounds_fingerprint(connection, source.game)
    rounds = load_cached_rounds(source.database, source.game, content)
    if rounds is None:
        rounds = load_stored_rounds(connection, source.game, progress)
        save_cached_rounds(source.database, source.game, content, rounds)
    return rounds


def _connect_read_only(database: Path | bytes) -> sqlite3.Connection:
    if isinstance(database, Path):
        return sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)
    connection = sqlite3.connect(":memory:")
    connection.deserialize(database)
    return connection
