"""What is told of rounds being taken in: of each file, of one that waits for the user, and how far it is."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from browser_app.rounds.table_head import TableHead


class Imported(NamedTuple):
    """What became of one file."""

    path: Path
    format: str
    rounds: int
    """All that it tells; `new`: those that were not known yet."""
    new: int
    problem: str = ""
    """Why it was refused; empty when it was taken."""
    table: "TableHead | None" = None
    """How a table begins that is `Unmapped`, if the user is there to be asked."""
    waits: bool = False
    """It was refused only because it is a table of which nobody has said which column is which."""
    richer: int = 0
    """Known rounds of which more is known now."""
    gains: frozenset[str] = frozenset()
    """What that is: some of `rounds.same_round.GAINS`."""


class Unmapped(NamedTuple):
    """A table that was refused only because nobody has said which of its columns is which."""

    path: Path
    problem: str
    table: "TableHead"


class Importing(NamedTuple):
    """How far an import is."""

    path: Path
    """The file in hand."""
    file: int
    """Its number, from 1, of `files`."""
    files: int
    share: float
    """Of that file's bytes, 0…1."""
