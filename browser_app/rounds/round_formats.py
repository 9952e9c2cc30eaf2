"""Registry of the round formats and recognition of a file's format."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from browser_app.rounds import (
    csv_rounds,
    ns2_match_end,
    ns2_savestats,
    round_file,
    wonitor,
    xonotic_event_log,
    xonstat_rounds,
)
from browser_app.rounds.round_source import RoundFileSource

RoundReader = Callable[[RoundFileSource], Iterator[tuple[int, dict[str, Any]]]]
"""Yields the rounds of a file as objects of the round file, each with its line; raises RoundFileError."""


_ROUND_KEYS = {"teams", "players"}
"""Keys of every round in a round file."""


class RoundFormat(NamedTuple):
    """How a format is recognised and read."""

    is_format: Callable[[str, bytes], bool]
    """Decides by a file's name and first bytes; never raises."""
    read: RoundReader


def _is_round_file(_name: str, head: bytes) -> bool:
    first_object = _parse_first_json_object(head)
    return first_object is not None and first_object.keys() >= _ROUND_KEYS


def _is_ns2_savestats(_name: str, head: bytes) -> bool:
    return head.lstrip().startswith(b"{") and (b'"RoundInfo"' in head or b'"KillFeed"' in head)


def _is_ns2_match_end(_name: str, head: bytes) -> bool:
    return head.lstrip().startswith(b"{") and b'"gameTime"' in head and b'"mapName"' in head


def _is_wonitor(_name: str, head: bytes) -> bool:
    return re.match(rb"\s*(?:[\w.%-]+=[^&\s]*&)*messageType=", head) is not None


def _is_xonstat_report(_name: str, head: bytes) -> bool:
    return re.match(rb"(?:\s*#.*\n)*\s*V \d+\s", head) is not None or b"BEGIN REQUEST BODY" in head


def _is_xonotic_event_log(_name: str, head: bytes) -> bool:
    return re.search(rb"^:(?:logversion|gamestart|scores):", head, re.MULTILINE) is not None


def _is_csv_table(name: str, head: bytes) -> bool:
    if re.search(r"\.(?:csv|tsv)(?:\.gz)?$", name, re.IGNORECASE):
        return True
    return set(csv_rounds.REQUIRED_KEYS) <= set(re.split(r"[,;\t]", head.partition(b"\n")[0].decode("latin-1").strip()))


def _parse_first_json_object(head: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(head.lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


ROUND_FILE_FORMAT = "rounds"
CSV_FORMAT = "csv"
ROUND_FORMATS: Mapping[str, RoundFormat] = {
    ROUND_FILE_FORMAT: RoundFormat(_is_round_file, round_file.read_round_file),
    "ns2plus": RoundFormat(_is_ns2_savestats, ns2_savestats.read_ns2_savestats),
    "ns2-match-end": RoundFormat(_is_ns2_match_end, ns2_match_end.read_ns2_match_end),
    "wonitor": RoundFormat(_is_wonitor, wonitor.read_wonitor_posts),
    "xonstat": RoundFormat(_is_xonstat_report, xonstat_rounds.read_xonstat_reports),
    "xonotic-log": RoundFormat(_is_xonotic_event_log, xonotic_event_log.read_xonotic_event_log),
    CSV_FORMAT: RoundFormat(_is_csv_table, csv_rounds.read_csv_rounds),
}
"""Formats by the names of `--as`; if several recognise a file, the first one is used."""


def read_objects(source: RoundFileSource, file_format: str | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rounds of a file as objects of the round file, with their lines.

    Args:
        source: the file.
        file_format: a key of `ROUND_FORMATS`; None recognises the format by content and name.

    Raises:
        RoundFileError: it has an error.
    """
    return ROUND_FORMATS[file_format or recognise_format(source)].read(source)


def recognise_format(source: RoundFileSource) -> str:
    """Return the name of a file's format.

    An unrecognised file counts as a round file, whose reader reports the error.

    Raises:
        RoundFileError: the file cannot be read.
    """
    return _find_format(source) or ROUND_FILE_FORMAT


def is_foreign_file(source: RoundFileSource) -> bool:
    """Return whether a file is neither of a known format nor a damaged round file.

    A damaged round file has a key of a round.

    Raises:
        RoundFileError: the file cannot be read.
    """
    first_object = _parse_first_json_object(source.head) or {}
    return _find_format(source) is None and not _ROUND_KEYS & first_object.keys()


def _find_format(source: RoundFileSource) -> str | None:
    return next((name for name, each in ROUND_FORMATS.items() if each.is_format(source.path, source.head)), None)
