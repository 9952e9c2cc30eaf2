"""Application context: what commands and the window start with.

Games, presets, and how to open the storage, the demo network and the window.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import GameRegistry

if TYPE_CHECKING:
    from browser_app.player.demo_player import DemoLists, DemoPlayer
    from browser_app.storage.server_samples import SeriesBatches
    from browser_app.storage.user_storage import UserStorage


@dataclass(frozen=True)
class SourceOptions:
    """Sources named by the user. Without any, the settings decide."""

    games: Sequence[str] = ()
    """Ids of games whose masters are polled."""
    masters: Sequence[str] = ()
    """Master URLs."""
    servers: Sequence[str] = ()
    """Server URLs."""
    lan: bool = False
    demo_servers: int | None = None
    """Size of the demo network; None for none."""

    @property
    def is_demo(self) -> bool:
        """Whether a demo network is wanted."""
        return self.demo_servers is not None

    @property
    def has_own_sources(self) -> bool:
        """Whether any source but a demo network is named."""
        return bool(self.games or self.masters or self.servers or self.lan)


@dataclass(frozen=True)
class WindowOptions:
    """Sources and scoring of a window."""

    sources: SourceOptions = SourceOptions()
    own_skill: float | None = None
    """The user's skill in every game, in points; None for that of the settings and the own record."""
    preset: str | None = None
    """Name of the ranking preset for all games; None for that of the settings."""
    url: str | None = None
    """Link to a server that the window shows first."""


@dataclass(frozen=True)
class ScreenshotOptions:
    """Contents and appearance of a screenshot."""

    window: WindowOptions
    file: Path
    size: tuple[int, int]
    """Width and height in pixels."""
    theme: str
    view: str
    """`servers` or `skill`."""
    page: str
    """Page of the view `skill`."""


@dataclass(frozen=True)
class DemoNetworkHandle:
    """A running demo network, to be ended by `close`."""

    masters: Sequence[str]
    """Master URLs."""
    steam_key: str
    """Web API key that its masters ask for."""
    server_history: "SeriesBatches"
    """Makes the simulated past of its servers up to a time."""
    player: "DemoPlayer"
    """The player whose record replaces the user's."""
    game_programs: Mapping[str, str]
    """Game id → program that joins its servers in place of the game."""
    countries: Mapping[str, str]
    """Countries of its servers by host; no table of addresses knows them."""
    user_lists: "DemoLists"
    """Its player's lists."""
    close: Callable[[], object]


class StorageOpener(Protocol):
    """Opens the user's settings and data; the caller closes them."""

    def __call__(self, *, demo: bool) -> "UserStorage":
        """Open the user's storage.

        The demo network has lists and a history of its own, kept apart from the user's.
        """


@dataclass(frozen=True)
class AppContext:
    """Parts of the program that commands and the window use.

    Expensive ones are made on demand.
    """

    games: GameRegistry
    presets: Mapping[str, RankingConstants]
    open_storage: StorageOpener
    start_demo: Callable[[int], DemoNetworkHandle]
    """Start a demo network with a number of servers. Raises UsageError if it cannot run here."""
    open_window: Callable[[WindowOptions], int]
    """Open the window and return the exit status once it is closed. Raises UsageError for a wrong source."""
    save_window_screenshot: Callable[[ScreenshotOptions], None]
    """Save an image of the window after a full scan.

    Raises UsageError for a wrong source or if the file cannot be written.
    """
    profile_problem: str = ""
    """Error in the user's own game profiles, which are ignored then; only the window runs without them."""
