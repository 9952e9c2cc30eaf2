"""Parameters while they are being looked for."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from browser_app.rating.errors import ParameterError
from browser_app.rating.parameters import Parameter, Value
from browser_app.rating.trueskill2.learning.counts import Shape, Units, count_parameters

_LEAST = 1e-8
"""From here a number on a logarithmic scale that is 0 moves."""
_CERTAIN = 1e-3
"""A draw margin that is no wider stays: draws hardly happen."""


@dataclass(frozen=True)
class Guess:
    """One mode's parameters by name, those of counts still in units."""

    values: Mapping[str, Value]
    shape: Shape | None = None

    def resolved(self, known: Units) -> dict[str, Value]:
        """The parameters as in a file."""
        values = dict(self.values)
        if self.shape is not None:
            values |= count_parameters(self.shape, known, self.number("m0"), self.number("beta"))
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
class Axis:
    """A single number as a coordinate of a search: itself, or its logarithm to base 10."""

    parameter: Parameter
    given: float

    @property
    def start(self) -> float:
        """Where the search begins."""
        return math.log10(max(self.given, _LEAST)) if self.parameter.fit == "log" else self.given

    @property
    def step(self) -> float:
        """The first step."""
        return 0.5 if self.parameter.fit == "log" else max(0.5, abs(self.given) / 4)

    def value(self, at: float) -> float:
        """The parameter; where it has not moved, exactly what it was."""
        if at == self.start:
            return self.given
        return min(self.parameter.high, max(self.parameter.low, 10.0**at if self.parameter.fit == "log" else at))


def core_axes(declared: Sequence[Parameter], guess: Guess) -> list[Axis]:
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
        if parameter.name != "draw_margin" or value > _CERTAIN:
            axes.append(Axis(parameter, value))
    return axes
