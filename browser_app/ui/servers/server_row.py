"""Rows of the server table, read from the catalogue's columns."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.catalogue_columns import Floats, RowIds
from browser_app.catalogue.suspicion import SuspicionMark, format_suspicions
from browser_app.games.game_profile import GameProfile
from browser_app.ui.widgets.value_text import UNKNOWN_VALUE, ping_text


class ServerRow(NamedTuple):
    """What a row's cells, texts and tooltips are made of. None is unknown."""

    id: int
    name: str
    game: str
    """The game's short name."""
    map: str
    mode: str
    country: str | None
    score: float | None
    """None where the server is not ranked."""
    rank: int | None
    """Its place by score among all ranked servers, from 1; servers with the same score share the first of theirs."""
    ranked_count: int
    """How many are ranked."""
    boost: float
    """Product of the factors above 1 (favourite, friends…): 1 when there is none."""
    ping_ms: float | None
    ping_factor: float | None
    """The score's own ping factor: it decides the dots."""
    ping_estimated: bool
    ping_under_load: bool
    """This machine was busy: it is this at most."""
    players: int | None
    bots: int | None
    spectators: int | None
    usable_slots: int | None
    is_full: bool
    is_locked: bool | None
    is_favourite: bool
    skill: float | None
    skill_distance: float | None
    """Server mean minus my skill."""
    is_silent: bool
    """It did not answer the last time it was asked."""
    is_remembered: bool
    """From the last session, not asked yet in this one."""
    friends: int
    """Friends seen in its player list."""
    suspicions: tuple[str, ...]
    """Why not to believe what it says, a sentence each."""
    ping_suspicious: bool
    performance: float | None
    gain: float | None
    """What one more player changes there."""
    last_played: float | None
    """Unix time, s, of the user's last join."""
    trend: tuple[int | None, ...]
    """Players by quarters of an hour in the last six hours, oldest first; empty where too little is known."""
    trend_change: int | None
    """How many more play now than then."""
    forecast: int | None
    """Players likely in half an hour, and the range that holds eight times of ten."""
    forecast_low: int | None
    forecast_high: int | None

    @property
    def paint_key(self) -> tuple[object, ...]:
        """What its cells are painted from: its place among all others, which every scoring changes, is only spoken."""
        return self[: _RANK_FIELDS[0]] + self[_RANK_FIELDS[1] + 1 :]


_RANK_FIELDS = (ServerRow._fields.index("rank"), ServerRow._fields.index("ranked_count"))


BOOST_FACTORS = ("favorite", "ranked", "friends", "forecast")
"""Factors that may be above 1."""


class ServerRowSource:
    """Makes the table's rows. `own_skill_by_game` gives the user's skill by game id."""

    def __init__(
        self, catalogue: Catalogue, games: Mapping[str, GameProfile], own_skill: Callable[[], Mapping[str, float]]
    ) -> None:
        self._catalogue = catalogue
        self._games = games
        self._own_skill = own_skill
        self._ranked_scores: object = None
        self._sorted_scores = np.empty(0)
        """All scores, negated, in ascending order."""

    def __call__(self, servers: Sequence[int]) -> list[ServerRow]:
        """The rows of these servers, in this order."""
        ids = np.array(servers, dtype=np.intp)
        return [ServerRow(*values) for values in zip(servers, *self._columns(ids), strict=True)]

    def _columns(self, ids: RowIds) -> list[Sequence[object]]:
        c = self._catalogue
        game_ids = c.game.texts_of(ids)
        skill = c.server_skill[ids]
        scores = c.score[ids]
        own = self._own_skill()
        mine = np.array([own.get(game, np.nan) for game in game_ids])
        return [
            self.server_names(ids),
            [self._short_game_name(game) for game in game_ids],
            c.map.texts_of(ids),
            c.mode.texts_of(ids),
            [country or None for country in c.country.texts_of(ids)],
            _floats_or_none(scores),
            _ints_or_none(self._ranks(scores)),
            [len(self._sorted_scores)] * len(ids),
            self._boost_column(ids).tolist(),
            _floats_or_none(c.ping_ms[ids]),
            _floats_or_none(self._factor_column("ping", ids)),
            c.ping_estimated[ids].tolist(),
            c.ping_loaded[ids].tolist(),
            _ints_or_none(c.players[ids]),
            _ints_or_none(c.bots[ids]),
            _ints_or_none(c.spectators[ids]),
            _ints_or_none(c.usable_slots[ids]),
            c.full[ids].tolist(),
            [None if asked != asked else asked == 1 for asked in c.password[ids].tolist()],
            c.favourite[ids].tolist(),
            _floats_or_none(skill),
            _floats_or_none(skill - mine),
            c.unresponsive[ids].tolist(),
            c.old[ids].tolist(),
            c.friends[ids].tolist(),
            self._suspicion_texts(ids),
            (c.suspicions[ids] & SuspicionMark.PING_TOO_LOW > 0).tolist(),
            _floats_or_none(c.performance[ids]),
            _floats_or_none(c.gain[ids]),
            _floats_or_none(c.last_played[ids]),
            *self._history_columns(ids),
        ]

    def _history_columns(self, ids: RowIds) -> tuple[Sequence[object], ...]:
        c = self._catalogue
        changes, likely = _ints_or_none(c.trends.changes(ids)), c.forecasts.forecasts_of(ids)
        slots = zip(changes, c.trends.slots_of(ids).astype(np.float64), strict=True)
        trends = [() if change is None else tuple(_ints_or_none(np.round(players))) for change, players in slots]
        return trends, changes, *(_ints_or_none(np.round(each)) for each in (likely.players, likely.low, likely.high))

    def server_names(self, servers: RowIds) -> list[str]:
        """What these servers are called, in this order: by their addresses where they have no name."""
        c = self._catalogue
        return [
            name or address for name, address in zip(c.name.texts_of(servers), c.address.texts_of(servers), strict=True)
        ]

    def _suspicion_texts(self, ids: RowIds) -> list[tuple[str, ...]]:
        c = self._catalogue
        return [
            tuple(format_suspicions(SuspicionMark(doubts), ping_text(float(c.ping_ms[row])), c.country[row]))
            if doubts
            else ()
            for row, doubts in zip(ids.tolist(), c.suspicions[ids].tolist(), strict=True)
        ]

    def _ranks(self, scores: Floats) -> Floats:
        """Places from 1; NaN where there is no score. The order is worked out anew when the scores are."""
        c = self._catalogue
        if self._ranked_scores is not c.score_factors:
            self._ranked_scores = c.score_factors
            self._sorted_scores = np.sort(-c.score[~np.isnan(c.score)])
        return np.where(np.isnan(scores), np.nan, np.searchsorted(self._sorted_scores, -scores) + 1.0)

    def _short_game_name(self, game: str) -> str:
        profile = self._games.get(game)
        return profile.short if profile else UNKNOWN_VALUE

    def _factor_column(self, name: str, ids: RowIds) -> Floats:
        """A factor's column as of the last scoring; rows that came since are unknown."""
        column = self._catalogue.score_factors.get(name)
        result = np.full(len(ids), np.nan)
        if column is not None:
            scored = ids < len(column)
            result[scored] = column[ids[scored]]
        return result

    def _boost_column(self, ids: RowIds) -> Floats:
        product = np.ones(len(ids))
        for name in BOOST_FACTORS:
            product *= np.fmax(self._factor_column(name, ids), 1.0)
        return product


def _floats_or_none(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _ints_or_none(values: Floats) -> list[int | None]:
    return [None if value != value else int(value) for value in values.tolist()]
