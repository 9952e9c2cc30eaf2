"""Rows of the server table, read from the catalogue's columns."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Floats, RowIds
from browser_app.catalogue.server_fields import SERVER_FIELDS
from browser_app.catalogue.server_info import QueryStatus
from browser_app.catalogue.server_value_text import UNKNOWN_VALUE, ping_text
from browser_app.catalogue.suspicion import SuspicionMark, format_suspicions
from browser_app.games.game_profile import GameProfile
from browser_app.ranking.score_factors import SCORE_FACTORS
from browser_app.ui.widgets.value_text import ping_spread_text

if TYPE_CHECKING:
    from browser_app.catalogue.ping_samples import PingSpread
    from browser_app.catalogue.player_trends import ForecastColumns


class ServerRow(NamedTuple):
    """The values that a row's cells, texts and tooltips are made of; None is unknown."""

    id: int
    name: str
    game: str
    """Short name of the game."""
    game_name: str
    texts: Mapping[str, str]
    """Texts of the columns that show a `ServerField` as it is, by its key."""
    is_mode_from_map: bool
    """The server reports no mode; the map's name suggests the one shown."""
    score: float | None
    """None if the server is not ranked."""
    rank: int | None
    """Rank by score among all ranked servers, from 1; equal scores share the better rank."""
    ranked_count: int
    """Number of ranked servers."""
    boost: float
    """Product of the factors above 1 (favourite, friends…); 1 if there is none."""
    ping_ms: float | None
    ping_factor: float | None
    """The score's ping factor, which decides the dots."""
    ping_spread_text: str
    """Median and spread of the last pings; empty if unknown."""
    ping_estimated: bool
    ping_under_load: bool
    """Measured while this computer was busy: the true ping is at most this."""
    players: int | None
    bots: int | None
    spectators: int | None
    usable_slots: int | None
    is_full: bool
    is_closed: bool
    """Nobody can join, although slots may be free."""
    is_locked: bool | None
    is_favourite: bool
    skill: float | None
    skill_distance: float | None
    """Mean skill of the server minus the user's."""
    is_unresponsive: bool
    """The last query got no valid answer."""
    is_unconfirmed: bool
    """Saved in an earlier session, or described by a list, and not queried yet."""
    described_at: float | None
    """Unix time, s, of the list whose description is shown; None if it is the server's own reply."""
    friends: int
    """Number of friends in the player list."""
    suspicions: tuple[str, ...]
    """Reasons for suspicion of the server's data, a sentence each."""
    ping_suspicious: bool
    last_played: float | None
    """Time of the user's last join, Unix seconds."""
    trend: tuple[int | None, ...]
    """Players in each quarter of an hour of the last six hours, oldest first; empty if too little is known."""
    trend_change: int | None
    """Players now minus players six hours ago."""
    is_new: bool
    """There is too little history for a trend; false while it is being read."""
    forecast: int | None
    """Players expected in half an hour; in 8 of 10 cases the number is from `forecast_low` to `forecast_high`."""
    forecast_low: int | None
    forecast_high: int | None

    @property
    def paint_key(self) -> tuple[object, ...]:
        """The values that cells are painted from.

        Without the rank, which changes with every scoring and is only used in accessible texts.
        """
        return *_painted_fields(self), *self.texts.values()


_UNPAINTED_FIELDS = ("texts", "ping_spread_text", "rank", "ranked_count")
_painted_fields = attrgetter(*(name for name in ServerRow._fields if name not in _UNPAINTED_FIELDS))


