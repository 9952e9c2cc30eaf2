"""Objects that joining a server depends on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.game_monitor import GameMonitor
from browser_app.bridge.join_queries import ServerRecheck, SlotWatchRunner
from browser_app.bridge.live_settings import LiveSettings

if TYPE_CHECKING:
    from subprocess import Popen


class GameLauncher(Protocol):
    """Starts games. Methods that may block are called in a background thread only."""

    def saved_password(self, server: int) -> str | None:
        """Return the saved password of a server; may block."""

    def has_secret_store(self) -> bool:
        """Return whether the system has a keyring; may block."""

    def save_password(self, server: int, password: str) -> bool:
        """Save a password that worked; return whether the keyring accepted it; may block."""

    def check_launch(self, server: int) -> None:
        """Check whether the server's game can be started, whatever its password.

        Raises:
            LaunchError: it cannot, with the reason.
        """

    def launch(self, server: int, reason: str, password: str | None) -> "Popen[bytes] | None":
        """Start the game and record the visit; return its process, None if it cannot be watched.

        Raises:
            LaunchError: it cannot be started.
        """

    def notify_lists_changed(self) -> None:
        """Update the server list after a change of the user's lists."""

    def record_visit_end(self, server: int) -> None:
        """Record the end of the visit."""


@dataclass(frozen=True)
class JoinServices:
    """Objects below the join controller."""

    launcher: GameLauncher
    background: BackgroundTasks
    ask_again: ServerRecheck
    slot_watch: SlotWatchRunner
    running_game: GameMonitor
    settings: LiveSettings
