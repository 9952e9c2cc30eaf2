"""Declaration, validation and resolution of rating-system parameters."""

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, TypeAlias

from browser_app.rating.rating_errors import ParameterError

ParameterValue: TypeAlias = float | str | tuple[float, ...] | None
"""A number, a choice, a list of numbers, or None for off."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a rating system.

    Attributes:
        name: as in files and `--param`.
        title: short title for display, marked for translation.
        meaning: one line of description, with the unit, marked for translation.
        default: default value; None for an extra that is off until given a value.
        low, high: bounds of a number, or of every number of a list.
        exclusive_low: lower bound that is itself not allowed.
        choices: allowed words; empty for numbers.
        max_numbers: most numbers of a list; 0 for a single number.
        fit: whether and on which scale `fit` changes it; `choice`: it tries all choices.
        full_history: whether it matters only where the whole record is rated at once.
    """

    name: str
    title: str
    meaning: str
    default: ParameterValue
    low: float = -math.inf
    high: float = math.inf
    exclusive_low: float = -math.inf
    choices: tuple[str, ...] = ()
    max_numbers: int = 0
    fit: Literal["no", "linear", "log", "choice"] = "no"
    full_history: bool = False

    def validate(self, value: object) -> ParameterValue:
        """Return the validated value; text is parsed as given to `--param`.

        Raises:
            ParameterError: the value is not allowed.
        """
        if value is None:
            if self.default is None:
                return None
            raise ParameterError(self.name, "must have a value")
        if self.choices:
            word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
            if word not in self.choices:
                raise ParameterError(self.name, f"must be one of {', '.join(self.choices)}, not {value!r}")
            return str(word)
        if isinstance(value, str):
            value = self._parse(value)
        if not self.max_numbers:
            return self._validate_number(value)
        if not isinstance(value, Sequence):
            raise ParameterError(self.name, f"must be a list of numbers, not {value!r}")
        if not 0 < len(value) <= self.max_numbers:
            raise ParameterError(self.name, f"must have 1 to {self.max_numbers} numbers, not {len(value)}")
        return tuple(self._validate_number(number) for number in value)

    def _parse(self, text: str) -> float | list[float]:
        try:
            if self.max_numbers:
                return [float(number) for number in text.strip().removeprefix("[").removesuffix("]").split(",")]
            return float(text)
        except ValueError:
            kind = "a list of numbers" if self.max_numbers else "a number"
            raise ParameterError(self.name, f"must be {kind}, not {text!r}") from None

    def _validate_number(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ParameterError(self.name, f"must be a number, not {value!r}")
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise ParameterError(self.name, f"must be {self._format_range()}, not an integer of hundreds of digits")
        if not (self.low <= value <= self.high and value > self.exclusive_low) or math.isinf(value):
            raise ParameterError(self.name, f"must be {self._format_range()}, not {value:g}")
        return float(value)

    def _format_range(self) -> str:
        least = "" if math.isinf(self.low) else f"at least {_format_bound(self.low)}"
        if math.isfinite(self.exclusive_low):
            least = f"above {_format_bound(self.exclusive_low)}"
        greatest = "" if math.isinf(self.high) else f"at most {_format_bound(self.high)}"
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{_format_bound(self.low)} to {_format_bound(self.high)}"
        return " and ".join(filter(None, (least, greatest))) or "a finite number"


def _format_bound(bound: float) -> str:
    return f"{bound:.0f}" if bound.is_integer() else f"{bound:g}"


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """Validated values: `default` of all parameters, `modes` where these differ."""

    default: Mapping[str, ParameterValue]
    modes: Mapping[str, Mapping[str, ParameterValue]]

    def in_mode(self, mode: str) -> Mapping[str, ParameterValue]:
        """Return all parameters as they apply in a mode."""
        return {**self.default, **self.modes.get(mode, {})}

    def number(self, name: str, mode: str | None = None) -> float:
        """Return a parameter that is always a number."""
        value = (self.default if mode is None else self.in_mode(mode))[name]
        if not isinstance(value, float):
            raise ParameterError(name, f"must be a number, not {value!r}")
        return value

    def check_shared(self, names: Iterable[str]) -> None:
        """Check that some parameters are the same in all modes.

        Raises:
            ParameterError: a mode has another value of one of them.
        """
        for name in names:
            for mode, values in self.modes.items():
                if name in values and values[name] != self.default[name]:
                    raise ParameterError(name, f"is one for all modes and cannot be another for {mode}")

    def to_file_content(self, system: str) -> dict[str, object]:
        """Return the content of a parameters file with these values."""
        return {"system": system, "default": dict(self.default), "modes": {m: dict(v) for m, v in self.modes.items()}}


def resolve_parameters(
    declared: Sequence[Parameter],
    *,
    preset: Mapping[str, object] | None = None,
    file: Mapping[str, object] | None = None,
    explicit: Mapping[str, object] | None = None,
) -> ParameterSet:
    """Merge defaults, preset, parameters file and single values, later ones first.

    Args:
        declared: the system's parameters.
        preset: values of a preset.
        file: `{"default": {…}, "modes": {MODE: {…}}}`; the caller compares its "system".
        explicit: values by name, as text or typed.

    Raises:
        ParameterError: an unknown name or an invalid value.
    """
    by_name = {parameter.name: parameter for parameter in declared}
    file = file or {}
    default: dict[str, ParameterValue] = {parameter.name: parameter.default for parameter in declared}
    default |= _validate_values(by_name, preset or {})
    default |= _validate_values(by_name, _require_mapping(file.get("default", {}), "default"), "default")
    overrides = _validate_values(by_name, explicit or {})
    modes = {
        mode: {**_validate_values(by_name, _require_mapping(values, mode, "modes"), "modes", mode), **overrides}
        for mode, values in _require_mapping(file.get("modes", {}), "modes").items()
    }
    return ParameterSet(default | overrides, modes)


def _validate_values(
    by_name: Mapping[str, Parameter], values: Mapping[str, object], *within: str
) -> dict[str, ParameterValue]:
    checked = {}
    for name, value in values.items():
        if name not in by_name:
            close = get_close_matches(name, by_name, 1)
            hint = f"; did you mean {close[0]}?" if close else f"; there are {', '.join(by_name)}"
            raise ParameterError(name, "no such parameter" + hint, within)
        try:
            checked[name] = by_name[name].validate(value)
        except ParameterError as error:
            raise ParameterError(name, error.problem, within) from None
    return checked


def _require_mapping(value: object, name: str, *within: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ParameterError(name, f"must be an object, not {value!r}", within)
    return value
