"""What joining works with; made by the start-up code."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from browser_app.bridge.ask_again import AskAgain
from browser_app.bridge.background import Background
from browser_app.bridge.live_settings import LiveSettings
from browser_app.bridge.running_game import RunningGame
from browser_app.bridge.slot_watch import SlotWatchBridge

if TYPE_CHECKING:
    from subprocess import Popen


class Launcher(Protocol):
    """Starts the games of the catalogue's servers. What may block is called beside the window only."""

    def password(self, server: int) -> str | None:
        """The password saved for a server; may block."""

    def can_keep_passwords(self) -> bool:
        """The system has a secret store; may block."""

    def keep_password(self, server: int, password: str) -> bool:
        """Save a password that worked, True if the store took it; may block."""

    def check(self, server: int) -> None:
        """See whether the server's game could be started, whatever its password.

        Raises:
            LaunchError: it could not, and why.
        """

    def launch(self, server: int, why: str, password: str | None) -> "Popen[bytes] | None":
        """Start the game and remember the visit; the game's own process, None where it cannot be watched.

        Raises:
            LaunchError: it cannot be started.
        """

    def lists_changed(self) -> None:
        """Have the list know what was saved."""

    def left(self, server: int) -> None:
        """Remember that the visit has ended."""


@dataclass(frozen=True)
class JoinServices:
    """The parts below joining."""

    launcher: Launcher
    background: Background
    ask_again: AskAgain
    slots: SlotWatchBridge
    game: RunningGame
    settings: LiveSettings
