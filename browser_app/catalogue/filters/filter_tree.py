"""Syntax tree of a filter expression."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class TextPattern:
    """A text to look for.

    If `literal` (written in quotes), `*` and `?` are ordinary characters.
    """

    text: str
    literal: bool = False

    def __str__(self) -> str:
        return f'"{self.text}"' if self.literal else self.text


@dataclass(frozen=True, slots=True)
class MatchAll:
    """The empty filter."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class SearchTerm:
    """A bare word, searched in name, map, mode, tags and player names."""

    pattern: TextPattern

    def __str__(self) -> str:
        return str(self.pattern)


@dataclass(frozen=True, slots=True)
class FlagTerm:
    """A yes/no property; unknown counts as no."""

    field: str
    value: bool

    def __str__(self) -> str:
        return f"{self.field}:{'yes' if self.value else 'no'}"


@dataclass(frozen=True, slots=True)
class NumberComparison:
    """A comparison of a number field; unknown numbers never pass."""

    field: str
    operator: str
    """`<`, `<=`, `=`, `!=`, `>=` or `>`."""
    value: float

    def __str__(self) -> str:
        return f"{self.field}{self.operator}{_format_number(self.value)}"


@dataclass(frozen=True, slots=True)
class NumberRanges:
    """A number inside any of several ranges, ends included; None is an open end."""

    field: str
    ranges: tuple[tuple[float | None, float | None], ...]

    def __str__(self) -> str:
        return f"{self.field}:{','.join(_format_range(low, high) for low, high in self.ranges)}"


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A text that matches one of several patterns."""

    field: str
    patterns: tuple[TextPattern, ...]

    def __str__(self) -> str:
        return f"{self.field}:{','.join(str(pattern) for pattern in self.patterns)}"


@dataclass(frozen=True, slots=True)
class NotNode:
    """Rows that fail `operand`, which is never itself a `NotNode`."""

    operand: "FilterNode"

    def __str__(self) -> str:
        return f"-{_format_operand(self.operand)}"


@dataclass(frozen=True, slots=True)
class AndNode:
    """Rows that pass all operands."""

    operands: tuple["FilterNode", ...]

    def __str__(self) -> str:
        return " ".join(_format_operand(part) for part in self.operands)


@dataclass(frozen=True, slots=True)
class OrNode:
    """Rows that pass at least one operand."""

    operands: tuple["FilterNode", ...]

    def __str__(self) -> str:
        return " | ".join(str(part) if isinstance(part, AndNode) else _format_operand(part) for part in self.operands)


FilterTerm: TypeAlias = SearchTerm | FlagTerm | NumberComparison | NumberRanges | TextMatch
"""A condition on one field, or a search."""
FilterNode: TypeAlias = MatchAll | FilterTerm | NotNode | AndNode | OrNode


def filter_terms(node: FilterNode) -> Iterator[FilterTerm]:
    """Yield every condition in the expression, negated or not."""
    match node:
        case AndNode(operands) | OrNode(operands):
            for operand in operands:
                yield from filter_terms(operand)
        case NotNode(operand):
            yield from filter_terms(operand)
        case MatchAll():
            return
        case _:
            yield node


def negate(node: FilterNode) -> FilterNode:
    """Return the negation of `node`."""
    return node.operand if isinstance(node, NotNode) else NotNode(node)


def _format_operand(node: FilterNode) -> str:
    return f"({node})" if isinstance(node, AndNode | OrNode) else str(node)


def _format_number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _format_range(low: float | None, high: float | None) -> str:
    if low is not None and low == high:
        return _format_number(low)
    return f"{'' if low is None else _format_number(low)}..{'' if high is None else _format_number(high)}"
