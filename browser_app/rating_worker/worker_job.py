"""Base class of worker jobs, and what identifies their record."""

import pickle
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from browser_app.player.player_identities import Identity

if TYPE_CHECKING:
    from browser_app.rating.progress_callback import ProgressCallback
    from browser_app.rating.rating_parameters import ParameterSet
    from browser_app.rating.rating_system import RatingRun, RatingSystem
    from browser_app.rating.record.round_record import RoundRecord
    from browser_app.rating_worker.worker_cache import WorkerCache


class JobError(Exception):
    """A job has no result, for a reason that the user is shown."""


@dataclass(frozen=True)
class RecordLocation:
    """Where the rounds of a game are, and the user's identities.

    Attributes:
        database: the file, or the serialised content of an in-memory database.
        game: id of the game.
        stamp: a text that changes whenever the rounds change.
        identities: the user's in that game, the main one first.
    """

    database: Path | bytes
    game: str
    stamp: str
    identities: tuple[Identity, ...]


@dataclass(frozen=True)
class SystemConfig:
    """A rating system by name, with its parameters.

    Attributes:
        system: its name.
        parameters: its parameters.
        full_history: whether it rates the whole record at once, which the system must support.
    """

    system: str
    parameters: "ParameterSet"
    full_history: bool = False

    def create_system(self) -> "RatingSystem":
        """Return a new system with these parameters."""
        from browser_app.rating.system_registry import RATING_SYSTEMS

        return RATING_SYSTEMS[self.system](self.parameters)

    def start_run(self, record: "RoundRecord") -> "RatingRun":
        """Return a new run of the system over a record."""
        return self.create_system().start_run(record, full_history=self.full_history)


Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True)
class WorkerJob(ABC, Generic[Result_co]):
    """A calculation on the rounds of a game.

    Attributes:
        kind: name of the calculation; a newer job replaces an older one of the same kind.
        slow: whether it takes minutes on a large record.
        low_priority: whether other jobs interrupt it, after which it starts again.
        quiet: whether its progress is not reported.
    """

    kind: ClassVar[str]
    slow: ClassVar[bool] = False
    low_priority: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    location: RecordLocation

    @abstractmethod
    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Calculate in the worker process and return the packed result.

        Raises:
            JobError: there is no result; the user is shown why.
        """

    def unpack(self, content: bytes) -> Result_co:
        """Unpack what `run` returned.

        Called in the window's process, in a background thread.
        """
        result: Result_co = pickle.loads(content)  # noqa: S301 (from our own child)
        return result
