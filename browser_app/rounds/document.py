"""Foreign JSON documents: read into typed structures, errors with the line of the key at fault."""

import json
import re
from typing import Any, TypeVar

import msgspec

from browser_app.protocols.json_text import line_of
from browser_app.rounds.errors import FieldError, RoundError
from browser_app.rounds.round_file import field_error
from browser_app.rounds.source import MAX_LINE, Source

T = TypeVar("T")


class Document:
    """A JSON text in a file, beginning on a line of it (the first, unless told)."""

    def __init__(self, source: Source, body: bytes, line: int = 1) -> None:
        self.source = source
        self._body = body
        self._line = line

    def read(self, shape: type[T]) -> T:
        """The document in a shape.

        Raises:
            RoundError: it is no JSON, or of another shape, or larger than a line may be.
        """
        if len(self._body) > MAX_LINE:
            raise self.source.error(self._line, None, f"is larger than {MAX_LINE >> 20} MiB")
        try:
            return msgspec.json.decode(self._body, type=shape)
        except msgspec.ValidationError as error:
            raise self.error(field_error(error)) from None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._no_json() from None

    def part(self, value: Any, shape: type[T], at: str) -> T:
        """A part of the document that stands at a key, in a shape.

        Raises:
            RoundError: it is of another shape.
        """
        try:
            return msgspec.convert(value, shape)
        except msgspec.ValidationError as error:
            found = field_error(error)
            field = at if found.field == "round" else f"{at}.{found.field}".replace(".[", "[")
            raise self.error(FieldError(field, found.problem)) from None

    def error(self, fault: FieldError) -> RoundError:
        """The error at the line of its field, or of what that field is missing from."""
        return self.source.error(self._line_of(fault.field), fault.field, fault.problem)

    def _line_of(self, field: str) -> int:
        path = [int(part) if part.isdecimal() and bracket else part for bracket, part in _PARTS.findall(field)]
        try:
            while path:
                if line := line_of(self._body, *path):
                    return self._line + line - 1
                path.pop()
        except (ValueError, IndexError, RecursionError):
            pass  # what the decoder passed over need not be good JSON
        return self._line

    def _no_json(self) -> RoundError:
        """json.loads says where the text breaks."""
        try:
            json.loads(self._body, parse_constant=_refuse)
        except json.JSONDecodeError as error:
            place = self._line + error.lineno - 1
            return self.source.error(place, f"column {error.colno}", f"is not JSON: {error.msg}")
        except UnicodeDecodeError as error:
            return self.source.error(self._line + self._body.count(b"\n", 0, error.start), None, "is not UTF-8")
        except (ValueError, RecursionError) as error:
            return self.source.error(self._line, None, f"is not JSON: {error}")
        return self.source.error(self._line, None, "is not JSON")


_PARTS = re.compile(r"(\[?)([^.\[\]]+)")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")
