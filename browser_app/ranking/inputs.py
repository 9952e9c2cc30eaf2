"""What the score is computed from: one array a column, one element a server."""

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from browser_app.games.profile import RankingConstants

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]

LIMIT = 1e12
"""Numbers beyond ±LIMIT count as ±LIMIT: then no difference is undefined, and no factor can tell them apart."""


def _unknown() -> FloatArray:
    return np.array(np.nan)


def _no() -> BoolArray:
    return np.array(False)


def _yes() -> BoolArray:
    return np.array(True)


def _first() -> IntArray:
    return np.array(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class RankingInputs:
    """Columns over the same servers, of equal length once constructed.

    Numbers are float64 within ±`LIMIT`, NaN where unknown. Flags are bool; NaN or a negative number given for
    one is unknown and becomes its default. A column that is left out is unknown or its default in every row; a scalar
    holds for every row.
    """

    players: FloatArray = field(default_factory=_unknown)
    """Humans that play; neither bots nor spectators."""
    usable_slots: FloatArray = field(default_factory=_unknown)
    """Maximum players − reserved slots, before any cap."""
    ping_ms: FloatArray = field(default_factory=_unknown)
    """NaN: no answer, so not ranked."""
    performance: FloatArray = field(default_factory=_unknown)
    """Historical performance score as reported, −99…100."""
    quality: FloatArray = field(default_factory=_unknown)
    """How far `performance` can be trusted, 0…100; unknown counts as 100."""
    server_skill: FloatArray = field(default_factory=_unknown)
    """Mean skill of the server's players, in the game's displayed points."""
    player_skill: FloatArray = field(default_factory=_unknown)
    """The user's own skill in the same points."""
    skill_deviation_reported: FloatArray = field(default_factory=_unknown)
    """Standard deviation of the players' skill, points, where the player list tells everybody's."""
    forecast: FloatArray = field(default_factory=_unknown)
    """A multiplier from the player forecast; unknown counts as 1."""
    reports_performance: BoolArray = field(default_factory=_no)
    """The game tells servers' performance, so that a server without one is at fault."""
    can_join: BoolArray = field(default_factory=_yes)
    """False where the server itself says that nobody can join."""
    favourite: BoolArray = field(default_factory=_no)
    password: BoolArray = field(default_factory=_no)
    ranked: BoolArray = field(default_factory=_no)
    friends: BoolArray = field(default_factory=_no)
    """At least one friend is on."""
    recently_left: BoolArray = field(default_factory=_no)
    """The user left it within the last 10 minutes."""
    other_mode: BoolArray = field(default_factory=_no)
    """It runs another mode than the game's main one."""
    blocked: BoolArray = field(default_factory=_no)
    rules: IntArray = field(default_factory=_first)
    """Which row of the `ConstantsTable` holds for the server."""
    use_reported_deviation: BoolArray = field(default_factory=_no)
    """Let `skill_deviation_reported` take the place of the assumed deviation where it is known."""

    def __post_init__(self) -> None:
        columns = {name: _column(getattr(self, name), neutral) for name, neutral in _NEUTRAL.items()}
        shape = np.broadcast_shapes((1,), *(column.shape for column in columns.values()))
        if len(shape) != 1:
            raise ValueError(f"columns have one dimension, not {len(shape)}")
        for name, column in columns.items():
            object.__setattr__(self, name, column if column.shape == shape else np.broadcast_to(column, shape))

    def __len__(self) -> int:
        return len(self.players)

    @classmethod
    def single(cls, **values: float) -> Self:
        """One server from plain numbers and flags; what is left out is unknown or its default."""
        columns: dict[str, Any] = {name: np.array([value]) for name, value in values.items()}
        return cls(**columns)

    def take(self, rows: IntArray) -> Self:
        """The given rows, in the given order (also to repeat one)."""
        return type(self)(**{name: getattr(self, name)[rows] for name in _NEUTRAL})


_NEUTRAL: dict[str, NDArray[Any]] = {
    spec.name: spec.default_factory() for spec in fields(RankingInputs) if spec.default_factory is not MISSING
}
"""Each column's value where nothing is known; its type is the column's."""


def _column(values: Any, neutral: NDArray[Any]) -> NDArray[Any]:
    array = np.asarray(values)
    if neutral.dtype == np.float64:
        return np.clip(array.astype(np.float64, copy=False), -LIMIT, LIMIT)
    if neutral.dtype == np.bool_ and array.dtype != np.bool_:
        return np.where(array >= 0, array > 0, neutral)
    return array.astype(neutral.dtype, copy=False)


class ConstantsTable:
    """The constants of all profiles and modes in play as columns, so that one pass scores servers of many games."""

    def __init__(self, rules: Sequence[RankingConstants]) -> None:
        """Keep them in the given order; widths and deviations must be above 0, as profiles guarantee."""
        self._columns = {
            spec.name: np.array([getattr(one, spec.name) for one in rules], dtype=np.float64)
            for spec in fields(RankingConstants)
        }

    def rows(self, rules: IntArray) -> dict[str, FloatArray]:
        """Each constant by name, one element a server. Indices are 0…(number of rules − 1), else IndexError."""
        return {name: column[rules] for name, column in self._columns.items()}
