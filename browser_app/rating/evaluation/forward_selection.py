"""Forward selection of the parts of a model, by forecasts of held-out rounds.

A part that is of no use still fits the rounds it is fitted to a little better, so it is scored on later ones: it is
fitted to the first half of the rounds and scored on the third quarter, then fitted to three quarters and scored on the
last. As luck decides many of some hundred rounds, it must also gain more than noise would over all rounds.

Luck may also hide the gain of numbers that every model has, so these are fitted as well where later rounds show none,
if all rounds gain much more than they would by noise.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from browser_app.rating.evaluation.loss_search import SearchAxis, minimise_losses
from browser_app.rating.fit_steps import MIN_HELD_OUT_ROUNDS, FitStep, FitStepCallback
from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_parameters import ParameterSet, ParameterValue
from browser_app.rating.record.round_record import Floats, RoundRecord

FOLDS = ((0.5, 0.75), (0.75, 1.0))
"""Shares of the record: fitted to the rounds before the first, scored on those between the two."""
MAX_FORECASTS = 500_000
"""Most rounds forecast in one search, so that the time of a fit is limited whatever the record."""
_MIN_NATS = 1.0
"""Least gain over all rounds per number of a part (H. Akaike 1974); useless ones gain half of it on average."""
_MAX_RUNS = 100
"""Most runs in one search; more are not needed, see `minimise_losses`."""
_MIN_GAIN = 0.05
"""Nats over all rounds; a search ends when a step gains less."""
_PROGRESS_UNITS = 1000

Candidate = TypeVar("Candidate")


class Trials(ABC, Generic[Candidate]):
    """Forecasts of the first rounds of a record with candidates for the parameters.

    Attributes:
        record: the rounds that candidates are fitted to.
    """

    def __init__(self, record: RoundRecord) -> None:
        self.record = record

    @abstractmethod
    def axes(self, candidate: Candidate) -> Sequence[SearchAxis]:
        """Return the numbers of a candidate that are fitted."""

    @abstractmethod
    def with_numbers(self, candidate: Candidate, point: Sequence[float]) -> Candidate:
        """Return a candidate with other numbers."""

    @abstractmethod
    def parameters(self, candidate: Candidate) -> ParameterSet:
        """Return the parameters as a system takes them."""

    @abstractmethod
    def losses(self, candidate: Candidate, record: RoundRecord) -> Floats:
        """Return the log loss of each round of a record; NaN where none is forecast.

        Raises:
            ValueError: the parameters are not allowed.
            ArithmeticError: they are too extreme to calculate with.
        """


AnyTrials = TypeVar("AnyTrials", bound=Trials[Any])


class _Fold(NamedTuple, Generic[AnyTrials]):
    """Trials on the first rounds, and a longer record whose last rounds are held out."""

    trials: AnyTrials
    longer: RoundRecord


class HeldOutGain(NamedTuple):
    """Mean log loss of the held-out rounds before and after a step.

    `error` is the standard error of the difference.
    """

    rounds: int
    before: float
    after: float
    error: float


def measure_gain(before: Floats, after: Floats) -> HeldOutGain:
    """Return the gain over the rounds that were forecast, taken as independent."""
    known = ~np.isnan(before)
    before, after = before[known], after[known]
    n = len(before)
    if n < MIN_HELD_OUT_ROUNDS or not np.isfinite(after).all():
        return HeldOutGain(n, float(before.mean()) if n else math.nan, math.inf, math.inf)
    if not np.isfinite(before).all():
        return HeldOutGain(n, math.inf, float(after.mean()), 0.0)
    change = before - after
    return HeldOutGain(n, float(before.mean()), float(after.mean()), float(change.std(ddof=1)) / math.sqrt(n))


class ForwardSelection(Generic[AnyTrials, Candidate]):
    """Adds one part after the other to a model, each if it makes forecasts better.

    With each part all numbers are refitted. A part stays if later rounds are forecast better with it, and all rounds
    by `_MIN_NATS` for each of its numbers. Without a part, the numbers that are there already stay fitted if all rounds
    are forecast better by `_MIN_NATS` for each of them, or if later rounds are forecast better.

    Attributes:
        best: the candidate so far, fitted to the whole record.
    """

    def __init__(
        self,
        record: RoundRecord,
        new_trials: Callable[[RoundRecord], AnyTrials],
        start: Candidate,
        steps: int,
        progress: ProgressCallback,
        report: FitStepCallback,
        max_forecasts: int = MAX_FORECASTS,
    ) -> None:
        """Start with a candidate; `steps` are as many as will be tried or skipped."""
        self._progress, self._report, self._max_forecasts = progress, report, max_forecasts
        self._steps, self._done, self._share = steps, 0, 0.0
        cut = [(int(first * len(record)), int(last * len(record))) for first, last in FOLDS]
        self._folds = [_Fold(new_trials(record.first_rounds(first)), record.first_rounds(last)) for first, last in cut]
        self.whole = new_trials(record)
        self._candidates = [start for _ in self._folds]
        self._losses = [self._held_out_losses(*pair) for pair in zip(self._folds, self._candidates, strict=True)]
        self.best = start

    def attempt(
        self,
        name: str,
        title: str,
        starts: Callable[[AnyTrials, Candidate], Sequence[Candidate]],
        numbers: int | None = None,
    ) -> None:
        """Try a part, and keep it if it makes forecasts better.

        Args:
            name: of the step.
            title: of the step.
            starts: returns candidates with the part, where the search starts; none if a record has no data for it.
            numbers: how many the part adds; None: as many as are fitted more; 0 if there is no part, only a fit.
        """
        first = [starts(fold.trials, best) for fold, best in zip(self._folds, self._candidates, strict=True)]
        if not all(first):
            self.skip()
            return
        tuned = [
            self._tune(fold.trials, each, 0.25 + 0.25 * number)
            for number, (fold, each) in enumerate(zip(self._folds, first, strict=True))
        ]
        losses = [self._held_out_losses(*pair) for pair in zip(self._folds, tuned, strict=True)]
        gain = measure_gain(np.concatenate(self._losses), np.concatenate(losses))
        better = None
        if gain.after < gain.before:
            better = self._fit_whole(starts(self.whole, self.best), numbers)
        elif numbers == 0 and math.isfinite(gain.after):
            better = self._fit_whole(starts(self.whole, self.best), len(self.whole.axes(self.best)))
        tried = _changes(*(self._folds[-1].trials.parameters(each) for each in (self._candidates[-1], tuned[-1])))
        if better is not None:
            self._candidates, self._losses, self.best = tuned, losses, better
        self._finish_step()
        kept = better is not None
        self._report(
            FitStep(name, title, tried, gain.rounds, gain.before, gain.after, gain.error, kept, self.parameters)
        )

    def skip(self) -> None:
        """Report a step as done without trying it."""
        self._finish_step()

    @property
    def parameters(self) -> ParameterSet:
        """The parameters of the best candidate."""
        return self.whole.parameters(self.best)

    def _fit_whole(self, starts: Sequence[Candidate], numbers: int | None) -> Candidate | None:
        """Return the best candidate for the whole record; None if it gains too little."""
        if not starts:
            return None
        better = self._tune(self.whole, starts, 1.0)
        return better if self._gains_enough(better, numbers) else None

    def _tune(self, trials: AnyTrials, starts: Sequence[Candidate], share: float) -> Candidate:
        """Return the best candidate found from the most promising start.

        `share` of the step is done afterwards.
        """
        first_runs = max(len(trials.axes(start)) for start in starts) + 3  # enough for one step
        runs = max(first_runs, min(_MAX_RUNS, self._max_forecasts // max(1, len(trials.record))))
        planned = runs + (len(starts) > 1) * len(starts) * first_runs
        begin, calls = self._share, 0

        def search(candidate: Candidate, max_runs: int) -> tuple[Candidate, float]:
            def losses(point: Sequence[float]) -> Floats | None:
                nonlocal calls
                calls += 1
                self._report_progress(begin + (share - begin) * min(1.0, calls / planned))
                return _finite_losses(trials, trials.with_numbers(candidate, point))

            found = minimise_losses(losses, trials.axes(candidate), max_runs, _MIN_GAIN)
            return trials.with_numbers(candidate, found.point), found.total

        if len(starts) > 1:
            starts = [min((search(start, first_runs) for start in starts), key=lambda found: found[1])[0]]
        found, _ = search(starts[0], runs)
        self._report_progress(share)
        return found

    def _held_out_losses(self, fold: _Fold[AnyTrials], candidate: Candidate) -> Floats:
        losses = _losses_or_none(fold.trials, candidate, fold.longer)
        first = len(fold.trials.record)
        return np.full(len(fold.longer) - first, math.inf) if losses is None else losses[first:]

    def _gains_enough(self, better: Candidate, numbers: int | None) -> bool:
        now, then = (_finite_losses(self.whole, candidate) for candidate in (better, self.best))
        if now is None or then is None:
            return now is not None
        if numbers is None:
            numbers = len(self.whole.axes(better)) - len(self.whole.axes(self.best))
        return math.fsum(then) - math.fsum(now) > _MIN_NATS * numbers

    def _report_progress(self, share: float) -> None:
        self._share = share
        done = min(self._done + share, self._steps)
        self._progress(int(_PROGRESS_UNITS * done), _PROGRESS_UNITS * self._steps)

    def _finish_step(self) -> None:
        self._done += 1
        self._report_progress(0.0)


def _losses_or_none(trials: Trials[Candidate], candidate: Candidate, record: RoundRecord) -> Floats | None:
    try:
        return trials.losses(candidate, record)
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None


def _finite_losses(trials: Trials[Candidate], candidate: Candidate) -> Floats | None:
    """Return the losses of the rounds that are forecast; None unless all are finite."""
    losses = _losses_or_none(trials, candidate, trials.record)
    if losses is None:
        return None
    known = losses[~np.isnan(losses)]
    return known if np.isfinite(known).all() else None


def _changes(before: ParameterSet, after: ParameterSet) -> Mapping[str, ParameterValue]:
    """Return the changed values, those of single modes as `MODE.NAME`."""
    changed = {name: value for name, value in after.default.items() if before.default.get(name) != value}
    for mode in after.modes:
        old = before.in_mode(mode)
        changed |= {
            f"{mode}.{name}": value
            for name, value in after.modes[mode].items()
            if old[name] != value and changed.get(name) != value
        }
    return changed
