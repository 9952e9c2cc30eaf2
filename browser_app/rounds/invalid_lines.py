"""Search for all invalid lines of a rejected file, by reading it again."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from browser_app.language import gettext as _
from browser_app.rating.game_round import Round
from browser_app.rating.rating_errors import InvalidRoundError
from browser_app.rating.record.record_builder import build_record
from browser_app.rounds.round_errors import MissingColumnError, RoundFieldError, RoundFileError
from browser_app.rounds.round_file import convert_round
from browser_app.rounds.round_formats import read_objects
from browser_app.rounds.round_source import RoundFileSource

_BATCH_ROUNDS = 256
"""Rounds that are checked together, and one by one only if some are invalid."""

LocatedRound = tuple[int, Round]


@contextmanager
def report_all_invalid_lines(sources: Sequence[RoundFileSource], file_format: str | None) -> Iterator[None]:
    """Add the errors in a file's other lines to an error raised for one of them.

    Files of a single round, and formats whose reports have several lines, stop at their first error. A pipe cannot be
    read again.
    """
    try:
        yield
    except RoundFileError as error:
        source = next((each for each in sources if each.path == error.file and Path(each.path).is_file()), None)
        if source is not None and error.line is not None and not isinstance(error, MissingColumnError):
            error.add_others(_find_errors(source, file_format))
        raise


def _find_errors(source: RoundFileSource, file_format: str | None) -> list[RoundFileError]:
    """Return the first `MAX_COUNTED_ERRORS` errors of a file, ascending by line."""
    errors: list[RoundFileError] = []
    collecting_source = replace(source, collected_errors=errors)
    try:
        valid_rounds = _convert_valid_rounds(collecting_source, read_objects(collecting_source, file_format))
        while batch := list(islice(valid_rounds, _BATCH_ROUNDS)):
            for error in _find_invalid_rounds(source, batch):
                collecting_source.report(error)
    except RoundFileError as error:
        errors.append(error)
    return sorted(errors, key=lambda each: each.line or 0)


def _convert_valid_rounds(
    source: RoundFileSource, objects: Iterable[tuple[int, dict[str, Any]]]
) -> Iterator[LocatedRound]:
    """Yield the objects that are rounds and have a unique id; report the others."""
    line_of: dict[str, int] = {}
    for line, round_object in objects:
        try:
            round_ = convert_round(round_object)
        except RoundFieldError as error:
            source.report(source.error(line, error.field, error.problem))
            continue
        first_line = line_of.setdefault(round_.id, line)
        if first_line == line:
            yield line, round_
        else:
            source.report(
                source.error(line, "id", _("is also the id of {place}").format(place=f"{source.path}:{first_line}"))
            )


def _find_invalid_rounds(source: RoundFileSource, batch: Sequence[LocatedRound]) -> Iterator[RoundFileError]:
    try:
        build_record(each for _line, each in batch)
    except InvalidRoundError:
        for line, each in batch:
            try:
                build_record([each])
            except InvalidRoundError as error:
                yield source.error(line, error.field, _(error.problem))
