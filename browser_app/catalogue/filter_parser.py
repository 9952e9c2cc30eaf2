"""Reads filter expressions.

    expression = all { "|" all }
    all        = term { term }
    term       = { "-" } ( "(" expression ")" | quoted | word | field )
    field      = NAME ( ":" value { "," value } | OPERATOR value )

A flag's name alone (`full`) is short for `full:yes`. Texts in quotes are taken as they stand; elsewhere `*` and `?` are
wildcards. Field names are known from three collections, so that this module knows nothing of servers.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from browser_app.catalogue.filter_tree import (
    And,
    Comparison,
    Everything,
    Flag,
    Node,
    Or,
    Pattern,
    Ranges,
    Text,
    Word,
    negated,
)
from browser_app.language import gettext as _

MAX_LENGTH = 1000
MAX_DEPTH = 30

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<mark>[()|])
    | (?P<minus>-)
    | "(?P<quoted>[^"]*)(?P<closed>"?)
    | (?P<field>[A-Za-z_]+)(?P<operator>:|<=|>=|!=|<|>|=)
    | (?P<word>[^\s()|"]+)
    )""",
    re.VERBOSE,
)
_VALUE = re.compile(r'"(?P<quoted>[^"]*)(?P<closed>"?)|(?P<plain>[^\s()|",]*)')
_NUMBER = r"-?(?:\d{1,12}(?:\.\d{1,20})?|\.\d{1,20})"
_RANGE = re.compile(rf"(?P<low>{_NUMBER})?\.\.(?P<high>{_NUMBER})?|(?P<one>{_NUMBER})")
_OPERATORS = (":", "<", ">", "=", "!=")
_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class FilterError(ValueError):
    """A filter that cannot be read: `message` says why, `start` and `end` which characters are at fault."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


@dataclass(frozen=True)
class Fields:
    """The names that may stand before an operator."""

    numbers: Collection[str]
    texts: Collection[str]
    flags: Collection[str]


def parse(text: str, fields: Fields) -> Node:
    """Read an expression.

    Raises:
        FilterError: and nothing else, whatever the text.
    """
    if len(text) > MAX_LENGTH:
        raise FilterError(_("longer than {n} characters").format(n=MAX_LENGTH), MAX_LENGTH, len(text))
    return _Parser(text, fields).parse()


class _Parser:
    """One pass over one text; `_at` is the next character to read."""

    def __init__(self, text: str, fields: Fields) -> None:
        self._text = text.rstrip()
        self._fields = fields
        self._at = 0

    def parse(self) -> Node:
        if not self._text:
            return Everything()
        node = self._any(0)
        if self._at < len(self._text):
            raise FilterError(_("no bracket is open here"), self._mark_at(), self._mark_at() + 1)
        return node

    def _any(self, depth: int) -> Node:
        parts = [self._all(depth)]
        while self._next_mark() == "|":
            self._at = self._mark_at() + 1
            parts.append(self._all(depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _all(self, depth: int) -> Node:
        parts = [self._term(depth)]
        while self._at < len(self._text) and self._next_mark() not in ("|", ")"):
            parts.append(self._term(depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _term(self, depth: int) -> Node:
        negative = False
        while True:
            start = self._at
            match = _TOKEN.match(self._text, start)
            if match is None:
                raise FilterError(_("something is missing at the end"), max(0, len(self._text) - 1), len(self._text))
            self._at = match.end()
            if not match["minus"]:
                break
            if self._text[self._at : self._at + 1].strip() == "":
                raise FilterError(_("“-” stands before nothing"), match.start("minus"), match.end())
            negative = not negative
        node = self._brackets(match, depth) if match["mark"] else self._simple(match)
        return negated(node) if negative else node

    def _brackets(self, match: re.Match[str], depth: int) -> Node:
        start = match.start("mark")
        if match["mark"] != "(":
            raise FilterError(_("nothing stands before “{sign}”").format(sign=match["mark"]), start, start + 1)
        if depth >= MAX_DEPTH:
            raise FilterError(_("more than {n} brackets in each other").format(n=MAX_DEPTH), start, start + 1)
        node = self._any(depth + 1)
        if self._next_mark() != ")":
            raise FilterError(_("this bracket is not closed"), start, start + 1)
        self._at = self._mark_at() + 1
        return node

    def _simple(self, match: re.Match[str]) -> Node:
        if match["quoted"] is not None:
            return Word(Pattern(_unquoted(match), literal=True))
        if match["field"] is not None:
            return self._field(match)
        word = match["word"]
        if word.startswith(_OPERATORS):
            raise FilterError(_("a field goes before this, without a space"), *match.span("word"))
        return Flag(word.casefold(), True) if word.casefold() in self._fields.flags else Word(Pattern(word))

    def _field(self, match: re.Match[str]) -> Node:
        name, operator = match["field"].casefold(), match["operator"]
        if name in self._fields.numbers:
            return self._number(name, operator)
        if name not in self._fields.texts and name not in self._fields.flags:
            message = _("no field is called {name}; put the text in quotes to search for it")
            raise FilterError(message.format(name=name), *match.span("field"))
        if operator not in (":", "=", "!="):
            raise FilterError(_("{name} is no number: write {name}:…").format(name=name), *match.span("operator"))
        node: Node
        if name not in self._fields.flags:
            node = _text(name, self._values(name))
        elif name not in self._fields.texts:
            node = Flag(name, self._yes_no(name))
        else:
            values = self._values(name)
            answer = _answer(values[0]) if len(values) == 1 else None
            node = _text(name, values) if answer is None else Flag(name, answer)
        return negated(node) if operator == "!=" else node

    def _yes_no(self, name: str) -> bool:
        (value,) = self._values(name, most=1)
        answer = _answer(value)
        if answer is None:
            raise FilterError(_("{name} is yes or no").format(name=name), value.start, value.end)
        return answer

    def _number(self, name: str, operator: str) -> Node:
        if operator == ":":
            return Ranges(name, tuple(_range(name, value) for value in self._values(name)))
        (value,) = self._values(name, most=1)
        low, high = _range(name, value)
        if low is None or low != high:
            raise FilterError(
                _("a range goes after “:”, as in {name}:10..20").format(name=name), value.start, value.end
            )
        return Comparison(name, operator, low)

    def _values(self, name: str, most: int = MAX_LENGTH) -> list["_Value"]:
        values = [self._value(name)]
        while self._text.startswith(",", self._at):
            if len(values) == most:
                raise FilterError(_("{name} takes one value here").format(name=name), self._at, self._at + 1)
            self._at += 1
            values.append(self._value(name))
        return values

    def _value(self, name: str) -> "_Value":
        match = _VALUE.match(self._text, self._at)
        if match is None or match.end() == match.start():
            raise FilterError(_("{name} needs a value").format(name=name), max(0, self._at - 1), self._at)
        self._at = match.end()
        if match["quoted"] is not None:
            return _Value(_unquoted(match), True, *match.span())
        return _Value(match["plain"], False, *match.span())

    def _next_mark(self) -> str:
        return self._text[self._mark_at() : self._mark_at() + 1]

    def _mark_at(self) -> int:
        """Where the next character that is no space stands."""
        at = self._at
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        return at


class _Value(NamedTuple):
    text: str
    literal: bool
    start: int
    end: int


def _text(name: str, values: Iterable[_Value]) -> Text:
    return Text(name, tuple(Pattern(value.text, value.literal) for value in values))


def _answer(value: _Value) -> bool | None:
    return _YES_NO.get(value.text.casefold())


def _unquoted(match: re.Match[str]) -> str:
    start = match.start("quoted") - 1
    if not match["closed"]:
        raise FilterError(_("this quote is not closed"), start, match.end())
    if not match["quoted"]:
        raise FilterError(_("nothing is in the quotes"), start, match.end())
    return match["quoted"]


def _range(name: str, value: _Value) -> tuple[float | None, float | None]:
    match = None if value.literal else _RANGE.fullmatch(value.text)
    if match is None or value.text == "..":
        raise FilterError(
            _("{name} needs a number or a range such as 10..20").format(name=name), value.start, value.end
        )
    low, high = (
        float(text) if text else None for text in (match["low"] or match["one"], match["high"] or match["one"])
    )
    if low is not None and high is not None and low > high:
        raise FilterError(
            _("no number is in this range, {low:g} is more than {high:g}").format(low=low, high=high),
            value.start,
            value.end,
        )
    return low, high
