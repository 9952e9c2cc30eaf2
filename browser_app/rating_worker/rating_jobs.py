"""Jobs that rate the user's rounds and count them.

The code that a job runs is imported in `run`, so that the window, which only submits jobs, starts without it.
"""

import math
import pickle
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.rating_worker.worker_job import SystemConfig, WorkerJob

if TYPE_CHECKING:
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.skill_summary import SkillSummary
    from browser_app.rating.progress_callback import ProgressCallback
    from browser_app.rating_worker.ratings_storage_format import StoredRatings
    from browser_app.rating_worker.worker_cache import WorkerCache


class RecordSkill(NamedTuple):
    """Skill from the user's own rounds, in points on the servers' scale."""

    value: float
    """The last in-game skill in these rounds plus the rating changes since; the rating if they contain none."""
    rounds: int
    """Number of rated rounds behind the value."""
    anchored: bool
    """Whether the game reported the skill before the first of them."""
    sd: float | None
    """Standard deviation on the servers' scale, None if unknown."""
    last_round_at: float | None
    """Start of the last of them (Unix time, s)."""


class OwnRoundCount(NamedTuple):
    """Number of rounds with the user on a team, and the skill from them."""

    own_rounds: int
    record_skill: RecordSkill | None = None
    """None if not requested or unknown."""


@dataclass(frozen=True)
class CountRoundsJob(WorkerJob[OwnRoundCount]):
    """Counts the user's rounds of a game, and rates them if a model is given.

    Attributes:
        model: a system whose ratings are points on the servers' scale; None not to rate.
    """

    kind = "count"
    slow = low_priority = True
    model: SystemConfig | None

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return a pickled `OwnRoundCount`."""
        from browser_app.player.skill_summary_builder import build_skill_summary
        from browser_app.rating.record.team_presence import longest_team

        if self.model is not None:
            rated = cache.rate(self.location, self.model, progress)
            summary = build_skill_summary(rated.run, rated.system, rated.history)
            return pickle.dumps(OwnRoundCount(len(rated.history), compute_record_skill(summary)))
        user_record = cache.load_record(self.location, progress)
        teams = longest_team(user_record.rounds.record) >= 0
        return pickle.dumps(OwnRoundCount(int(np.count_nonzero(teams[user_record.appearances]))))


def compute_record_skill(summary: "SkillSummary") -> RecordSkill | None:
    """Return the skill of a summary; None for a player who was never rated."""
    if summary.value is None:
        return None
    sd = summary.sd
    if sd is not None and summary.newcomer_sd is not None and not summary.anchored:
        sd = math.hypot(sd, summary.newcomer_sd)  # rounds determine differences between players, not their level
    value = summary.value if summary.in_game_value is None else summary.in_game_value
    return RecordSkill(value, summary.rounds, summary.anchored, sd, summary.last_round_at)


class RatingResult(NamedTuple):
    """The user's ratings and history; `content` is their stored form."""

    stored: "StoredRatings"
    history: "OwnHistory"
    content: bytes


@dataclass(frozen=True)
class RateJob(WorkerJob[RatingResult]):
    """Rates the record and computes the user's history."""

    kind = "rate"
    model: SystemConfig
    fingerprint: str

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return `StoredRatings` as bytes."""
        from browser_app.player.skill_summary_builder import build_skill_summary
        from browser_app.rating_worker.ratings_storage_format import StoredRatings

        rated = cache.rate(self.location, self.model, progress)
        summary = build_skill_summary(rated.run, rated.system, rated.history)
        rounds = len(rated.run.record)
        return StoredRatings(self.fingerprint, time.time(), rounds, rated.history.to_bytes(), summary).to_bytes()

    def unpack(self, content: bytes) -> RatingResult:
        """Unpack `StoredRatings` and their history."""
        from browser_app.player.own_history import OwnHistory
        from browser_app.rating_worker.ratings_storage_format import StoredRatings

        stored = StoredRatings.from_bytes(content)
        return RatingResult(stored, OwnHistory.from_bytes(stored.history), content)


@dataclass(frozen=True)
class PreloadJob(WorkerJob[None]):
    """Reads the rounds and computes a checkpoint near their end, for later jobs."""

    kind = "preload"
    low_priority = quiet = True
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return a pickled None."""
        user_record, progress = cache.load_record_with_progress(self.location, progress)
        if not self.model.full_history:
            cache.checkpoints(self.location, self.model).run_before(len(user_record.rounds.record), progress)
        return pickle.dumps(None)
