"""Errors in round files, with file, line and field."""

from collections.abc import Sequence
from json import JSONDecodeError

from browser_app.language import gettext as _
from browser_app.language import ngettext

MAX_SHOWN_ERRORS = 20
"""Errors of one file that are shown; further ones are only counted."""
MAX_COUNTED_ERRORS = 1000
"""Errors after which the rest of a file is not read."""


def json_problem(error: JSONDecodeError) -> str:
    """Return what is wrong with a text that is not JSON.

    The most frequent case is one that was cut off.
    """
    if error.msg.startswith("Unterminated string") or error.pos >= len(error.doc.rstrip()) > 0:
        return _("is incomplete: the file or line ends too early")
    return _("is not JSON: {problem}").format(problem=error.msg)


class RoundFieldError(ValueError):
    """An error in one round.

    Attributes:
        field: path of the faulty key, such as `players[3].stays[0].leave`.
        problem: description of the fault.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class RoundFileError(ValueError):
    """A round file that cannot be read; none of it is used.

    `str()` is `FILE:LINE: field: problem`.

    Attributes:
        file: as it was given.
        line: from 1; None if the whole file is at fault.
        field: path of the faulty key; None if there is none.
        problem: description of the fault.
        others: errors in other lines; with this one, at most `MAX_SHOWN_ERRORS`.
        further_count: number of further errors, as far as they were counted.
    """

    def __init__(self, file: str, line: int | None, field: str | None, problem: str) -> None:
        location = file if line is None else f"{file}:{line}"
        super().__init__(": ".join(part for part in (location, field, problem) if part))
        self.file = file
        self.line = line
        self.field = field
        self.problem = problem
        self.others: tuple[RoundFileError, ...] = ()
        self.further_count = 0

    def add_others(self, errors: Sequence["RoundFileError"]) -> None:
        """Store the errors in other lines; `errors` are all errors of the file."""
        others = [each for each in errors if (each.line, each.field) != (self.line, self.field)]
        self.others = tuple(others[: MAX_SHOWN_ERRORS - 1])
        self.further_count = len(others) - len(self.others)

    @property
    def texts(self) -> list[str]:
        """One text for each of the first errors, and one with the number of the others."""
        texts = [str(self), *map(str, self.others)]
        if not self.further_count:
            return texts
        text = ngettext("{file}: {n} more line is wrong", "{file}: {n} more lines are wrong", self.further_count)
        if len(texts) + self.further_count >= MAX_COUNTED_ERRORS:
            text = _("{file}: at least {n} more lines are wrong")
        return [*texts, text.format(file=self.file, n=self.further_count)]


class MissingColumnError(RoundFileError):
    """A table has no column for a required key; a column map may name one."""
