"""JSON documents of other programs, with errors located by line."""

import json
import re
from typing import Any, TypeVar

import msgspec

from browser_app.language import gettext as _
from browser_app.protocols.json_parser import find_line_numbers
from browser_app.rounds.round_errors import RoundFieldError, RoundFileError, json_problem
from browser_app.rounds.round_file import convert_validation_error
from browser_app.rounds.round_source import MAX_LINE_BYTES, RoundFileSource

StructT = TypeVar("StructT")


class JsonDocument:
    """A JSON text in a file that starts at `line` (from 1)."""

    def __init__(self, source: RoundFileSource, body: bytes, line: int = 1) -> None:
        self.source = source
        self._body = body
        self._line = line

    def decode(self, struct: type[StructT]) -> StructT:
        """Decode the document into `struct`.

        Raises:
            RoundFileError: it is not JSON, does not fit `struct`, or is larger than `MAX_LINE_BYTES`.
        """
        if len(self._body) > MAX_LINE_BYTES:
            raise self.source.error(self._line, None, _("is larger than {n} MiB").format(n=MAX_LINE_BYTES >> 20))
        try:
            return msgspec.json.decode(self._body, type=struct)
        except msgspec.ValidationError as error:
            raise self.error(convert_validation_error(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._syntax_error() from None

    def convert_part(self, value: Any, struct: type[StructT], path: str) -> StructT:
        """Convert `value`, the part of the document at the key `path`, into `struct`.

        Raises:
            RoundFileError: it does not fit.
        """
        try:
            return msgspec.convert(value, struct)
        except msgspec.ValidationError as error:
            part_error = convert_validation_error(error)
            field = path if part_error.field == "round" else f"{path}.{part_error.field}".replace(".[", "[")
            raise self.error(RoundFieldError(field, part_error.problem)) from None

    def error(self, error: RoundFieldError) -> RoundFileError:
        """Return an error at the line of its field.

        If the field is missing, the line is that of the object that lacks it.
        """
        return self.source.error(self._find_line(error.field), error.field, error.problem)

    def _find_line(self, field: str) -> int:
        path = tuple(
            int(part) if part.isdecimal() and bracket else part for bracket, part in _PATH_PARTS.findall(field)
        )
        paths = [path[:length] for length in range(len(path), 0, -1)]
        try:
            lines = find_line_numbers(self._body, paths)
        except (ValueError, IndexError, RecursionError):
            return self._line  # the decoder skips unknown parts, which need not be valid JSON
        return self._line + next((lines[path_of_line] for path_of_line in paths if path_of_line in lines), 1) - 1

    def _syntax_error(self) -> RoundFileError:
        """Return the error at the position that json.loads reports; msgspec reports none."""
        try:
            json.loads(self._body.rstrip(), parse_constant=_reject_constant)
        except json.JSONDecodeError as error:
            line = self._line + error.lineno - 1
            return self.source.error(line, _("column {n}").format(n=error.colno), json_problem(error))
        except UnicodeDecodeError as error:
            return self.source.error(self._line + self._body.count(b"\n", 0, error.start), None, _("is not UTF-8"))
        except (ValueError, RecursionError) as error:
            return self.source.error(self._line, None, _("is not JSON: {problem}").format(problem=error))
        return self.source.error(self._line, None, _("is not JSON"))


_PATH_PARTS = re.compile(r"(\[?)([^.\[\]]+)")


def _reject_constant(constant: str) -> None:
    raise ValueError(_("{value} is not a number").format(value=constant))
