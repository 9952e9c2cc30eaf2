"""Jobs for the pages of My Skill.

The code that a job runs is imported in `run`, so that the window, which only submits jobs, starts without it.
"""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.language import N_
from browser_app.rating_worker.worker_job import JobError, SystemConfig, WorkerJob

if TYPE_CHECKING:
    from browser_app.player.co_players import CoPlayers
    from browser_app.player.habits import Habit  # noqa: F401
    from browser_app.player.leaderboard import RecordLeaderboards  # noqa: F401
    from browser_app.player.own_history import OwnHistory
    from browser_app.rating.evaluation.parameter_fit import FitResult  # noqa: F401
    from browser_app.rating.evaluation.system_comparison import SystemComparison  # noqa: F401
    from browser_app.rating.progress_callback import ProgressCallback
    from browser_app.rating.rating_explanation import RatingExplanation  # noqa: F401
    from browser_app.rating.rating_system import RatingRun  # noqa: F401
    from browser_app.rating_worker.worker_cache import WorkerCache


@dataclass(frozen=True)
class CompareSystemsJob(WorkerJob["SystemComparison"]):
    """Back-tests rating systems on the record.

    Attributes:
        own_rounds_only: whether only rounds with the user are scored.
    """

    kind = "compare"
    slow = True
    models: tuple[SystemConfig, ...]
    own_rounds_only: bool

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return a pickled `SystemComparison`."""
        from browser_app.rating.evaluation.backtest import backtest
        from browser_app.rating.evaluation.system_comparison import compare_systems

        user_record, progress = cache.load_record_with_progress(self.location, progress)
        record = user_record.rounds.record
        result = backtest(record, [model.create_system() for model in self.models], progress=progress)
        return pickle.dumps(compare_systems(result, user_record.own_rounds if self.own_rounds_only else None))


@dataclass(frozen=True)
class FitParametersJob(WorkerJob["FitResult"]):
    """Fits a system's parameters to the first finished rounds, scored on the others.

    Attributes:
        training_share: share of the finished rounds to fit to, 0…1.
    """

    kind = "fit"
    slow = True
    model: SystemConfig
    training_share: float

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return a pickled `FitResult`."""
        from browser_app.rating.evaluation.parameter_fit import fit_and_score

        user_record, progress = cache.load_record_with_progress(self.location, progress)
        record = user_record.rounds.record
        finished = np.flatnonzero(record.finished)
        training_rounds = int(self.training_share * len(finished))
        if not training_rounds:
            raise JobError(N_("no finished rounds to learn from"))
        last = int(finished[training_rounds - 1]) + 1
        return pickle.dumps(fit_and_score(self.model.create_system(), record, last, progress))


@dataclass(frozen=True)
class ExplainRoundJob(WorkerJob["RatingExplanation"]):
    """Explains the rating changes of one of the user's rounds."""

    kind = "explain"
    model: SystemConfig
    round_id: str

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return a pickled `RatingExplanation`."""
        from browser_app.rating.forward_pass import explain_round

        user_record, progress = cache.load_record_with_progress(self.location, progress)
        record = user_record.rounds.record
        if self.round_id not in record.ids:
            raise JobError(N_("this round is no longer stored"))
        k = record.ids.index(self.round_id)
        try:
            last = len(record) if self.model.full_history else k
            run = cache.run_before(self.location, self.model, last, progress)
            explained = explain_round(
                self.model.create_system(), record, k, user_record.player or "", progress, lambda *_: run
            )
            return pickle.dumps(explained)
        except ValueError as error:  # not rated, or without the user
            raise JobError(str(error)) from error


@dataclass(frozen=True)
class PlayerHistoryJob(WorkerJob["OwnHistory"]):
    """Computes a player's history with a system.

    Attributes:
        player: id; None for the user.
    """

    kind = "other history"
    model: SystemConfig
    player: str | None

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return an `OwnHistory` as bytes."""
        from browser_app.player.own_history import compute_own_history

        user_record, progress = cache.load_record_with_progress(self.location, progress)
        rounds, player = user_record.rounds, self.player or user_record.player or ""
        system = self.model.create_system()
        history = compute_own_history(
            rounds.record,
            system,
            player,
            game=self.location.game,
            servers=rounds.servers,
            approximate=rounds.is_approximate,
            run=self.model.start_run(rounds.record),
            progress=progress,
        )
        return history.to_bytes()

    def unpack(self, content: bytes) -> "OwnHistory":
        """Unpack an `OwnHistory`."""
        from browser_app.player.own_history import OwnHistory

        return OwnHistory.from_bytes(content)


