"""Orders over the catalogue: permutations of rows, never the rows themselves."""

from collections.abc import Callable, Mapping

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Floats, Rows
from browser_app.ranking.ordering import in_order

_Key = Callable[[Catalogue], Floats]


def _low(name: str) -> _Key:
    return lambda catalogue: catalogue.numbers(name).astype(np.float64)


def _high(name: str) -> _Key:
    return lambda catalogue: -catalogue.numbers(name).astype(np.float64)


def _alphabetical(name: str) -> _Key:
    return lambda catalogue: catalogue.texts(name).ranks()


def _trend(catalogue: Catalogue) -> Floats:
    return -catalogue.trend.changes(np.arange(len(catalogue)))


def _forecast(catalogue: Catalogue) -> Floats:
    return -catalogue.forecasts.of(np.arange(len(catalogue))).players


def _free(catalogue: Catalogue) -> Floats:
    return -np.maximum(catalogue.usable_slots - catalogue.players, 0.0)


def _skill_distance(catalogue: Catalogue) -> Floats:
    """How far the servers' skill is from the user's own, as of the last scores; rows that came since are unknown."""
    mine: Floats = np.full(len(catalogue), np.nan)
    if catalogue.scored is not None:
        scored = catalogue.scored.player_skill
        mine[: len(scored)] = scored
    distance: Floats = np.abs(catalogue.server_skill - mine)
    return distance


ORDERS: Mapping[str, _Key] = {
    "score": _high("score"),
    "ping": _low("ping_ms"),
    "name": _alphabetical("name"),
    "players": _high("players"),
    "bots": _high("bots"),
    "spectators": _high("spectators"),
    "max": _high("max_players"),
    "free": _free,
    "map": _alphabetical("map"),
    "mode": _alphabetical("mode"),
    "version": _alphabetical("version"),
    "game": _alphabetical("game"),
    "country": _alphabetical("country"),
    "address": _alphabetical("address"),
    "performance": _high("performance"),
    "skill": _high("server_skill"),
    "skill_distance": _skill_distance,
    "gain": _high("gain"),
    "favourite": _high("favourite"),
    "friends": _high("friends"),
    "locked": _low("password"),
    "trend": _trend,
    "forecast": _forecast,
    "last_played": _high("last_played"),
    "last_answer": _high("last_answer"),
}
"""Column → its key: the best or first row has the lowest, unknown is NaN."""


def order(catalogue: Catalogue, column: str = "score", rows: Rows | None = None) -> Rows:
    """Row ids in the order of a column, best or first first; `-COLUMN` turns that round.

    Unknown values come last both ways. Ties are in the order of score, ping, address, both ways.

    Args:
        catalogue: whose rows are put in order.
        column: a name in `ORDERS`, with or without `-`.
        rows: only these rows, in any order; all of them if None.

    Raises:
        ValueError: no such column; the text names those that are.
    """
    key = ORDERS.get(column.removeprefix("-"))
    if key is None:
        raise ValueError(f"no column {column!r}; there are {', '.join(ORDERS)}")
    base = np.arange(len(catalogue)) if rows is None else rows
    values = key(catalogue)[base]
    if column.startswith("-"):
        values = -values
    ties = (-catalogue.score, catalogue.ping_ms, catalogue.address.ranks())
    result: Rows = base[in_order(values, *(tie[base] for tie in ties))]
    return result
