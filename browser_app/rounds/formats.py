"""The formats of rounds: one line each."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from browser_app.rounds import event_log, json_lines, ns2_match_end, ns2_savestats, table, wonitor, xonstat
from browser_app.rounds.source import Source

Reader = Callable[[Source], Iterator[tuple[int, dict[str, Any]]]]
"""Rounds of a file as objects of the round file, each with the line where it stands; raises RoundError."""


class Format(NamedTuple):
    """A format; `recognises` judges by the name and the beginning of a file, and never fails."""

    recognises: Callable[[str, bytes], bool]
    read: Reader


def _is_round_file(_name: str, head: bytes) -> bool:
    first = _first_object(head)
    return first is not None and {"teams", "players"} <= first.keys()


def _is_savestats(_name: str, head: bytes) -> bool:
    return head.lstrip().startswith(b"{") and (b'"RoundInfo"' in head or b'"KillFeed"' in head)


def _is_match_end(_name: str, head: bytes) -> bool:
    return head.lstrip().startswith(b"{") and b'"gameTime"' in head and b'"mapName"' in head


def _is_wonitor(_name: str, head: bytes) -> bool:
    return re.match(rb"\s*(?:[\w.%-]+=[^&\s]*&)*messageType=", head) is not None


def _is_report(_name: str, head: bytes) -> bool:
    return re.match(rb"(?:\s*#.*\n)*\s*V \d+\s", head) is not None or b"BEGIN REQUEST BODY" in head


def _is_event_log(_name: str, head: bytes) -> bool:
    return re.search(rb"^:(?:logversion|gamestart|scores):", head, re.MULTILINE) is not None


def _is_table(name: str, head: bytes) -> bool:
    if re.search(r"\.(?:csv|tsv)(?:\.gz)?$", name, re.IGNORECASE):
        return True
    return set(table.NEEDED) <= set(re.split(r"[,;\t]", head.partition(b"\n")[0].decode("latin-1").strip()))


def _first_object(head: bytes) -> dict[str, Any] | None:
    """The first line, if it is a JSON object."""
    try:
        found = json.loads(head.lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


ROUND_FILE = "rounds"
TABLE = "csv"
FORMATS: Mapping[str, Format] = {
    ROUND_FILE: Format(_is_round_file, json_lines.read),
    "ns2plus": Format(_is_savestats, ns2_savestats.read),
    "ns2-match-end": Format(_is_match_end, ns2_match_end.read),
    "wonitor": Format(_is_wonitor, wonitor.read),
    "xonstat": Format(_is_report, xonstat.read),
    "xonotic-log": Format(_is_event_log, event_log.read),
    TABLE: Format(_is_table, table.read),
}
"""By the names of `--as`; of several that recognise a file the first is taken."""


def recognise(source: Source) -> str:
    """The format of a file; what none recognises is taken for a round file, whose reader says what is wrong.

    Raises:
        RoundError: the file cannot be read.
    """
    head = source.head
    return next((name for name, each in FORMATS.items() if each.recognises(source.path, head)), ROUND_FILE)
