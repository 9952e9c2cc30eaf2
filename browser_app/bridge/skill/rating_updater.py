"""Updates of the user's ratings and round counts by worker jobs."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from browser_app.application.own_skill.own_skill_resolver import OwnSkillResolver
from browser_app.application.own_skill.skill_preferences import SkillPreferences
from browser_app.bridge.background_tasks import SerialExecutor
from browser_app.bridge.skill.worker_client import WorkerPool
from browser_app.rating_worker import rating_jobs
from browser_app.rating_worker.worker_job import RecordLocation
from browser_app.storage.database import Database
from browser_app.storage.own_skill.ratings_cache import RatingsCache

if TYPE_CHECKING:
    from browser_app.application.own_skill.skill_record_loader import LoadedRecord


class OwnRoundCounter(QObject):
    """Counts the user's rounds, one game after another.

    The chosen game's ratings contain its count already.

    Signals:
        game_counted: the rounds of one more game are counted.
        own_skill_changed: the own skill by game differs.
    """

    game_counted = Signal()
    own_skill_changed = Signal()

    def __init__(
        self, preferences: SkillPreferences, own_skill: OwnSkillResolver, workers: WorkerPool, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._preferences, self._own_skill, self._workers = preferences, own_skill, workers
        self._own_skill_by_game = own_skill.own_skill_by_game()

    def count_next(self, loaded: "LoadedRecord") -> None:
        """Count the first game of this record that is not counted yet."""
        for location in loaded.locations:
            if not self._preferences.is_counted(location) and not self._is_in_ratings(location, loaded):
                job = rating_jobs.CountRoundsJob(location, self._preferences.own_skill_config(location.game))
                self._workers.submit(job, partial(self._on_counted, loaded, location))
                return

    def _on_counted(self, loaded: "LoadedRecord", location: RecordLocation, count: rating_jobs.OwnRoundCount) -> None:
        self._save_count(location, count)
        self.game_counted.emit()
        self.count_next(loaded)

    def save_count_of_ratings(self, loaded: "LoadedRecord", count: rating_jobs.OwnRoundCount) -> None:
        """Save the count that the chosen game's ratings contain."""
        if self._is_in_ratings(loaded.location, loaded):
            self._save_count(loaded.location, count)

    def check_own_skill(self) -> None:
        """Emit `own_skill_changed` if the own skill of a game has changed."""
        by_game = self._own_skill.own_skill_by_game()
        if by_game != self._own_skill_by_game:
            self._own_skill_by_game = by_game
            self.own_skill_changed.emit()

    def _save_count(self, location: RecordLocation, count: rating_jobs.OwnRoundCount) -> None:
        self._preferences.save_count(location, count)
        self.check_own_skill()

    def _is_in_ratings(self, location: RecordLocation, loaded: "LoadedRecord") -> bool:
        config = self._preferences.own_skill_config(loaded.game)
        return location.game == loaded.game and (config is None or config == loaded.config)


class RatingUpdater(QObject):
    """Runs rating jobs and saves their results.

    The caller cancels jobs of a record that is no longer shown.

    Signals:
        ratings_changed: `StoredRatings` with their `OwnHistory`.
    """

    ratings_changed = Signal(object, object)

    def __init__(self, database: Database, executor: SerialExecutor, workers: WorkerPool, parent: QObject) -> None:
        super().__init__(parent)
        self._database, self._executor, self._workers = database, executor, workers

    def rate(self, loaded: "LoadedRecord") -> None:
        """Rate the rounds unless that is in progress."""
        if not self._workers.is_busy(rating_jobs.RateJob.kind):
            job = rating_jobs.RateJob(loaded.location, loaded.config, loaded.fingerprint)
            self._workers.submit(job, partial(self._on_rated, loaded))

    def preload(self, loaded: "LoadedRecord") -> None:
        """Preload the worker with a record whose stored ratings are up to date."""
        self._workers.submit(rating_jobs.PreloadJob(loaded.location, loaded.config), lambda _: None)

    def _on_rated(self, loaded: "LoadedRecord", result: rating_jobs.RatingResult) -> None:
        self.ratings_changed.emit(result.stored, result.history)
        self._save(loaded, lambda: result.content)

    def _save(self, loaded: "LoadedRecord", content: Callable[[], bytes]) -> None:
        """Pack and write ratings in a background thread."""
        from browser_app.rating_worker.ratings_storage_format import ratings_key

        key = ratings_key(loaded.game, loaded.config)

        def work() -> None:
            RatingsCache(self._database).set(key, content())

        self._executor.run(work)
