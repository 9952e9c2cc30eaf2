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
    """How far the servers' skill is from the user's own, as of the last scores; rows that came since are unknown."""
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
"""Column → its key: the best or first row has the lowest, unknown is NaN."""


def sorted_rows(catalogue: Catalogue, column: str = "score", rows: RowIds | None = None) -> RowIds:
    """Row ids in the order of a column, best or first first; `-COLUMN` turns that round.

    Unknown values come last both ways. Ties are in the order of score, ping, address, both ways.

    Args:
        catalogue: whose rows are put in order.
        column: a name in `ORDERS`, with or without `-`.
        rows: only these rows, in any order; all of them if None.

    Raises:
        ValueError: no such column; the text names those that are.
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
