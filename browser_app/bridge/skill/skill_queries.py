"""Queries of the loaded rounds, answered by worker processes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from browser_app.application.own_skill.skill_preferences import SkillPreferences, rating_system_names
from browser_app.bridge.skill.worker_client import WorkerPool
from browser_app.rating_worker import query_jobs

if TYPE_CHECKING:
    from browser_app.application.own_skill.skill_record_loader import LoadedRecord
    from browser_app.player.co_players import CoPlayers
    from browser_app.player.habits import Habit
    from browser_app.player.leaderboard import RecordLeaderboards
    from browser_app.player.own_history import OwnHistory
    from browser_app.rating.evaluation.parameter_fit import FitResult
    from browser_app.rating.evaluation.system_comparison import SystemComparison
    from browser_app.rating.rating_explanation import RatingExplanation
    from browser_app.rating.rating_system import RatingRun
    from browser_app.rating_worker.worker_job import WorkerJob

_Result = TypeVar("_Result")

TRAINING_SHARE = 0.7
"""Parameters are fitted on this share of the rounds, the earliest ones."""


class SkillQueries:
    """Queries of the record that `SkillModel` has loaded.

    They use its chosen rating system. Results are passed to the callbacks in the GUI thread; not after a failure or a
    cancellation, nor when a newer query of the same kind has replaced them. Nothing is submitted while no
    record is loaded.
    """

    def __init__(
        self, workers: WorkerPool, preferences: SkillPreferences, loaded: "Callable[[], LoadedRecord | None]"
    ) -> None:
        self._workers, self._preferences, self._loaded = workers, preferences, loaded

    def explain_round(self, round_id: str, callback: "Callable[[RatingExplanation], object]") -> None:
        """Explain the rating change of a shown round.

        A round without a change (not rated) is a failure.
        """
        self._submit(lambda loaded: query_jobs.ExplainRoundJob(loaded.location, loaded.config, round_id), callback)

    def request_other_history(
        self, callback: "Callable[[OwnHistory], object]", *, player: str | None = None, system: str | None = None
    ) -> None:
        """Request another player's history, or the user's under another system."""

        def job(loaded: "LoadedRecord") -> query_jobs.PlayerHistoryJob:
            config = self._preferences.config(loaded.game, system or loaded.config.system)
            return query_jobs.PlayerHistoryJob(loaded.location, config, player)

        self._submit(job, callback)

    def request_habits(self, callback: "Callable[[Sequence[Habit]], object]") -> None:
        """Request the user's habits by map, team, hour, teammate and opponent."""
        self._submit(lambda loaded: query_jobs.HabitsJob(loaded.location, loaded.config), callback)

    def request_leaderboards(self, callback: "Callable[[RecordLeaderboards], object]", *, before: float | None) -> None:
        """Request the leaderboards of the record.

        They count the rounds that started before a time (Unix time, s); None: all rounds.
        """
        self._submit(lambda loaded: query_jobs.LeaderboardsJob(loaded.location, loaded.config, before), callback)

    def request_co_players(self, callback: "Callable[[CoPlayers], object]") -> None:
        """Request the players of the shown rounds."""
        self._submit(lambda loaded: query_jobs.CoPlayersJob(loaded.location, loaded.config), callback)

    def request_players(self, callback: Callable[[Sequence[tuple[str, str, int]]], object]) -> None:
        """Request id, name (or id) and rounds of all players, most rounds first."""
        self._submit(lambda loaded: query_jobs.PlayersJob(loaded.location), callback)

    def compare_systems(
        self, callback: "Callable[[SystemComparison], object]", *, own_rounds_only: bool = False
    ) -> None:
        """Back-test every system on the record.

        With `own_rounds_only`, they are scored by the user's rounds only.
        """

        def job(loaded: "LoadedRecord") -> query_jobs.CompareSystemsJob:
            configs = tuple(self._preferences.config(loaded.game, name) for name in rating_system_names())
            return query_jobs.CompareSystemsJob(loaded.location, configs, own_rounds_only)

        self._submit(job, callback)

    def fit_parameters(self, callback: "Callable[[FitResult], object]") -> None:
        """Fit the chosen system's parameters to the first 70 % of the rounds.

        They are not applied.
        """
        self._submit(
            lambda loaded: query_jobs.FitParametersJob(loaded.location, loaded.config, TRAINING_SHARE), callback
        )

    def request_final_run(self, callback: "Callable[[RatingRun], object]") -> None:
        """Request a run of the chosen system over all rounds.

        See `SkillModel.request_final_run`.
        """
        self._submit(lambda loaded: query_jobs.FinalRunJob(loaded.location, loaded.config), callback)

    def _submit(
        self, job: "Callable[[LoadedRecord], WorkerJob[_Result]]", callback: Callable[[_Result], object]
    ) -> None:
        loaded = self._loaded()
        if loaded is not None and loaded.game:
            self._workers.submit(job(loaded), callback)
