"""Cuts the rows in sight from the catalogue's columns: one slice a column, never a call a cell."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from browser_app.catalogue.catalogue import Catalogue
from browser_app.catalogue.columns import Floats, Rows
from browser_app.catalogue.facts import Status
from browser_app.catalogue.trust import Doubt, reasons
from browser_app.games.profile import GameProfile
from browser_app.ui.row import Row
from browser_app.ui.texts import UNKNOWN, ping_text

BOOSTS = ("favorite", "ranked", "friends", "forecast")
"""Factors that may be above 1."""


class RowSource:
    """Makes the table's rows. `own_skill` gives the user's skill by game id."""

    def __init__(
        self, catalogue: Catalogue, games: Mapping[str, GameProfile], own_skill: Callable[[], Mapping[str, float]]
    ) -> None:
        self._catalogue = catalogue
        self._games = games
        self._own_skill = own_skill
        self._scored: object = None
        self._ranked = np.empty(0)
        """All scores, negated, in ascending order."""

    def __call__(self, servers: Sequence[int]) -> list[Row]:
        """The rows of these servers, in this order."""
        ids = np.array(servers, dtype=np.intp)
        return [Row(*values) for values in zip(servers, *self._columns(ids), strict=True)]

    def _columns(self, ids: Rows) -> list[Sequence[object]]:
        c = self._catalogue
        game_ids = c.game.texts(ids)
        silent = (c.status[ids] == Status.NO_ANSWER) | (c.status[ids] == Status.MALFORMED)
        full = (c.players[ids] >= c.usable_slots[ids]) | (c.joinable[ids] == 0)
        skill = c.server_skill[ids]
        scores = c.score[ids]
        own = self._own_skill()
        mine = np.array([own.get(game, np.nan) for game in game_ids])
        return [
            self.names(ids),
            [self._short(game) for game in game_ids],
            c.map.texts(ids),
            c.mode.texts(ids),
            [country or None for country in c.country.texts(ids)],
            _known(scores),
            _whole(self._places(scores)),
            [len(self._ranked)] * len(ids),
            self._boosts(ids).tolist(),
            _known(c.ping_ms[ids]),
            _known(self._factor("ping", ids)),
            c.ping_estimated[ids].tolist(),
            c.ping_loaded[ids].tolist(),
            _whole(c.players[ids]),
            _whole(c.bots[ids]),
            _whole(c.spectators[ids]),
            _whole(c.usable_slots[ids]),
            full.tolist(),
            [None if asked != asked else asked == 1 for asked in c.password[ids].tolist()],
            c.favourite[ids].tolist(),
            _known(skill),
            _known(skill - mine),
            silent.tolist(),
            c.old[ids].tolist(),
            c.friends[ids].tolist(),
            self._doubts(ids),
            (c.doubts[ids] & Doubt.TOO_NEAR > 0).tolist(),
            _known(c.performance[ids]),
            _known(c.gain[ids]),
            _known(c.last_played[ids]),
            *self._over_time(ids),
        ]

    def _over_time(self, ids: Rows) -> tuple[Sequence[object], ...]:
        c = self._catalogue
        changes, likely = _whole(c.trend.changes(ids)), c.forecasts.of(ids)
        slots = zip(changes, c.trend.of(ids).astype(np.float64), strict=True)
        trends = [() if change is None else tuple(_whole(np.round(players))) for change, players in slots]
        return trends, changes, *(_whole(np.round(each)) for each in (likely.players, likely.low, likely.high))

    def names(self, servers: Rows) -> list[str]:
        """What these servers are called, in this order: by their addresses where they have no name."""
        c = self._catalogue
        return [name or address for name, address in zip(c.name.texts(servers), c.address.texts(servers), strict=True)]

    def _doubts(self, ids: Rows) -> list[tuple[str, ...]]:
        c = self._catalogue
        return [
            tuple(reasons(Doubt(doubts), ping_text(float(c.ping_ms[row])), c.country[row])) if doubts else ()
            for row, doubts in zip(ids.tolist(), c.doubts[ids].tolist(), strict=True)
        ]

    def _places(self, scores: Floats) -> Floats:
        """Places from 1; NaN where there is no score. The order is worked out anew when the scores are."""
        c = self._catalogue
        if self._scored is not c.factor_columns:
            self._scored = c.factor_columns
            self._ranked = np.sort(-c.score[~np.isnan(c.score)])
        return np.where(np.isnan(scores), np.nan, np.searchsorted(self._ranked, -scores) + 1.0)

    def _short(self, game: str) -> str:
        profile = self._games.get(game)
        return profile.short if profile else UNKNOWN

    def _factor(self, name: str, ids: Rows) -> Floats:
        """A factor's column as of the last scoring; rows that came since are unknown."""
        column = self._catalogue.factor_columns.get(name)
        result = np.full(len(ids), np.nan)
        if column is not None:
            scored = ids < len(column)
            result[scored] = column[ids[scored]]
        return result

    def _boosts(self, ids: Rows) -> Floats:
        product = np.ones(len(ids))
        for name in BOOSTS:
            product *= np.fmax(self._factor(name, ids), 1.0)
        return product


def _known(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _whole(values: Floats) -> list[int | None]:
    return [None if value != value else int(value) for value in values.tolist()]
