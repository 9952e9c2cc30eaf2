"""Servers as CSV (RFC 4180) for spreadsheets and programs: the JSON's keys as columns, unknown is an empty cell.

Lists are joined by `;`, and each factor has a column `factors.NAME`. A spreadsheet takes a cell that begins with `=` or
the like for a formula, and server names come from strangers: such a text has an apostrophe before it, and so has one
that begins with an apostrophe. Whoever takes one leading apostrophe away has the text as it was.
"""

import csv
import sys
from collections.abc import Iterable, Mapping, Sequence

from browser_app.commands.output import json_text
from browser_app.commands.records import Record
from browser_app.ranking.factors import FACTORS

_BEFORE_FACTORS = (
    "address", "connect", "protocol", "game", "status", "error", "name", "map", "mode", "mode_name", "players", "bots",
    "spectators", "max_players", "reserved", "password", "version", "performance", "quality", "server_skill",
    "rookie_only", "ranked", "tags", "country", "ping_ms", "ping_estimated", "ping_samples", "attempts", "score",
)  # fmt: skip
COLUMNS = (*_BEFORE_FACTORS, *(f"factors.{name}" for name in FACTORS))
"""The same for every list, whatever is in it."""

_MARK = "'"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", _MARK)
"""What spreadsheets begin a formula with, in wide forms too, and the mark itself."""


def print_csv(records: Iterable[Record], more: Sequence[str] = ()) -> None:
    """Print a header and a line for each server; `more` are keys whose values are printed as JSON."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow((*COLUMNS, *more))
    writer.writerows(_cells(record, more) for record in records)


def _cells(record: Record, more: Sequence[str]) -> list[str]:
    factors = record["factors"]
    assert isinstance(factors, Mapping)  # noqa: S101 (what a record is)
    values = [record[name] for name in _BEFORE_FACTORS] + [factors.get(name) for name in FACTORS]
    nested = [None if record[name] is None else json_text(record[name]) for name in more]
    return [_cell(value) for value in values + nested]


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return _MARK + value if value.startswith(_FORMULA_STARTS) else value
        case Sequence():
            return _cell(";".join(each if isinstance(each, str) else _cell(each) for each in value))
        case _:
            return str(value)
