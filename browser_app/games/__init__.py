"""Game profiles, read from `resources/games/*.toml`."""

from browser_app.games.game_profile import GameProfile, LaunchMethods, RankingConstants
from browser_app.games.game_registry import GameRegistry, load_games
from browser_app.games.profile_reader import load_presets
from browser_app.games.toml_reader import ProfileError

__all__ = [
    "GameProfile",
    "GameRegistry",
    "LaunchMethods",
    "ProfileError",
    "RankingConstants",
    "load_games",
    "load_presets",
]
