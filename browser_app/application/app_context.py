"""Application context: games, presets and how to open a session."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import GameRegistry

if TYPE_CHECKING:
    from browser_app.storage.user_session import UserSession


class SessionOpener(Protocol):
    """Opens what the user keeps; whoever opens it closes it."""

    def __call__(self, *, demo: bool) -> "UserSession":
        """The demo network has lists and a history of its own, so that nothing of it stays in the user's."""


@dataclass(frozen=True)
class AppContext:
    """The parts of the program that commands use; dear ones are made when asked for."""

    games: GameRegistry
    presets: Mapping[str, RankingConstants]
    open_session: SessionOpener
    open_window: Callable[[argparse.Namespace], int]
    """Open the window with a command line's sources and scoring; the exit status when it is closed."""
    save_window_screenshot: Callable[[argparse.Namespace], None]
    """Draw the window after a full scan into `args.file`, as `screenshot` asks.

    Raises:
        BadInput: a source is wrong, or the file cannot be written.
    """
    profile_problem: str = ""
    """What is wrong with the user's own profiles, which are left out then; only the window goes on without them."""
