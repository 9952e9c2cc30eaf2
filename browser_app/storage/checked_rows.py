"""Rows of the database whose cells have the declared types.

SQLite stores any value in any column, and another program may have changed the file. Rows with cells of a wrong type
are left out and counted; they stay in the file.
"""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from browser_app.storage.database import Database
from browser_app.storage.database_schema import create_tables

_T = TypeVar("_T")

MAX_UNIX_TIME: Final = 1e11
"""Later times (s) cannot be shown as a date."""
MAX_COUNT: Final = 1_000_000
"""Larger numbers of players are invalid."""
_MAX_REAL = 1e12
_MAX_INTEGER = 2**63 - 1


def fetch_rows(
    database: Database,
    table: str,
    columns: Sequence[str],
    clause: str = "",
    values: Sequence[Any] = (),
    *,
    convert: Callable[[Any], _T],
) -> list[_T]:
    """Return the valid rows of a table, tuples of these columns, converted.

    Args:
        database: the database.
        table: one of its tables.
        columns: names of its columns.
        clause: the part of the query after the name of the table.
        values: values of the placeholders in it.
        convert: raises `ValueError` for an invalid row.
    """
    query = f"SELECT {', '.join(columns)} FROM {table} {clause}"  # noqa: S608 (constants only)
    rows = database.fetch_all(query, values)
    converted = []
    for row in filter_valid_rows(rows, table, columns):
        with suppress(ValueError, RecursionError):
            converted.append(convert(row))
    database.report_unreadable(table, len(rows) - len(converted))
    return converted


def filter_valid_rows(rows: Sequence[Sequence[Any]], table: str, columns: Sequence[str]) -> list[Any]:
    """Return the rows, tuples of these columns, whose cells are all valid."""
    types = [_read_column_types(table)[column] for column in columns]
    bounds = [(index, each.low, each.high) for index, each in enumerate(types) if each.is_number]
    return [
        row
        for row in rows
        if all(type(cell) in each.types for cell, each in zip(row, types, strict=True))
        and all(row[index] is None or low <= row[index] <= high for index, low, high in bounds)  # false for NaN
    ]


class _ColumnType(NamedTuple):
    """Types of a column's cells and, of numbers, their bounds."""

    types: frozenset[type]
    low: float = 0
    high: float = 0

    @property
    def is_number(self) -> bool:
        return self.low < self.high


_TYPES: Mapping[str, _ColumnType] = {
    "TEXT": _ColumnType(frozenset({str})),
    "BLOB": _ColumnType(frozenset({bytes})),
    "INTEGER": _ColumnType(frozenset({int}), -_MAX_INTEGER, _MAX_INTEGER),
    "REAL": _ColumnType(frozenset({int, float}), -_MAX_REAL, _MAX_REAL),
}
_BOUNDS: Mapping[str, tuple[float, float]] = {
    **dict.fromkeys(("port", "connect_port"), (1, 65535)),
    **dict.fromkeys(("players", "bots", "low", "high"), (0, MAX_COUNT)),
    **dict.fromkeys(
        ("added_at", "joined_at", "left_at", "read_at", "time", "since", "until", "started", "last_answer"),
        (-MAX_UNIX_TIME, MAX_UNIX_TIME),
    ),
}
"""Bounds by name of column."""


@cache
def _read_column_types(table: str) -> Mapping[str, _ColumnType]:
    """Return the types of a table's columns, which follow from its declaration."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create_tables(connection)
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    type_by_column = {}
    for _number, name, kind, is_required, _default, key_position in columns:
        types, low, high = _TYPES[kind]
        allowed_types = types if is_required or key_position else types | {type(None)}
        type_by_column[name] = _ColumnType(allowed_types, *_BOUNDS.get(name, (low, high)))
    return type_by_column | {"count(*)": _TYPES["INTEGER"]}
