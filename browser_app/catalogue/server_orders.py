"""Sort orders of the catalogue as permutations of row ids."""

from collections.abc import Callable, Mapping

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Floats, RowIds
from browser_app.ranking.server_score import sort_by_keys

_SortKey = Callable[[Catalogue], Floats]


def _ascending(name: str) -> _SortKey:
    return lambda catalogue: catalogue.number_column(name).astype(np.float64)


def _descending(name: str) -> _SortKey:
    return lambda catalogue: -catalogue.number_column(name).astype(np.float64)


def _alphabetical(name: str) -> _SortKey:
    return lambda catalogue: catalogue.text_column(name).ranks()


def _skill_distance_key(catalogue: Catalogue) -> Floats:
    """Return how far the servers' skill is from the user's, as of the last scores; NaN for rows added since."""
    mine: Floats = np.full(len(catalogue), np.nan)
    if catalogue.last_ranking_inputs is not None:
        scored = catalogue.last_ranking_inputs.player_skill
        mine[: len(scored)] = scored
    distance: Floats = np.abs(catalogue.server_skill - mine)
    return distance


SORT_KEYS: Mapping[str, _SortKey] = {
    "score": _descending("score"),
    "ping": _ascending("ping_ms"),
    "name": _alphabetical("name"),
    "players": _descending("players"),
    "bots": _descending("bots"),
    "spectators": _descending("spectators"),
    "max": _descending("max_players"),
    "free": lambda catalogue: -catalogue.free_slots,
    "map": _alphabetical("map"),
    "mode": _alphabetical("mode"),
    "version": _alphabetical("version"),
    "game": _alphabetical("game"),
    "country": _alphabetical("country"),
    "address": _alphabetical("address"),
    "performance": _descending("performance"),
    "skill": _descending("server_skill"),
    "skill_distance": _skill_distance_key,
    "gain": _descending("gain"),
    "favourite": _descending("favourite"),
    "friends": _descending("friends"),
    "locked": _ascending("password"),
    "trend": lambda catalogue: -catalogue.player_changes(),
    "forecast": lambda catalogue: -catalogue.forecast_players(),
    "last_played": _descending("last_played"),
    "last_answer": _descending("last_answer"),
}
"""Column → sort key: lowest for the best or first row, NaN where unknown."""


def sorted_rows(catalogue: Catalogue, column: str = "score", rows: RowIds | None = None) -> RowIds:
    """Return row ids in the order of a column, best or first first; `-COLUMN` reverses it.

    Unknown values come last in both directions. Ties are ordered by score, ping, address in both directions.

    Args:
        catalogue: the catalogue to sort.
        column: a name in `SORT_KEYS`, with or without `-`.
        rows: the rows to sort; None for all.

    Raises:
        ValueError: no such column; the message lists the columns.
    """
    key = SORT_KEYS.get(column.removeprefix("-"))
    if key is None:
        raise ValueError(f"no column {column!r}; there are {', '.join(SORT_KEYS)}")
    base = np.arange(len(catalogue)) if rows is None else rows
    values = key(catalogue)[base]
    if column.startswith("-"):
        values = -values
    ties = (-catalogue.score, catalogue.ping_ms, catalogue.address.ranks())
    result: RowIds = base[sort_by_keys(values, *(tie[base] for tie in ties))]
    return result
