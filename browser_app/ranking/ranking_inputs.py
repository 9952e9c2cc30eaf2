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
"""Larger numbers are clipped to this, so that differences stay finite; no factor distinguishes them."""


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
    """Columns over the same servers, all of equal length.

    Numbers are float64, clipped to ±`MAX_MAGNITUDE`, NaN where unknown. Flags are bool; NaN or a negative number passed
    for a flag is replaced by its default. A missing column has its default in every row; a scalar applies to every row.
    """

    players: FloatArray = field(default_factory=_default_nan)
    """Humans playing; neither bots nor spectators."""
    usable_slots: FloatArray = field(default_factory=_default_nan)
    """Maximum players − reserved slots, before any cap."""
    ping_ms: FloatArray = field(default_factory=_default_nan)
    """NaN where unknown; such a server is not ranked."""
    performance: FloatArray = field(default_factory=_default_nan)
    """Reported historical performance score, −99…100."""
    quality: FloatArray = field(default_factory=_default_nan)
    """Reliability of `performance`, 0…100; unknown counts as 100."""
    server_skill: FloatArray = field(default_factory=_default_nan)
    """Mean skill of the server's players, in the game's displayed points."""
    player_skill: FloatArray = field(default_factory=_default_nan)
    """The user's own skill in the same points."""
    forecast: FloatArray = field(default_factory=_default_nan)
    """Factor from the player forecast; unknown counts as 1."""
    reports_performance: BoolArray = field(default_factory=_default_false)
    """The game's servers report performance, so a server without one is penalised."""
    can_join: BoolArray = field(default_factory=_default_true)
    """False if the server itself reports that nobody can join."""
    favourite: BoolArray = field(default_factory=_default_false)
    password: BoolArray = field(default_factory=_default_false)
    password_saved: BoolArray = field(default_factory=_default_false)
    """The user has saved the password; no factor depends on it, only texts."""
    ranked: BoolArray = field(default_factory=_default_false)
    friends: BoolArray = field(default_factory=_default_false)
    """At least one friend is playing there."""
    recently_left: BoolArray = field(default_factory=_default_false)
    """The user left it within the last 10 minutes."""
    other_mode: BoolArray = field(default_factory=_default_false)
    """It runs a mode other than the game's main one."""
    blocked: BoolArray = field(default_factory=_default_false)
    constants_row: IntArray = field(default_factory=_default_zero)
    """Row of the `RankingConstantsTable` that applies to the server."""

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
        """Return the inputs of one server from plain numbers and flags.

        Missing ones are unknown or their default.
        """
        columns: dict[str, Any] = {name: np.array([value]) for name, value in values.items()}
        return cls(**columns)

    def select_rows(self, rows: IntArray) -> Self:
        """Return the given rows in the given order; a row may be repeated."""
        return type(self)(**{name: getattr(self, name)[rows] for name in _COLUMN_DEFAULTS})


_COLUMN_DEFAULTS: dict[str, NDArray[Any]] = {
    spec.name: spec.default_factory() for spec in fields(RankingInputs) if spec.default_factory is not MISSING
}
"""Each column's value where it is missing; its dtype is the column's."""


def _as_column(values: Any, default: NDArray[Any]) -> NDArray[Any]:
    array = np.asarray(values)
    if default.dtype == np.float64:
        return np.clip(array.astype(np.float64, copy=False), -MAX_MAGNITUDE, MAX_MAGNITUDE)
    if default.dtype == np.bool_ and array.dtype != np.bool_:
        return np.where(array >= 0, array > 0, default)
    return array.astype(default.dtype, copy=False)


class RankingConstantsTable:
    """Constants of all profiles and modes in use, so that one pass scores all games."""

    def __init__(self, constants: Sequence[RankingConstants]) -> None:
        """Store the constants in the given order.

        Widths and deviations must be above 0, as profiles guarantee.
        """
        self._columns = {
            spec.name: np.array([getattr(one, spec.name) for one in constants], dtype=np.float64)
            for spec in fields(RankingConstants)
        }

    def columns_for(self, constants_rows: IntArray) -> dict[str, FloatArray]:
        """Return each constant by name, one element per server.

        Raises:
            IndexError: a row is not in the table.
        """
        return {name: column[constants_rows] for name, column in self._columns.items()}
