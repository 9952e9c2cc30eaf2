"""Forward pass of a rating system over a record, and results read from it."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from browser_app.rating.progress_callback import ProgressCallback, ignore_progress
from browser_app.rating.rating_explanation import RatingExplanation
from browser_app.rating.rating_system import Rating, RatingRun, RatingSystem
from browser_app.rating.record.round_record import Ints, RoundRecord
from browser_app.rating.round_prediction import Prediction

_BLOCK = 4096  # rounds between two progress reports


class SkippedRound(NamedTuple):
    """A round that changed no rating, and the reason."""

    round: int
    reason: str


class RatedRound(NamedTuple):
    """One rated round.

    Attributes:
        round: index into the record.
        prediction: the chances that the update compared with the outcome, with presence as it turned out.
        forecast: the chances before the round; None if the system gives none.
        before, after: ratings of the round's players, in the order of their appearances.
    """

    round: int
    prediction: Prediction
    forecast: Prediction | None
    before: Sequence[Rating]
    after: Sequence[Rating]


class ForwardPass:
    """Pass of a run over its record, in which each round is processed once.

    Attributes:
        run: the run.
        next_round: the first round not yet processed.
        skipped: processed rounds that were not rated.
    """

    def __init__(self, run: RatingRun, progress: ProgressCallback = ignore_progress) -> None:
        self.run = run
        self.next_round = 0
        self.skipped: list[SkippedRound] = []
        self._progress = progress

    def advance_to(self, last: int) -> None:
        """Learn from all rounds before `last`."""
        for block in self._blocks(last):
            self.skipped += [SkippedRound(k, why) for k, why in self.run.update_range(block.start, block.stop)]

    def rate_rounds(self, last: int) -> Iterator[RatedRound]:
        """Learn from all rounds before `last` and yield each rated one."""
        run = self.run
        for block in self._blocks(last):
            for k in block:
                why = run.skip_reason(k)
                if why is not None:
                    self.skipped.append(SkippedRound(k, why))
                    continue
                forecast, prediction, before = run.forecast(k), run.prediction(k), run.ratings(k)
                run.update(k)
                yield RatedRound(k, prediction, forecast, before, run.ratings(k))

    @property
    def rated_rounds(self) -> Ints:
        """Rounds rated so far, ascending."""
        skipped = [k for k, _ in self.skipped]
        return np.setdiff1d(np.arange(self.next_round, dtype=np.int32), skipped, assume_unique=True)

    def _blocks(self, last: int) -> Iterator[range]:
        """Yield the rounds before `last` in blocks; `next_round` advances after each."""
        total = len(self.run.record)
        while self.next_round < last:
            end = min(self.next_round + _BLOCK, last)
            self._progress(self.next_round, total)
            yield range(self.next_round, end)
            self.next_round = end
        self._progress(self.next_round, total)


def first_team_outcome(record: RoundRecord, k: int) -> float | None:
    """Return 1 if the first of two teams won, 0 if it lost, ½ for a draw, else None."""
    ranks = record.ranks(k)
    if ranks is None or len(ranks) != 2:
        return None
    first, second = ranks
    return 1.0 if first < second else 0.0 if first > second else 0.5


RunProvider: TypeAlias = Callable[[int, ProgressCallback], RatingRun]


def explain_round(
    system: RatingSystem,
    record: RoundRecord,
    k: int,
    player: str,
    progress: ProgressCallback = ignore_progress,
    run_before: RunProvider | None = None,
) -> RatingExplanation:
    """Explain what round k does to the rating of a player (by id).

    `run_before` returns a run that has learned from all rounds before the given one; None starts at the first round.

    Raises:
        ValueError: the player is not in this round or was on no team, or the system does not rate it.
    """
    rows = record.appearances(k)
    present = [row for row in range(rows.start, rows.stop) if record.player_ids[record.player[row]] == player]
    if not present:
        raise ValueError(f"{player} is not in round {k}")
    if run_before is not None:
        return run_before(k, progress).explain(k, present[0])
    run = system.new_run(record)
    ForwardPass(run, progress).advance_to(k)
    return run.explain(k, present[0])
