"""Objects that the main window works with, created by the start-up code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from browser_app.application.own_skill.skill_state import OwnSkillSource
from browser_app.application.server_launcher import ServerLauncher
from browser_app.bridge.alerts.alert_monitor import AlertMonitor
from browser_app.bridge.alerts.desktop_notifications import DesktopNotifier
from browser_app.bridge.alerts.filter_monitor import FilterMonitor
from browser_app.bridge.alerts.player_monitor import PlayerMonitor
from browser_app.bridge.background_tasks import BackgroundTasks
from browser_app.bridge.game_monitor import GameMonitor
from browser_app.bridge.join_queries import ServerRecheck, SlotMonitorRunner
from browser_app.bridge.list_refresher import ListRefresher
from browser_app.bridge.live_settings import LiveSettings, SteamKeyController
from browser_app.bridge.master_health import MasterHealthMonitor
from browser_app.bridge.play_now_runner import PlayNowRunner
from browser_app.bridge.sample_recorder import SampleRecorder, SampleSeriesReader
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.server_search import LanSearch, ServerSearch
from browser_app.bridge.steam_game_search import SteamGameSearch
from browser_app.bridge.user_list_updater import UserListUpdater
from browser_app.catalogue.filters.server_filter import ServerFilter
from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.games.game_profile import RankingConstants
from browser_app.games.game_registry import GameRegistry
from browser_app.storage.user_storage import UserStorage
from browser_app.ui.skill.skill_controller import SkillDependencies


@dataclass(frozen=True)
class WindowServices:
    """Objects and callbacks of the layers below the window."""

    storage: UserStorage
    settings: LiveSettings
    server_list: ServerListController
    list_refresher: ListRefresher
    games: GameRegistry
    background: BackgroundTasks
    lan_search: LanSearch
    server_search: ServerSearch
    sample_recorder: SampleRecorder
    series_reader: SampleSeriesReader
    own_skill: Callable[[], Mapping[str, float]]
    own_skill_source: Callable[[str], OwnSkillSource | None]
    """Returns where a game's own skill comes from; None if it is unknown."""
    preset: Callable[[], RankingConstants | None]
    user_lists: UserListUpdater
    play_now: PlayNowRunner
    play_options: Callable[[ServerFilter | None], PlayOptions]
    """Returns Play Now's options with a filter as the scope; None for that of the settings."""
    launcher: ServerLauncher
    server_recheck: ServerRecheck
    slot_monitor: SlotMonitorRunner
    game_monitor: GameMonitor
    steam_game_search: SteamGameSearch
    alert_monitor: AlertMonitor
    player_monitor: PlayerMonitor
    filter_monitor: FilterMonitor
    notifications: DesktopNotifier
    steam_key: SteamKeyController
    master_health: MasterHealthMonitor
    skill_services: SkillDependencies
