"""What every job of the calculating process keeps."""

import pickle
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from browser_app.bridge.skill.subject import Source

if TYPE_CHECKING:
    from browser_app.bridge.skill.desk import Desk
    from browser_app.rating.progress import Progress

Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True)
class Job(ABC, Generic[Result_co]):
    """Something to calculate from the rounds of a game.

    Attributes:
        what: a word for it; of two jobs with the same one only the newer is wanted.
        slow: whether it takes minutes on a large record.
        gives_way: whether nobody waits for it: it is begun again when others are done.
        quiet: whether nobody is told that it is done, or how far it is.
    """

    what: ClassVar[str]
    slow: ClassVar[bool] = False
    gives_way: ClassVar[bool] = False
    quiet: ClassVar[bool] = False
    source: Source

    @abstractmethod
    def run(self, desk: "Desk", progress: "Progress") -> bytes:
        """Do it, in the calculating process.

        Raises:
            JobError: there is no result, and the user is told why.
        """

    def unpack(self, content: bytes) -> Result_co:
        """What `run` gave, in the window's process but not in its thread."""
        result: Result_co = pickle.loads(content)  # noqa: S301 (from our own child)
        return result
