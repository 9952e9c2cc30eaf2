"""Back-test of rating systems and baselines on one record.

What is scored is the forecast, as the TrueSkill 2 paper does (section 5: teams and squads alone, no play time, no
counts, no quits), by P(· | no draw), of rounds with a winner that the system rates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.evaluation.decided_pairs import DecidedPairs, find_decided_pairs, pair_team_sizes
from browser_app.rating.evaluation.forecast_scores import ForecastScores, log_losses, score_forecasts
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.translatable import N_


def constant_baseline(record: RoundRecord, pairs: DecidedPairs) -> Floats:
    """P(first-named wins): the rate at which it has won so far; NaN where a team has nobody."""
    _, _, manned = pair_team_sizes(record, pairs)
    return np.where(manned, _rate_so_far(pairs, pairs.won, manned), np.nan)


def team_size_baseline(record: RoundRecord, pairs: DecidedPairs) -> Floats:
    """P(first-named wins): the rate at which the team with more people has won so far; NaN where a team has nobody."""
    of_a, of_b, manned = pair_team_sizes(record, pairs)
    a_larger = of_a > of_b
    larger_won = np.where(a_larger, pairs.won, 1.0 - pairs.won)
    rate = _rate_so_far(pairs, larger_won, manned & (of_a != of_b))
    chance = np.where(of_a == of_b, 0.5, np.where(a_larger, rate, 1.0 - rate))
    return np.where(manned, chance, np.nan)


def _rate_so_far(pairs: DecidedPairs, won: Floats, counts: NDArray[np.bool_]) -> Floats:
    """The rate before each pair's round: the pairs of one round know nothing of each other."""
    wins = np.concatenate([[0.0], np.cumsum(won * counts)])
    seen = np.concatenate([[0], np.cumsum(counts)])
    before = np.searchsorted(pairs.round, pairs.round, side="left")
    rate: Floats = (wins[before] + 1.0) / (seen[before] + 2.0)
    return rate


BASELINES: Mapping[str, Callable[[RoundRecord, DecidedPairs], Floats]] = {
    "constant": constant_baseline,
    "size": team_size_baseline,
}
BASELINE_TITLES: Mapping[str, str] = {"constant": N_("Base rate"), "size": N_("Team size only")}
"""Titles of the baselines, marked for translation."""


_BLOCK = 512  # rounds between two words about progress


@dataclass(frozen=True)
class Backtest:
    """Chances that systems and baselines gave, beside what happened.

    Attributes:
        pairs: what is scored. chances: P(a before b | no tie) by name, one a pair; NaN where nothing was said.
    """

    record: RoundRecord
    pairs: DecidedPairs
    chances: dict[str, Floats]

    @cached_property
    def scores(self) -> dict[str, ForecastScores]:
        """By name."""
        return {name: score_forecasts(chance, self.pairs) for name, chance in self.chances.items()}

    @cached_property
    def losses(self) -> dict[str, Floats]:
        """−ln of the chance of what happened, by name, one a pair."""
        return {name: log_losses(chance, self.pairs.won) for name, chance in self.chances.items()}


def backtest(
    record: RoundRecord,
    systems: Sequence[RatingSystem],
    first_scored: int = 0,
    progress: ProgressCallback = ignore_progress,
) -> Backtest:
    """Run systems and baselines forward over a record.

    Args:
        record: all rounds; everything before round ``first_scored`` is learnt from and not scored.
        systems: each with a name of its own.
        first_scored: the first round that is scored.
        progress: told rounds done, those of all systems together.
    """
    pairs = find_decided_pairs(record)
    chances = {
        system.name: forecast_pairs(
            system.new_run(record), pairs, first_scored, subtask_progress(progress, number, len(systems))
        )
        for number, system in enumerate(systems)
    }
    chances |= {name: baseline(record, pairs) for name, baseline in BASELINES.items()}
    begin = int(np.searchsorted(pairs.round, first_scored))
    return Backtest(record, pairs.skip_first(begin), {name: chance[begin:] for name, chance in chances.items()})


def forecast_pairs(
    run: RatingRun, pairs: DecidedPairs, first: int = 0, progress: ProgressCallback = ignore_progress
) -> Floats:
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
        if run.skip_reason(k) is not None:
            continue
        if k >= first and start[k] < start[k + 1]:
            forecast = run.forecast(k)
            if forecast is not None:
                for j in range(start[k], start[k + 1]):
                    chance[j] = forecast.beats[a[j]][b[j]]
        run.update(k)
    progress(rounds, rounds)
    return chance
