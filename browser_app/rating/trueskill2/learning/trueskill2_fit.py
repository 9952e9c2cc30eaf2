"""Estimation of all TrueSkill 2 parameters from a record."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from browser_app.rating.evaluation.forward_selection import MAX_FORECASTS, ForwardSelection
from browser_app.rating.fit_steps import FitStepCallback
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_parameters import Parameter, ParameterSet
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.trueskill2.learning.forecast_trials import TrueSkill2Trials
from browser_app.rating.trueskill2.learning.model_extras import (
    FITTED_EXTRAS,
    MODE_TITLE,
    QUIT_EXTRAS,
    START_TITLE,
    add_own_mode,
    core_starts,
)
from browser_app.rating.trueskill2.learning.parameter_candidate import ParameterCandidate

_MAX_ROUNDS = 20_000
"""Most rounds used, from the first on, so that newcomers are newcomers. More hardly change a dozen numbers."""
_MIN_MODE_ROUNDS = 1000
"""Rounds from which a mode may get parameters of its own (the paper, section 4: with fewer, learning breaks down)."""


def estimate_parameters(
    declared: Sequence[Parameter],
    initial: ParameterSet,
    record: RoundRecord,
    progress: ProgressCallback,
    report: FitStepCallback,
    max_forecasts: int = MAX_FORECASTS,
) -> ParameterSet:
    """Return the parameters whose forecasts have the least log loss.

    The core comes first (β is fixed as the scale), then one extra after the other of `FITTED_EXTRAS`, those that the
    record has data for. Each is fitted together with all numbers before it, and stays if it makes forecasts better (see
    `ForwardSelection`); a likelihood of its own does not count. Then modes with enough rounds may get a
    core and counts of their own, unless a base skill ties modes together; others inherit, and have their own units of
    counts. Quits are last, as they take by far the longest. Deterministic.

    The paper moves all parameters at once by Rprop on the evidence, in a hundred sweeps. The evidence of counts is the
    wrong measure (see `count_fit`).
    """
    record = record.first_rounds(min(len(record), _MAX_ROUNDS))
    if not record.finished.any():
        return initial
    selection = ForwardSelection(
        record,
        lambda part: TrueSkill2Trials(declared, initial, part),
        ParameterCandidate(initial.default, usual=initial.default),
        1 + len(FITTED_EXTRAS) + len(record.modes) + len(QUIT_EXTRAS),
        progress,
        report,
        max_forecasts,
    )
    selection.attempt("start", START_TITLE, core_starts, numbers=0)
    for extra in FITTED_EXTRAS:
        selection.attempt(extra.name, extra.title, extra.starts, extra.numbers)
    _attempt_modes(selection, record)
    for extra in QUIT_EXTRAS:
        selection.attempt(extra.name, extra.title, extra.starts, extra.numbers)
    return selection.parameters


def _attempt_modes(selection: ForwardSelection[TrueSkill2Trials, ParameterCandidate], record: RoundRecord) -> None:
    """Try parameters of their own for the modes with enough rounds."""
    rounds = np.bincount(record.mode[record.finished], minlength=len(record.modes))
    several = np.count_nonzero(rounds) > 1 and selection.best.values.get("base_v") is None
    for mode, name in enumerate(record.modes):
        if several and rounds[mode] >= _MIN_MODE_ROUNDS:
            own = partial(add_own_mode, mode=name)
            selection.attempt(f"mode {name}", MODE_TITLE, own, len(selection.whole.axes(selection.best)))
        else:
            selection.skip()
