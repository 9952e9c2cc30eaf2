"""Start of a game: a validated argument list or URL."""

from browser_app.launch.game_process import start_game
from browser_app.launch.installed_games import find_installations, find_installed_games
from browser_app.launch.launch_arguments import GameNotInstalledError, LaunchError
from browser_app.launch.launch_plan import LaunchPlan, plan_launch

__all__ = [
    "GameNotInstalledError",
    "LaunchError",
    "LaunchPlan",
    "find_installations",
    "find_installed_games",
    "plan_launch",
    "start_game",
]