class _RowBatch:
    """Servers whose rows are read in one go, and values that several fields share."""

    def __init__(self, source: "ServerRowSource", servers: Sequence[int]) -> None:
        self.source: ServerRowSource = source
        self.catalogue: Catalogue = source.catalogue
        self.ids: RowIds = np.array(servers, dtype=np.intp)
        self.games: list[str] = self.catalogue.game.texts_of(self.ids)
        self.scores: Floats = self.catalogue.score[self.ids]
        self.skill: Floats = self.catalogue.server_skill[self.ids]
        self.trend_changes: list[int | None] = _ints_or_none(self.catalogue.trends.changes(self.ids))
        self.pings: PingSpread = self.catalogue.ping_spreads(self.ids)
        self.forecasts: ForecastColumns = self.catalogue.forecasts.forecasts_of(self.ids)

    def skill_distances(self) -> Floats:
        own = self.source.own_skill()
        distance: Floats = self.skill - np.array([own.get(game, np.nan) for game in self.games])
        return distance

    def factor(self, name: str) -> Floats:
        """Return a factor's column as of the last scoring.

        NaN for rows that were added since.
        """
        column = self.catalogue.score_factors.get(name)
        result = np.full(len(self.ids), np.nan)
        if column is not None:
            scored = self.ids < len(column)
            result[scored] = column[self.ids[scored]]
        return result

    def boost_products(self) -> list[float]:
        """Return the product of the factors above 1."""
        product = np.ones(len(self.ids))
        for name, factor in SCORE_FACTORS.items():
            if factor.can_boost:
                product *= np.fmax(self.factor(name), 1.0)
        return product.tolist()

    def texts(self) -> list[dict[str, str]]:
        fields = self.source.text_fields
        columns = (SERVER_FIELDS[field].texts(self.catalogue, self.ids) for field in fields)
        return [dict(zip(fields, texts, strict=True)) for texts in zip(*columns, strict=True)]

    def ping_spread_texts(self) -> list[str]:
        return [ping_spread_text(*values) for values in zip(*map(np.ndarray.tolist, self.pings), strict=True)]

    def trends(self) -> list[tuple[int | None, ...]]:
        slots = self.catalogue.trends.slots_of(self.ids).astype(np.float64)
        return [
            () if change is None else tuple(_ints_or_none(np.round(players)))
            for change, players in zip(self.trend_changes, slots, strict=True)
        ]

    def suspicion_texts(self) -> list[tuple[str, ...]]:
        c = self.catalogue
        return [
            tuple(format_suspicions(SuspicionMark(marks), ping_text(float(c.ping_ms[row])), c.country[row]))
            if marks
            else ()
            for row, marks in zip(self.ids.tolist(), c.suspicions[self.ids].tolist(), strict=True)
        ]


_FIELD_READERS: Mapping[str, Callable[[_RowBatch], Sequence[object]]] = {
    "id": lambda b: b.ids.tolist(),
    "name": lambda b: b.source.server_names(b.ids),
    "game": lambda b: [b.source.short_game_name(game) for game in b.games],
    "game_name": lambda b: [b.source.game_name(game) for game in b.games],
    "texts": lambda b: b.texts(),
    "is_mode_from_map": lambda b: [b.catalogue.map_mode(row) is not None for row in b.ids.tolist()],
    "score": lambda b: _floats_or_none(b.scores),
    "rank": lambda b: _ints_or_none(b.source.ranks(b.scores)),
    "ranked_count": lambda b: [b.source.ranked_count] * len(b.ids),
    "boost": lambda b: b.boost_products(),
    "ping_ms": lambda b: _floats_or_none(b.catalogue.ping_ms[b.ids]),
    "ping_factor": lambda b: _floats_or_none(b.factor("ping")),
    "ping_spread_text": lambda b: b.ping_spread_texts(),
    "ping_estimated": lambda b: b.catalogue.ping_estimated[b.ids].tolist(),
    "ping_under_load": lambda b: b.catalogue.ping_under_load[b.ids].tolist(),
    "players": lambda b: _ints_or_none(b.catalogue.players[b.ids]),
    "bots": lambda b: _ints_or_none(b.catalogue.bots[b.ids]),
    "spectators": lambda b: _ints_or_none(b.catalogue.spectators[b.ids]),
    "usable_slots": lambda b: _ints_or_none(b.catalogue.usable_slots[b.ids]),
    "is_full": lambda b: b.catalogue.full_among(b.ids).tolist(),
    "is_closed": lambda b: b.catalogue.closed_among(b.ids).tolist(),
    "is_locked": lambda b: [None if value != value else value == 1 for value in b.catalogue.password[b.ids].tolist()],
    "is_favourite": lambda b: b.catalogue.favourite[b.ids].tolist(),
    "skill": lambda b: _floats_or_none(b.skill),
    "skill_distance": lambda b: _floats_or_none(b.skill_distances()),
    "is_unresponsive": lambda b: b.catalogue.unresponsive[b.ids].tolist(),
    "is_unconfirmed": lambda b: (b.catalogue.saved | (b.catalogue.status == QueryStatus.LISTED))[b.ids].tolist(),
    "described_at": lambda b: _floats_or_none(np.where(b.catalogue.described, b.catalogue.described_at, np.nan)[b.ids]),
    "friends": lambda b: b.catalogue.friends[b.ids].tolist(),
    "suspicions": lambda b: b.suspicion_texts(),
    "ping_suspicious": lambda b: (b.catalogue.suspicions[b.ids] & SuspicionMark.PING_TOO_LOW > 0).tolist(),
    "last_played": lambda b: _floats_or_none(b.catalogue.last_played[b.ids]),
    "trend": lambda b: b.trends(),
    "trend_change": lambda b: b.trend_changes,
    "is_new": lambda b: [b.catalogue.trends.is_past_known and change is None for change in b.trend_changes],
    "forecast": lambda b: _ints_or_none(np.round(b.forecasts.players)),
    "forecast_low": lambda b: _ints_or_none(np.round(b.forecasts.low)),
    "forecast_high": lambda b: _ints_or_none(np.round(b.forecasts.high)),
}
"""Reader of each field of `ServerRow`."""

