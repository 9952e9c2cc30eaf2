"""A factor of one server's score as a curve over its input."""

from dataclasses import dataclass
from math import isnan

import numpy as np

from browser_app.ranking.ranking_inputs import FloatArray
from browser_app.ranking.score_factors import SCORE_FACTORS
from browser_app.ranking.scored_server import ScoredServer

_POINTS = 129


@dataclass(frozen=True, slots=True)
class OneMorePlayerChange:
    """What one more player changes, everything else equal."""

    players: int
    """With that player."""
    factor: float
    score: float


@dataclass(frozen=True, slots=True)
class FactorCurve:
    """A factor over its input, everything else as on the server."""

    input_label: str
    """English, translated when shown."""
    x: FloatArray
    """Ascending; the server's own value is among them."""
    y: FloatArray
    own_index: int
    """Index of the server's own value."""
    score: float
    """The server's own score."""
    one_more: OneMorePlayerChange | None
    """None if nobody can join or the factor stays the same."""
    is_over_players: bool
    """Whether `one_more` is a point of the curve."""

    @property
    def factor(self) -> float:
        """The server's factor."""
        return float(self.y[self.own_index])


def has_factor_curve(server: ScoredServer, factor: str) -> bool:
    """Return whether a factor has a numeric input that is known for the server."""
    source = SCORE_FACTORS[factor].curve_input
    needed = () if source is None else (source.column, *source.other_columns)
    return bool(needed) and not any(isnan(server.input_value(column)) for column in needed)


def compute_factor_curve(server: ScoredServer, factor: str) -> FactorCurve | None:
    """Return the curve of a factor, None if it has none (`has_factor_curve`)."""
    source = SCORE_FACTORS[factor].curve_input
    if source is None or not has_factor_curve(server, factor):
        return None
    value = server.input_value(source.column)
    first, last = source.shown_range(server.inputs, server.constant_columns)
    first, last = min(first, value), max(last, value)
    has_few_values = source.is_whole and last - first < _POINTS
    steps = np.arange(first, last + 1) if has_few_values else np.linspace(first, last, _POINTS)
    x = np.union1d(steps, [value])
    y = server.factor_over(factor, source.column, x)
    own_index = int(np.searchsorted(x, value))
    one_more = _compute_one_more_player(server, factor)
    return FactorCurve(source.label, x, y, own_index, server.total, one_more, source.column == "players")


def _compute_one_more_player(server: ScoredServer, factor: str) -> OneMorePlayerChange | None:
    players = server.input_value("players")
    if isnan(server.total) or server.is_unjoinable:
        return None
    value = float(server.factor_over(factor, "players", np.array([players + 1]))[0])
    if value == server.factors[factor]:
        return None
    return OneMorePlayerChange(round(players) + 1, value, float(server.totals([{"players": players + 1}])[0]))