@dataclass(frozen=True)
class HabitsJob(WorkerJob["Sequence[Habit]"]):
    """Finds what the user wins more or less often than expected."""

    kind = "habits"
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return pickled `Habit`s."""
        from browser_app.player.habits import find_habits

        history = cache.load_history(self.location, self.model, progress)
        return pickle.dumps(find_habits(history, cache.load_record(self.location).rounds.record))


@dataclass(frozen=True)
class CoPlayersJob(WorkerJob["CoPlayers"]):
    """Finds the players that the user has played with and against."""

    kind = "co-players"
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return `CoPlayers` as bytes."""
        from browser_app.player.co_players import find_co_players

        history = cache.load_history(self.location, self.model, progress)
        return find_co_players(history, cache.load_record(self.location).rounds.record).to_bytes()

    def unpack(self, content: bytes) -> "CoPlayers":
        """Unpack `CoPlayers`."""
        from browser_app.player.co_players import CoPlayers

        return CoPlayers.from_bytes(content)


@dataclass(frozen=True)
class FinalRunJob(WorkerJob["RatingRun"]):
    """Rates all rounds, to predict new ones; the run has all players, but no rounds."""

    kind = "run"
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return a pickled `RatingRun` without rounds."""
        from browser_app.rating.record.player_slots import build_players_only_record

        user_record, progress = cache.load_record_with_progress(self.location, progress)
        record = user_record.rounds.record
        run = cache.run_before(self.location, self.model, len(record), progress)
        return pickle.dumps(run.transfer_to(build_players_only_record(record)))


@dataclass(frozen=True)
class LeaderboardsJob(WorkerJob["RecordLeaderboards"]):
    """Ranks the record's players.

    Attributes:
        before: only rounds that started before this time count (Unix time, s); None for all rounds.
    """

    kind = "leaderboards"
    model: SystemConfig
    before: float | None

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return pickled `RecordLeaderboards`."""
        from browser_app.player.leaderboard import build_leaderboards

        user_record, progress = cache.load_record_with_progress(self.location, progress)
        record = user_record.rounds.record
        last = len(record) if self.before is None else int(np.searchsorted(record.started, self.before))
        run = cache.run_before(self.location, self.model, last, progress)
        rated_rounds = cache.checkpoints(self.location, self.model).rated_rounds(last)
        system = self.model.create_system()
        return pickle.dumps(build_leaderboards(record, run, system, rated_rounds, user_record.player))


class RecordPlayer(NamedTuple):
    """A player of a record."""

    id: str
    name: str
    rounds: int


@dataclass(frozen=True)
class PlayersJob(WorkerJob[Sequence[RecordPlayer]]):
    """Lists all players of the record, those with most rounds first."""

    kind = "players"

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Return pickled `RecordPlayer`s."""
        record = cache.load_record(self.location, progress).rounds.record
        rounds = np.bincount(record.player, minlength=len(record.player_ids)).tolist()
        names = zip(record.player_ids, record.player_names, rounds, strict=True)
        players = [RecordPlayer(player, name or player, count) for player, name, count in names]
        return pickle.dumps(sorted(players, key=lambda each: -each.rounds))
