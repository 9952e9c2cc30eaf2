"""Jobs that answer what the pages of My Skill ask.

What they calculate with is loaded where they run, so that the window, which only names them, starts without it.
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
    from browser_app.player.own_history import OwnHistory
    from browser_app.player.win_patterns import WinPattern  # noqa: F401
    from browser_app.rating.evaluation.parameter_fit import FitResult  # noqa: F401
    from browser_app.rating.evaluation.system_comparison import SystemComparison  # noqa: F401
    from browser_app.rating.progress_callback import ProgressCallback
    from browser_app.rating.rating_explanation import RatingExplanation  # noqa: F401
    from browser_app.rating.rating_system import RatingRun  # noqa: F401
    from browser_app.rating_worker.worker_cache import WorkerCache


@dataclass(frozen=True)
class CompareSystemsJob(WorkerJob["SystemComparison"]):
    """Every system on the record; `mine`: scored by the user's rounds alone."""

    kind = "compare"
    slow = True
    models: tuple[SystemConfig, ...]
    own_rounds_only: bool

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.rating.evaluation.backtest import backtest
        from browser_app.rating.evaluation.system_comparison import compare_systems

        book, progress = cache.open_record(self.source, progress)
        record = book.rounds.record
        found = backtest(record, [model.create_system() for model in self.models], progress=progress)
        return pickle.dumps(compare_systems(found, book.own_rounds if self.own_rounds_only else None))


@dataclass(frozen=True)
class FitParametersJob(WorkerJob["FitResult"]):
    """Better parameters for a system, from the first rounds alone, and what they gain on the others."""

    kind = "fit"
    slow = True
    model: SystemConfig
    training_share: float

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.rating.evaluation.parameter_fit import fit_and_score

        book, progress = cache.open_record(self.source, progress)
        record = book.rounds.record
        finished = np.flatnonzero(record.finished)
        wanted = int(self.training_share * len(finished))
        if not wanted:
            raise JobError(N_("no finished rounds to learn from"))
        return pickle.dumps(fit_and_score(self.model.create_system(), record, int(finished[wanted - 1]) + 1, progress))


@dataclass(frozen=True)
class ExplainRoundJob(WorkerJob["RatingExplanation"]):
    """One of the user's rounds taken apart."""

    kind = "explain"
    model: SystemConfig
    round_id: str

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.rating.forward_pass import explain_round

        book, progress = cache.open_record(self.source, progress)
        record = book.rounds.record
        if self.round_id not in record.ids:
            raise JobError(N_("this round is no longer stored"))
        k = record.ids.index(self.round_id)
        try:
            run_before = cache.waypoints(self.source, self.model).run_before
            explained = explain_round(self.model.create_system(), record, k, book.player or "", progress, run_before)
            return pickle.dumps(explained)
        except ValueError as error:  # not rated, or without him
            raise JobError(str(error)) from error


@dataclass(frozen=True)
class OtherHistoryJob(WorkerJob["OwnHistory"]):
    """Another player's history, or the user's under another system."""

    kind = "other"
    model: SystemConfig
    player: str | None

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.player.own_history import compute_own_history

        book, progress = cache.open_record(self.source, progress)
        rounds, player = book.rounds, self.player or book.player or ""
        system = self.model.create_system()
        history = compute_own_history(
            rounds.record,
            system,
            player,
            game=self.source.game,
            servers=rounds.servers,
            approximate=rounds.is_approximate,
            progress=progress,
        )
        return history.to_bytes()

    def unpack(self, content: bytes) -> "OwnHistory":
        """The history."""
        from browser_app.player.own_history import OwnHistory

        return OwnHistory.from_bytes(content)


@dataclass(frozen=True)
class HabitsJob(WorkerJob["Sequence[WinPattern]"]):
    """What the user wins more or less often than expected."""

    kind = "habits"
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.player.win_patterns import find_win_patterns

        history = cache.history(self.source, self.model, progress)
        return pickle.dumps(find_win_patterns(history, cache.record(self.source).rounds.record))


@dataclass(frozen=True)
class CompanyJob(WorkerJob["CoPlayers"]):
    """Who played along in the user's rounds."""

    kind = "company"
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.player.co_players import find_co_players

        history = cache.history(self.source, self.model, progress)
        return find_co_players(history, cache.record(self.source).rounds.record).to_bytes()

    def unpack(self, content: bytes) -> "CoPlayers":
        """The columns."""
        from browser_app.player.co_players import CoPlayers

        return CoPlayers.from_bytes(content)


@dataclass(frozen=True)
class FinalRunJob(WorkerJob["RatingRun"]):
    """The system as it stands after all rounds, knowing everybody but no round."""

    kind = "run"
    model: SystemConfig

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        from browser_app.rating.record.player_slots import players_only_record

        book, progress = cache.open_record(self.source, progress)
        record = book.rounds.record
        run = cache.waypoints(self.source, self.model).run_before(len(record), progress)
        return pickle.dumps(run.transfer_to(players_only_record(record)))


class RecordPlayer(NamedTuple):
    """Somebody in a record."""

    id: str
    name: str
    rounds: int


@dataclass(frozen=True)
class PlayersJob(WorkerJob[Sequence[RecordPlayer]]):
    """Everybody in the record, those with most rounds first."""

    kind = "people"

    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """See the class."""
        record = cache.record(self.source, progress).rounds.record
        rounds = np.bincount(record.player, minlength=len(record.player_ids)).tolist()
        names = zip(record.player_ids, record.player_names, rounds, strict=True)
        everybody = [RecordPlayer(player, name or player, count) for player, name, count in names]
        return pickle.dumps(sorted(everybody, key=lambda each: -each.rounds))
