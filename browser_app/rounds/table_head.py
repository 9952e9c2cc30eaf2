"""The beginning of a table, as one shows it to somebody who is to say which column is which."""

import csv
from itertools import islice
from typing import NamedTuple

from browser_app.rounds.source import Source
from browser_app.rounds.table import separator

MOST_COLUMNS = 256
MOST_ROWS = 5


class TableHead(NamedTuple):
    """Kept true: each row has as many fields as there are columns; no column's name stands there twice."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def head_of(source: Source) -> TableHead | None:
    """The columns and the first rows; None where it is no table that a person could make sense of.

    Raises:
        RoundError: the file cannot be read.
    """
    text = source.head.decode(errors="replace")
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator(text.partition("\n")[0]))
    try:
        columns, *rows = map(tuple, islice(reader, 1 + MOST_ROWS))
    except (csv.Error, ValueError):
        return None
    if not 2 <= len(columns) == len(set(columns)) <= MOST_COLUMNS:
        return None
    return TableHead(columns, tuple(row for row in rows if len(row) == len(columns)))
