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
from browser_app.rating_worker.worker_job import JobError, RecordLocation, SystemConfig
from browser_app.storage.database_file import decode_text, open_read_only
from browser_app.storage.own_skill.ratings_cache import RatingsCache
from browser_app.storage.own_skill.stored_rounds import StoredRounds, load_stored_rounds


@dataclass(frozen=True)
class UserRecord:
    """Rounds of a game with the user's ids merged into one."""

    rounds: StoredRounds
    player: str | None
    """The user's id, None if no round has the user."""

    @property
    def appearances(self) -> Ints:
        """Indices of the user's appearances."""
        record = self.rounds.record
        own_index = record.player_ids.index(self.player) if self.player is not None else -1
        return np.flatnonzero(record.player == own_index).astype(np.int32)

    @property
    def own_rounds(self) -> Ints:
        """Indices of the rounds with the user, ascending."""
        return self.rounds.record.round_of_appearance[self.appearances]


@dataclass(frozen=True)
class RatedRecord:
    """Result of rating all rounds of a record with a system."""

    system: RatingSystem
    run: RatingRun
    history: OwnHistory
    """The user's; empty if no round has the user."""


class WorkerCache:
    """The last rounds, record and ratings, so that a second job on them is fast.

    A job may be cancelled anywhere: values that belong together are assigned as one.
    """

    def __init__(self) -> None:
        self._cached_rounds: tuple[tuple[Path | bytes, str, str], StoredRounds] | None = None
        self._cached_record: tuple[RecordLocation, UserRecord] | None = None
        self._cached_ratings: tuple[RecordLocation, SystemConfig, RatedRecord] | None = None
        self._cached_checkpoints: tuple[RecordLocation, SystemConfig, RunCheckpoints] | None = None

    def load_record(self, location: RecordLocation, progress: ProgressCallback = ignore_progress) -> UserRecord:
        """Return the record at a location; `progress` counts the rounds read.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_record is None or self._cached_record[0] != location:
            rounds = self._load_rounds(location, progress)
            own_ids = match_player_ids(location.identities, rounds.record.player_ids, rounds.record.player_names)
            self._cached_ratings = self._cached_checkpoints = None
            self._cached_record = location, UserRecord(rounds.with_merged_ids(own_ids), own_ids[0] if own_ids else None)
        return self._cached_record[1]

    def load_record_with_progress(
        self, location: RecordLocation, progress: ProgressCallback
    ) -> tuple[UserRecord, ProgressCallback]:
        """Return the record, and the progress callback for the job's work on it.

        Loading and working count as half of the progress each, since they take about equally long.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_record is not None and self._cached_record[0] == location:
            return self._cached_record[1], progress
        return self.load_record(location, subtask_progress(progress, 0, 2)), subtask_progress(progress, 1, 2)

    def rate(self, location: RecordLocation, model: SystemConfig, progress: ProgressCallback) -> RatedRecord:
        """Rate the record with a system.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_ratings is None or self._cached_ratings[:2] != (location, model):
            self._cached_ratings = None  # free the old ones first: two need not be in memory at once
            user_record, progress = self.load_record_with_progress(location, progress)
            system, record = model.create_system(), user_record.rounds.record
            run = model.start_run(record)
            history = compute_own_history(
                record,
                system,
                "" if user_record.player is None else user_record.player,
                game=location.game,
                servers=user_record.rounds.servers,
                approximate=user_record.rounds.is_approximate,
                run=run,
                progress=progress,
                checkpoints=None if model.full_history else self.checkpoints(location, model),
            )
            self._cached_ratings = location, model, RatedRecord(system, run, history)
        return self._cached_ratings[2]

    def run_before(
        self, location: RecordLocation, model: SystemConfig, k: int, progress: ProgressCallback
    ) -> RatingRun:
        """Return a run that has learned from the rounds before k, not to be updated.

        Raises:
            JobError: the rounds cannot be read.
        """
        if not model.full_history:
            return self.checkpoints(location, model).run_before(k, progress)
        record = self.load_record(location).rounds.record
        if k < len(record):
            return model.start_run(record.first_rounds(k))
        return self.rate(location, model, progress).run

    def checkpoints(self, location: RecordLocation, model: SystemConfig) -> RunCheckpoints:
        """Return the checkpoints of a system's run, which a cancelled job keeps.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_checkpoints is None or self._cached_checkpoints[:2] != (location, model):
            record = self.load_record(location).rounds.record
            self._cached_checkpoints = location, model, RunCheckpoints(model.create_system(), record)
        return self._cached_checkpoints[2]

    def load_history(self, location: RecordLocation, model: SystemConfig, progress: ProgressCallback) -> OwnHistory:
        """Return the user's history, from the stored ratings if these are up to date.

        Raises:
            JobError: the rounds cannot be read.
        """
        if self._cached_ratings is None or self._cached_ratings[:2] != (location, model):
            stored = self._load_stored_history(location, model)
            if stored is not None:
                return stored
        return self.rate(location, model, progress).history

    def _load_stored_history(self, location: RecordLocation, model: SystemConfig) -> OwnHistory | None:
        try:
            with closing(_open_read_only(location.database)) as connection:
                content = RatingsCache.read_value(connection, ratings_key(location.game, model))
            stored = None if content is None else StoredRatings.from_bytes(content)
            if stored and stored.state == ratings_fingerprint(location, model):
                return OwnHistory.from_bytes(stored.history)
            return None
        except (sqlite3.Error, ValueError):  # it is computed again then
            return None

    def _load_rounds(self, location: RecordLocation, progress: ProgressCallback) -> StoredRounds:
        key = location.database, location.game, location.stamp
        if self._cached_rounds is None or self._cached_rounds[0] != key:
            self._cached_rounds = self._cached_record = self._cached_ratings = self._cached_checkpoints = None
            try:
                with closing(_open_read_only(location.database)) as connection:
                    self._cached_rounds = key, _read_rounds(connection, location, progress)
            except sqlite3.Error as error:
                raise JobError(str(error)) from error
        return self._cached_rounds[1]


def _read_rounds(connection: sqlite3.Connection, location: RecordLocation, progress: ProgressCallback) -> StoredRounds:
    """Read rounds from the cache file, else from the database, and then fill the file."""
    if not isinstance(location.database, Path):
        return load_stored_rounds(connection, location.game, progress)
    content = rounds_fingerprint(connection, location.game)
    rounds = load_cached_rounds(location.database, location.game, content)
    if rounds is None:
        rounds = load_stored_rounds(connection, location.game, progress)
        save_cached_rounds(location.database, location.game, content, rounds)
    return rounds


def _open_read_only(database: Path | bytes) -> sqlite3.Connection:
    if isinstance(database, Path):
        return open_read_only(database)
    connection = sqlite3.connect(":memory:")
    connection.text_factory = decode_text
    connection.deserialize(database)
    return connection
