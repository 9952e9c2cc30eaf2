"""Jobs that rate the user's rounds and count them.

What they calculate with is loaded where they run, so that the window, which only names them, starts without it.
"""

import pickle
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.application.skill_preferences import OwnPoints
from browser_app.rating_worker.worker_job import SystemConfig, WorkerJob

if TYPE_CHECKING:
    from browser_app.player.full_history_uncertainty import FullHistoryUncertainty  # noqa: F401
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.skill_summary import SkillSummary
    from browser_app.rating.progress_callback import ProgressCallback
    from browser_app.rating_worker.ratings_storage_format import StoredRatings
    from browser_app.rating_worker.worker_cache import WorkerCache


class OwnRoundCount(NamedTuple):
    """In how many rounds the user is on a team; his points on the servers' scale, where such are wanted and known."""

    own_rounds: int
    points: OwnPoints | None = None


@dataclass(frozen=True)
class CountRoundsJob(WorkerJob[OwnRoundCount]):
    """What the side list and the server list want to know of every game; `model`: whose values are points, or None."""

    kind = "count"
    slow = low_priority = True
    model: SystemConfig | None

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.player.skill_summary_builder import build_skill_summary
        from browser_app.rating.record.team_presence import longest_team

        if self.model is not None:
            rated = cache.rate(self.source, self.model, progress)
            now = build_skill_summary(rated.run, rated.system, rated.history)
            return pickle.dumps(OwnRoundCount(len(rated.history), own_points_of(now)))
        book = cache.record(self.source, progress)
        there = longest_team(book.rounds.record) >= 0
        return pickle.dumps(OwnRoundCount(int(np.count_nonzero(there[book.appearances]))))


def own_points_of(now: "SkillSummary") -> OwnPoints | None:
    """What the list is told of where somebody stands; None where he was never rated."""
    from browser_app.player.skill_summary import LEAST_CERTAIN

    return None if now.value is None else OwnPoints(now.value, now.rounds, now.doubt == LEAST_CERTAIN)


class RatingResult(NamedTuple):
    """The user's history and where he stands; `content`: both as they are kept."""

    stored: "StoredRatings"
    history: "OwnHistory"
    content: bytes


@dataclass(frozen=True)
class RateJob(WorkerJob[RatingResult]):
    """The user's history and where he stands."""

    kind = "rate"
    model: SystemConfig
    fingerprint: str

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.player.skill_summary_builder import build_skill_summary
        from browser_app.rating_worker.ratings_storage_format import StoredRatings

        rated = cache.rate(self.source, self.model, progress)
        now = build_skill_summary(rated.run, rated.system, rated.history)
        rounds = len(rated.run.record)
        return StoredRatings(self.fingerprint, time.time(), rounds, rated.history.to_bytes(), now).to_bytes()

    def unpack(self, content: bytes) -> RatingResult:
        """All of it."""
        from browser_app.player.own_history import OwnHistory
        from browser_app.rating_worker.ratings_storage_format import StoredRatings

        kept = StoredRatings.from_bytes(content)
        return RatingResult(kept, OwnHistory.from_bytes(kept.history), content)


@dataclass(frozen=True)
class UncertaintyJob(WorkerJob["FullHistoryUncertainty | None"]):
    """How sure the user's rating was after each round, for a system that keeps no sd by itself
    (`compute_full_history_uncertainty`).
    """

    kind = "doubt"
    slow = low_priority = True
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.player.full_history_uncertainty import compute_full_history_uncertainty

        book, progress = cache.open_record(self.source, progress)
        record, player = book.rounds.record, book.player
        return pickle.dumps(
            None
            if player is None
            else compute_full_history_uncertainty(record, self.model.create_system(), player, progress)
        )


@dataclass(frozen=True)
class PreloadJob(WorkerJob[None]):
    """Nothing is wanted yet: whatever is asked of these rounds next finds them read, and a waypoint near its own."""

    kind = "ready"
    low_priority = quiet = True
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        book, progress = cache.open_record(self.source, progress)
        cache.waypoints(self.source, self.model).run_before(len(book.rounds.record), progress)
        return pickle.dumps(None)
