"""Back-test of rating systems and baselines on one record.

The forecasts are scored, as in section 5 of the TrueSkill 2 paper: they know teams, squads and commanders, but no play
time, counts or quits. Scored is P(· | no draw) of rounds that have a winner and that the system rates.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from browser_app.rating.evaluation.decided_pairs import DecidedPairs, find_decided_pairs, pair_team_sizes
from browser_app.rating.evaluation.forecast_blend import (
    BASELINE_PRIOR,
    BLEND,
    CAREFUL_PRIOR,
    PLAIN_PRIOR,
    blend_forecasts,
)
from browser_app.rating.evaluation.forecast_scores import (
    ForecastScores,
    log_losses,
    log_odds_to_chances,
    score_forecasts,
)
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import Floats, RoundRecord
from browser_app.rating.translatable import N_


def constant_baseline(record: RoundRecord, pairs: DecidedPairs) -> Floats:
    """Return the rate of wins of the first-named teams so far, per pair.

    ½ in rounds without sides, where teams are named after their players; NaN where a team has no players.
    """
    _, _, occupied = pair_team_sizes(record, pairs)
    has_sides = record.has_sides[pairs.round]
    rate = _rate_so_far(pairs, pairs.won, occupied & has_sides)
    return np.where(occupied, np.where(has_sides, rate, 0.5), np.nan)


def team_size_baseline(record: RoundRecord, pairs: DecidedPairs) -> Floats:
    """Return P(a wins) from the rate of wins of larger teams so far, per pair.

    ½ for teams of equal size; NaN where a team has no players.
    """
    a_players, b_players, occupied = pair_team_sizes(record, pairs)
    a_larger = a_players > b_players
    larger_won = np.where(a_larger, pairs.won, 1.0 - pairs.won)
    rate = _rate_so_far(pairs, larger_won, occupied & (a_players != b_players))
    chance = np.where(a_players == b_players, 0.5, np.where(a_larger, rate, 1.0 - rate))
    return np.where(occupied, chance, np.nan)


def _rate_so_far(pairs: DecidedPairs, won: Floats, counts: NDArray[np.bool_]) -> Floats:
    """Return the rate over all rounds before that of each pair."""
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


def baseline_log_odds(record: RoundRecord, pairs: DecidedPairs) -> dict[str, Floats]:
    """Return the baselines' forecasts of each pair, as log-odds by name.

    NaN where a team has no players.
    """
    chances = {name: baseline(record, pairs) for name, baseline in BASELINES.items()}
    return {name: np.log(chance / (1.0 - chance)) for name, chance in chances.items()}


_BLOCK = 512  # rounds between two progress reports


@dataclass(frozen=True)
class Backtest:
    """Forecasts of systems, baselines and the blend of all, and the outcomes.

    Attributes:
        record: all rounds.
        pairs: the pairs of teams that are scored.
        log_odds: of a before b, without a tie, per pair, by name; NaN without a forecast.
        blend_weights: of the blend after all rounds, by name; their sum is its scale; empty without a blend.
    """

    record: RoundRecord
    pairs: DecidedPairs
    log_odds: dict[str, Floats]
    blend_weights: Mapping[str, float] = field(default_factory=dict)

    def select(self, which: slice | NDArray[np.bool_]) -> "Backtest":
        """Return the back-test of some of the pairs."""
        log_odds = {name: odds[which] for name, odds in self.log_odds.items()}
        return Backtest(self.record, self.pairs.select(which), log_odds, self.blend_weights)

    @cached_property
    def chances(self) -> dict[str, Floats]:
        """P(a before b | no tie) per pair, by name; NaN without a forecast."""
        return {name: log_odds_to_chances(odds) for name, odds in self.log_odds.items()}

    @cached_property
    def scores(self) -> dict[str, ForecastScores]:
        """Scores by name."""
        return {name: score_forecasts(odds, self.pairs) for name, odds in self.log_odds.items()}

    @cached_property
    def losses(self) -> dict[str, Floats]:
        """−ln of the chance given to the outcome, per pair, by name."""
        return {name: log_losses(odds, self.pairs.won) for name, odds in self.log_odds.items()}


FULL_HISTORY_SUFFIX = "-full-history"
"""Added to the name of a system for its forecasts with skills solved from all earlier rounds."""
FULL_HISTORY_SOLVES = 20
"""How often skills are solved over a record, at equal distances."""

RunSegments: TypeAlias = Iterator[tuple[RatingRun, range]]
"""Runs with the rounds that each of them forecasts; together these are the whole record."""


def backtest(
    record: RoundRecord,
    systems: Sequence[RatingSystem],
    first_scored: int = 0,
    progress: ProgressCallback = ignore_progress,
    *,
    full_history: bool = False,
    fitted_rounds: int = 0,
) -> Backtest:
    """Run systems and baselines forward over a record and collect their forecasts.

    The systems have distinct names. They learn from all rounds; those before `first_scored` are not scored. With
    `full_history`, systems that can solve a whole record also forecast with skills solved from all earlier rounds.
    Several systems are also blended; the blend learns from earlier forecasts, so all rounds are forecast then. It
    learns less from the first `fitted_rounds`, those that parameters were fitted to.
    """
    pairs = find_decided_pairs(record)
    runs = {system.name: _online_run(system, record) for system in systems}
    if full_history:
        solving = [system for system in systems if system.has_full_history]
        runs |= {system.name + FULL_HISTORY_SUFFIX: _solved_runs(system, record) for system in solving}
    is_blended = len(runs) > 1
    first_forecast = 0 if is_blended else first_scored
    log_odds = {
        name: _forecast_segments(segments, pairs, first_forecast, subtask_progress(progress, number, len(runs)))
        for number, (name, segments) in enumerate(runs.items())
    }
    log_odds |= baseline_log_odds(record, pairs)
    weights: Mapping[str, float] = {}
    if is_blended:
        log_odds[BLEND], weights = blend_forecasts(log_odds, prior_blend_weights(systems), pairs, fitted_rounds)
    scored = slice(int(np.searchsorted(pairs.round, first_scored)), None)
    return Backtest(record, pairs, log_odds, weights).select(scored)


def prior_blend_weights(systems: Sequence[RatingSystem]) -> dict[str, float]:
    """Return the prior weights of systems, online and solved, and baselines."""
    weights = dict.fromkeys(BASELINES, BASELINE_PRIOR)
    for system in systems:
        weight = CAREFUL_PRIOR if system.allows_for_uncertainty else PLAIN_PRIOR
        weights |= {system.name: weight, system.name + FULL_HISTORY_SUFFIX: weight}
    return weights


def forecast_pairs(
    run: RatingRun, pairs: DecidedPairs, first: int = 0, progress: ProgressCallback = ignore_progress
) -> Floats:
    """Return the log-odds of a before b without a tie, as forecast before each round.

    NaN where the system does not rate the round or gives no forecast. From rounds before `first` the run only learns.
    """
    return _forecast_segments(iter([(run, range(len(run.record)))]), pairs, first, progress)


def forecast_solved_pairs(
    system: RatingSystem, record: RoundRecord, pairs: DecidedPairs, progress: ProgressCallback = ignore_progress
) -> Floats:
    """Return log-odds like `forecast_pairs`, with skills solved again and again."""
    return _forecast_segments(_solved_runs(system, record), pairs, 0, progress)


def _online_run(system: RatingSystem, record: RoundRecord) -> RunSegments:
    yield system.new_run(record), range(len(record))


def _solved_runs(system: RatingSystem, record: RoundRecord) -> RunSegments:
    """Yield runs that start with skills solved from earlier rounds, then go online."""
    edges = np.unique(np.linspace(0, len(record), FULL_HISTORY_SOLVES + 1).astype(int)).tolist()
    for first, last in pairwise(edges):
        run = system.start_run(record.first_rounds(first), full_history=True).transfer_to(record)
        yield run, range(first, last)


def _forecast_segments(segments: RunSegments, pairs: DecidedPairs, first: int, progress: ProgressCallback) -> Floats:
    log_odds = np.full(len(pairs.round), np.nan)
    a, b = pairs.a.tolist(), pairs.b.tolist()
    for run, rounds in segments:
        start: list[int] = np.searchsorted(pairs.round, np.arange(rounds.start, rounds.stop + 1)).tolist()
        for k in rounds:
            if k % _BLOCK == 0:
                progress(k, len(run.record))
            if run.skip_reason(k) is not None:
                continue
            scored = range(start[k - rounds.start], start[k - rounds.start + 1])
            if k >= first and scored and (forecast := run.forecast(k)) is not None:
                for j in scored:
                    log_odds[j] = forecast.log_odds[a[j]][b[j]]
            run.update(k)
        progress(rounds.stop, len(run.record))
    return log_odds
