"""Candidate parameters during the TrueSkill 2 fit."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from browser_app.rating.evaluation.loss_search import SearchAxis, parameter_axis, parameter_value
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import Parameter, ParameterValue
from browser_app.rating.trueskill2.learning.count_fit import CountShape, CountUnits, resolve_count_parameters
from browser_app.rating.trueskill2.trueskill2_model import COUNT_COLUMNS

_MAX_OFFSETS = 200
_MIN_RELATIVE_GAIN = 1e-4  # of the first gain


class ExperienceCurve(NamedTuple):
    """What skill gains by a round: `first` (units of β) in the first one.

    The gain falls by a factor of e every 10^`log_rounds` rounds.
    """

    first: float
    log_rounds: float

    def offsets(self, beta: float) -> tuple[float, ...]:
        """Return the gains after 0, 1, … rounds; the last entry, for all later ones, is 0."""
        first, ratio = self.first * beta, math.exp(-(10.0**-self.log_rounds))
        gains = [first]
        while len(gains) < _MAX_OFFSETS and abs(gains[-1]) > _MIN_RELATIVE_GAIN * abs(first):
            gains.append(gains[-1] * ratio)
        return (*gains, 0.0)

    def axes(self) -> list[SearchAxis]:
        """Return both numbers as coordinates that start here."""
        return [SearchAxis(self.first, 0.02, -1.0, 1.0), SearchAxis(self.log_rounds, 0.3, -1.0, 2.5)]


_MIN_LOG_VALUE = 1e-8
"""Where a number on a logarithmic scale that is 0 starts to move."""
_MIN_DRAW_MARGIN = 1e-3
"""A draw margin up to this is not fitted: there are hardly any draws."""
_SQUAD_STEP, _SQUAD_PRIOR_SD = 0.1, 0.25
"""Of an offset, in units of β: those of rare sizes stay near 0."""
_PRIOR_SDS: Mapping[str, float] = {
    "m0": 1.0,
    "v0": 0.5,
    "gamma2": 1.0,
    "tau2": 2.0,
    "base_v": 0.5,
    "base_gamma2": 1.0,
    "base_tau2": 2.0,
    "bias_v": 0.5,
}
"""Standard deviations of the priors about the usual values, of variances in powers of ten.

Some hundred rounds hardly constrain each of these numbers, and without a prior the best fit is often far off.
"""


@dataclass(frozen=True)
class ParameterCandidate:
    """Parameters of one mode, or of all, some in the form in which they are fitted.

    Attributes:
        values: all parameters, without those of counts that are in units.
        usual: where the priors are, by parameter; those without have none.
        experience: in place of `experience_offset`.
        shapes: in place of the parameters of counts, by kind.
        modes: what single modes have of their own.
        focus: the mode whose own numbers are fitted now, None for those of all modes.
        is_fixed: whether no number is fitted now.
    """

    values: Mapping[str, ParameterValue]
    usual: Mapping[str, ParameterValue]
    experience: ExperienceCurve | None = None
    shapes: Mapping[str, CountShape] = field(default_factory=dict)
    modes: Mapping[str, "ParameterCandidate"] = field(default_factory=dict)
    focus: str | None = None
    is_fixed: bool = False

    def resolve(self, known: CountUnits) -> dict[str, ParameterValue]:
        """Return the parameters as in a file, without those of single modes."""
        beta = self.number("beta")
        gains = {} if self.experience is None else {"experience_offset": self.experience.offsets(beta)}
        return {**self.values, **gains, **resolve_count_parameters(self.shapes, known, self.number("m0"), beta)}

    def number(self, name: str) -> float:
        """Return a parameter that always has a value.

        Raises:
            ParameterError: it has none.
        """
        value = self.values[name]
        if not isinstance(value, float):
            raise ParameterError(name, f"must be a number, not {value!r}")
        return value

    def with_values(self, **values: ParameterValue) -> "ParameterCandidate":
        """Return a candidate with other values of some parameters."""
        return replace(self, values={**self.values, **values})

    def axes(self, declared: Sequence[Parameter]) -> list[SearchAxis]:
        """Return the numbers that are fitted."""
        if self.is_fixed:
            return []
        if self.focus is not None:
            return self.modes[self.focus].axes(declared)
        axes = [axis for _, axis in self._value_axes(declared)] + self._squad_axes()
        axes += [] if self.experience is None else self.experience.axes()
        return axes + [axis for shape in self.shapes.values() for axis in shape.axes()]

    def with_numbers(self, declared: Sequence[Parameter], point: Sequence[float]) -> "ParameterCandidate":
        """Return a candidate with other numbers, in the order of `axes`."""
        if self.is_fixed:
            return self
        if self.focus is not None:
            return replace(self, modes={**self.modes, self.focus: self.modes[self.focus].with_numbers(declared, point)})
        at = iter(point)
        values: dict[str, ParameterValue] = {
            parameter.name: parameter_value(parameter, axis, next(at), self.number(parameter.name))
            for parameter, axis in self._value_axes(declared)
        }
        if squads := [next(at) for _ in self._squad_axes()]:
            values["squad_offset"] = (0.0, *squads)
        return replace(
            self,
            values={**self.values, **values},
            experience=None if self.experience is None else ExperienceCurve(next(at), next(at)),
            shapes={kind: CountShape(next(at), next(at), next(at)) for kind in self.shapes},
        )

    def _value_axes(self, declared: Sequence[Parameter]) -> Iterator[tuple[Parameter, SearchAxis]]:
        """Yield all single numbers that have a value, without β, counts and quits."""
        for parameter in declared:
            name, value = parameter.name, self.values[parameter.name]
            if parameter.fit == "no" or not isinstance(value, float) or name.startswith((*COUNT_COLUMNS, "quit")):
                continue
            if name == "bias_v" and self.values["bias"] == "none":
                continue
            if name != "draw_margin" or value > _MIN_DRAW_MARGIN:
                yield parameter, self._with_prior(parameter, parameter_axis(parameter, value, _MIN_LOG_VALUE))

    def _with_prior(self, parameter: Parameter, axis: SearchAxis) -> SearchAxis:
        usual, sd = self.usual.get(parameter.name), _PRIOR_SDS.get(parameter.name)
        if not isinstance(usual, float) or sd is None:
            return axis
        mean = parameter_axis(parameter, usual, _MIN_LOG_VALUE).start
        return replace(axis, prior_mean=mean, prior_sd=sd if parameter.fit == "log" else sd * self.number("beta"))

    def _squad_axes(self) -> list[SearchAxis]:
        offsets, beta = self.values.get("squad_offset"), self.number("beta")
        if not isinstance(offsets, tuple):
            return []
        return [SearchAxis(offset, _SQUAD_STEP * beta, prior_sd=_SQUAD_PRIOR_SD * beta) for offset in offsets[1:]]
