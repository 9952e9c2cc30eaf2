"""Server values to sort, filter and show as columns, and the sort orders."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Bools, Floats, RowIds
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE, points_text, spread_text
from browser_app.language import N_
from browser_app.number_text import decimal_text
from browser_app.ranking.server_score import argsort_by_keys


@dataclass(frozen=True, slots=True)
class ServerField:
    """Declaration of a value: a number, NaN where unknown, or a text column."""

    title: str = ""
    """Column title in English; empty if no table shows the value."""
    number: Callable[[Catalogue, RowIds], Floats] | None = None
    """Returns the numbers of some rows, NaN where unknown; the table reads few rows many times a second."""
    text_column: str = ""
    """Name of the text column of a field that sorts alphabetically."""
    lowest_first: bool = False
    """The best or first row has the lowest number."""
    filter_name: str = ""
    """Name of the number in filter expressions; empty if they cannot use it."""
    number_text: Callable[[float], str] = points_text
    """Returns the text of a known number in tables."""

    def sort_key(self, catalogue: Catalogue) -> Floats:
        """Return keys of all rows: lowest for the best or first row, NaN where unknown."""
        if self.number is None:
            return catalogue.text_column(self.text_column).ranks()
        values = self.number(catalogue, np.arange(len(catalogue)))
        return values if self.lowest_first else -values

    def known(self, catalogue: Catalogue, rows: RowIds) -> Bools:
        """Return which of these rows have a value."""
        if self.number is None:
            has_text: Bools = catalogue.text_column(self.text_column).ids[rows] != 0
            return has_text
        return ~np.isnan(self.number(catalogue, rows))

    def texts(self, catalogue: Catalogue, rows: RowIds) -> list[str]:
        """Return the texts of these rows in tables.

        An unknown number is a dash, an unknown text is empty.
        """
        if self.number is None:
            return catalogue.text_column(self.text_column).texts_of(rows)
        values = self.number(catalogue, rows).tolist()
        return [UNKNOWN_VALUE if value != value else self.number_text(value) for value in values]


def _skill_distance(catalogue: Catalogue, rows: RowIds) -> Floats:
    """Return how far the servers' skill is from the user's, as of the last scores.

    NaN for rows added since.
    """
    mine: Floats = np.full(len(catalogue), np.nan)
    if catalogue.last_ranking_inputs is not None:
        scored = catalogue.last_ranking_inputs.player_skill
        mine[: len(scored)] = scored
    distance: Floats = np.abs(catalogue.server_skill[rows] - mine[rows])
    return distance


SERVER_FIELDS: Mapping[str, ServerField] = {
    "score": ServerField(N_("Score"), lambda c, rows: c.score[rows], filter_name="score"),
    "ping": ServerField(N_("Ping"), lambda c, rows: c.ping_ms[rows], lowest_first=True, filter_name="ping"),
    "ping_spread": ServerField(
        N_("Ping spread"),
        lambda c, rows: c.ping_spreads(rows).spread_ms,
        lowest_first=True,
        filter_name="jitter",
        number_text=spread_text,
    ),
    "name": ServerField(N_("Name"), text_column="name"),
    "players": ServerField(N_("Players"), lambda c, rows: c.players[rows], filter_name="players"),
    "bots": ServerField(number=lambda c, rows: c.bots[rows], filter_name="bots"),
    "spectators": ServerField(number=lambda c, rows: c.spectators[rows], filter_name="spectators"),
    "max": ServerField(number=lambda c, rows: c.max_players[rows], filter_name="max"),
    "free": ServerField(number=lambda c, rows: c.free_slots[rows], filter_name="free"),
    "map": ServerField(N_("Map"), text_column="map"),
    "mode": ServerField(N_("Mode"), text_column="mode"),
    "version": ServerField(text_column="version"),
    "game": ServerField(N_("Game"), text_column="game"),
    "country": ServerField(N_("Country"), text_column="country"),
    "region": ServerField(N_("Region"), text_column="region"),
    "language": ServerField(N_("Language"), text_column="language"),
    "address": ServerField(N_("Address"), text_column="address"),
    "performance": ServerField(N_("Performance"), lambda c, rows: c.performance[rows], filter_name="perf"),
    "skill": ServerField(N_("Skill"), lambda c, rows: c.server_skill[rows], filter_name="skill"),
    "skill_distance": ServerField(number=_skill_distance, lowest_first=True),
    "gain": ServerField(
        N_("Seeding value"),
        lambda c, rows: c.gain[rows],
        filter_name="gain",
        number_text=lambda gain: f"+{decimal_text(gain, 2)}",
    ),
    "favourite": ServerField(number=lambda c, rows: c.favourite[rows].astype(np.float64)),
    "friends": ServerField(number=lambda c, rows: c.friends[rows].astype(np.float64)),
    "locked": ServerField(N_("Password"), lambda c, rows: c.password[rows], lowest_first=True),
    "trend": ServerField(N_("6 hours"), lambda c, rows: c.trends.changes(rows), filter_name="trend"),
    "forecast": ServerField(
        N_("In 30 min"), lambda c, rows: c.forecasts.forecasts_of(rows).players, filter_name="forecast"
    ),
    "last_played": ServerField(N_("Last played"), lambda c, rows: c.last_played[rows]),
    "last_answer": ServerField(number=lambda c, rows: c.last_answer[rows]),
}
"""Key → field; the key is also the name of the sort order."""
SORT_KEYS = tuple(SERVER_FIELDS)
"""Names of the sort orders."""


def sorted_rows(catalogue: Catalogue, column: str = "score", rows: RowIds | None = None) -> RowIds:
    """Return row ids in the order of a column, best or first first.

    `-COLUMN` reverses it. Unknown values come last in both directions. Ties are ordered by score, ping, address in both
    directions.

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
    result: RowIds = base[argsort_by_keys(values, *(tie[base] for tie in ties))]
    return result


def with_favourites_first(catalogue: Catalogue, rows: RowIds) -> RowIds:
    """Return sorted row ids with the favourites first; both parts keep their order."""
    favourite = catalogue.favourite[rows]
    return np.concatenate((rows[favourite], rows[~favourite]))
