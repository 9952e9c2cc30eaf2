"""Parser of filter expressions.

    expression = all { "|" all }
    all        = term { term }
    term       = { "-" } ( "(" expression ")" | quoted | word | field )
    field      = NAME ( ":" value { "," value } | OPERATOR value )

A flag's name alone (`full`) is short for `full:yes`. Quoted texts are literal; elsewhere `*` and `?` are wildcards.
Callers pass the field names, so the parser does not depend on what is filtered.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from browser_app.catalogue.filters import filter_tree
from browser_app.language import gettext as _

MAX_LENGTH = 6000
"""Enough for the addresses of a shared list."""
MAX_TERMS = 500
"""Words, conditions and values together: each costs time in every row."""
_MAX_REPAIRED_LENGTH = 1000
"""Characters used of a text with a wrong word: each wrong word costs another pass."""
MAX_DEPTH = 30

_TOKEN_PATTERN = re.compile(
    r"""\s*(?:
      (?P<mark>[()|])
    | (?P<minus>-)
    | "(?P<quoted>[^"]*)(?P<closed>"?)
    | (?P<field>[A-Za-z_]+)(?P<operator>:|<=|>=|!=|<|>|=)
    | (?P<word>[^\s()|"]+)
    )""",
    re.VERBOSE,
)
_VALUE_PATTERN = re.compile(r'"(?P<quoted>[^"]*)(?P<closed>"?)|(?P<plain>[^\s()|",]*)')
_NUMBER_PATTERN = r"-?(?:\d{1,12}(?:\.\d{1,20})?|\.\d{1,20})"
_RANGE_PATTERN = re.compile(rf"(?P<low>{_NUMBER_PATTERN})?\.\.(?P<high>{_NUMBER_PATTERN})?|(?P<one>{_NUMBER_PATTERN})")
_WORD_END, _MARKS = re.compile(r"[\s()|]"), "()|"
_OPERATORS = (":", "<", ">", "=", "!=")
_YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


class FilterError(ValueError):
    """A filter that cannot be parsed.

    `message` is the reason; `start` and `end` mark the characters at fault.
    """

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.message = message
        self.start = start
        self.end = end


@dataclass(frozen=True)
class FilterFieldNames:
    """Names that may precede an operator."""

    numbers: Collection[str]
    texts: Collection[str]
    flags: Collection[str]
    synonyms: Mapping[str, str] = field(default_factory=dict)
    """Other spelling → name; parsed filters contain names alone."""

    def resolve(self, word: str) -> str:
        """Return a word in lower case, as the name that it is a synonym of if it is one."""
        folded = word.casefold()
        return self.synonyms.get(folded, folded)


def parse_filter_expression(text: str, fields: FilterFieldNames) -> filter_tree.FilterNode:
    """Parse an expression.

    Raises:
        FilterError: the only exception, for any text.
    """
    if len(text) > MAX_LENGTH:
        raise FilterError(_("longer than {n} characters").format(n=MAX_LENGTH), MAX_LENGTH, len(text))
    return _Parser(text, fields).parse()


def parse_valid_terms(text: str, fields: FilterFieldNames) -> tuple[filter_tree.FilterNode, FilterError | None]:
    """Parse an expression, leaving out words that are wrong.

    Returns the first error, too.
    """
    first_error: FilterError | None = None
    rest = text[:MAX_LENGTH]
    if len(text) > MAX_LENGTH:
        first_error = FilterError(_("longer than {n} characters").format(n=MAX_LENGTH), MAX_LENGTH, len(text))
    while True:
        try:
            return parse_filter_expression(rest, fields), first_error
        except FilterError as error:
            first_error = first_error or error
            rest = _without_word(rest, error)[:_MAX_REPAIRED_LENGTH]


def _without_word(text: str, error: FilterError) -> str:
    """Replace the word with the error by spaces.

    Returns nothing if there is no such word.
    """
    start, end = min(error.start, len(text.rstrip()) - 1), error.end
    while start > 0 and not _WORD_END.match(text, start - 1) and text[start] not in _MARKS:
        start -= 1
    while end < len(text) and not _WORD_END.match(text, end) and text[start] not in _MARKS:
        end += 1
    return text[:start] + " " * (end - start) + text[end:] if text[start:end].strip() else ""


class _Parser:
    """Recursive-descent parser of one text; `_position` is the next character to read."""

    def __init__(self, text: str, fields: FilterFieldNames) -> None:
        self._text = text.rstrip()
        self._fields = fields
        self._position = 0
        self._term_count = 0

    def parse(self) -> filter_tree.FilterNode:
        if not self._text:
            return filter_tree.MatchAll()
        node = self._parse_or(0)
        if self._position < len(self._text):
            raise FilterError(_("no matching opening bracket"), self._next_position(), self._next_position() + 1)
        return node

    def _parse_or(self, depth: int) -> filter_tree.FilterNode:
        parts = [self._parse_and(depth)]
        while self._peek() == "|":
            self._position = self._next_position() + 1
            parts.append(self._parse_and(depth))
        return parts[0] if len(parts) == 1 else filter_tree.OrNode(tuple(parts))

    def _parse_and(self, depth: int) -> filter_tree.FilterNode:
        parts = [self._parse_term(depth)]
        while self._position < len(self._text) and self._peek() not in ("|", ")"):
            parts.append(self._parse_term(depth))
        return parts[0] if len(parts) == 1 else filter_tree.AndNode(tuple(parts))

    def _parse_term(self, depth: int) -> filter_tree.FilterNode:
        negative = False
        while True:
            start = self._position
            match = _TOKEN_PATTERN.match(self._text, start)
            if match is None:
                raise FilterError(_("incomplete at the end"), max(0, len(self._text) - 1), len(self._text))
            self._position = match.end()
            if not match["minus"]:
                break
            if self._text[self._position : self._position + 1].strip() == "":
                raise FilterError(_("“-” needs something after it"), match.start("minus"), match.end())
            negative = not negative
        node = self._parse_brackets(match, depth) if match["mark"] else self._parse_operand(match)
        return filter_tree.negate(node) if negative else node

    def _parse_brackets(self, match: re.Match[str], depth: int) -> filter_tree.FilterNode:
        start = match.start("mark")
        if match["mark"] != "(":
            raise FilterError(_("“{sign}” needs something before it").format(sign=match["mark"]), start, start + 1)
        if depth >= MAX_DEPTH:
            raise FilterError(_("more than {n} nested brackets").format(n=MAX_DEPTH), start, start + 1)
        node = self._parse_or(depth + 1)
        if self._peek() != ")":
            raise FilterError(_("missing closing bracket"), start, start + 1)
        self._position = self._next_position() + 1
        return node

    def _count_term(self) -> None:
        self._term_count += 1
        if self._term_count > MAX_TERMS:
            message = _("more than {n} words and values").format(n=MAX_TERMS)
            raise FilterError(message, self._next_position(), len(self._text))

    def _parse_operand(self, match: re.Match[str]) -> filter_tree.FilterNode:
        self._count_term()
        if match["quoted"] is not None:
            return filter_tree.SearchTerm(filter_tree.TextPattern(_quoted_text(match), literal=True))
        if match["field"] is not None:
            return self._parse_field(match)
        word = match["word"]
        if word.startswith(_OPERATORS):
            raise FilterError(_("put a field name directly before this"), *match.span("word"))
        name = self._fields.resolve(word)
        return (
            filter_tree.FlagTerm(name, True)
            if name in self._fields.flags
            else filter_tree.SearchTerm(filter_tree.TextPattern(word))
        )

    def _parse_field(self, match: re.Match[str]) -> filter_tree.FilterNode:
        name, operator = self._fields.resolve(match["field"]), match["operator"]
        if name in self._fields.numbers:
            return self._parse_number(name, operator)
        if name not in self._fields.texts and name not in self._fields.flags:
            raise FilterError(self._unknown_field_text(name), *match.span("field"))
        if operator not in (":", "=", "!="):
            raise FilterError(_("“{name}” is not a number: use {name}:…").format(name=name), *match.span("operator"))
        node: filter_tree.FilterNode
        if name not in self._fields.flags:
            node = _text_match(name, self._parse_values(name))
        elif name not in self._fields.texts:
            node = filter_tree.FlagTerm(name, self._parse_yes_no(name))
        else:
            values = self._parse_values(name)
            is_yes = _yes_no_value(values[0]) if len(values) == 1 else None
            node = _text_match(name, values) if is_yes is None else filter_tree.FlagTerm(name, is_yes)
        return filter_tree.negate(node) if operator == "!=" else node

    def _unknown_field_text(self, name: str) -> str:
        from difflib import get_close_matches  # only where a name is wrong

        names = sorted({*self._fields.numbers, *self._fields.texts, *self._fields.flags, *self._fields.synonyms})
        near = get_close_matches(name, names, 1)
        if near:
            return _("unknown field “{name}”; did you mean “{near}”?").format(name=name, near=near[0])
        return _("unknown field “{name}”; use quotes to search for it as text").format(name=name)

    def _parse_yes_no(self, name: str) -> bool:
        (value,) = self._parse_values(name, max_values=1)
        is_yes = _yes_no_value(value)
        if is_yes is None:
            raise FilterError(_("“{name}” must be yes or no").format(name=name), value.start, value.end)
        return is_yes

    def _parse_number(self, name: str, operator: str) -> filter_tree.FilterNode:
        if operator == ":":
            return filter_tree.NumberRanges(name, tuple(_parse_range(name, each) for each in self._parse_values(name)))
        (value,) = self._parse_values(name, max_values=1)
        low, high = _parse_range(name, value)
        if low is None or low != high:
            raise FilterError(_("use “:” for a range, such as {name}:10..20").format(name=name), value.start, value.end)
        return filter_tree.NumberComparison(name, operator, low)

    def _parse_values(self, name: str, max_values: int = MAX_LENGTH) -> list["_Value"]:
        values = [self._parse_value(name)]
        while self._text.startswith(",", self._position):
            if len(values) == max_values:
                raise FilterError(
                    _("“{name}” takes only one value here").format(name=name), self._position, self._position + 1
                )
            self._position += 1
            values.append(self._parse_value(name))
        return values

    def _parse_value(self, name: str) -> "_Value":
        self._count_term()
        match = _VALUE_PATTERN.match(self._text, self._position)
        if match is None or match.end() == match.start():
            raise FilterError(_("“{name}” needs a value").format(name=name), max(0, self._position - 1), self._position)
        self._position = match.end()
        if match["quoted"] is not None:
            return _Value(_quoted_text(match), True, *match.span())
        return _Value(match["plain"], False, *match.span())

    def _peek(self) -> str:
        return self._text[self._next_position() : self._next_position() + 1]

    def _next_position(self) -> int:
        """Return the position of the next character that is not a space."""
        at = self._position
        while at < len(self._text) and self._text[at].isspace():
            at += 1
        return at


class _Value(NamedTuple):
    text: str
    literal: bool
    start: int
    end: int


def _text_match(name: str, values: Iterable[_Value]) -> filter_tree.TextMatch:
    return filter_tree.TextMatch(name, tuple(filter_tree.TextPattern(value.text, value.literal) for value in values))


def _yes_no_value(value: _Value) -> bool | None:
    return _YES_NO.get(value.text.casefold())


def _quoted_text(match: re.Match[str]) -> str:
    start = match.start("quoted") - 1
    if not match["closed"]:
        raise FilterError(_("missing closing quote"), start, match.end())
    if not match["quoted"]:
        raise FilterError(_("the quotes are empty"), start, match.end())
    return match["quoted"]


def _parse_range(name: str, value: _Value) -> tuple[float | None, float | None]:
    match = None if value.literal else _RANGE_PATTERN.fullmatch(value.text)
    if match is None or value.text == "..":
        raise FilterError(
            _("“{name}” needs a number or a range such as 10..20").format(name=name), value.start, value.end
        )
    low, high = (
        float(text) if text else None for text in (match["low"] or match["one"], match["high"] or match["one"])
    )
    if low is not None and high is not None and low > high:
        text = _("empty range: {low:g} is more than {high:g}")
        raise FilterError(text.format(low=low, high=high), value.start, value.end)
    return low, high