if _FIELD_READERS.keys() != set(ServerRow._fields):
    raise TypeError(f"fields without a reader, or the reverse: {_FIELD_READERS.keys() ^ set(ServerRow._fields)}")

_READERS = [_FIELD_READERS[field] for field in ServerRow._fields]


def rank_scores(ranked_scores: Floats, scores: Floats) -> Floats:
    """Return ranks from 1 among `ranked_scores`, which ascend.

    A score that is not one of them, such as a blocked server's, ranks last at most.
    """
    better = len(ranked_scores) - np.searchsorted(ranked_scores, scores, side="right")
    ranks: Floats = np.minimum(better + 1.0, len(ranked_scores))
    return ranks


class ServerRowSource:
    """Reads rows of the server table from a catalogue."""

    def __init__(
        self,
        catalogue: Catalogue,
        games: Mapping[str, GameProfile],
        own_skill: Callable[[], Mapping[str, float]],
        text_fields: Sequence[str],
        ranked_scores: Callable[[], Floats],
    ) -> None:
        """Create a source.

        Args:
            catalogue: whose rows are read.
            games: profiles by game id.
            own_skill: returns the user's skill by game id, in points.
            text_fields: keys of the fields in `ServerRow.texts`.
            ranked_scores: returns the scores that ranks are among, in ascending order.
        """
        self.text_fields = text_fields
        self.catalogue: Catalogue = catalogue
        self.own_skill: Callable[[], Mapping[str, float]] = own_skill
        self._games = games
        self._read_ranked_scores = ranked_scores
        self._ranked_factors: object = None
        self._ranked_scores = np.empty(0)

    def __call__(self, servers: Sequence[int]) -> list[ServerRow]:
        """Return the rows of these servers, in this order."""
        batch = _RowBatch(self, servers)
        return [ServerRow(*values) for values in zip(*(read(batch) for read in _READERS), strict=True)]

    def server_names(self, servers: RowIds) -> list[str]:
        """Return the names of these servers; the address where a server has no name."""
        c = self.catalogue
        return [
            name or address for name, address in zip(c.name.texts_of(servers), c.address.texts_of(servers), strict=True)
        ]

    @property
    def ranked_count(self) -> int:
        """Number of servers that ranks are among, as of the last call of `ranks`."""
        return len(self._ranked_scores)

    def ranks(self, scores: Floats) -> Floats:
        """Return ranks from 1, NaN for NaN.

        The scores they are among are read again only after a new scoring.
        """
        c = self.catalogue
        if self._ranked_factors is not c.score_factors:
            self._ranked_factors, self._ranked_scores = c.score_factors, self._read_ranked_scores()
        return np.where(np.isnan(scores), np.nan, rank_scores(self._ranked_scores, scores))

    def short_game_name(self, game: str) -> str:
        """Return the short name of a game id, a dash if the game is unknown."""
        profile = self._games.get(game)
        return profile.short if profile else UNKNOWN_VALUE

    def game_name(self, game: str) -> str:
        """Return the name of a game id, empty if the game is unknown."""
        profile = self._games.get(game)
        return profile.name if profile else ""


def _floats_or_none(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _ints_or_none(values: Floats) -> list[int | None]:
    return [None if value != value else int(value) for value in values.tolist()]
