"""Sort orders of the catalogue as permutations of row ids."""

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import RowIds
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.ranking.server_score import sort_by_keys

SORT_KEYS = tuple(SERVER_FIELDS)
"""Names of the sort orders."""


def sorted_rows(catalogue: Catalogue, column: str = "score", rows: RowIds | None = None) -> RowIds:
    """Return row ids in the order of a column, best or first first; `-COLUMN` reverses it.

    Unknown values come last in both directions. Ties are ordered by score, ping, address in both directions.

    Raises:
        ValueError: no such column; the message lists the columns.
    """
    field = SERVER_FIELDS.get(column.removeprefix("-"))
    if field is None:
        raise ValueError(f"no column {column!r}; there are {', '.join(SORT_KEYS)}")
    base = np.arange(len(catalogue)) if rows is None else rows
    values = field.sort_key(catalogue)[base]
    if column.startswith("-"):
        values = -values
    ties = (-catalogue.score, catalogue.ping_ms, catalogue.address.ranks())
    result: RowIds = base[sort_by_keys(values, *(tie[base] for tie in ties))]
    return result
