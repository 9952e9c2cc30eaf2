"""Who is compared with whom in XonStat's systems: as columns for the update, one by one for everything else."""

from dataclasses import dataclass
from typing import NamedTuple


class Contender(NamedTuple):
    """Somebody who is rated in a round: ``alive`` in seconds or as a share of it, ``ping`` in ms or NaN."""

    slot: int
    team: int
    alive: float
    score: float
    ping: float


@dataclass(frozen=True, slots=True)
class Contenders:
    """Those of some rounds, a list a field of ``Contender``; ``start[i]`` is where round i begins, the last the end."""

    start: list[int]
    slot: list[int]
    team: list[int]
    alive: list[float]
    score: list[float]
    ping: list[float]

    def rows(self, i: int) -> slice:
        """Where round i stands."""
        return slice(self.start[i], self.start[i + 1])

    def count(self, i: int) -> int:
        """How many round i has."""
        return self.start[i + 1] - self.start[i]

    def __getitem__(self, i: int) -> list[Contender]:
        """Those of round i."""
        at = self.rows(i)
        columns = (self.slot, self.team, self.alive, self.score, self.ping)
        return [Contender(*values) for values in zip(*(column[at] for column in columns), strict=True)]
