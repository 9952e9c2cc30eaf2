"""Sources of the user's skill, their state and their sampled values."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from browser_app.player.steam_web_api import SteamSkill
from browser_app.player.xonstat_web_api import RecentGame
from browser_app.rating.record.round_record import Floats


class SkillSourceKind(enum.StrEnum):
    """A source of the user's skill."""

    RECORD = "record"
    """The rounds that were read from files."""
    STEAM = "steam"
    """What the game itself keeps in Steam's user stats (NS2)."""
    XONSTAT = "xonstat"
    """What stats.xonotic.org says."""
    TYPED = "typed"
    """A number that the user typed in."""


@dataclass(frozen=True)
class SkillSourceState:
    """How one source of one game stands. What is unknown is None, never 0."""

    kind: SkillSourceKind
    game: str
    """The game's id."""
    is_enabled: bool
    """Whether the user wants it."""
    points: float | None = None
    """The skill it says now."""
    sd: float | None = None
    """Its own doubt."""
    read_at: float | None = None
    """When that was said (Unix time, s)."""
    sample_count: int = 0
    """How many values are kept, each as long as it stayed the same."""
    first_sample_at: float | None = None
    """When the first of them was read (Unix time, s)."""
    error: str = ""
    """Why the last reading failed, in words; empty when it did not."""
    rounds: int | None = None
    """Of a record: all its rounds, and those of the user."""
    own_rounds: int | None = None
    folders: int = 0
    """Of a record: how many folders are watched."""
    modes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Mean and standard deviation by mode, where it tells them."""
    steam: SteamSkill | None = None
    """All that Steam says."""
    games: tuple[RecentGame, ...] = ()
    """The last games that XonStat knows of, newest first."""


@dataclass(frozen=True)
class SkillSampleSeries:
    """One number of one identity; n values, at least one, in the order in which they were first read.

    A value holds until another one is read: when it changed in between is not known. After the last reading nothing
    is known.

    Attributes:
        source: who said it. identity: of whom, as the source calls him. mode: "" where there is one number for all.
        since, until: when each value was read first and last, seconds since 1970.
        points: the values. sd: the source's own doubt, NaN where it tells none.
    """

    source: SkillSourceKind
    identity: str
    mode: str
    first_read: Floats
    last_read: Floats
    points: Floats
    sd: Floats

    def __len__(self) -> int:
        """How many values."""
        return len(self.first_read)

    @property
    def time_range(self) -> tuple[float, float]:
        """The moments of the first and the last reading."""
        return float(self.first_read[0]), float(self.last_read[-1])

    def slice_between(self, first: float, last: float) -> slice:
        """The values that hold at some moment from `first` to `last`."""
        if first > self.last_read[-1]:
            return slice(0, 0)
        begin = max(int(np.searchsorted(self.first_read, first, side="right")) - 1, 0)
        return slice(begin, max(begin, int(np.searchsorted(self.first_read, last, side="right"))))

    def value_range(self, first: float, last: float) -> tuple[float, float] | None:
        """The least and the greatest value that hold in a span of time; None where none does."""
        points = self.points[self.slice_between(first, last)]
        return (float(points.min()), float(points.max())) if len(points) else None
