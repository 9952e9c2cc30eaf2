"""The back-test: every system forecasts each round before it learns from it; all are scored on the same record.

What is scored is the forecast, as the TrueSkill 2 paper does (section 5: teams and squads alone, no play time, no
counts, no quits), by P(· | no draw), of rounds with a winner that the system rates.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from browser_app.rating.baselines import BASELINES
from browser_app.rating.decided import Decided, decided_pairs
from browser_app.rating.progress import Progress, part, untold
from browser_app.rating.record import Floats, Record
from browser_app.rating.scores import Scores, losses, scores
from browser_app.rating.system import RatingRun, RatingSystem

_BLOCK = 512  # rounds between two words about progress


@dataclass(frozen=True)
class Backtest:
    """Chances that systems and baselines gave, beside what happened.

    Attributes:
        pairs: what is scored. chances: P(a before b | no tie) by name, one a pair; NaN where nothing was said.
    """

    record: Record
    pairs: Decided
    chances: dict[str, Floats]

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """By name."""
        return {name: scores(chance, self.pairs) for name, chance in self.chances.items()}

    @cached_property
    def losses(self) -> dict[str, Floats]:
        """−ln of the chance of what happened, by name, one a pair."""
        return {name: losses(chance, self.pairs.won) for name, chance in self.chances.items()}


def backtest(record: Record, systems: Sequence[RatingSystem], first: int = 0, progress: Progress = untold) -> Backtest:
    """Run systems and baselines forward over a record.

    Args:
        record: all rounds; everything before round ``first`` is learnt from and not scored.
        systems: each with a name of its own.
        first: the first round that is scored.
        progress: told rounds done, those of all systems together.
    """
    pairs = decided_pairs(record)
    chances = {
        system.name: forecasts(system.start(record), pairs, first, part(progress, number, len(systems)))
        for number, system in enumerate(systems)
    }
    chances |= {name: baseline(record, pairs) for name, baseline in BASELINES.items()}
    begin = int(np.searchsorted(pairs.round, first))
    return Backtest(record, pairs.tail(begin), {name: chance[begin:] for name, chance in chances.items()})


def forecasts(run: RatingRun, pairs: Decided, first: int = 0, progress: Progress = untold) -> Floats:
    """P(a before b | no tie) of each pair, said before its round; NaN where the system rates or foresees nothing.

    Rounds before ``first`` are learnt from without a forecast: it would change nothing.
    """
    rounds = len(run.record)
    chance = np.full(len(pairs.round), np.nan)
    start: list[int] = np.searchsorted(pairs.round, np.arange(rounds + 1)).tolist()
    a, b = pairs.a.tolist(), pairs.b.tolist()
    for k in range(rounds):
        if k % _BLOCK == 0:
            progress(k, rounds)
        if run.unrated(k) is not None:
            continue
        if k >= first and start[k] < start[k + 1]:
            forecast = run.forecast(k)
            if forecast is not None:
                for j in range(start[k], start[k + 1]):
                    chance[j] = forecast.beats[a[j]][b[j]]
        run.update(k)
    progress(rounds, rounds)
    return chance
