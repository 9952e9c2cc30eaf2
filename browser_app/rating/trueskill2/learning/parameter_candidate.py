"""Candidate parameters during the TrueSkill 2 fit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import Parameter, ParameterValue
from browser_app.rating.trueskill2.learning.count_fit import CountShape, CountUnits, resolve_count_parameters

_MAX_OFFSETS = 200
_MIN_RELATIVE_GAIN = 1e-4  # of the first gain


def experience_offsets(first: float, decay_rounds: float) -> tuple[float, ...]:
    """The gains first·e^(−n/matches) by match n; the last entry, which holds for ever after, is 0.

    Args:
        first: what the first match adds.
        decay_rounds: in how many the gain falls to 1/e; more than 0.
    """
    ratio = math.exp(-1.0 / decay_rounds)
    gains = [first]
    while len(gains) < _MAX_OFFSETS and abs(gains[-1]) > _MIN_RELATIVE_GAIN * abs(first):
        gains.append(gains[-1] * ratio)
    return (*gains, 0.0)


_MIN_LOG_VALUE = 1e-8
"""From here a number on a logarithmic scale that is 0 moves."""
_MIN_DRAW_MARGIN = 1e-3
"""A draw margin that is no wider stays: draws hardly happen."""


@dataclass(frozen=True)
class ParameterCandidate:
    """One mode's parameters by name, those of counts still in units."""

    values: Mapping[str, ParameterValue]
    shape: CountShape | None = None

    def resolved(self, known: CountUnits) -> dict[str, ParameterValue]:
        """The parameters as in a file."""
        values = dict(self.values)
        if self.shape is not None:
            values |= resolve_count_parameters(self.shape, known, self.number("m0"), self.number("beta"))
        return values

    def number(self, name: str) -> float:
        """One that always has a value.

        Raises:
            ParameterError: it has none.
        """
        value = self.values[name]
        if not isinstance(value, float):
            raise ParameterError(name, f"must be a number, not {value!r}")
        return value


@dataclass(frozen=True)
class CandidateAxis:
    """A single number as a coordinate of a search: itself, or its logarithm to base 10."""

    parameter: Parameter
    given: float

    @property
    def start(self) -> float:
        """Where the search begins."""
        return math.log10(max(self.given, _MIN_LOG_VALUE)) if self.parameter.fit == "log" else self.given

    @property
    def step(self) -> float:
        """The first step."""
        return 0.5 if self.parameter.fit == "log" else max(0.5, abs(self.given) / 4)

    def value(self, at: float) -> float:
        """The parameter; where it has not moved, exactly what it was."""
        if at == self.start:
            return self.given
        return min(self.parameter.high, max(self.parameter.low, 10.0**at if self.parameter.fit == "log" else at))


def list_core_axes(declared: Sequence[Parameter], guess: ParameterCandidate) -> list[CandidateAxis]:
    """All single numbers that have a value, but for β and those of counts and quits."""
    axes = []
    for parameter in declared:
        value = guess.values[parameter.name]
        if (
            parameter.fit == "no"
            or not isinstance(value, float)
            or parameter.name.startswith(("kill", "death", "quit"))
        ):
            continue
        if parameter.name != "draw_margin" or value > _MIN_DRAW_MARGIN:
            axes.append(CandidateAxis(parameter, value))
    return axes
