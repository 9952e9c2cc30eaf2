"""What a setting is: its key, type and default, and the words that explain it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Setting(Generic[_T]):
    """One declared setting. Made by the functions below, one a type."""

    key: str
    """Dotted: table and name in the file."""
    default: _T
    label: str
    """A few words, English; translated where they are shown."""
    help: str
    """One sentence or two."""
    check: Callable[[object], _T] = field(repr=False)
    """Returns the value if it fits, else raises `ValueError` with the reason."""
    choices: tuple[str, ...] = ()
    """What may be chosen, where that is a fixed list."""
    low: float = -math.inf
    high: float = math.inf
    """Bounds of a number, both allowed."""


def switch(key: str, default: bool, label: str, help: str) -> Setting[bool]:  # noqa: A002 (the field's name)
    """Yes or no."""

    def check(value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"must be true or false, not {value!r}")
        return value

    return Setting(key, default, label, help, check)


def choice(key: str, default: str, choices: tuple[str, ...], label: str, help: str) -> Setting[str]:  # noqa: A002
    """One of a few words."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}, not {value!r}")
        return value

    return Setting(key, default, label, help, check, choices=choices)


def number(key: str, default: float, low: float, high: float, label: str, help: str) -> Setting[float]:  # noqa: A002
    """A number within bounds."""

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise ValueError(f"must be a number from {low:g} to {high:g}, not {value!r}")
        return float(value)

    return Setting(key, default, label, help, check, low=low, high=high)


def text(key: str, default: str, label: str, help: str, accept: Callable[[str], object] = str) -> Setting[str]:  # noqa: A002
    """A text; `accept` raises `ValueError` for one that does not fit."""

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError(f"must be a text, not {value!r}")
        accept(value)
        return value

    return Setting(key, default, label, help, check)


def texts(key: str, label: str, help: str) -> Setting[tuple[str, ...]]:  # noqa: A002
    """A list of texts, empty by default."""

    def check(value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise ValueError(f"must be a list of texts, not {value!r}")
        return tuple(value)

    return Setting(key, (), label, help, check)


def numbers_by_name(key: str, label: str, help: str) -> Setting[Mapping[str, float]]:  # noqa: A002
    """A table of numbers, empty by default."""

    def check(value: object) -> Mapping[str, float]:
        if not isinstance(value, Mapping):
            raise ValueError(f"must be a table, not {value!r}")
        for name, each in value.items():
            if isinstance(each, bool) or not isinstance(each, int | float) or not math.isfinite(each):
                raise ValueError(f"{name} must be a number, not {each!r}")
        return {str(name): float(each) for name, each in value.items()}

    return Setting(key, {}, label, help, check)


def texts_by_name(key: str, label: str, help: str) -> Setting[Mapping[str, str]]:  # noqa: A002
    """A table of texts, empty by default."""

    def check(value: object) -> Mapping[str, str]:
        if not isinstance(value, Mapping):
            raise ValueError(f"must be a table, not {value!r}")
        for name, each in value.items():
            if not isinstance(each, str):
                raise ValueError(f"{name} must be a text, not {each!r}")
        return {str(name): each for name, each in value.items()}

    return Setting(key, {}, label, help, check)
