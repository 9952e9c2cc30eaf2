"""Base class of worker jobs and what a job is about."""

import pickle
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from browser_app.player.player_identities import Identity

if TYPE_CHECKING:
    from browser_app.rating.progress_callback import ProgressCallback
    from browser_app.rating.rating_parameters import ParameterSet
    from browser_app.rating.rating_system import RatingSystem
    from browser_app.rating_worker.worker_cache import WorkerCache


class JobError(Exception):
    """A job has no result, for a reason that the user can be told."""


@dataclass(frozen=True)
class RecordSource:
    """Where the rounds of a game are, and who the user is.

    Attributes:
        database: the file, or all of a database that has none.
        game: id. stamp: of its rounds, another one when they are others.
        identities: the user's in that game, the first first.
    """

    database: Path | bytes
    game: str
    stamp: str
    identities: tuple[Identity, ...]


@dataclass(frozen=True)
class SystemConfig:
    """A rating system by name, with its parameters."""

    system: str
    parameters: "ParameterSet"

    def create_system(self) -> "RatingSystem":
        """The system itself."""
        from browser_app.rating.system_registry import RATING_SYSTEMS

        return RATING_SYSTEMS[self.system](self.parameters)


Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True)
class WorkerJob(ABC, Generic[Result_co]):
    """Something to calculate from the rounds of a game.

    Attributes:
        what: a word for it; of two jobs with the same one only the newer is wanted.
        slow: whether it takes minutes on a large record.
        gives_way: whether nobody waits for it: it is begun again when others are done.
        quiet: whether nobody is told that it is done, or how far it is.
    """

    kind: ClassVar[str]
    slow: ClassVar[bool] = False
    low_priority: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    source: RecordSource

    @abstractmethod
    def run(self, cache: "WorkerCache", progress: "ProgressCallback") -> bytes:
        """Do it, in the calculating process.

        Raises:
            JobError: there is no result, and the user is told why.
        """

    def unpack(self, content: bytes) -> Result_co:
        """What `run` gave, in the window's process but not in its thread."""
        result: Result_co = pickle.loads(content)  # noqa: S301 (from our own child)
        return result
