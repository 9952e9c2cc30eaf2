"""Parts of a rating model that a back-test can switch off to measure their worth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from browser_app.rating.rating_parameters import ParameterSet, ParameterValue

ParameterValues: TypeAlias = Mapping[str, ParameterValue]
"""Values of all parameters, or of some, by name."""


@dataclass(frozen=True, slots=True)
class ModelExtra:
    """One part of a rating model.

    Attributes:
        name: as `evaluate --ablate` prints it.
        title: for display, marked for translation.
        switch_off: returns the values without which the part is off, given all values of a mode; those of undeclared
            parameters are ignored.
        reads_counts: whether the part learns from kills, deaths and the like.
    """

    name: str
    title: str
    switch_off: Callable[[ParameterValues], ParameterValues]
    reads_counts: bool = False

    def remove_from(self, parameters: ParameterSet) -> ParameterSet:
        """Return the parameters with this part off in every mode."""
        default = self._without(parameters.default)
        modes = {
            mode: {
                name: value for name, value in self._without(parameters.in_mode(mode)).items() if value != default[name]
            }
            for mode in parameters.modes
        }
        return ParameterSet(default, modes)

    def is_on(self, parameters: ParameterSet) -> bool:
        """Return whether switching this part off would change a value in any mode."""
        values = (parameters.default, *map(parameters.in_mode, parameters.modes))
        return any(self._without(each) != dict(each) for each in values)

    def _without(self, values: ParameterValues) -> dict[str, ParameterValue]:
        changed = self.switch_off(values).items()
        return {**values, **{name: value for name, value in changed if name in values}}


def set_to(**values: ParameterValue) -> Callable[[ParameterValues], ParameterValues]:
    """Return a `switch_off` that sets these values."""
    return lambda _: values


def unset(*names: str) -> Callable[[ParameterValues], ParameterValues]:
    """Return a `switch_off` that leaves these parameters without a value."""
    return lambda _: dict.fromkeys(names)
