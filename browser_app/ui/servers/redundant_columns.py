"""Columns of the server table that are redundant for a list."""

from collections.abc import Set
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.ui.servers.server_columns import SERVER_COLUMNS

SPARSE_SHARE = 0.1
"""A column with values for fewer of a list's servers gives its space to names that would be cut."""


class RedundantColumns(NamedTuple):
    """Keys of the columns that are redundant for a list."""

    empty: frozenset[str] = frozenset()
    """No server has a value, or all are of one game."""
    sparse: frozenset[str] = frozenset()
    """Few servers have a value."""


def redundant_columns(catalogue: Catalogue, listed: Bools, candidates: Set[str]) -> RedundantColumns:
    """Return which candidates, keys of columns, are redundant for the listed servers."""
    rows = np.flatnonzero(listed)
    shares = {
        column.key: np.count_nonzero(SERVER_FIELDS[column.key].known(catalogue, rows)) / max(1, len(rows))
        for column in SERVER_COLUMNS
        if column.may_be_empty and column.key in candidates
    }
    empty = {key for key, share in shares.items() if not share}
    if len(np.unique(catalogue.game.ids[rows])) <= 1:
        empty.add("game")
    return RedundantColumns(frozenset(empty), frozenset(key for key, share in shares.items() if share < SPARSE_SHARE))
