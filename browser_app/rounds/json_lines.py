"""The round file: JSON Lines, one round a line; empty lines are passed over."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

import msgspec

from browser_app.rating.match import Match
from browser_app.rounds.errors import FieldError
from browser_app.rounds.not_json import no_json
from browser_app.rounds.round_file import decode, decode_row
from browser_app.rounds.source import WHOLE, Source, Stretch

Round = TypeVar("Round")


def read(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rounds as objects, with every key they have; whether they are rounds is not looked at.

    Raises:
        RoundError: a line is no JSON object.
    """
    for number, line in _lines(source):
        try:
            yield number, msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            fault = no_json(line, error)
            raise source.error(number, fault.field, fault.problem) from None


def matches(source: Source) -> Iterator[tuple[int, Match]]:
    """The rounds in one go from text to matches, five times as fast; keys that are not known are passed over.

    Raises:
        RoundError: a line is no round.
    """
    return _decoded(source, decode)


def rows(source: Source, stretch: Stretch = WHOLE) -> Iterator[tuple[int, Match]]:
    """The same for a record alone, faster still, also of a stretch of the file.

    They are no matches, but have the fields of one.

    Raises:
        RoundError: a line is no round.
    """
    return cast("Iterator[tuple[int, Match]]", _decoded(source, decode_row, stretch))


def _decoded(
    source: Source, decoder: Callable[[bytes], Round], stretch: Stretch = WHOLE
) -> Iterator[tuple[int, Round]]:
    for number, line in source.lines(stretch):
        try:
            decoded = decoder(line)
        except FieldError as error:
            if not line.strip():
                continue
            raise source.error(number, error.field, error.problem) from None
        yield number, decoded


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in source.lines() if line.strip())


def line_of(round_object: dict[str, Any]) -> bytes:
    """A round as a line of the round file."""
    return msgspec.json.encode(round_object) + b"\n"
