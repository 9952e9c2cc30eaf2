"""Where the user's skill comes from: the sources there are, and how each stands."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from browser_app.player.steam_user_stats import SteamSkill
from browser_app.player.xonstat_games import RecentGame


class SourceKind(enum.StrEnum):
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
class SourceState:
    """How one source of one game stands. What is unknown is None, never 0."""

    kind: SourceKind
    game: str
    """The game's id."""
    on: bool
    """Whether the user wants it."""
    points: float | None = None
    """The skill it says now."""
    sd: float | None = None
    """Its own doubt."""
    read_at: float | None = None
    """When that was said (Unix time, s)."""
    kept: int = 0
    """How many values are kept, each as long as it stayed the same."""
    kept_since: float | None = None
    """When the first of them was read (Unix time, s)."""
    error: str = ""
    """Why the last reading failed, in words; empty when it did not."""
    rounds: int | None = None
    """Of a record: all its rounds, and those of the user."""
    mine: int | None = None
    folders: int = 0
    """Of a record: how many folders are watched."""
    modes: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Mean and standard deviation by mode, where it tells them."""
    steam: SteamSkill | None = None
    """All that Steam says."""
    games: tuple[RecentGame, ...] = ()
    """The last games that XonStat knows of, newest first."""
