"""The filter chips, one declaration each: those with one expression, and those whose menu makes it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Bools
from browser_app.catalogue.filter_language import parse_filter
from browser_app.catalogue.filter_tree import Text
from browser_app.catalogue.text_column import TextColumn
from browser_app.language import gettext as _
from browser_app.language import later
from browser_app.ui.choice_menu import Choice

PINGS = (50, 80, 100, 150, 200)
MOST_CHOICES = 30
"""Lines of a menu; rarer values are reached by the filter field."""
_PLAIN_VALUE = re.compile(r"[\w.+-]+")


@dataclass(frozen=True)
class PlainChip:
    """On or off."""

    key: str
    title: str
    expression: str
    tip: str


@dataclass(frozen=True)
class TextChip:
    """Some values of a text column."""

    key: str
    """The field's name in the filter language, too."""
    title: str
    column: Callable[[Catalogue], TextColumn]


PLAIN = (
    PlainChip("full", later("Not full"), "-full", later("Servers with a free slot")),
    PlainChip("players", later("Has players"), "players>=1", later("Servers where somebody plays; bots do not count")),
    PlainChip("locked", later("No password"), "-locked", later("Servers that do not ask for a password")),
)
DOUBT = PlainChip("doubt", later("No doubt"), "-doubt", later("Servers without a sign that they are not what they say"))
PING = "ping"
TEXTS: Mapping[str, TextChip] = {
    chip.key: chip
    for chip in (
        TextChip("game", later("Game"), lambda c: c.game),
        TextChip("mode", later("Mode"), lambda c: c.mode),
        TextChip("country", later("Country"), lambda c: c.country),
    )
}


def ping_title(expression: str) -> str:
    """The ping chip's words while it is on."""
    return _("Ping ≤ {ms}").format(ms=expression.partition("<=")[2] or "?")


def ping_choices(catalogue: Catalogue, others: Bools, expression: str) -> list[Choice]:
    """The ping menu. `others`: the rows that pass all other filters."""
    pings = catalogue.ping_ms[others]
    choices = [
        Choice(f"ping<={ms}", f"≤ {ms} ms", int(np.count_nonzero(pings <= ms)), expression == f"ping<={ms}")
        for ms in PINGS
    ]
    return [*choices, Choice("", _("Off"), int(np.count_nonzero(others)), not expression)]


def text_choices(
    chip: TextChip, catalogue: Catalogue, others: Bools, expression: str, name_of: Callable[[str], str]
) -> list[Choice]:
    """A menu of the values that exist, most frequent first; those chosen are always among them."""
    column, on = chip.column(catalogue), values_of(expression)
    counts = np.bincount(column.ids[others], minlength=len(column.pool)).tolist()
    by_value: dict[str, int] = dict.fromkeys(on, 0)
    for text, count in zip(column.pool, counts, strict=True):
        if text and '"' not in text and (count or text.casefold() in by_value):
            by_value[text.casefold()] = by_value.get(text.casefold(), 0) + count
    ranked = sorted(by_value, key=lambda value: (value not in on, -by_value[value], value))[:MOST_CHOICES]
    return [Choice(value, name_of(value), by_value[value], value in on) for value in ranked]


def text_expression(field: str, values: Sequence[str]) -> str:
    """The filter that passes these values."""
    words = [value if _PLAIN_VALUE.fullmatch(value) else f'"{value}"' for value in values]
    return f"{field}:{','.join(words)}" if words else ""


def values_of(expression: str) -> list[str]:
    """The values of such a filter, casefolded."""
    node = parse_filter(expression).node
    return [pattern.text.casefold() for pattern in node.patterns] if isinstance(node, Text) else []


def text_title(chip: TextChip, expression: str, name_of: Callable[[str], str]) -> str:
    """The chip's words while it is on: what is chosen, or how many."""
    values = values_of(expression)
    if len(values) > 2:
        return _("{what}: {n} chosen").format(what=_(chip.title), n=len(values))
    return _("{what}: {values}").format(what=_(chip.title), values=", ".join(name_of(value) for value in values))
