"""What the window works with; made by the start-up code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from browser_app.bridge.lan_search import LanSearch
from browser_app.bridge.live_list import LiveList
from browser_app.bridge.past_reader import PastReader
from browser_app.bridge.play_now import PlayNowBridge
from browser_app.bridge.sampling import Sampling
from browser_app.bridge.server_search import ServerSearch
from browser_app.engine.standing import PlayOptions
from browser_app.games.profile import GameProfile, RankingConstants
from browser_app.protocols.address import Address
from browser_app.storage.kept import Kept
from browser_app.storage.saved_filters import SavedFilters
from browser_app.ui.joining.services import JoinServices
from browser_app.ui.list_exchange import ExchangeServices
from browser_app.ui.people.services import PeopleServices
from browser_app.ui.settings_control import SettingsServices
from browser_app.ui.skill.skill_control import SkillParts


@dataclass(frozen=True)
class Services:
    """The parts below the window, and what it has them do."""

    live: LiveList
    games: Mapping[str, GameProfile]
    lan: LanSearch
    kept: Kept
    saved_filters: SavedFilters
    sampling: Sampling
    past: PastReader
    own_skill: Callable[[], Mapping[str, float]]
    preset: Callable[[], RankingConstants | None]
    toggle_favourite: Callable[[int], None]
    bridge: PlayNowBridge
    search: ServerSearch
    exchange: ExchangeServices
    play_options: Callable[[frozenset[Address]], PlayOptions]
    """What the user wants of Play Now, but for these servers."""
    joining: JoinServices
    people: PeopleServices
    settings: SettingsServices
    skill: SkillParts
