"""What a command works with. `browser_app.app` puts it together; commands know nothing else of the program's start."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from browser_app.games.games import Games
from browser_app.games.profile import RankingConstants


@dataclass(frozen=True)
class Context:
    """The parts of the program that commands use; dear ones are made when first asked for."""

    games: Games
    presets: Mapping[str, RankingConstants]
    steam_key: Callable[[], str | None]
    """The user's Steam Web API key, None where there is none."""
