"""Objects that joining a server depends on."""

from dataclasses import dataclass

from browser_app.application.server_launcher import ServerLauncher
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.game_monitor import GameMonitor
from browser_app.bridge.join_queries import ServerRecheck, SlotWatchRunner
from browser_app.bridge.live_settings import LiveSettings


@dataclass(frozen=True)
class JoinServices:
    """Objects below the join controller."""

    launcher: ServerLauncher
    background: BackgroundTasks
    ask_again: ServerRecheck
    slot_watch: SlotWatchRunner
    running_game: GameMonitor
    settings: LiveSettings
