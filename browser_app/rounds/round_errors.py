"""Errors in round files, with file, line and field."""


class RoundFieldError(ValueError):
    """An error in one round.

    Attributes:
        field: path of the faulty key, such as ``players[3].stays[0].leave``.
        problem: description of the fault.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class RoundFileError(ValueError):
    """A round file that cannot be read; none of it is used. ``str()`` is `FILE:LINE: field: problem`.

    Attributes:
        file: as it was given.
        line: from 1; None if the whole file is at fault.
        field: path of the faulty key; None if there is none.
        problem: description of the fault.
    """

    def __init__(self, file: str, line: int | None, field: str | None, problem: str) -> None:
        place = file if line is None else f"{file}:{line}"
        super().__init__(": ".join(part for part in (place, field, problem) if part))
        self.file = file
        self.line = line
        self.field = field
        self.problem = problem


class MissingColumnError(RoundFileError):
    """A table has no column for a required key; a column map may name one."""
