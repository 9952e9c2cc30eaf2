"""Estimation of all TrueSkill 2 parameters from a record."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from browser_app.rating.progress_callback import ProgressCallback
from browser_app.rating.rating_parameters import Parameter, ParameterSet, ParameterValue
from browser_app.rating.record.round_record import RoundRecord
from browser_app.rating.trueskill2.learning.count_fit import (
    KIND_START,
    KIND_STEPS,
    SHAPE_STARTS,
    SHAPE_STEPS,
    CountShape,
    KindShape,
    measure_count_units,
    shape_penalty,
)
from browser_app.rating.trueskill2.learning.forecast_trials import SHARED_FIRST, ForecastTrials, winning_teams
from browser_app.rating.trueskill2.learning.parameter_candidate import (
    ParameterCandidate,
    experience_offsets,
    list_core_axes,
)
from browser_app.rating.trueskill2.learning.quit_fit import fit_quit_parameters
from browser_app.rating.trueskill2.learning.squad_fit import fit_squad_offsets, record_has_squads

_MAX_ROUNDS = 20_000
"""Most rounds used, from the first on, so that newcomers are newcomers. More hardly change a dozen numbers."""
_MIN_MODE_ROUNDS = 1000
"""Rounds from which a mode gets parameters of its own (the paper, section 4: with fewer, learning breaks down)."""
_CORE_RUNS, _SHAPE_RUNS, _KIND_RUNS, _EXPERIENCE_RUNS, _SQUAD_RUNS = 60, 70, 24, 24, 3


def estimate_parameters(
    declared: Sequence[Parameter], initial: ParameterSet, record: RoundRecord, progress: ProgressCallback
) -> ParameterSet:
    """Return the parameters whose forecasts would have had the least log loss.

    Fitted in this order, each with the results so far: the core (β is fixed as the scale); experience, if it saves the
    ln n nats that its two numbers cost (Schwarz); squads; kills and deaths; score, assists and objectives, each if it
    saves the 1.5 ln n nats of its three numbers; the core again; quits. An extra can be on in the result if it is
    declared and the record has its data. Then modes with ``_MIN_MODE_ROUNDS`` rounds get a core and a shape of kills
    and deaths of their own, unless a base skill ties modes together; others inherit, and have their own units of
    counts. Deterministic. The search starts at ``initial``, which is the result if nothing better is found.

    The paper moves all parameters at once by Rprop on the evidence, in a hundred sweeps. The evidence of counts is the
    wrong measure (see ``count_fit``), and without derivatives a search along few axes needs fewer runs.
    """
    record = record.first_rounds(min(len(record), _MAX_ROUNDS))
    if not record.finished.any():
        return initial
    search = _EstimateSearch(declared, initial, record, progress)
    best = search.fit_all_modes()
    found = search.fit_quits(search.parameters(best, search.fit_single_modes(best)))
    progress(search.trials.calls, search.trials.calls)
    return found


class _EstimateSearch:
    def __init__(
        self, declared: Sequence[Parameter], given: ParameterSet, record: RoundRecord, progress: ProgressCallback
    ) -> None:
        self._declared, self._given, self._record = declared, given, record
        self._names = {parameter.name for parameter in declared}
        units = measure_count_units(record)
        self._units = {kind: unit for kind, unit in units.items() if f"{kind}_wp" in self._names}
        self._has_kills_or_deaths = bool({"kill", "death"} & self._units.keys())
        self._more_kinds = [kind for kind in self._units if kind not in ("kill", "death")]
        own = {name: measure_count_units(record, mode) for mode, name in enumerate(record.modes)} if self._units else {}
        self._own_units = {name: {**self._units, **known} for name, known in own.items() if known}
        rounds = np.bincount(record.mode[record.finished], minlength=len(record.modes))
        several = np.count_nonzero(rounds) > 1 and given.default.get("base_v") is None
        self._modes: list[int] = np.flatnonzero(rounds >= _MIN_MODE_ROUNDS).tolist() if several else []
        self.trials = ForecastTrials(record, progress, self._count_runs())

    def _count_runs(self) -> int:
        counts = self._has_kills_or_deaths
        experience = "experience_offset" in self._names
        everywhere = 2 * _CORE_RUNS + (_CORE_RUNS + _EXPERIENCE_RUNS) * experience
        everywhere += (_SHAPE_RUNS + len(SHAPE_STARTS)) * counts + _KIND_RUNS * len(self._more_kinds)
        return everywhere + len(self._modes) * (_CORE_RUNS + _SHAPE_RUNS * counts)

    def fit_all_modes(self) -> ParameterCandidate:
        """Fit the parameters of all modes together."""
        start = ParameterCandidate(self._given.default)
        first = replace(start, values={**start.values, **self._initial_draw_margin(start)})
        best = self._fit_core(first)
        if "experience_offset" in self._names:  # γ² could stand in, so fit the core again
            best = self._better(best, self._fit_core(self._fit_experience(first)), math.log(len(self._record)))
        if "squad_offset" in self._names and record_has_squads(self._record):
            for _ in range(_SQUAD_RUNS):
                best = self._fit_squads(best)
        if self._has_kills_or_deaths:
            starts = [replace(best, shape=shape) for shape in SHAPE_STARTS]
            best = self._better(best, self._fit_count_shape(min(starts, key=self._log_loss)))
        for kind in self._more_kinds:
            best = self._better(best, self._fit_kind_shape(best, kind), 1.5 * math.log(len(self._record)))
        return self._better(start, self._fit_core(best))

    def fit_single_modes(self, best: ParameterCandidate) -> dict[str, dict[str, ParameterValue]]:
        """Fit what differs in single modes; return it by name."""
        found, common = {}, best.resolved(self._units)
        for mode, name in enumerate(self._record.modes):
            own = self._fit_core(best, mode) if mode in self._modes else best
            own = self._fit_count_shape(own, mode) if mode in self._modes and own.shape else own
            resolved = own.resolved(self._own_units.get(name, self._units))
            different = {key: value for key, value in resolved.items() if value != common[key]}
            if different:
                found[name] = different
        return found

    def fit_quits(self, found: ParameterSet) -> ParameterSet:
        """Add the parameters of quits, one set for all modes."""
        if "quit_m" not in self._names:
            return found
        off = {**found.default, **dict.fromkeys(("quit_m", "quit_v", "quit_pu", "quit_pr"))}
        quits = fit_quit_parameters(self._record, ParameterSet(off, found.modes), found.number("beta"))
        return ParameterSet({**found.default, **quits}, found.modes)

    def parameters(
        self, guess: ParameterCandidate, modes: Mapping[str, Mapping[str, ParameterValue]] | None = None
    ) -> ParameterSet:
        """Return the parameters as a system takes them.

        Unless modes are given, they differ in the units of counts alone.
        """
        if modes is None and guess.has_counts:
            modes = {name: guess.resolved(known) for name, known in self._own_units.items()}
        return ParameterSet(guess.resolved(self._units), {**self._given.modes, **(modes or {})})

    def _in_mode(self, guess: ParameterCandidate, mode: int | None) -> ParameterSet:
        """Return the parameters as a system takes them for a single mode, or for all."""
        if mode is None:
            return self.parameters(guess)
        name = self._record.modes[mode]
        return ParameterSet(self._given.default, {name: guess.resolved(self._own_units.get(name, self._units))})

    def _log_loss(self, guess: ParameterCandidate) -> float:
        return self.trials.log_loss(self.parameters(guess))

    def _better(self, one: ParameterCandidate, other: ParameterCandidate, worth: float = 0.0) -> ParameterCandidate:
        return other if self._log_loss(other) < self._log_loss(one) - worth else one

    def _initial_draw_margin(self, guess: ParameterCandidate) -> dict[str, ParameterValue]:
        """Return the draw margin that would give the observed number of draws if all rounds were even."""
        share = float(np.mean(winning_teams(self._record)[self._record.finished] == SHARED_FIRST))
        if not 0.0 < share < 1.0:
            return {}
        players = len(self._record.player) / len(self._record)
        sd = math.sqrt(players * (guess.number("v0") + guess.number("beta") ** 2))
        return {"draw_margin": sd * math.sqrt(math.pi / 2.0) * share}

    def _fit_core(self, guess: ParameterCandidate, mode: int | None = None) -> ParameterCandidate:
        axes = list_core_axes(self._declared, guess)

        def moved(point: Sequence[float]) -> ParameterCandidate:
            values = {axis.parameter.name: axis.value(at) for axis, at in zip(axes, point, strict=True)}
            return replace(guess, values={**guess.values, **values})

        def trial(point: Sequence[float]) -> ParameterSet:
            return self._in_mode(moved(point), mode)

        start, steps = [axis.start for axis in axes], [axis.step for axis in axes]
        return moved(self.trials.search(trial, start, steps, _CORE_RUNS, mode))

    def _fit_count_shape(self, guess: ParameterCandidate, mode: int | None = None) -> ParameterCandidate:
        def trial(point: Sequence[float]) -> ParameterSet:
            return self._in_mode(replace(guess, shape=CountShape(*point)), mode)

        start = guess.shape or CountShape()
        found = self.trials.search(trial, start, SHAPE_STEPS, _SHAPE_RUNS, mode, shape_penalty)
        return replace(guess, shape=CountShape(*found))

    def _fit_kind_shape(self, guess: ParameterCandidate, kind: str) -> ParameterCandidate:
        def moved(point: Sequence[float]) -> ParameterCandidate:
            return replace(guess, more_shapes={**guess.more_shapes, kind: KindShape(*point)})

        def trial(point: Sequence[float]) -> ParameterSet:
            return self.parameters(moved(point))

        return moved(self.trials.search(trial, KIND_START, KIND_STEPS, _KIND_RUNS, penalty=shape_penalty))

    def _fit_squads(self, guess: ParameterCandidate) -> ParameterCandidate:
        now = guess.values["squad_offset"]
        offsets = now if isinstance(now, tuple) else ()
        better = fit_squad_offsets(self._record, self.parameters(guess), offsets, guess.number("beta"))
        return self._better(guess, replace(guess, values={**guess.values, "squad_offset": better or None}))

    def _fit_experience(self, guess: ParameterCandidate) -> ParameterCandidate:
        beta = guess.number("beta")

        def gaining(point: Sequence[float]) -> ParameterCandidate:
            gains = experience_offsets(point[0] * beta, 10.0 ** max(point[1], -1.0))
            return replace(guess, values={**guess.values, "experience_offset": gains})

        def trial(point: Sequence[float]) -> ParameterSet:
            return self.parameters(gaining(point))

        return gaining(self.trials.search(trial, (0.02, 1.0), (0.02, 0.3), _EXPERIENCE_RUNS))
