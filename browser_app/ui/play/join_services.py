"""Objects that joining a server works with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.game_monitor import GameMonitor
from browser_app.bridge.join_queries import ServerRecheck, SlotWatchRunner
from browser_app.bridge.live_settings import LiveSettings

if TYPE_CHECKING:
    from subprocess import Popen


class GameLauncher(Protocol):
    """Starts the games of the catalogue's servers. What may block is called beside the window only."""

    def saved_password(self, server: int) -> str | None:
        """The password saved for a server; may block."""

    def has_secret_store(self) -> bool:
        """The system has a secret store; may block."""

    def save_password(self, server: int, password: str) -> bool:
        """Save a password that worked, True if the store took it; may block."""

    def check_launch(self, server: int) -> None:
        """See whether the server's game could be started, whatever its password.

        Raises:
            LaunchError: it could not, and why.
        """

    def launch(self, server: int, reason: str, password: str | None) -> "Popen[bytes] | None":
        """Start the game and remember the visit; the game's own process, None where it cannot be watched.

        Raises:
            LaunchError: it cannot be started.
        """

    def notify_lists_changed(self) -> None:
        """Have the list know what was saved."""

    def record_visit_end(self, server: int) -> None:
        """Remember that the visit has ended."""


@dataclass(frozen=True)
class JoinServices:
    """The parts below joining."""

    launcher: GameLauncher
    background: BackgroundTasks
    ask_again: ServerRecheck
    slot_watch: SlotWatchRunner
    running_game: GameMonitor
    settings: LiveSettings
