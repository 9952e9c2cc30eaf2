"""What a setting is: its key, type and default, and the words that explain it."""

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, TypeVar

from browser_app.language import gettext as _

_T = TypeVar("_T")


class Kind(Enum):
    """What a setting's value looks like, and so how it is edited."""

    SWITCH = "yes or no"
    CHOICE = "one of a few words"
    NUMBER = "a number within bounds"
    TEXT = "a text"
    TEXTS = "a list of texts"
    NUMBERS_BY_NAME = "a table of numbers"
    TEXTS_BY_NAME = "a table of texts"


@dataclass(frozen=True, slots=True)
class Setting(Generic[_T]):
    """One declared setting. Made by the functions below, one a type."""

    key: str
    """Dotted: table and name in the file."""
    kind: Kind
    default: _T
    label: str
    """A few words, English; translated where they are shown."""
    help: str
    """One sentence or two."""
    check: Callable[[object], _T] = field(repr=False)
    """Returns the value if it fits, else raises `ValueError` with the reason."""
    choices: tuple[str, ...] = ()
    """What may be chosen, where that is a fixed list."""
    words: tuple[str, ...] = ()
    """The same for people, in the same order; English, translated where they are shown."""
    low: float = -math.inf
    high: float = math.inf
    """Bounds of a number, both allowed."""
    of_games: bool = False
    """The texts, or the names of the table, are games' ids."""

    @property
    def group(self) -> str:
        """The table of the file that it is in; settings are shown by it."""
        return self.key.partition(".")[0]


def switch(key: str, default: bool, label: str, help: str) -> Setting[bool]:  # noqa: A002 (the field's name)
    """Yes or no."""

    def check(value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(_("must be true or false, not {value!r}").format(value=value))
        return value

    return Setting(key, Kind.SWITCH, default, label, help, check)


def choice(key: str, default: str, choices: Mapping[str, str], label: str, help: str) -> Setting[str]:  # noqa: A002
    """One of a few values; `choices` has the words for people by value."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(
                _("must be one of {choices}, not {value!r}").format(choices=", ".join(choices), value=value)
            )
        return value

    return Setting(key, Kind.CHOICE, default, label, help, check, choices=tuple(choices), words=tuple(choices.values()))


def number(key: str, default: float, low: float, high: float, label: str, help: str) -> Setting[float]:  # noqa: A002
    """A number within bounds."""

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            words = _("must be a number from {low:g} to {high:g}, not {value!r}")
            raise ValueError(words.format(low=low, high=high, value=value))
        return float(value)

    return Setting(key, Kind.NUMBER, default, label, help, check, low=low, high=high)


def text(key: str, default: str, label: str, help: str, accept: Callable[[str], object] = str) -> Setting[str]:  # noqa: A002
    """A text; `accept` raises `ValueError` for one that does not fit."""

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError(_("must be a text, not {value!r}").format(value=value))
        accept(value)
        return value

    return Setting(key, Kind.TEXT, default, label, help, check)


def texts(key: str, label: str, help: str, *, of_games: bool = False) -> Setting[tuple[str, ...]]:  # noqa: A002
    """A list of texts, empty by default."""

    def check(value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise ValueError(_("must be a list of texts, not {value!r}").format(value=value))
        return tuple(value)

    return Setting(key, Kind.TEXTS, (), label, help, check, of_games=of_games)


_LARGEST = sys.float_info.max


def numbers_by_name(key: str, label: str, help: str, *, of_games: bool = False) -> Setting[Mapping[str, float]]:  # noqa: A002
    """A table of numbers, empty by default."""

    def check(value: object) -> Mapping[str, float]:
        if not isinstance(value, Mapping):
            raise ValueError(_("must be a table, not {value!r}").format(value=value))
        for name, each in value.items():
            if isinstance(each, bool) or not isinstance(each, int | float) or not -_LARGEST <= each <= _LARGEST:
                raise ValueError(_("{name} must be a number, not {value!r}").format(name=name, value=each))
        return {str(name): float(each) for name, each in value.items()}

    return Setting(key, Kind.NUMBERS_BY_NAME, {}, label, help, check, of_games=of_games)


def texts_by_name(key: str, label: str, help: str, *, of_games: bool = False) -> Setting[Mapping[str, str]]:  # noqa: A002
    """A table of texts, empty by default."""

    def check(value: object) -> Mapping[str, str]:
        if not isinstance(value, Mapping):
            raise ValueError(_("must be a table, not {value!r}").format(value=value))
        for name, each in value.items():
            if not isinstance(each, str):
                raise ValueError(_("{name} must be a text, not {value!r}").format(name=name, value=each))
        return {str(name): each for name, each in value.items()}

    return Setting(key, Kind.TEXTS_BY_NAME, {}, label, help, check, of_games=of_games)
