"""Back-tests of a system without one of its extras, or with shuffled counts.

Parameters are not fitted again without an extra: where another part of the model could take its place, as drift can for
experience, the difference is the most that the extra can be worth.
"""

from dataclasses import dataclass, replace

import numpy as np

from browser_app.rating.evaluation.backtest import Backtest, forecast_pairs
from browser_app.rating.evaluation.forecast_scores import LossDifference, compare_losses, log_losses
from browser_app.rating.model_extra import ModelExtra
from browser_app.rating.progress_callback import ProgressCallback, ignore_progress, subtask_progress
from browser_app.rating.rating_system import RatingRun, RatingSystem
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.translatable import N_

_COUNTS = ("kills", "deaths", "score", "assists", "objectives")
_SEED = 2018


@dataclass(frozen=True, slots=True)
class Ablation:
    """What the forecasts of a system lose when something is missing.

    Attributes:
        title: what is missing, marked for translation.
        log_loss: mean with it missing; None without forecasts.
        difference: that log loss less the one of the whole system; positive where what is missing helps.
    """

    title: str
    log_loss: float | None
    difference: LossDifference


def list_active_extras(system: RatingSystem) -> list[ModelExtra]:
    """Return the extras that are on; of several that switch off the same, the first."""
    active = [extra for extra in system.extras if extra.is_on(system.parameters)]
    without = [extra.remove_from(system.parameters) for extra in active]
    return [extra for index, extra in enumerate(active) if without[index] not in without[:index]]


def ablate_extras(
    system: RatingSystem, found: Backtest, first_scored: int, progress: ProgressCallback = ignore_progress
) -> dict[str, Ablation]:
    """Back-test a system without each of its active extras, by name of the extra.

    `found` has the back-test of the whole system, scored from `first_scored` on.
    """
    extras, ablations = list_active_extras(system), {}
    for number, extra in enumerate(extras):
        run = type(system)(extra.remove_from(system.parameters)).new_run(found.record)
        part = subtask_progress(progress, number, len(extras))
        ablations[extra.name] = _compare_forecasts(extra.title, run, found, system.name, first_scored, part)
    return ablations


def ablate_counts(
    system: RatingSystem,
    shuffled: RoundRecord,
    found: Backtest,
    first_scored: int,
    progress: ProgressCallback = ignore_progress,
) -> Ablation:
    """Back-test a system on a record with shuffled counts, against that in `found`."""
    return _compare_forecasts(
        N_("Player statistics, shuffled"), system.new_run(shuffled), found, system.name, first_scored, progress
    )


def _compare_forecasts(
    title: str, run: RatingRun, found: Backtest, whole: str, first_scored: int, progress: ProgressCallback
) -> Ablation:
    losses = log_losses(forecast_pairs(run, found.pairs, first_scored, progress), found.pairs.won)
    known = losses[~np.isnan(losses)]
    log_loss = float(known.mean()) if len(known) else None
    return Ablation(title, log_loss, compare_losses(losses, found.losses[whole], found.pairs.round))


def shuffle_counts(record: RoundRecord) -> RoundRecord:
    """Return the record with the counts of each round's players shuffled.

    The counts of one player stay together. Deterministic. A system that still forecasts as well does not owe it to
    these counts.
    """
    draws = np.random.default_rng(_SEED).random(len(record.player))
    order = np.lexsort((draws, record.round_of_appearance))
    return replace(record, **{column: getattr(record, column)[order] for column in _COUNTS})
