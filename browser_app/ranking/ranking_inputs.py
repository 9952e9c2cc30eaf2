"""Inputs of the score: one array per column, one element per server."""

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from browser_app.games.game_profile import RankingConstants

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]

MAX_MAGNITUDE = 1e12
"""Numbers beyond ±LIMIT count as ±LIMIT: then no difference is undefined, and no factor can tell them apart."""


def _default_nan() -> FloatArray:
    return np.array(np.nan)


def _default_false() -> BoolArray:
    return np.array(False)


def _default_true() -> BoolArray:
    return np.array(True)


def _default_zero() -> IntArray:
    return np.array(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class RankingInputs:
    """Columns over the same servers, of equal length once constructed.

    Numbers are float64 within ±`MAX_MAGNITUDE`, NaN where unknown. Flags are bool; NaN or a negative number given for
    one is unknown and becomes its default. A column that is left out is unknown or its default in every row; a scalar
    holds for every row.
    """

    players: FloatArray = field(default_factory=_default_nan)
    """Humans that play; neither bots nor spectators."""
    usable_slots: FloatArray = field(default_factory=_default_nan)
    """Maximum players − reserved slots, before any cap."""
    ping_ms: FloatArray = field(default_factory=_default_nan)
    """NaN: no answer, so not ranked."""
    performance: FloatArray = field(default_factory=_default_nan)
    """Historical performance score as reported, −99…100."""
    quality: FloatArray = field(default_factory=_default_nan)
    """How far `performance` can be trusted, 0…100; unknown counts as 100."""
    server_skill: FloatArray = field(default_factory=_default_nan)
    """Mean skill of the server's players, in the game's displayed points."""
    player_skill: FloatArray = field(default_factory=_default_nan)
    """The user's own skill in the same points."""
    skill_deviation_reported: FloatArray = field(default_factory=_default_nan)
    """Standard deviation of the players' skill, points, where the player list tells everybody's."""
    forecast: FloatArray = field(default_factory=_default_nan)
    """A multiplier from the player forecast; unknown counts as 1."""
    reports_performance: BoolArray = field(default_factory=_default_false)
    """The game tells servers' performance, so that a server without one is at fault."""
    can_join: BoolArray = field(default_factory=_default_true)
    """False where the server itself says that nobody can join."""
    favourite: BoolArray = field(default_factory=_default_false)
    password: BoolArray = field(default_factory=_default_false)
    ranked: BoolArray = field(default_factory=_default_false)
    friends: BoolArray = field(default_factory=_default_false)
    """At least one friend is on."""
    recently_left: BoolArray = field(default_factory=_default_false)
    """The user left it within the last 10 minutes."""
    other_mode: BoolArray = field(default_factory=_default_false)
    """It runs another mode than the game's main one."""
    blocked: BoolArray = field(default_factory=_default_false)
    constants_row: IntArray = field(default_factory=_default_zero)
    """Which row of the `RankingConstantsTable` holds for the server."""
    use_reported_deviation: BoolArray = field(default_factory=_default_false)
    """Let `skill_deviation_reported` take the place of the assumed deviation where it is known."""

    def __post_init__(self) -> None:
        columns = {name: _as_column(getattr(self, name), neutral) for name, neutral in _COLUMN_DEFAULTS.items()}
        shape = np.broadcast_shapes((1,), *(column.shape for column in columns.values()))
        if len(shape) != 1:
            raise ValueError(f"columns have one dimension, not {len(shape)}")
        for name, column in columns.items():
            object.__setattr__(self, name, column if column.shape == shape else np.broadcast_to(column, shape))

    def __len__(self) -> int:
        return len(self.players)

    @classmethod
    def from_values(cls, **values: float) -> Self:
        """One server from plain numbers and flags; what is left out is unknown or its default."""
        columns: dict[str, Any] = {name: np.array([value]) for name, value in values.items()}
        return cls(**columns)

    def select_rows(self, rows: IntArray) -> Self:
        """The given rows, in the given order (also to repeat one)."""
        return type(self)(**{name: getattr(self, name)[rows] for name in _COLUMN_DEFAULTS})


_COLUMN_DEFAULTS: dict[str, NDArray[Any]] = {
    spec.name: spec.default_factory() for spec in fields(RankingInputs) if spec.default_factory is not MISSING
}
"""Each column's value where nothing is known; its type is the column's."""


def _as_column(values: Any, default: NDArray[Any]) -> NDArray[Any]:
    array = np.asarray(values)
    if default.dtype == np.float64:
        return np.clip(array.astype(np.float64, copy=False), -MAX_MAGNITUDE, MAX_MAGNITUDE)
    if default.dtype == np.bool_ and array.dtype != np.bool_:
        return np.where(array >= 0, array > 0, default)
    return array.astype(default.dtype, copy=False)


class RankingConstantsTable:
    """The constants of all profiles and modes in play as columns, so that one pass scores servers of many games."""

    def __init__(self, constants: Sequence[RankingConstants]) -> None:
        """Keep them in the given order; widths and deviations must be above 0, as profiles guarantee."""
        self._columns = {
            spec.name: np.array([getattr(one, spec.name) for one in constants], dtype=np.float64)
            for spec in fields(RankingConstants)
        }

    def columns_for(self, constants_rows: IntArray) -> dict[str, FloatArray]:
        """Each constant by name, one element a server. Indices are 0…(number of rules − 1), else IndexError."""
        return {name: column[constants_rows] for name, column in self._columns.items()}
