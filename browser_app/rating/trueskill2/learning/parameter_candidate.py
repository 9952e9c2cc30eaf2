"""Candidate parameters during the TrueSkill 2 fit."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from browser_app.rating.evaluation.compass_search import SearchAxis
from browser_app.rating.rating_errors import ParameterError
from browser_app.rating.rating_parameters import Parameter, ParameterValue
from browser_app.rating.trueskill2.learning.count_fit import (
    CountShape,
    CountUnits,
    KindShape,
    resolve_count_parameters,
)
from browser_app.rating.trueskill2.trueskill2_model import COUNT_COLUMNS

_MAX_OFFSETS = 200
_MIN_RELATIVE_GAIN = 1e-4  # of the first gain


def experience_offsets(first: float, decay_rounds: float) -> tuple[float, ...]:
    """Return the gains first·e^(−n/decay_rounds) of rounds n; the last entry, which applies to all later ones, is 0."""
    ratio = math.exp(-1.0 / decay_rounds)
    gains = [first]
    while len(gains) < _MAX_OFFSETS and abs(gains[-1]) > _MIN_RELATIVE_GAIN * abs(first):
        gains.append(gains[-1] * ratio)
    return (*gains, 0.0)


_MIN_LOG_VALUE = 1e-8
"""Where a number on a logarithmic scale that is 0 starts to move."""
_MIN_DRAW_MARGIN = 1e-3
"""A draw margin up to this is not fitted: there are hardly any draws."""


@dataclass(frozen=True)
class ParameterCandidate:
    """One mode's parameters by name, those of counts in units.

    Attributes:
        values: all parameters, without those of counts that are in units.
        shape: of kills and deaths, None while they are off.
        more_shapes: of the other counts that are on, by kind.
    """

    values: Mapping[str, ParameterValue]
    shape: CountShape | None = None
    more_shapes: Mapping[str, KindShape] = field(default_factory=dict)

    def resolved(self, known: CountUnits) -> dict[str, ParameterValue]:
        """Return the parameters as in a file."""
        shapes = {**(self.shape.by_kind() if self.shape is not None else {}), **self.more_shapes}
        return {**self.values, **resolve_count_parameters(shapes, known, self.number("m0"), self.number("beta"))}

    @property
    def has_counts(self) -> bool:
        """Whether any counts are in units."""
        return self.shape is not None or bool(self.more_shapes)

    def number(self, name: str) -> float:
        """Return a parameter that always has a value.

        Raises:
            ParameterError: it has none.
        """
        value = self.values[name]
        if not isinstance(value, float):
            raise ParameterError(name, f"must be a number, not {value!r}")
        return value


def list_core_axes(declared: Sequence[Parameter], guess: ParameterCandidate) -> list[SearchAxis]:
    """Return the axes of all single numbers that have a value, without β, counts and quits."""
    axes = []
    for parameter in declared:
        value = guess.values[parameter.name]
        if parameter.fit == "no" or not isinstance(value, float) or parameter.name.startswith((*COUNT_COLUMNS, "quit")):
            continue
        if parameter.name != "draw_margin" or value > _MIN_DRAW_MARGIN:
            axes.append(SearchAxis(parameter, value, _MIN_LOG_VALUE))
    return axes
