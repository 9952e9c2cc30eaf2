"""Game profiles, read from `resources/games/*.toml`."""

from browser_app.games.games import Games
from browser_app.games.loader import load_games
from browser_app.games.profile import GameProfile, LaunchForms, RankingConstants
from browser_app.games.ranking_constants import load_presets
from browser_app.games.toml_table import ProfileError

__all__ = ["GameProfile", "Games", "LaunchForms", "ProfileError", "RankingConstants", "load_games", "load_presets"]
