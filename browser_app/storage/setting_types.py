"""Types of settings: key, default, check and label."""

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Generic, TypeVar

from browser_app.language import gettext as _
from browser_app.number_checks import is_number
from browser_app.protocols.address import shorten

_T = TypeVar("_T")


class SettingKind(Enum):
    """Type of a setting's value, which also decides how it is edited."""

    SWITCH = "yes or no"
    CHOICE = "one of a few words"
    NUMBER = "a number within bounds"
    TEXT = "a text"
    SERVER_SCOPE = "the list on screen, a saved filter or an expression"
    TEXTS = "a list of texts"
    NUMBERS_BY_NAME = "a table of numbers"
    TEXTS_BY_NAME = "a table of texts"


@dataclass(frozen=True, slots=True)
class Setting(Generic[_T]):
    """One declared setting; use the functions below to create one."""

    key: str
    """Dotted: table and name in the file."""
    kind: SettingKind
    default: _T
    label: str
    """A few words in English, translated when shown."""
    description: str
    """One or two sentences."""
    check: Callable[[object], _T] = field(repr=False)
    """Returns the validated value, or raises `ValueError` with the reason."""
    choices: tuple[str, ...] = ()
    """Allowed values, if fixed."""
    choice_labels: tuple[str, ...] = ()
    """Labels of the choices in the same order, in English, translated when shown."""
    low: float = -math.inf
    high: float = math.inf
    """Bounds of a number, both inclusive."""
    uses_game_ids: bool = False
    """The texts, or the keys of the table, are game ids."""
    former_keys: tuple[str, ...] = ()
    """Keys that earlier versions used: the first in the file counts while `key` is not there."""
    find_problem: Callable[[_T], str] = field(repr=False, default=lambda _value: "")
    """Returns why a validated value has no effect on this machine now; empty if it has."""

    @property
    def group(self) -> str:
        """Table of the file that contains it, by which settings are grouped."""
        return self.key.partition(".")[0]


def _value_text(value: object) -> str:
    """Return a value of the wrong kind for a message, nearly as the file has it."""
    return shorten(str(value).lower() if isinstance(value, bool) else str(value))


def bool_setting(key: str, default: bool, label: str, description: str) -> Setting[bool]:
    """Declare a setting that is true or false."""

    def check(value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError(_("must be true or false, not “{value}”").format(value=_value_text(value)))
        return value

    return Setting(key, SettingKind.SWITCH, default, label, description, check)


def choice_setting(key: str, default: str, choices: Mapping[str, str], label: str, description: str) -> Setting[str]:
    """Declare a choice; `choices` maps values to labels."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            text = _("must be one of {choices}, not “{value}”")
            raise ValueError(text.format(choices=", ".join(choices), value=_value_text(value)))
        return value

    words, labels = tuple(choices), tuple(choices.values())
    return Setting(key, SettingKind.CHOICE, default, label, description, check, choices=words, choice_labels=labels)


def number_setting(key: str, default: float, low: float, high: float, label: str, description: str) -> Setting[float]:
    """Declare a number with inclusive bounds."""

    def check(value: object) -> float:
        if not is_number(value, low, high):
            message = _("must be a number from {low:g} to {high:g}, not “{value}”")
            raise ValueError(message.format(low=low, high=high, value=_value_text(value)))
        return float(value)

    return Setting(key, SettingKind.NUMBER, default, label, description, check, low=low, high=high)


def text_setting(
    key: str,
    default: str,
    label: str,
    description: str,
    validate: Callable[[str], object] = str,
    *,
    kind: SettingKind = SettingKind.TEXT,
) -> Setting[str]:
    """Declare a text; `validate` raises `ValueError` for an invalid one."""

    def check(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError(_("must be text, not “{value}”").format(value=_value_text(value)))
        validate(value)
        return value

    return Setting(key, kind, default, label, description, check)


def text_list_setting(
    key: str,
    label: str,
    description: str,
    *,
    uses_game_ids: bool = False,
    former_keys: tuple[str, ...] = (),
    validate: Callable[[str], object] = str,
) -> Setting[tuple[str, ...]]:
    """Declare a list of texts, empty by default.

    `validate` raises `ValueError` for an invalid one.
    """

    def check(value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
            raise ValueError(_("must be a list of text values, not “{value}”").format(value=_value_text(value)))
        for each in value:
            validate(each)
        return tuple(value)

    return Setting(
        key,
        SettingKind.TEXTS,
        (),
        label,
        description,
        check,
        uses_game_ids=uses_game_ids,
        former_keys=former_keys,
    )


_MAX_FLOAT = sys.float_info.max


def number_table_setting(
    key: str, label: str, description: str, *, uses_game_ids: bool = False
) -> Setting[Mapping[str, float]]:
    """Declare a table of numbers, empty by default."""

    def check(value: object) -> Mapping[str, float]:
        if not isinstance(value, Mapping):
            raise ValueError(_("must be a table, not “{value}”").format(value=_value_text(value)))
        for name, each in value.items():
            if not is_number(each, -_MAX_FLOAT, _MAX_FLOAT):
                raise ValueError(_("{name} must be a number, not “{value}”").format(name=name, value=_value_text(each)))
        return {str(name): float(each) for name, each in value.items()}

    return Setting(key, SettingKind.NUMBERS_BY_NAME, {}, label, description, check, uses_game_ids=uses_game_ids)


def text_table_setting(
    key: str,
    label: str,
    description: str,
    *,
    uses_game_ids: bool = False,
    validate: Callable[[str], object] = str,
    find_problem: Callable[[str], str] = lambda _text: "",
) -> Setting[Mapping[str, str]]:
    """Declare a table of texts, empty by default.

    Args:
        key: table and name in the file.
        label: a few words.
        description: one or two sentences.
        uses_game_ids: the keys are game ids.
        validate: raises `ValueError` for an invalid text.
        find_problem: returns why a valid text has no effect on this machine now; empty if it has.
    """
    check, find_problems = partial(_check_text_table, validate), partial(_format_problems, find_problem)
    kind = SettingKind.TEXTS_BY_NAME
    return Setting(key, kind, {}, label, description, check, uses_game_ids=uses_game_ids, find_problem=find_problems)


def _check_text_table(validate: Callable[[str], object], value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise ValueError(_("must be a table, not “{value}”").format(value=_value_text(value)))
    for name, each in value.items():
        if not isinstance(each, str):
            raise ValueError(_("{name} must be text, not “{value}”").format(name=name, value=_value_text(each)))
        validate(each)
    return {str(name): each for name, each in value.items()}


def _format_problems(find_problem: Callable[[str], str], value: Mapping[str, str]) -> str:
    """Return the problems of a table's texts, each in a line with its name."""
    problems = {name: find_problem(each) for name, each in value.items()}
    return "\n".join(f"{name}: {problem}" for name, problem in problems.items() if problem)
