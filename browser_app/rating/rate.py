"""Takes a rating system over a record, forward in time: what it learns from, what it skips, and each step."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from browser_app.rating.prediction import Prediction
from browser_app.rating.progress import Progress, untold
from browser_app.rating.record import Ints, Record
from browser_app.rating.system import Rating, RatingRun

_BLOCK = 4096  # rounds between two words about progress


class Skipped(NamedTuple):
    """A round that changed nothing, and why."""

    round: int
    why: str


class Step(NamedTuple):
    """One rated round.

    Attributes:
        prediction: what the update compared with the outcome: presence as it turned out.
        forecast: what could be said before the round; None where that says nothing.
        before, after: ratings of the round's players, in the order of their appearances.
    """

    round: int
    prediction: Prediction
    forecast: Prediction | None
    before: Sequence[Rating]
    after: Sequence[Rating]


class Forward:
    """One run on its way over its record; each round is taken once.

    Attributes:
        at: the next round. skipped: those of the rounds before it that were not rated.
    """

    def __init__(self, run: RatingRun, progress: Progress = untold) -> None:
        self.run = run
        self.at = 0
        self.skipped: list[Skipped] = []
        self._progress = progress

    def to(self, last: int) -> None:
        """Learn from all rounds before ``last``."""
        for block in self._blocks(last):
            self.skipped += [Skipped(k, why) for k, why in self.run.learn(block.start, block.stop)]

    def steps(self, last: int) -> Iterator[Step]:
        """Learn from all rounds before ``last``, telling each step."""
        run = self.run
        for block in self._blocks(last):
            for k in block:
                why = run.unrated(k)
                if why is not None:
                    self.skipped.append(Skipped(k, why))
                    continue
                forecast, prediction, before = run.forecast(k), run.prediction(k), run.ratings(k)
                run.update(k)
                yield Step(k, prediction, forecast, before, run.ratings(k))

    @property
    def learnt(self) -> Ints:
        """The rated rounds so far, ascending."""
        return np.setdiff1d(np.arange(self.at, dtype=np.int32), [k for k, _ in self.skipped], assume_unique=True)

    def _blocks(self, last: int) -> Iterator[range]:
        """The rounds from here to ``last`` in blocks; ``at`` moves on when one is done."""
        total = len(self.run.record)
        while self.at < last:
            end = min(self.at + _BLOCK, last)
            self._progress(self.at, total)
            yield range(self.at, end)
            self.at = end
        self._progress(self.at, total)


def outcome(record: Record, k: int) -> float | None:
    """1 where the first-named of two teams won, 0 where it lost, ½ for a draw; None for more teams or no outcome."""
    ranks = record.ranks(k)
    if ranks is None or len(ranks) != 2:
        return None
    first, second = ranks
    return 1.0 if first < second else 0.0 if first > second else 0.5
