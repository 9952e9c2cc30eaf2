"""What a calculation is about: whose rounds of which game, and a rating system with its parameters."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from browser_app.player.identities import Identity

if TYPE_CHECKING:
    from browser_app.rating.parameters import ParameterSet
    from browser_app.rating.system import RatingSystem


class JobError(Exception):
    """A job has no result, for a reason that the user can be told."""


@dataclass(frozen=True)
class Source:
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
class Model:
    """A rating system by name, with its parameters."""

    system: str
    parameters: "ParameterSet"

    def made(self) -> "RatingSystem":
        """The system itself."""
        from browser_app.rating.systems import SYSTEMS

        return SYSTEMS[self.system](self.parameters)
