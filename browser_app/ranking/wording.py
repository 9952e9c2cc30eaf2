"""Sentences about a score, and how their numbers are written."""

from collections.abc import Callable, Mapping
from math import isinf, isnan

MINUS = "\u2212"
THIN_SPACE = "\u2009"


class Sentence:
    """A sentence with its values apart, so that it can be said in another language.

    `template` is the English text with `{name}` for each value; a value is a text or another sentence. Values are never
    read as templates.
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, **values: "str | Sentence") -> None:
        self.template = template
        self.values: Mapping[str, str | Sentence] = values

    def __str__(self) -> str:
        return self.translated(str)

    def filled(self, **values: "str | Sentence") -> "Sentence":
        """The same sentence with these values."""
        return Sentence(self.template, **values)

    def __repr__(self) -> str:
        return f"Sentence({str(self)!r})"

    def translated(self, translate: Callable[[str], str]) -> str:
        """The text with every template passed through `translate` first."""
        values = {
            name: value.translated(translate) if isinstance(value, Sentence) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**values)


def whole(value: float) -> str:
    """`2 080` or `−12`: whole, with a thin space for thousands and a real minus sign."""
    if isnan(value):
        return "–"
    return f"{round(value):,}".replace(",", THIN_SPACE).replace("-", MINUS)


def percent(fraction: float) -> str:
    """`27 %`."""
    return f"{whole(100.0 * fraction)} %"


def factor_text(value: float) -> str:
    """A factor or constant as short as it stays true: `0.82`, `0.05`, `1`, `1.5`, `0.000001`."""
    if isnan(value) or isinf(value):
        return "–" if isnan(value) else "∞"
    if 0 < value < 1e-6:
        return "under 0.000001"
    if value >= 1:
        return f"{value:.4g}" if value < 1e4 else whole(value)
    decimals = 2 if value >= 0.1 else 3 if value >= 5e-4 else 6
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")
