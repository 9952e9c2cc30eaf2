"""Sources of the user's skill, their state and their sampled values."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from browser_app.player.steam_web_api import SteamSkill
from browser_app.player.xonstat_web_api import RecentGame

if TYPE_CHECKING:  # the rating package is not loaded at start
    from browser_app.rating.record.round_record import Floats


class SkillSourceKind(enum.StrEnum):
    """A source of the user's skill."""

    RECORD = "record"
    """The imported round files."""
    STEAM = "steam"
    """The skill that the game stores in Steam's user stats (NS2)."""
    XONSTAT = "xonstat"
    """The skill that stats.xonotic.org reports."""
    ENTERED = "entered"
    """A number that the user entered."""


@dataclass(frozen=True)
class SkillSourceState:
    """State of one source for one game. Unknown values are None, never 0."""

    kind: SkillSourceKind
    game: str
    """Game id."""
    is_enabled: bool
    """Whether the user has enabled it."""
    points: float | None = None
    """The current skill."""
    sd: float | None = None
    """Its standard deviation, as reported by the source."""
    read_at: float | None = None
    """When it was read (Unix time, s)."""
    sample_count: int = 0
    """Number of stored values; a value that stays the same counts once."""
    first_sample_at: float | None = None
    """When the first of them was read (Unix time, s)."""
    error: str = ""
    """Why the last reading failed; empty if it succeeded."""
    rounds: int | None = None
    """For round files: the number of all rounds, and of the user's."""
    own_rounds: int | None = None
    folders: int = 0
    """For round files: the number of watched folders."""
    modes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Mean and standard deviation by mode, if reported."""
    steam: SteamSkill | None = None
    """The full reply from Steam."""
    games: tuple[RecentGame, ...] = ()
    """The last games known to XonStat, newest first."""


@dataclass(frozen=True)
class SkillSampleSeries:
    """Skill values that a source reported for one identity, by first reading.

    There is at least one. A value is assumed to hold until another one is read: when it changed in between is unknown.
    Nothing is known after the last reading.

    Attributes:
        source: the source that reported them.
        identity: the source's id of the player.
        mode: mode that they are for; "" for all modes.
        first_read, last_read: when each value was read first and last, seconds since 1970.
        points: the values.
        sd: the source's own standard deviations, NaN if unknown.
    """

    source: SkillSourceKind
    identity: str
    mode: str
    first_read: "Floats"
    last_read: "Floats"
    points: "Floats"
    sd: "Floats"

    def __len__(self) -> int:
        """Return the number of values."""
        return len(self.first_read)

    @property
    def time_range(self) -> tuple[float, float]:
        """Times of the first and the last reading."""
        return float(self.first_read[0]), float(self.last_read[-1])

    def slice_between(self, first: float, last: float) -> slice:
        """Return the slice of the values that apply at some time from `first` to `last`."""
        if first > self.last_read[-1]:
            return slice(0, 0)
        begin = max(int(np.searchsorted(self.first_read, first, side="right")) - 1, 0)
        return slice(begin, max(begin, int(np.searchsorted(self.first_read, last, side="right"))))

    def value_range(self, first: float, last: float) -> tuple[float, float] | None:
        """Return the smallest and largest value within a time range, None without any."""
        points = self.points[self.slice_between(first, last)]
        return (float(points.min()), float(points.max())) if len(points) else None
