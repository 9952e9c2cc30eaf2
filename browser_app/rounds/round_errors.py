"""Errors in files of rounds, with file, line and field."""


class RoundFieldError(ValueError):
    """Something wrong in one round.

    Attributes:
        field: the key at fault, as in ``players[3].stays[0].leave``.
        problem: what is wrong with it.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class RoundFileError(ValueError):
    """A file of rounds that cannot be taken; nothing of it was. ``str()`` is `FILE:LINE: field: what is wrong`.

    Attributes:
        file: as it was named.
        line: from 1; None where the whole file is at fault.
        field: the key at fault; None where there is none.
        problem: what is wrong with it.
    """

    def __init__(self, file: str, line: int | None, field: str | None, problem: str) -> None:
        place = file if line is None else f"{file}:{line}"
        super().__init__(": ".join(part for part in (place, field, problem) if part))
        self.file = file
        self.line = line
        self.field = field
        self.problem = problem


class MissingColumnError(RoundFileError):
    """A table has no column for something that is needed; which of its columns that is may be told by a map."""
