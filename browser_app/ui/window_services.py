"""Objects that the main window works with, created by the start-up code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from browser_app.bridge.play_now_runner import PlayNowRunner
from browser_app.bridge.sample_recorder import SampleRecorder, SampleSeriesReader
from browser_app.bridge.server_list_controller import ServerListController
from browser_app.bridge.server_search import LanSearch, ServerSearch
from browser_app.engine.catalogue_snapshot import PlayOptions
from browser_app.games.game_profile import GameProfile, RankingConstants
from browser_app.protocols.address import Address
from browser_app.storage.lists.saved_filter_store import SavedFilterStore
from browser_app.storage.ui_state import UiState
from browser_app.ui.lists.list_import_export import ListExchangeServices
from browser_app.ui.lists.user_list_services import UserListServices
from browser_app.ui.play.join_services import JoinServices
from browser_app.ui.settings.settings_controller import SettingsServices
from browser_app.ui.skill.skill_controller import SkillDependencies


@dataclass(frozen=True)
class WindowServices:
    """Objects and callbacks of the layers below the window."""

    server_list: ServerListController
    games: Mapping[str, GameProfile]
    lan_search: LanSearch
    ui_state: UiState
    saved_filters: SavedFilterStore
    sampling: SampleRecorder
    past_reader: SampleSeriesReader
    own_skill: Callable[[], Mapping[str, float]]
    preset: Callable[[], RankingConstants | None]
    toggle_favourite: Callable[[int], None]
    play_now: PlayNowRunner
    server_search: ServerSearch
    list_exchange: ListExchangeServices
    play_options: Callable[[frozenset[Address]], PlayOptions]
    """Returns Play Now's options, without these servers."""
    join_services: JoinServices
    user_list_services: UserListServices
    settings_services: SettingsServices
    skill_services: SkillDependencies
