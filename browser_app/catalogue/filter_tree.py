"""What a filter expression means: a small tree, whose text form reads back as the same tree."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Pattern:
    """A text to look for. `literal`: written in quotes, so that `*` and `?` stand for themselves."""

    text: str
    literal: bool = False

    def __str__(self) -> str:
        return f'"{self.text}"' if self.literal else self.text


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty filter."""

    def __str__(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Word:
    """A bare word: somewhere in the name, map, mode, tags or player names."""

    pattern: Pattern

    def __str__(self) -> str:
        return str(self.pattern)


@dataclass(frozen=True, slots=True)
class Flag:
    """A yes/no property; what is not known counts as no."""

    field: str
    value: bool

    def __str__(self) -> str:
        return f"{self.field}:{'yes' if self.value else 'no'}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A number compared with another; an unknown number passes none."""

    field: str
    operator: str
    """`<`, `<=`, `=`, `!=`, `>=` or `>`."""
    value: float

    def __str__(self) -> str:
        return f"{self.field}{self.operator}{_number(self.value)}"


@dataclass(frozen=True, slots=True)
class Ranges:
    """A number inside any of some ranges, ends included; None is an open end."""

    field: str
    ranges: tuple[tuple[float | None, float | None], ...]

    def __str__(self) -> str:
        return f"{self.field}:{','.join(_range(low, high) for low, high in self.ranges)}"


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is one of some patterns."""

    field: str
    patterns: tuple[Pattern, ...]

    def __str__(self) -> str:
        return f"{self.field}:{','.join(str(pattern) for pattern in self.patterns)}"


@dataclass(frozen=True, slots=True)
class Not:
    """The rows that `part` leaves out. `part` is never a `Not`."""

    part: "Node"

    def __str__(self) -> str:
        return f"-{_inner(self.part)}"


@dataclass(frozen=True, slots=True)
class And:
    """Rows that pass all parts."""

    parts: tuple["Node", ...]

    def __str__(self) -> str:
        return " ".join(_inner(part) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Or:
    """Rows that pass any part."""

    parts: tuple["Node", ...]

    def __str__(self) -> str:
        return " | ".join(str(part) if isinstance(part, And) else _inner(part) for part in self.parts)


Node: TypeAlias = Everything | Word | Flag | Comparison | Ranges | Text | Not | And | Or


def negated(node: Node) -> Node:
    """The opposite of `node`."""
    return node.part if isinstance(node, Not) else Not(node)


def _inner(node: Node) -> str:
    return f"({node})" if isinstance(node, And | Or) else str(node)


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _range(low: float | None, high: float | None) -> str:
    if low is not None and low == high:
        return _number(low)
    return f"{'' if low is None else _number(low)}..{'' if high is None else _number(high)}"
