"""Parameters of a rating system: declared once, checked once, the same from presets, files and the command line."""

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, TypeAlias

from browser_app.rating.errors import ParameterError

Value: TypeAlias = float | str | tuple[float, ...] | None
"""A number, one of some words, a list of numbers, or None: off."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a system.

    Attributes:
        name: as in files and ``--param``.
        meaning: one line for people, with its unit.
        default: its value unless told; None for an extra that is off until given a value.
        low, high: bounds of a number, or of every number of a list; ``above`` is a bound not itself allowed.
        words: what a word may be; empty for numbers.
        numbers: the most numbers a list may have; 0 for a single number.
        fit: whether and on which scale ``fit`` moves it.
    """

    name: str
    meaning: str
    default: Value
    low: float = -math.inf
    high: float = math.inf
    above: float = -math.inf
    words: tuple[str, ...] = ()
    numbers: int = 0
    fit: Literal["no", "linear", "log"] = "no"

    def checked(self, value: object) -> Value:
        """The value, if this parameter can have it; text is read as ``--param`` gives it.

        Raises:
            ParameterError: the parameter cannot have this value.
        """
        if value is None:
            if self.default is None:
                return None
            raise ParameterError(self.name, "must have a value")
        if self.words:
            word = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
            if word not in self.words:
                raise ParameterError(self.name, f"must be one of {', '.join(self.words)}, not {value!r}")
            return str(word)
        if isinstance(value, str):
            value = self._read(value)
        if not self.numbers:
            return self._number(value)
        if not isinstance(value, Sequence):
            raise ParameterError(self.name, f"must be a list of numbers, not {value!r}")
        if not 0 < len(value) <= self.numbers:
            raise ParameterError(self.name, f"must have 1 to {self.numbers} numbers, not {len(value)}")
        return tuple(self._number(number) for number in value)

    def _read(self, text: str) -> float | list[float]:
        try:
            if self.numbers:
                return [float(number) for number in text.strip().removeprefix("[").removesuffix("]").split(",")]
            return float(text)
        except ValueError:
            kind = "a list of numbers" if self.numbers else "a number"
            raise ParameterError(self.name, f"must be {kind}, not {text!r}") from None

    def _number(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ParameterError(self.name, f"must be a number, not {value!r}")
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            raise ParameterError(self.name, "must be finite, not an integer of hundreds of digits")
        if not math.isfinite(value):
            raise ParameterError(self.name, f"must be finite, not {value}")
        if value < self.low or value > self.high:
            raise ParameterError(self.name, f"must be {self._range()}, not {value:g}")
        if value <= self.above:
            raise ParameterError(self.name, f"must be above {self.above:g}, not {value:g}")
        return float(value)

    def _range(self) -> str:
        if math.isinf(self.high):
            return f"at least {self.low:g}"
        if math.isinf(self.low):
            return f"at most {self.high:g}"
        return f"{self.low:g} to {self.high:g}"


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """Checked values: ``default`` names every parameter, ``modes`` what is different in a mode."""

    default: Mapping[str, Value]
    modes: Mapping[str, Mapping[str, Value]]

    def of(self, mode: str) -> Mapping[str, Value]:
        """Every parameter as it holds in a mode."""
        return {**self.default, **self.modes.get(mode, {})}

    def number(self, name: str, mode: str | None = None) -> float:
        """A parameter that always is a number."""
        value = (self.default if mode is None else self.of(mode))[name]
        if not isinstance(value, float):
            raise ParameterError(name, f"must be a number, not {value!r}")
        return value

    def as_file(self, system: str) -> dict[str, object]:
        """The content of a parameters file with these values."""
        return {"system": system, "default": dict(self.default), "modes": {m: dict(v) for m, v in self.modes.items()}}


def parameter_set(
    declared: Sequence[Parameter],
    *,
    preset: Mapping[str, object] | None = None,
    file: Mapping[str, object] | None = None,
    given: Mapping[str, object] | None = None,
) -> ParameterSet:
    """Defaults, then the preset, then a parameters file's content, then what was given one by one (in every mode too).

    Args:
        declared: the system's parameters.
        preset: values of a preset.
        file: ``{"default": {…}, "modes": {MODE: {…}}}``; its "system" is the caller's to compare.
        given: values by name, as text or typed.

    Raises:
        ParameterError: an unknown name, or a value that a parameter cannot have.
    """
    by_name = {parameter.name: parameter for parameter in declared}
    file = file or {}
    default: dict[str, Value] = {parameter.name: parameter.default for parameter in declared}
    default |= _checked(by_name, preset or {})
    default |= _checked(by_name, _table(file.get("default", {}), "default"), "default")
    overrides = _checked(by_name, given or {})
    modes = {
        mode: {**_checked(by_name, _table(values, mode, "modes"), "modes", mode), **overrides}
        for mode, values in _table(file.get("modes", {}), "modes").items()
    }
    return ParameterSet(default | overrides, modes)


def _checked(by_name: Mapping[str, Parameter], values: Mapping[str, object], *within: str) -> dict[str, Value]:
    checked = {}
    for name, value in values.items():
        if name not in by_name:
            close = get_close_matches(name, by_name, 1)
            hint = f"; did you mean {close[0]}?" if close else f"; there are {', '.join(by_name)}"
            raise ParameterError(name, "no such parameter" + hint, within)
        try:
            checked[name] = by_name[name].checked(value)
        except ParameterError as error:
            raise ParameterError(name, error.problem, within) from None
    return checked


def _table(value: object, name: str, *within: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ParameterError(name, f"must be an object, not {value!r}", within)
    return value
