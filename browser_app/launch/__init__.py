"""How a game is started: an argv or a URL, validated."""

from browser_app.launch.arguments import LaunchError, NotInstalled
from browser_app.launch.plan import LaunchPlan, plan_launch
from browser_app.launch.start import start

__all__ = ["LaunchError", "LaunchPlan", "NotInstalled", "plan_launch", "start"]
